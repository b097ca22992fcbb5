//! What a GPU can do, whichever driver reaches it.
//!
//! A device has one queue: everything happens in the order in which it was issued, while the host goes on. Only `read` and
//! `synchronise` wait. So memory that is free may be used for something else at once: whoever used it before comes first.
//!
//! A [`DeviceError`] with `lost` ends everything: only `reset` can follow, after which no address and no module exists any more.

use super::device_error::DeviceError;
use super::module::Kernel;
use crate::RuntimeError;

/// Who speaks for the device, and so the language of its kernels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Api {
    Cuda,
    OpenCl,
    /// Nobody has to: it has no kernels, but runs what the host runs (`processor`).
    Processor,
}

impl Api {
    pub fn name(self) -> &'static str {
        match self {
            Api::Cuda => "CUDA",
            Api::OpenCl => "OpenCL",
            Api::Processor => "processor",
        }
    }
}

/// What does not change about a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    pub api: Api,
    pub name: String,
    /// In bytes.
    pub memory: u64,
    /// No single piece of memory is larger.
    pub largest: u64,
    /// Whether its memory is that of the host.
    pub shares_memory: bool,
    /// Processors that run groups: cores, or multiprocessors.
    pub cores: u32,
    /// How many groups of 256 threads it can hold at the same time.
    pub groups: i64,
    /// How many bytes the threads of a group can share and have pointers to; 0 if there are none.
    pub pool: i64,
    /// What a binary depends on beside its text.
    pub identity: String,
}

/// A queue of CUDA, which other libraries call a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedQueue {
    /// The number of its GPU.
    pub device: i32,
    pub handle: u64,
}

/// Where memory comes from. An address is not 0 and a multiple of 256; with offsets added to it, it stays one of the same piece.
pub trait Source {
    /// At least one byte, not initialised; none if there is not so much.
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError>;
    fn free(&mut self, address: u64) -> Result<(), DeviceError>;
}

pub trait Device: Source + Send {
    fn facts(&self) -> &Facts;

    /// The bytes at `from` may be changed when this returns.
    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError>;
    /// Writes a few bytes before, or while, the commands that were issued earlier.
    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError>;
    /// Waits for all work that was issued before, and copies each part.
    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError>;
    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError>;
    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError>;
    fn synchronise(&mut self) -> Result<(), DeviceError>;

    /// Whether the kernels of a module are compiled and loaded in units.
    fn compiles_in_units(&self) -> bool {
        false
    }
    /// What `load` takes, of each text. It depends on nothing but the text and the identity.
    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>>;
    fn load(&mut self, binary: &[u8], kernels: &[Kernel]) -> Result<ModuleId, RuntimeError>;
    fn unload(&mut self, module: ModuleId);

    /// The timer, if one was requested, has a time after the next wait.
    fn launch(&mut self, launch: &Launch) -> Result<Option<Timer>, DeviceError>;
    /// What waits for all work that was issued until now, while others ask for more; none if only `synchronise` can.
    fn fence(&mut self) -> Result<Option<Fence>, DeviceError> {
        Ok(None)
    }
    /// Begins to copy bytes for another device, behind all work that was issued before; none if only `read` can.
    fn send(&mut self, _from: u64, _bytes: usize) -> Result<Option<Sent>, DeviceError> {
        Ok(None)
    }
    fn can_receive(&self) -> bool {
        false
    }
    /// Writes what another device has sent, when it has arrived, before all commands from now on.
    fn receive(&mut self, _to: u64, _sent: Sent) -> Result<(), DeviceError> {
        Err(DeviceError::refused("copy from another device", "it cannot wait for that"))
    }
    /// Flushes: commands that were issued and may wait for more to come begin.
    fn begin(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
    /// When the launch began and ended. The timer is given back.
    fn time(&mut self, timer: Timer) -> Result<Times, DeviceError>;
    /// What its own clock shows now, when it is done with all that was asked for.
    fn clock(&mut self) -> Result<u64, DeviceError>;

    /// Where others in this process find it, if it is one that they can use, too.
    fn shared(&self) -> Option<SharedQueue> {
        None
    }
    /// All commands from now on come after all commands of others on their own queues, without waiting for it here.
    fn follow_queue(&mut self, _queue: u64) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Resets the device: it is empty.
    fn reset(&mut self) -> Result<(), RuntimeError>;
}

/// Waits when it is called. What went wrong meanwhile, the device reports to whoever asks it next.
pub type Fence = Box<dyn FnOnce() + Send>;

/// Bytes on their way from a device, and what has something done when they have arrived. Until then they have to be kept, which is done here if nobody takes them.
pub struct Sent(Option<(Box<[u8]>, Then)>);

pub type Then = Box<dyn FnOnce(Arrived) + Send>;

/// Called with whether bytes have arrived; if not, they never will.
pub type Arrived = Box<dyn FnOnce(bool) + Send>;

impl Sent {
    pub fn new(contents: Box<[u8]>, then: Then) -> Sent {
        Sent(Some((contents, then)))
    }

    /// Whoever takes them keeps them until they have arrived.
    pub fn take(mut self) -> (Box<[u8]>, Then) {
        self.0.take().expect("bytes are taken once")
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if let Some((contents, then)) = self.0.take() {
            then(Box::new(move |_| drop(contents)));
        }
    }
}

/// Bytes to be read from an address.
pub struct Part<'a> {
    pub from: u64,
    pub to: &'a mut [u8],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleId(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer(pub usize);

/// In nanoseconds, on the clock of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    pub begin: u64,
    pub end: u64,
}

impl Times {
    pub fn duration(self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

pub struct Launch<'a> {
    pub module: ModuleId,
    /// A number of the list that the module was loaded with.
    pub kernel: usize,
    /// At least 1.
    pub groups: u64,
    /// Where the state is.
    pub state: u64,
    /// Where the heap is, if the kernel uses it.
    pub heap: Option<u64>,
    /// How many bytes each group shares.
    pub pool: u64,
    /// One word for each parameter: an address, or a scalar in the low bytes.
    pub args: &'a [u64],
    pub timed: bool,
}

//! NVIDIA's GPUs, by way of CUDA's driver and NVRTC.
//!
//! - `device` does what a GPU is asked for, `reads` what the host waits for.
//! - `driver` has the functions of libcuda, `nvrtc` those of the compiler, which `find` looks for.
//! - `batch` launches kernels, many at a time; `words` has two of our own.
//! - `staging` is memory for small copies, `lanes` for large ones, `timers` measure kernels.
//!
//! Everything is in the device's primary context, which others in the process may use, too, and on one stream of our own. After some
//! errors a context gives nothing but errors. Then all in it is lost; and when it was a kernel that went wrong, drivers (580 does)
//! refuse to make another for the same process, which goes on without a GPU.

mod batch;
mod device;
mod driver;
mod find;
mod lanes;
mod nvrtc;
mod reads;
mod staging;
mod timers;
mod words;

use super::device::{Api, Facts};
use super::device_error::DeviceError;
use super::which::{Choice, no_name, no_number};
use crate::RuntimeError;
use batch::{Batch, Waiting};
use driver::*;
use lanes::Lanes;
pub use nvrtc::Nvrtc;
use staging::Staging;
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;
use timers::Timers;
use words::Words;

/// Compiles kernels for an architecture (90 for `sm_90`), without a GPU.
pub fn compile(text: &str, arch: u32) -> Result<Vec<u8>, RuntimeError> {
    Nvrtc::find(None)?.compile(text, arch)
}

/// Groups share at most so many bytes with pointers to them. With what kernels share beside, every GPU that NVRTC compiles for has it.
const POOL: c_int = 52 << 10;

pub struct Cuda {
    driver: Driver,
    compiler: Nvrtc,
    number: c_int,
    arch: u32,
    facts: Facts,
    /// Null after it was lost, if there is no other.
    context: Context,
    stream: Stream,
    /// By which the stream follows others.
    following: Event,
    staging: Staging,
    /// Made when something large is copied.
    lanes: Option<Lanes>,
    words: Words,
    timers: Timers,
    modules: Vec<Option<Loaded>>,
    batch: Batch,
}

struct Loaded {
    handle: ModuleHandle,
    /// Each with the size of its groups.
    functions: Vec<(Function, u32)>,
}

// SAFETY: a context can be used from any thread, by one at a time; it is made current before it is used.
unsafe impl Send for Cuda {}

fn absent(why: impl Into<String>) -> RuntimeError {
    RuntimeError::NoDevice { api: Api::Cuda.name(), why: why.into() }
}

/// All GPUs, in the order of their numbers.
pub fn all() -> Result<Vec<Facts>, RuntimeError> {
    let found = CudaSystem::find()?;
    (0..found.count).map(|number| Ok(found.describe(number)?.1)).collect()
}

/// The driver, and the compiler that fits it.
struct CudaSystem {
    driver: Driver,
    version: c_int,
    compiler: Nvrtc,
    count: c_int,
}

impl CudaSystem {
    fn find() -> Result<CudaSystem, RuntimeError> {
        let driver = Driver::find().map_err(absent)?;
        let failed = |error: DeviceError| absent(error.to_string());
        let (mut count, mut version) = (0, 0);
        // SAFETY: it takes no pointers.
        driver.check("start CUDA", unsafe { (driver.init)(0) }).map_err(failed)?;
        // SAFETY: answers are written to variables that live long enough.
        driver.check("count GPUs", unsafe { (driver.device_count)(&mut count) }).map_err(failed)?;
        if count == 0 {
            return Err(absent("the driver sees no GPU"));
        }
        // SAFETY: answers are written to variables that live long enough.
        driver.check("ask the driver", unsafe { (driver.driver_version)(&mut version) }).map_err(failed)?;
        let compiler = Nvrtc::find(Some(version / 1000))?;
        Ok(CudaSystem { driver, version, compiler, count })
    }

    /// What a GPU is, after its handle and its architecture.
    fn describe(&self, number: c_int) -> Result<((c_int, u32), Facts), RuntimeError> {
        let CudaSystem { driver, version, compiler, .. } = self;
        let failed = |error: DeviceError| absent(error.to_string());
        let mut handle = 0;
        // SAFETY: answers are written to variables that live long enough.
        driver.check("find a GPU", unsafe { (driver.device)(&mut handle, number) }).map_err(failed)?;
        let attribute = |which| attribute(driver, handle, which).map_err(failed);
        let arch = (attribute(CAPABILITY_MAJOR)? * 10 + attribute(CAPABILITY_MINOR)?) as u32;
        let cores = attribute(MULTIPROCESSORS)?;
        let held = cores * (attribute(THREADS_PER_MULTIPROCESSOR)? / 256);
        let mut memory = 0;
        driver
            // SAFETY: answers are written to variables that live long enough.
            .check("ask for memory", unsafe { (driver.device_memory)(&mut memory, handle) })
            .map_err(failed)?;
        let facts = Facts {
            api: Api::Cuda,
            name: device_name(driver, handle).map_err(failed)?,
            memory: memory as u64,
            largest: memory as u64,
            shares_memory: attribute(INTEGRATED)? != 0,
            cores: cores as u32,
            groups: i64::from(held),
            pool: POOL.into(),
            identity: format!("{} sm_{arch} driver {version}", compiler.identity()),
        };
        Ok(((handle, arch), facts))
    }

    /// The number of the GPU that is meant.
    fn choose(&self, choice: &Choice) -> Result<c_int, RuntimeError> {
        let count = self.count as usize;
        match choice {
            Choice::Usual => Ok(0),
            Choice::Number(number) if *number < count => Ok(*number as c_int),
            Choice::Number(number) => Err(no_number(Api::Cuda, *number, count)),
            Choice::Part { .. } => {
                Err(RuntimeError::NoSuchDevice("CUDA does not cut devices into parts".into()))
            }
            Choice::Named(name) => {
                let requested = name.to_lowercase();
                let names = (0..self.count).map(|number| Ok(self.describe(number)?.1.name));
                let names = names.collect::<Result<Vec<String>, RuntimeError>>()?;
                let at = names.iter().position(|name| name.to_lowercase().contains(&requested));
                at.map(|number| number as c_int).ok_or_else(|| no_name(Api::Cuda, name, &names))
            }
        }
    }
}

impl Cuda {
    pub fn new(choice: &Choice) -> Result<Cuda, RuntimeError> {
        let found = CudaSystem::find()?;
        let ((number, arch), facts) = found.describe(found.choose(choice)?)?;
        let CudaSystem { driver, compiler, .. } = found;
        let context = retain(&driver, number)?;
        let Opened { stream, following, staging, words } = open(&driver, context)?;
        Ok(Cuda {
            driver,
            compiler,
            number,
            arch,
            facts,
            context,
            stream,
            following,
            staging,
            lanes: None,
            words,
            timers: Timers::default(),
            modules: Vec::new(),
            batch: Batch::default(),
        })
    }

    /// A kernel waits until there are more of them.
    fn add(&mut self, kernel: Waiting, words: impl Iterator<Item = u64>) -> Result<(), DeviceError> {
        if self.batch.ends_before(&kernel) {
            self.follow()?;
        }
        self.batch.add(kernel, words);
        Ok(())
    }

    /// The next command runs after all kernels that were launched.
    fn follow(&mut self) -> Result<(), DeviceError> {
        self.enter()?;
        if self.batch.is_empty() { Ok(()) } else { self.batch.launch(&self.driver, self.stream) }
    }

    /// Every thread has to say which context it means.
    fn enter(&self) -> Result<(), DeviceError> {
        if self.context.is_null() {
            return Err(DeviceError { doing: "use the GPU", error: "it was lost".into(), lost: true });
        }
        // SAFETY: the context was retained, and is released only when it is not used any more.
        self.driver.check("use the GPU", unsafe { (self.driver.context_make_current)(self.context) })
    }

    fn wait(&mut self, doing: &'static str) -> Result<(), DeviceError> {
        // SAFETY: the stream is one of the context, which is current.
        self.driver.check(doing, unsafe { (self.driver.stream_synchronise)(self.stream) })?;
        self.settle();
        Ok(())
    }

    /// The GPU has done all its commands.
    fn settle(&mut self) {
        self.staging.settle();
        self.batch.settle();
    }
}

fn attribute(driver: &Driver, number: c_int, which: c_int) -> Result<c_int, DeviceError> {
    let mut value = 0;
    // SAFETY: answers are written to variables that live long enough.
    driver.check("ask for an attribute", unsafe { (driver.device_attribute)(&mut value, which, number) })?;
    Ok(value)
}

fn device_name(driver: &Driver, number: c_int) -> Result<String, DeviceError> {
    let mut name = [0u8; 256];
    let place = name.as_mut_ptr().cast::<c_char>();
    driver
        // SAFETY: the name has room for so many bytes, of which the last stays 0.
        .check("ask for a name", unsafe { (driver.device_name)(place, name.len() as c_int - 1, number) })?;
    let name = String::from_utf8_lossy(&name);
    Ok(name.trim_end_matches('\0').to_string())
}

fn retain(driver: &Driver, number: c_int) -> Result<Context, DeviceError> {
    let mut context = null_mut();
    // SAFETY: answers are written to variables that live long enough.
    driver.check("make a context", unsafe { (driver.context_retain)(&mut context, number) })?;
    Ok(context)
}

/// What is recreated in a context.
struct Opened {
    stream: Stream,
    following: Event,
    staging: Staging,
    words: Words,
}

fn open(driver: &Driver, context: Context) -> Result<Opened, DeviceError> {
    // SAFETY: the context was just retained.
    driver.check("use the GPU", unsafe { (driver.context_make_current)(context) })?;
    let (mut stream, mut following) = (null_mut(), null_mut());
    // SAFETY: answers are written to variables that live long enough.
    driver.check("make a stream", unsafe { (driver.stream_create)(&mut stream, NON_BLOCKING_STREAM) })?;
    // SAFETY: as above.
    driver.check("make an event", unsafe { (driver.event_create)(&mut following, NO_TIMING) })?;
    Ok(Opened { stream, following, staging: Staging::new(driver)?, words: Words::new(driver)? })
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // What is refused here is gone, or goes with the process.
        if self.context.is_null() {
            return;
        }
        if self.enter().is_ok() {
            self.batch.free(&self.driver);
            self.timers.free(&self.driver);
            self.staging.free(&self.driver);
            self.lanes.iter_mut().for_each(|lanes| lanes.free(&self.driver));
            self.words.free(&self.driver);
            for Loaded { handle, .. } in self.modules.drain(..).flatten() {
                // SAFETY: the module was loaded, and is not used any more.
                unsafe { (self.driver.module_unload)(handle) };
            }
            // SAFETY: the stream and the event are of the context, which is current, and are not used any more.
            unsafe {
                (self.driver.event_destroy)(self.following);
                (self.driver.stream_destroy)(self.stream);
            }
        }
        // SAFETY: the context was retained once, and is not used any more.
        unsafe { (self.driver.context_release)(self.number) };
    }
}

//! The trait `Device` for CUDA: memory, transfers, modules, launches, timers and fences on one stream.
//!
//! Small fills and copies are kernels (`words`), so that they can be part of a batch of launches (`batch`); the driver does large ones. Every other command flushes the batch first. Transfers between the host and the
//! GPU go through pinned memory (`staging`, `lanes`), and small reads through a flag in memory that both sides can access (`reads`).
//!
//! `interrupt` writes a word on a stream of its own, while kernels run. After an error that loses the device, `reset` destroys and recreates the context.

use super::batch::{Batch, Waiting};
use super::driver::{Context, Event, MOST_SHARED, NO_TIMING, NON_BLOCKING_STREAM, OUT_OF_MEMORY, Stream};
use super::lanes::LARGE_TO_WRITE;
use super::staging::INBOX;
use super::timers::Timers;
use super::words::Words;
use super::{Cuda, Loaded, Opened, POOL, open, retain};
use crate::RuntimeError;
use crate::gpu::device::{Device, Facts, Fence, Launch, ModuleId, Part, SharedQueue, Source, Timer, Times};
use crate::gpu::device_error::DeviceError;
use crate::gpu::module::Kernel;
use std::ffi::CString;
use std::panic::resume_unwind;
use std::ptr::null_mut;
use std::thread;

/// So many bytes are filled or copied by a kernel; what is more is done as well by the driver.
const MANY: u64 = 4 << 20;
/// And so many of those that come from the host, or go there.
pub(super) const FEW: usize = 4 << 10;

/// An event on its way to whoever waits for it.
struct Mark {
    context: Context,
    event: Event,
}

// SAFETY: a context can be used from any thread, and so can its events.
unsafe impl Send for Mark {}

impl Source for Cuda {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the address is written to a variable that lives long enough.
        let code = unsafe { (self.driver.alloc)(&mut address, bytes as usize) };
        if code == OUT_OF_MEMORY {
            return Ok(None);
        }
        self.driver.check("allocate memory", code)?;
        Ok(Some(address))
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        self.follow()?;
        // SAFETY: the address came from `alloc`; another would be refused.
        self.driver.check("free memory", unsafe { (self.driver.free)(address) })
    }
}

impl Device for Cuda {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        if from.len() <= FEW && Words::are_whole(from.len() as u64, to) {
            if !self.staging.has_room(from.len()) {
                self.follow()?;
                self.staging.turn(&self.driver, self.stream)?;
            }
            let place = self.staging.put(from);
            let (kernel, words) = self.words.copy(to, place as u64, from.len() as u64);
            return self.add(kernel, words.into_iter());
        }
        self.follow()?;
        if from.len() >= LARGE_TO_WRITE {
            let (lanes, way) = self.lanes()?;
            return lanes.write(way, to, from);
        }
        self.staging.write(&self.driver, self.stream, to, from)
    }

    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        const DOING: &str = "interrupt kernels";
        self.enter()?;
        let mut other = null_mut();
        let driver = &self.driver;
        // SAFETY: the stream is written to a variable that lives long enough.
        driver.check(DOING, unsafe { (driver.stream_create)(&mut other, NON_BLOCKING_STREAM) })?;
        // Nothing arrives in the inbox now.
        let (place, bytes) = (self.staging.inbox(), from.len().min(INBOX));
        // SAFETY: nothing arrives in the inbox now, which has room for the bytes, and it is not touched before the stream has come to its
        // end.
        let codes = unsafe {
            place.copy_from_nonoverlapping(from.as_ptr(), bytes);
            let copied = (driver.copy_to_device)(to, place.cast(), bytes, other);
            [copied, (driver.stream_synchronise)(other), (driver.stream_destroy)(other)]
        };
        codes.into_iter().try_for_each(|code| driver.check(DOING, code))
    }

    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        self.read_parts(parts)
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError> {
        if bytes <= MANY && Words::are_whole(bytes, to | from) {
            let (kernel, words) = self.words.copy(to, from, bytes);
            return self.add(kernel, words.into_iter());
        }
        self.follow()?;
        // SAFETY: both addresses came from `alloc`, with room for so many bytes, by the rules of abi.h; memory of the host is not concerned.
        let code = unsafe { (self.driver.copy_within)(to, from, bytes as usize, self.stream) };
        self.driver.check("copy within the device", code)
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        if bytes <= MANY && Words::are_whole(bytes, to) {
            let (kernel, words) = self.words.fill(to, byte, bytes);
            return self.add(kernel, words.into_iter());
        }
        self.follow()?;
        // SAFETY: the address came from `alloc`, with room for so many bytes, by the rules of abi.h; memory of the host is not concerned.
        let code = unsafe { (self.driver.fill)(to, byte, bytes as usize, self.stream) };
        self.driver.check("fill memory", code)
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        self.follow()?;
        self.wait("wait")
    }

    fn fence(&mut self) -> Result<Option<Fence>, DeviceError> {
        const DOING: &str = "mark how far it is";
        self.follow()?;
        let driver = &self.driver;
        let mut event = null_mut();
        // SAFETY: the event is written to a variable that lives long enough.
        driver.check(DOING, unsafe { (driver.event_create)(&mut event, NO_TIMING) })?;
        // SAFETY: the event was just made, in the context that is current, to which the stream belongs.
        driver.check(DOING, unsafe { (driver.event_record)(event, self.stream) })?;
        let (enter, wait, destroy) =
            (driver.context_make_current, driver.event_synchronise, driver.event_destroy);
        let mark = Mark { context: self.context, event };
        Ok(Some(Box::new(move || {
            let Mark { context, event } = { mark };
            // SAFETY: the event was made above in this context, and is destroyed once. If the context is gone, these are refused.
            unsafe {
                enter(context);
                wait(event);
                destroy(event);
            }
        })))
    }

    fn compiles_in_units(&self) -> bool {
        true
    }

    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>> {
        let (compiler, arch) = (&self.compiler, self.arch);
        thread::scope(|scope| {
            let threads: Vec<_> =
                texts.iter().map(|text| scope.spawn(move || compiler.compile(text, arch))).collect();
            let code = threads.into_iter().map(|thread| thread.join());
            code.map(|code| code.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    }

    fn load(&mut self, binary: &[u8], kernels: &[Kernel]) -> Result<ModuleId, RuntimeError> {
        self.enter()?;
        let mut handle = null_mut();
        // What is text has to end in a zero, which does no harm to the rest.
        let image: Vec<u8> = binary.iter().copied().chain([0]).collect();
        // SAFETY: the image is a whole one, ends in a zero, and is only read.
        let code = unsafe { (self.driver.module_load)(&mut handle, image.as_ptr().cast()) };
        self.driver.check("load kernels", code)?;
        let mut functions = Vec::with_capacity(kernels.len());
        for kernel in kernels {
            let name = CString::new(kernel.name.as_str()).unwrap_or_default();
            let mut function = null_mut();
            // SAFETY: the module was just loaded, and the name ends in a zero.
            let code = unsafe { (self.driver.module_function)(&mut function, handle, name.as_ptr()) };
            self.driver.check("find a kernel", code)?;
            if kernel.pool.is_some() {
                // SAFETY: the function was just found.
                let code = unsafe { (self.driver.function_set)(function, MOST_SHARED, POOL) };
                self.driver.check("let a kernel share memory", code)?;
            }
            functions.push((function, kernel.group_size));
        }
        self.modules.push(Some(Loaded { handle, functions }));
        Ok(ModuleId(self.modules.len() - 1))
    }

    fn unload(&mut self, module: ModuleId) {
        if let Some(Loaded { handle, .. }) = self.modules[module.0].take()
            && self.follow().is_ok()
        {
            self.batch.free(&self.driver);
            // SAFETY: the module was loaded and is not used any more. Kernels of it may still run, and the driver waits for them.
            unsafe { (self.driver.module_unload)(handle) };
        }
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Timer>, DeviceError> {
        const DOING: &str = "launch a kernel";
        let Some(Loaded { functions, .. }) = &self.modules[launch.module.0] else {
            return Err(DeviceError::refused(DOING, "its module was unloaded"));
        };
        let (function, group_size) = functions[launch.kernel];
        let groups = u32::try_from(launch.groups).ok().filter(|groups| *groups <= i32::MAX as u32);
        let groups =
            groups.ok_or_else(|| DeviceError::refused(DOING, format!("{} groups", launch.groups)))?;
        let pool = launch.pool.min(u64::from(u32::MAX)) as u32;
        // The heap is found by way of the state.
        let words = [launch.state].into_iter().chain(launch.args.iter().copied());
        let kernel = Waiting { function, groups, group_size, pool };
        if !launch.timed {
            return self.add(kernel, words).map(|()| None);
        }
        self.follow()?;
        let timer = self.timers.begin(&self.driver, self.stream)?;
        self.add(kernel, words)?;
        self.follow()?;
        self.timers.end(&self.driver, self.stream, timer)?;
        Ok(Some(timer))
    }

    fn begin(&mut self) -> Result<(), DeviceError> {
        self.follow()
    }

    fn time(&mut self, timer: Timer) -> Result<Times, DeviceError> {
        self.enter()?;
        self.timers.time(&self.driver, timer)
    }

    fn clock(&mut self) -> Result<u64, DeviceError> {
        self.follow()?;
        self.timers.clock(&self.driver, self.stream)
    }

    fn shared(&self) -> Option<SharedQueue> {
        Some(SharedQueue { device: self.number, handle: self.stream as u64 })
    }

    fn follow_queue(&mut self, queue: u64) -> Result<(), DeviceError> {
        const DOING: &str = "follow another stream";
        self.enter()?;
        // The usual case of short calls: what the other stream had to do is done. Waiting for an event would delay the first kernel by some microseconds.
        // SAFETY: the context is current; a stream that does not belong to it is refused.
        if unsafe { (self.driver.stream_query)(queue as Stream) } == 0 {
            return Ok(());
        }
        self.follow()?;
        let driver = &self.driver;
        // SAFETY: both streams belong to the context that is current; one that does not is refused. The event can be recorded again at once: who waits for it waits
        // for what it was when that was asked.
        let code = unsafe { (driver.event_record)(self.following, queue as Stream) };
        driver.check(DOING, code)?;
        // SAFETY: as above.
        driver.check(DOING, unsafe { (driver.stream_wait)(self.stream, self.following, 0) })
    }

    fn reset(&mut self) -> Result<(), RuntimeError> {
        // Everything in the context goes with it.
        self.timers = Timers::default();
        self.batch = Batch::default();
        self.lanes = None;
        self.modules.clear();
        if !std::mem::replace(&mut self.context, null_mut()).is_null() {
            // SAFETY: the context was retained once.
            unsafe { (self.driver.context_release)(self.number) };
            // SAFETY: the device exists, and nothing of its context is used any more.
            unsafe { (self.driver.context_reset)(self.number) };
        }
        let context = retain(&self.driver, self.number);
        let made = context.and_then(|context| Ok((context, open(&self.driver, context)?)));
        let (context, Opened { stream, following, staging, words }) = made.map_err(|device_error| {
            let error = device_error.error;
            RuntimeError::Device(format!(
                "the GPU was lost when a kernel went wrong, and CUDA gives it to this process only once ({error})"
            ))
        })?;
        (self.context, self.stream, self.following) = (context, stream, following);
        (self.staging, self.words) = (staging, words);
        Ok(())
    }
}

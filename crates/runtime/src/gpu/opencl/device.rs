//! What an OpenCL device can do.

use super::api::*;
use super::{MOST_UNDER_WAY, OpenCl, SMALL, new_queue, open};
use crate::RuntimeError;
use crate::gpu::device::{Device, Facts, Fence, Launch, ModuleId, Part, Sent, Source, Timer, Times};
use crate::gpu::device_error::DeviceError;
use crate::gpu::module::Kernel;
use std::ffi::c_int;
use std::ptr::{null, null_mut};

const BLOCKING: u32 = 1;
const NON_BLOCKING: u32 = 0;

/// An event on its way to whoever waits for it.
struct Mark(Event);

// SAFETY: OpenCL's events may be used by any thread.
unsafe impl Send for Mark {}

impl Source for OpenCl {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        if bytes > self.facts.largest {
            return Ok(None);
        }
        let mut code = 0;
        // SAFETY: the context exists; no memory of the host is passed, and the code is written to a variable that lives long enough.
        let buffer = unsafe {
            (self.api.buffer_create)(self.context, MEM_READ_WRITE, bytes as usize, null_mut(), &mut code)
        };
        // Too large, no memory on the device, or none for the driver itself.
        if matches!(code, -61 | -4 | -5 | -6) {
            return Ok(None);
        }
        check("allocate memory", code)?;
        Ok(Some(self.buffers.add(buffer, bytes)))
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        // Kernels that are queued keep the buffer.
        match self.buffers.remove(address) {
            // SAFETY: the buffer was made by `alloc`, and is not used any more by us; kernels that are queued keep it.
            Some(buffer) => check("free memory", unsafe { (self.api.buffer_release)(buffer) }),
            None => Ok(()),
        }
    }
}

impl Device for OpenCl {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        const DOING: &str = "copy to the device";
        let (buffer, offset) = self.buffers.find(DOING, to)?;
        // SAFETY: the queue and the buffer exist. The bytes are there until the call returns, or, if it does not wait, until they are
        // taken from `under_way`.
        let write = |blocking, from: &[u8]| unsafe {
            let (offset, from, bytes) = (offset as usize, from.as_ptr().cast(), from.len());
            (self.api.write)(self.queue, buffer, blocking, offset, bytes, from, 0, null(), null_mut())
        };
        if from.len() > SMALL {
            return check(DOING, write(BLOCKING, from));
        }
        let kept: Box<[u8]> = from.into();
        check(DOING, write(NON_BLOCKING, &kept))?;
        self.under_way_bytes += kept.len();
        self.under_way.push(kept);
        if self.under_way_bytes > MOST_UNDER_WAY { self.wait(DOING) } else { Ok(()) }
    }

    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        const DOING: &str = "interrupt kernels";
        let (buffer, offset) = self.buffers.find(DOING, to)?;
        let other = new_queue(&self.api, self.context, self.device, 0)?;
        // SAFETY: the queue and the buffer exist, and the call waits until the bytes were copied.
        let code = unsafe {
            let (offset, from, bytes) = (offset as usize, from.as_ptr().cast(), from.len());
            (self.api.write)(other, buffer, BLOCKING, offset, bytes, from, 0, null(), null_mut())
        };
        // SAFETY: the queue was made above, and is not used any more.
        unsafe { (self.api.queue_release)(other) };
        check(DOING, code)
    }

    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        const DOING: &str = "copy from the device";
        for Part { from, to } in parts {
            let begun = self.buffers.find(DOING, *from).and_then(|(buffer, offset)| {
                let (offset, to, bytes) = (offset as usize, to.as_mut_ptr().cast(), to.len());
                let queue = self.queue;
                // SAFETY: the queue and the buffer exist, and there is room for so many bytes at the place until the queue was waited for,
                // which is done below in any case.
                check(DOING, unsafe {
                    (self.api.read)(queue, buffer, NON_BLOCKING, offset, bytes, to, 0, null(), null_mut())
                })
            });
            if let Err(device_error) = begun {
                // Nothing may be written to parts that are gone.
                self.wait(DOING)?;
                return Err(device_error);
            }
        }
        self.wait(DOING)
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError> {
        const DOING: &str = "copy within the device";
        let (from, begin) = self.buffers.find(DOING, from)?;
        let (to, end) = self.buffers.find(DOING, to)?;
        let [begin, end, bytes] = [begin, end, bytes].map(|number| number as usize);
        // SAFETY: the queue and both buffers exist; OpenCL refuses what is beyond them.
        check(DOING, unsafe {
            (self.api.copy)(self.queue, from, to, begin, end, bytes, 0, null(), null_mut())
        })
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        const DOING: &str = "fill memory";
        let (buffer, offset) = self.buffers.find(DOING, to)?;
        // Drivers are faster at patterns of words, which have to fit.
        let pattern = [byte; 8];
        let width = if (offset | bytes).is_multiple_of(8) { 8 } else { 1 };
        // SAFETY: the queue and the buffer exist, OpenCL refuses what is beyond it, and the pattern is copied before the call returns.
        check(DOING, unsafe {
            let (from, offset, bytes) = (pattern.as_ptr().cast(), offset as usize, bytes as usize);
            (self.api.fill)(self.queue, buffer, from, width, offset, bytes, 0, null(), null_mut())
        })
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        self.wait("wait")
    }

    fn fence(&mut self) -> Result<Option<Fence>, DeviceError> {
        const DOING: &str = "mark how far it is";
        let mut mark = null_mut();
        // SAFETY: the queue exists, and the event is written to a variable that lives long enough.
        check(DOING, unsafe { (self.api.mark)(self.queue, 0, null(), &mut mark) })?;
        // SAFETY: the queue exists.
        check(DOING, unsafe { (self.api.flush)(self.queue) })?;
        let (wait, release, mark) = (self.api.wait, self.api.event_release, Mark(mark));
        Ok(Some(Box::new(move || {
            let Mark(mark) = { mark };
            // SAFETY: the event was made above and is released once; any thread may wait for it.
            unsafe {
                wait(1, &mark);
                release(mark);
            }
        })))
    }

    fn send(&mut self, from: u64, bytes: usize) -> Result<Option<Sent>, DeviceError> {
        self.begin_send(from, bytes).map(Some)
    }

    fn can_receive(&self) -> bool {
        self.waits_for_events
    }

    fn receive(&mut self, to: u64, sent: Sent) -> Result<(), DeviceError> {
        self.begin_receive(to, sent)
    }

    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>> {
        texts.iter().map(|text| self.compile_text(text)).collect()
    }

    fn load(&mut self, binary: &[u8], kernels: &[Kernel]) -> Result<ModuleId, RuntimeError> {
        let loaded = self.load_kernels(binary, kernels)?;
        self.modules.push(Some(loaded));
        Ok(ModuleId(self.modules.len() - 1))
    }

    fn unload(&mut self, module: ModuleId) {
        if let Some(loaded) = self.modules[module.0].take() {
            loaded.release(&self.api);
        }
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Timer>, DeviceError> {
        const DOING: &str = "launch a kernel";
        if launch.timed {
            self.start_profiling()?;
        }
        let Some(module) = &self.modules[launch.module.0] else {
            return Err(DeviceError::refused(DOING, "its module was unloaded"));
        };
        let kernel = &module.kernels[launch.kernel];
        let local = kernel.group_size;
        let global = usize::try_from(launch.groups).ok().and_then(|groups| groups.checked_mul(local));
        let global =
            global.ok_or_else(|| DeviceError::refused(DOING, format!("{} groups", launch.groups)))?;
        self.pass(kernel, launch)?;
        let mut event = null_mut();
        let requested = if launch.timed { &raw mut event } else { null_mut() };
        // SAFETY: the queue and the kernel exist, and all arguments are set; sizes are read and the event is written before the call
        // returns.
        check(DOING, unsafe {
            (self.api.launch)(self.queue, kernel.handle, 1, null(), &global, &local, 0, null(), requested)
        })?;
        let timer = if launch.timed { Some(self.timer(event)) } else { None };
        self.count_launch(DOING)?;
        Ok(timer)
    }

    fn time(&mut self, timer: Timer) -> Result<Times, DeviceError> {
        let event = std::mem::replace(&mut self.events[timer.0], null_mut());
        self.free_timers.push(timer);
        self.times(event)
    }

    fn clock(&mut self) -> Result<u64, DeviceError> {
        self.start_profiling()?;
        let mut mark = null_mut();
        // SAFETY: the queue exists, and the event is written to a variable that lives long enough.
        check("mark how far it is", unsafe { (self.api.mark)(self.queue, 0, null(), &mut mark) })?;
        let waited = self.wait("wait");
        let times = self.times(mark)?;
        waited.map(|()| times.end)
    }

    fn reset(&mut self) -> Result<(), RuntimeError> {
        self.close();
        (self.context, self.queue) = open(&self.api, self.device)?;
        self.profiling = false;
        Ok(())
    }
}

impl OpenCl {
    /// When something began and ended that is done. The event is released.
    fn times(&self, event: Event) -> Result<Times, DeviceError> {
        let at = |which, to: &mut u64| -> c_int {
            // SAFETY: the event exists, and there is room for a number at the place.
            unsafe {
                (self.api.event_times)(event, which, size_of::<u64>(), (&raw mut *to).cast(), null_mut())
            }
        };
        let (mut begin, mut end) = (0, 0);
        let codes = [at(COMMAND_START, &mut begin), at(COMMAND_END, &mut end)];
        // SAFETY: the event exists, and is not used any more.
        unsafe { (self.api.event_release)(event) };
        codes.into_iter().try_for_each(|code| check("measure a time", code))?;
        Ok(Times { begin, end })
    }
}

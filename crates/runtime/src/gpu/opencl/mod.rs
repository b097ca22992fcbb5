//! Devices that are reached by OpenCL.
//!
//! - `device` does what a device is asked for.
//! - `api` has the functions of the library, `choose` picks the device.
//! - `handover` copies from one device to another.
//! - `buffers` gives addresses to memory that has none; `build` makes kernels.
//!
//! A kernel takes a pointer as a buffer and an offset; the state and the heap, which are whole buffers, without an offset.

mod api;
mod buffers;
mod build;
mod choose;
mod device;
mod handover;
mod stacks;

use super::at_work;
use super::device::{Api, Facts, Launch, Timer};
use super::device_error::DeviceError;
use super::module::Param;
use super::which::Choice;
use crate::RuntimeError;
use api::*;
use buffers::Buffers;
use build::{Loaded, Ready};
use choose::{Chosen, choose};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// What is larger is written while the host waits.
const SMALL: usize = 64 << 10;
/// So many bytes may be on their way.
const MOST_UNDER_WAY: usize = 4 << 20;
/// After so many launches a mark is set, and the one before is waited for, so that not too much is under way when a run is to end.
const LAUNCHES_PER_MARK: usize = 32;

pub struct OpenCl {
    api: OpenClApi,
    device: DeviceHandle,
    is_part: bool,
    facts: Facts,
    options: String,
    compiles_on_demand: bool,
    waits_for_events: bool,
    context: Context,
    queue: CommandQueue,
    /// Whether the queue measures times.
    profiling: bool,
    buffers: Buffers,
    modules: Vec<Option<Loaded>>,
    /// By timer.
    events: Vec<Event>,
    free_timers: Vec<Timer>,
    /// What is being written, until somebody waits.
    under_way: Vec<Box<[u8]>>,
    under_way_bytes: usize,
    /// The launches since the last mark, and that mark.
    launches: usize,
    mark: Event,
}

// SAFETY: OpenCL's objects can be used from any thread, by one at a time.
unsafe impl Send for OpenCl {}

const NOTHING: &str = "no platform has a device";

fn absent(why: impl Into<String>) -> RuntimeError {
    RuntimeError::NoDevice { api: Api::OpenCl.name(), why: why.into() }
}

/// All devices, in the order of their numbers.
pub fn all() -> Result<Vec<Facts>, RuntimeError> {
    let api = OpenClApi::find().map_err(absent)?;
    match choose::all(&api) {
        all if all.is_empty() => Err(absent(NOTHING)),
        all => Ok(all),
    }
}

impl OpenCl {
    pub fn new(choice: &Choice) -> Result<OpenCl, RuntimeError> {
        let api = OpenClApi::find().map_err(absent)?;
        let chosen = choose(&api, choice)?;
        let Chosen { device, is_part, facts, options, compiles_on_demand, waits_for_events } = chosen;
        let (context, queue) = open(&api, device)?;
        Ok(OpenCl {
            api,
            device,
            is_part,
            facts,
            options,
            compiles_on_demand,
            waits_for_events,
            context,
            queue,
            profiling: false,
            buffers: Buffers::new(),
            modules: Vec::new(),
            events: Vec::new(),
            free_timers: Vec::new(),
            under_way: Vec::new(),
            under_way_bytes: 0,
            launches: 0,
            mark: null_mut(),
        })
    }

    /// What goes wrong here went wrong before, in a kernel.
    fn wait(&mut self, doing: &'static str) -> Result<(), DeviceError> {
        // SAFETY: the queue exists.
        let code = unsafe { (self.api.finish)(self.queue) };
        check(doing, code).map_err(|device_error| DeviceError { lost: true, ..device_error })?;
        self.under_way.clear();
        self.under_way_bytes = 0;
        self.drop_mark();
        Ok(())
    }

    /// Counts a launch.
    fn count_launch(&mut self, doing: &'static str) -> Result<(), DeviceError> {
        self.launches += 1;
        if self.launches < LAUNCHES_PER_MARK {
            // SAFETY: the queue exists.
            return check(doing, unsafe { (self.api.flush)(self.queue) });
        }
        self.launches = 0;
        let mut next = null_mut();
        // SAFETY: the queue exists, and the event is written to a variable that lives long enough.
        check(doing, unsafe { (self.api.mark)(self.queue, 0, null(), &mut next) })?;
        // SAFETY: the queue exists.
        check(doing, unsafe { (self.api.flush)(self.queue) })?;
        let before = std::mem::replace(&mut self.mark, next);
        if before.is_null() {
            return Ok(());
        }
        // SAFETY: the event was made by an earlier mark.
        let code = at_work::waiting(|| unsafe { (self.api.wait)(1, &before) });
        // SAFETY: the event was made by an earlier mark, and is not used any more.
        unsafe { (self.api.event_release)(before) };
        check(doing, code).map_err(|device_error| DeviceError { lost: true, ..device_error })
    }

    /// A queue measures times only if it was made so.
    fn start_profiling(&mut self) -> Result<(), DeviceError> {
        if !self.profiling {
            self.wait("wait")?;
            let queue = new_queue(&self.api, self.context, self.device, QUEUE_PROFILING)?;
            // SAFETY: the queue has nothing to do any more, and is not used any more.
            unsafe { (self.api.queue_release)(self.queue) };
            (self.queue, self.profiling) = (queue, true);
        }
        Ok(())
    }

    fn drop_mark(&mut self) {
        self.launches = 0;
        let mark = std::mem::replace(&mut self.mark, null_mut());
        if !mark.is_null() {
            // SAFETY: the event is not null, and is not used any more.
            unsafe { (self.api.event_release)(mark) };
        }
    }

    fn timer(&mut self, event: Event) -> Timer {
        match self.free_timers.pop() {
            Some(timer) => {
                self.events[timer.0] = event;
                timer
            }
            None => {
                self.events.push(event);
                Timer(self.events.len() - 1)
            }
        }
    }

    /// Sets all arguments of a kernel.
    fn pass(&self, kernel: &Ready, launch: &Launch) -> Result<(), DeviceError> {
        const DOING: &str = "pass arguments to a kernel";
        let mut next: c_uint = 0;
        let mut set = |bytes: usize, value: *const c_void| {
            // SAFETY: the kernel exists, and so many bytes are at the value, of which OpenCL takes a copy.
            let code = unsafe { (self.api.set_arg)(kernel.handle, next, bytes, value) };
            next += 1;
            check(DOING, code)
        };
        for whole in [Some(launch.state), launch.heap].into_iter().flatten() {
            let (buffer, _) = self.buffers.find(DOING, whole)?;
            set(size_of::<Mem>(), (&raw const buffer).cast())?;
        }
        for (param, word) in kernel.params.iter().zip(launch.args) {
            match param {
                Param::Pointer(_) | Param::Region(_) => {
                    let (buffer, offset) = match word {
                        0 => (null_mut(), 0),
                        address => self.buffers.near(DOING, *address)?,
                    };
                    let value = if buffer.is_null() { null() } else { (&raw const buffer).cast() };
                    set(size_of::<Mem>(), value)?;
                    set(size_of::<u64>(), (&raw const offset).cast())?;
                }
                // The low bytes come first, or the word is moved so that they do.
                Param::Scalar(bytes) => {
                    let word = word.to_le_bytes();
                    set((*bytes).into(), word.as_ptr().cast())?;
                }
            }
        }
        Ok(())
    }

    /// Ends everything that is in the context, and the context.
    fn close(&mut self) {
        if self.context.is_null() {
            return;
        }
        self.drop_mark();
        let api = &self.api;
        // SAFETY: all of these were made in the context, which exists, and are not used any more.
        unsafe {
            (api.finish)(self.queue);
            self.modules.drain(..).flatten().for_each(|module| module.release(api));
            for buffer in self.buffers.take_all() {
                (api.buffer_release)(buffer);
            }
            for event in self.events.drain(..).filter(|event| !event.is_null()) {
                (api.event_release)(event);
            }
            (api.queue_release)(self.queue);
            (api.context_release)(self.context);
        }
        (self.context, self.queue) = (null_mut(), null_mut());
        self.free_timers.clear();
        self.under_way.clear();
        self.under_way_bytes = 0;
    }
}

fn open(api: &OpenClApi, device: DeviceHandle) -> Result<(Context, CommandQueue), DeviceError> {
    let mut code = 0;
    // SAFETY: there is one device; the code is written to a variable that lives long enough.
    let context = unsafe { (api.context_create)(null(), 1, &device, null(), null_mut(), &mut code) };
    check("open the device", code)?;
    Ok((context, new_queue(api, context, device, 0)?))
}

fn new_queue(
    api: &OpenClApi,
    context: Context,
    device: DeviceHandle,
    properties: u64,
) -> Result<CommandQueue, DeviceError> {
    let mut code: c_int = 0;
    // SAFETY: context and device exist; the code is written to a variable that lives long enough.
    let queue = unsafe { (api.queue_create)(context, device, properties, &mut code) };
    check("make a queue", code)?;
    Ok(queue)
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        self.close();
        if self.is_part {
            // SAFETY: the part was made for this, and nothing of it is used any more.
            unsafe { (self.api.device_release)(self.device) };
        }
    }
}

//! Bytes that one device hands over to another, while the host goes on: to a place of the host, and from there when they have arrived.
//!
//! Devices may have contexts of their own, or be of different vendors: an event of one cannot be waited for by the other. So the copy to the host calls back when it is done, and sets an
//! event of the one that waits. Nothing that the giver does later changes what was sent, since its queue is in order, and nothing that the taker did before reads what is received.

use super::api::*;
use super::{MOST_UNDER_WAY, OpenCl};
use crate::gpu::device::{Arrived, Sent};
use crate::gpu::device_error::DeviceError;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

/// An event on its way to whoever has to do with it.
struct OnItsWay(Event);

// SAFETY: OpenCL's events may be used by any thread.
unsafe impl Send for OnItsWay {}

const COMPLETE: c_int = 0;
/// A command that ends with this has failed, and so have those that wait for it.
const FAILED: c_int = -1;

/// What is called when an event has come, or never will.
///
/// # Safety
/// What is passed is a box of what is to be reported, which nobody else uses.
unsafe extern "C" fn call(_: Event, status: c_int, arrived: *mut c_void) {
    // SAFETY: this was a box of ours, and nobody else uses it; each event calls back once.
    let arrived = unsafe { Box::from_raw(arrived.cast::<Arrived>()) };
    arrived(status == COMPLETE);
}

impl OpenCl {
    pub(super) fn begin_send(&mut self, from: u64, bytes: usize) -> Result<Sent, DeviceError> {
        const DOING: &str = "copy to another device";
        let (buffer, offset) = self.buffers.find(DOING, from)?;
        let mut contents = vec![0; bytes].into_boxed_slice();
        let mut done = null_mut();
        // SAFETY: the queue and the buffer exist. Whoever has the contents keeps them until the event has come.
        check(DOING, unsafe {
            let to = contents.as_mut_ptr().cast();
            (self.api.read)(self.queue, buffer, 0, offset as usize, bytes, to, 0, null(), &mut done)
        })?;
        // SAFETY: the queue exists. If this fails, so does what the device is asked for next.
        unsafe { (self.api.flush)(self.queue) };
        let (set, release, done) = (self.api.event_callback, self.api.event_release, OnItsWay(done));
        let then = move |arrived: Arrived| {
            let OnItsWay(done) = { done };
            let arrived: *mut Arrived = Box::into_raw(Box::new(arrived));
            // SAFETY: the event exists, and calls back once with the box that was made for that; it is released once.
            unsafe {
                if set(done, COMPLETE, call, arrived.cast()) != 0 {
                    call(done, FAILED, arrived.cast());
                }
                release(done);
            }
        };
        Ok(Sent::new(contents, Box::new(then)))
    }

    pub(super) fn begin_receive(&mut self, to: u64, sent: Sent) -> Result<(), DeviceError> {
        const DOING: &str = "copy from another device";
        let (contents, then) = sent.take();
        let mut code = 0;
        // SAFETY: the context exists, and the code is written to a variable that lives long enough.
        let arrival = unsafe { (self.api.event_create)(self.context, &mut code) };
        let begun =
            check(DOING, code).and_then(|()| self.buffers.find(DOING, to)).and_then(|(buffer, offset)| {
                // SAFETY: the queue, the buffer and the event exist, and the contents are there until the queue was waited for.
                check(DOING, unsafe {
                    let (from, bytes) = (contents.as_ptr().cast(), contents.len());
                    let offset = offset as usize;
                    (self.api.write)(self.queue, buffer, 0, offset, bytes, from, 1, &arrival, null_mut())
                })
            });
        if let Err(device_error) = begun {
            // The giver may still write to them.
            drop(Sent::new(contents, then));
            if !arrival.is_null() {
                // SAFETY: the event was made above, and nobody waits for it.
                unsafe { (self.api.event_release)(arrival) };
            }
            return Err(device_error);
        }
        let (set, release, arrival) = (self.api.event_set, self.api.event_release, OnItsWay(arrival));
        then(Box::new(move |is_there| {
            let OnItsWay(arrival) = { arrival };
            // SAFETY: the event was made above, is set once, and is not used here any more.
            unsafe {
                set(arrival, if is_there { COMPLETE } else { FAILED });
                release(arrival);
            }
        }));
        self.under_way_bytes += contents.len();
        self.under_way.push(contents);
        if self.under_way_bytes > MOST_UNDER_WAY { self.wait(DOING) } else { Ok(()) }
    }
}

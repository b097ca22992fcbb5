//! Fills and copies of a few words by kernels of our own, which wait to be launched together with others.

use super::batch::Waiting;
use super::driver::{Driver, Function, ModuleHandle};
use crate::gpu::device_error::DeviceError;
use std::ptr::null_mut;

const GROUP: u32 = 256;

/// Text that ends in a zero.
const PTX: &str = concat!(include_str!("words.ptx"), "\0");

pub struct Words {
    module: ModuleHandle,
    fill: Function,
    copy: Function,
    send: Function,
}

/// What `send` copies: where to, how many words, and where they are.
pub type Copied = [u64; 3];

impl Words {
    pub fn new(driver: &Driver) -> Result<Words, DeviceError> {
        let mut words = Words { module: null_mut(), fill: null_mut(), copy: null_mut(), send: null_mut() };
        // SAFETY: the text ends in a zero, and the answer is written to a variable that lives long enough.
        let code = unsafe { (driver.module_load)(&mut words.module, PTX.as_ptr().cast()) };
        driver.check("load kernels", code)?;
        let kernels = [
            (&mut words.fill, c"norn_fill"),
            (&mut words.copy, c"norn_copy"),
            (&mut words.send, c"norn_tell"),
        ];
        for (function, name) in kernels {
            // SAFETY: the module was just loaded, and the answer is written to a variable that lives long enough.
            let code = unsafe { (driver.module_function)(function, words.module, name.as_ptr()) };
            driver.check("find a kernel", code)?;
        }
        Ok(words)
    }

    /// Whether all begins and ends with a word.
    pub fn are_whole(bytes: u64, places: u64) -> bool {
        (bytes | places).is_multiple_of(4)
    }

    /// A kernel and what it takes.
    pub fn fill(&self, to: u64, byte: u8, bytes: u64) -> (Waiting, [u64; 3]) {
        let word = u32::from_ne_bytes([byte; 4]);
        (kernel(self.fill, bytes), [to, bytes / 4, word.into()])
    }

    /// Within the device, or between it and memory of the host that it can reach.
    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> (Waiting, [u64; 3]) {
        (kernel(self.copy, bytes), [to, bytes / 4, from])
    }

    /// Two copies of a few bytes to memory of the host, at most as many words as a group has threads, and then a word other than 0 to the flag.
    pub fn send(&self, copies: [Copied; 2], flag: u64) -> (Waiting, [u64; 7]) {
        let [[a, b, c], [d, e, f]] = copies;
        (kernel(self.send, 4), [a, b, c, d, e, f, flag])
    }

    /// Whether `send` can copy so many bytes.
    pub fn are_copied(bytes: u64, places: u64) -> bool {
        bytes <= u64::from(4 * GROUP) && Words::are_whole(bytes, places)
    }

    /// Gives it back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        // SAFETY: the module was loaded by `new`, and is not used any more.
        unsafe { (driver.module_unload)(self.module) };
    }
}

fn kernel(function: Function, bytes: u64) -> Waiting {
    let groups = (bytes / 4).div_ceil(GROUP.into()) as u32;
    Waiting { function, groups, group_size: GROUP, pool: 0 }
}

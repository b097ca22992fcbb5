//! The mirror of rts/cpu/abi.h, where everything is explained: change both.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicPtr, Ordering::Relaxed};

pub const DONE: c_int = 0;
pub const FAILED: c_int = 1;
pub const STOPPED: c_int = 2;

pub const CHUNKS: usize = 24;
pub const FIRST_CHUNK: u64 = 512;
pub const OPERANDS: usize = 16;
pub const TRACE: usize = 64;
pub const CLASSES: usize = 11;
pub const SMALL: i64 = 65536;
pub const KEPT: i64 = 262144;

pub const OUT_OF_MEMORY: i32 = -1;
pub const OUT_OF_STACK: i32 = -2;
pub const CANCELLED: i32 = -3;
pub const DEVICE_FAILED: i32 = -4;

pub const STOP_FAILED: i32 = 1;
pub const STOP_CANCELLED: i32 = 2;

/// Where the memory of a block begins.
pub const HEADER: usize = 64;

#[repr(C)]
pub struct Block {
    pub count: AtomicI64,
    pub bytes: i64,
    pub next: *mut Block,
    pub length: i64,
    /// All blocks of a worker, each between the one before and the one after it.
    pub before: *mut Block,
    pub after: *mut Block,
    /// The number of the worker in whose list it is.
    pub owner: i64,
    pub address: u64,
}

#[repr(C)]
pub struct Region {
    pub base: [AtomicPtr<u64>; CHUNKS],
    pub next: AtomicI64,
    pub unknown: i64,
    /// Held while the region grows.
    pub lock: AtomicI64,
    /// Where it is on a GPU, if it is there, and how many of its words are.
    pub device: *mut Block,
    pub on_device: i64,
    /// What it can hold there.
    pub device_bytes: i64,
    /// How many single cells the host has looked at since it last knew all.
    pub looks: i64,
    pub reserved: [i64; 1],
}

#[repr(C)]
pub struct Run {
    pub stop: AtomicI32,
    pub failed: AtomicI32,
    pub site: i32,
    pub at: i32,
    pub operands: i32,
    pub calls: i32,
    pub operand: [u64; OPERANDS],
    pub trace: [i32; TRACE],
}

pub type Kernel = unsafe extern "C" fn(*mut Worker, *const c_void, i64, i64, i64) -> c_int;

/// What is to be read of a device's memory.
#[repr(C)]
pub struct Read {
    pub to: *mut c_void,
    pub from: u64,
    pub bytes: i64,
}

#[repr(C)]
pub struct Host {
    pub alloc: unsafe extern "C" fn(*mut Worker, i64) -> *mut Block,
    pub free: unsafe extern "C" fn(*mut Worker, *mut Block),
    pub launch:
        unsafe extern "C" fn(*mut Worker, Kernel, *const c_void, i64, i64, i32, *const i64, i32) -> c_int,
    pub region_new: unsafe extern "C" fn(*mut Worker) -> *mut Region,
    pub region_end: unsafe extern "C" fn(*mut Worker, *mut Region),
    pub region_grow: unsafe extern "C" fn(*mut Worker, *mut Region, i64) -> c_int,
    pub yield_now: unsafe extern "C" fn(*mut Worker),
    pub now: unsafe extern "C" fn() -> i64,
    pub charge: unsafe extern "C" fn(*mut Worker, i32, i64, i64, i64),
    pub show: unsafe extern "C" fn(*mut Worker, *const i64, i64),
    pub device_alloc: unsafe extern "C" fn(*mut Worker, i64) -> *mut Block,
    pub device_launch: unsafe extern "C" fn(*mut Worker, i32, *const u64, i64, i32) -> c_int,
    pub device_launch_within:
        unsafe extern "C" fn(*mut Worker, i32, *const u64, *const i64, i64, i32) -> c_int,
    pub device_read: unsafe extern "C" fn(*mut Worker, *mut c_void, u64, i64) -> c_int,
    pub device_read_all: unsafe extern "C" fn(*mut Worker, *const Read, i64) -> c_int,
    pub device_write: unsafe extern "C" fn(*mut Worker, u64, *const c_void, i64) -> c_int,
    pub device_copy: unsafe extern "C" fn(*mut Worker, u64, u64, i64) -> c_int,
    pub device_fill: unsafe extern "C" fn(*mut Worker, u64, i32, i64) -> c_int,
    pub device_select: unsafe extern "C" fn(*mut Worker, i64) -> c_int,
    pub device_plan: unsafe extern "C" fn(*mut Worker, i64, i64, i64, i32, i32) -> c_int,
    pub device_part: unsafe extern "C" fn(*mut Worker, i64) -> c_int,
    pub device_planned: unsafe extern "C" fn(*mut Worker, i32) -> i64,
    pub device_bring: unsafe extern "C" fn(*mut Worker, u64, i64, i64) -> c_int,
    pub device_here: unsafe extern "C" fn(*mut Worker, u64, *mut *mut c_void) -> c_int,
    pub device_written: unsafe extern "C" fn(*mut Worker, u64, i64, i64) -> c_int,
    pub device_fetch: unsafe extern "C" fn(*mut Worker, *mut Region) -> c_int,
    pub device_look: unsafe extern "C" fn(*mut Worker, *mut Region, u32, i64) -> c_int,
    pub device_cell: unsafe extern "C" fn(*mut Worker, *mut Region, i64, i32, *mut u32) -> c_int,
    pub device_place:
        unsafe extern "C" fn(*mut Worker, *mut Region, u32, i32, *mut u64, *mut *mut Block) -> c_int,
}

#[repr(C)]
pub struct Worker {
    pub host: *const Host,
    pub run: *const Run,
    pub globals: *mut c_void,
    pub stack_limit: *mut c_char,
    pub workers: i32,
    pub profile: i32,
    pub free: [*mut Block; CLASSES],
    pub device_groups: i64,
    pub device_pool: i64,
    pub tunables: *const i64,
}

pub type Entry = unsafe extern "C" fn(*mut Worker, *const u64, *mut u64) -> c_int;

impl Run {
    /// Forgets how the run ended. A request to end it, which another thread may make at any time, stays.
    ///
    /// # Safety
    /// The run exists, and no code of the program runs.
    pub unsafe fn clear(run: *mut Run) {
        // SAFETY: nobody reads or writes the description while no code of the program runs. Other threads change `stop` alone,
        // which is atomic and is never written as a whole.
        unsafe {
            (*run).failed.store(0, Relaxed);
            (*run).site = 0;
            (*run).at = 0;
            (*run).operands = 0;
            (*run).calls = 0;
            (*run).stop.fetch_and(STOP_CANCELLED, Relaxed);
        }
    }
}

impl Default for Run {
    fn default() -> Run {
        Run {
            stop: AtomicI32::new(0),
            failed: AtomicI32::new(0),
            site: 0,
            at: 0,
            operands: 0,
            calls: 0,
            operand: [0; OPERANDS],
            trace: [0; TRACE],
        }
    }
}

impl Default for Region {
    fn default() -> Region {
        Region {
            base: [const { AtomicPtr::new(null_mut()) }; CHUNKS],
            next: AtomicI64::new(1),
            lock: AtomicI64::new(0),
            device: null_mut(),
            on_device: 0,
            device_bytes: 0,
            unknown: i64::MAX,
            looks: 0,
            reserved: [0; 1],
        }
    }
}

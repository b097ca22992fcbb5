//! The mirror of rts/gpu/state.h, where everything is explained: change both.

use super::device::Api;
use super::pool::Piece;
use std::mem::offset_of;

pub const STATE_OPERANDS: usize = 16;
pub const OUT_OF_HEAP: i32 = -1;
pub const OUT_OF_REGION: i32 = -2;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub failed: i32,
    pub site: i32,
    pub operands: i32,
    pub arrived: i32,
    pub operand: [u64; STATE_OPERANDS],
    pub failed_launch: u64,
    pub heap_begin: u64,
    pub heap_end: u64,
    pub heap_next: u64,
    pub launch: u64,
}

pub const STATE_BYTES: usize = size_of::<State>();
/// Where the heap is described, and the launch, to the end.
pub const HEAP: usize = offset_of!(State, heap_begin);

impl State {
    /// Nothing has failed, and nothing of the heap is used.
    pub fn new(api: Api, heap: Option<Piece>) -> State {
        let (heap_begin, heap_end) = match (api, heap) {
            (_, None) => (0, 0),
            (Api::Cuda, Some(heap)) => (heap.address, heap.address + heap.bytes),
            // No offset is 0, which programs take for null.
            (Api::OpenCl | Api::Processor, Some(heap)) => (256.min(heap.bytes), heap.bytes),
        };
        State { heap_begin, heap_end, heap_next: heap_begin, ..State::default() }
    }

    /// As it lies in memory.
    pub fn bytes(&self) -> &[u8; STATE_BYTES] {
        // SAFETY: it has no padding (see the assertion below), and every byte is one of a number.
        unsafe { &*(&raw const *self).cast() }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8; STATE_BYTES] {
        // SAFETY: it has no padding (see the assertion below), and any bytes are numbers.
        unsafe { &mut *(&raw mut *self).cast() }
    }

    /// The operands of a failed check.
    pub fn operands(&self) -> Vec<u64> {
        let count = usize::try_from(self.operands).unwrap_or(0).min(STATE_OPERANDS);
        self.operand[..count].to_vec()
    }
}

const _: () = assert!(STATE_BYTES == 16 + 8 * STATE_OPERANDS + 40);

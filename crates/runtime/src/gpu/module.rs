//! Kernels on their way to a device: a text, and what has to be known about it to launch them.

/// The group kernels of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    /// In the dialect of the device that is to run it.
    pub text: String,
    /// Where the text of each kernel begins. All of them need what is in front of the first. If there are none, the text is compiled as a whole.
    pub starts: Vec<usize>,
    pub kernels: Vec<Kernel>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// As the text calls it.
    pub name: String,
    /// How many threads a group has.
    pub group_size: u32,
    /// Those that the program passes. Before them stand the state (rts/gpu/state.h) and, for an OpenCL kernel that uses the
    /// heap, the heap, which the runtime passes.
    pub params: Vec<Param>,
    /// Whether its threads allocate. Such a kernel may be run again from the start; before that, what it reads is made again what it was.
    pub uses_heap: bool,
    /// The parameter that says how many bytes the threads of a group share as a pool, if it has one.
    pub pool: Option<usize>,
    /// The fewest bytes of an element that its threads find by an index.
    pub smallest_element: u8,
    /// Whether a check in it can fail, or its memory be exhausted. If no kernel of a module does that, nobody looks at the state.
    pub may_fail: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Param {
    /// An address on the device. An OpenCL kernel has two parameters for it: a buffer, and a byte offset (`long`) into it.
    Pointer(Access),
    /// The same, for a region of the host; whether its cells are read, and whether cells are added.
    Region(Access),
    /// A number of so many bytes (1, 2, 4 or 8).
    Scalar(u8),
}

/// How many bytes an array can have if these kernels find all its elements by indices of 32 bits, which have a sign.
pub(super) fn most_narrow_bytes(kernels: &[Kernel]) -> u64 {
    let smallest = kernels.iter().map(|kernel| u64::from(kernel.smallest_element)).min();
    smallest.unwrap_or(1) << 31
}

/// What a kernel does with the memory to which a pointer leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
}

//! What only devices with groups of threads have, and what a host does with such a device.
//!
//! **Group kernels.** All threads of all groups run the body at the same time. `Thread` is the number of a thread in its group,
//! `Group` that of the group, of which there are `Groups`; how many threads a group has is a constant of the kernel. A
//! *warp* is 32 neighbouring threads, where the device has such. Pointers lead into the device's memory.
//! An array of the kernel (`Type::Local`) belongs to the group, if it is shared, or to each thread; it is mentioned
//! only where it is read and written. `Alloc` gives memory to a thread that is free again when the kernel ends.
//!
//! **Failure.** A thread that fails leaves the `Guard` around it, and goes on behind it: other threads may be waiting for
//! it. What it would have computed there is anything. A function that fails is left as on a CPU. When a kernel has failed,
//! those launched later do nothing.
//!
//! **The host's side.** The memory of a device is reached by *remote* pointers, which lead nowhere on the host. What the host asks
//! the device for happens in the order of the asking, while the host goes on; only `Read` and `Download` wait, and `Fetch`, `Settle` and `Look`, where kernels
//! have added cells. A region is passed to a kernel as such; threads add cells in any order. A thread can also begin regions of its own, which end before the kernel does.

use super::{BinOp, Block, Elem, Exp, Prim, SiteId, Var, VarInfo};
use norn_base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct GroupKernelId(pub u32);

#[derive(Clone, PartialEq, Debug)]
pub struct GroupKernel {
    pub name: String,
    /// How many threads are in a group.
    pub size: u32,
    pub params: Vec<Var>,
    pub arrays: Vec<GroupArray>,
    pub vars: Vec<VarInfo>,
    pub body: Block,
    pub span: Span,
}

/// An array that exists as long as its kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupArray {
    /// Its type is `Local`.
    pub var: Var,
    pub count: u32,
    /// One for all threads of the group, or one for each.
    pub shared: bool,
}

/// Numbers of type `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupExp {
    Thread,
    Group,
    Groups,
}

/// See `CountBefore`.
pub const WORDS_PER_TILE: i64 = 6;
/// So many threads run together, at least as far as their numbers are combined (`Scan`).
pub const WARP: i64 = 32;

#[derive(Clone, PartialEq, Debug)]
pub enum GroupStmt {
    /// Wait for all threads of the group; what they wrote to memory is visible to each other then.
    Barrier,
    /// What this thread wrote before is visible to all groups before what it writes later.
    Fence,
    /// The element becomes `op` of itself and the value, at once; what it was before is known afterwards.
    Atomic { op: BinOp, prim: Prim, ptr: Exp, index: Exp, value: Exp, old: Option<Var> },
    /// The element becomes the value if it is what is expected, at once; what it was is known afterwards.
    CompareAndSwap { prim: Prim, ptr: Exp, index: Exp, expected: Exp, value: Exp, old: Var },
    /// The element as others have published it, and all that they wrote before.
    Acquire { var: Var, prim: Prim, ptr: Exp, index: Exp },
    /// The element as others have published it; of what they wrote before, nothing is known.
    Peek { var: Var, prim: Prim, ptr: Exp, index: Exp },
    /// Write an element for others to acquire.
    Publish { prim: Prim, ptr: Exp, index: Exp, value: Exp },
    /// How many all tiles before this one have, given how many this one has. What tiles publish stands in `tile_states`: `WORDS_PER_TILE` words
    /// of type `i32` for each, which are 0 before the first begins. All threads of a group do this together, groups in the order of their
    /// tiles; threads share the place `shared` for a number meanwhile. There is a barrier in this.
    CountBefore { var: Var, tile_states: Exp, tile: Exp, own: Exp, shared: Exp },
    /// As `CountBefore`, of what tiles have combined by an operator on whole numbers of 32 or 64 bits; the place is for such a number.
    LookBack { var: Var, op: BinOp, prim: Prim, tile_states: Exp, tile: Exp, own: Exp, shared: Exp },
    /// What the threads of the group up to this one have, combined by an operator on numbers of 32 or 64 bits. All threads of a group do this together;
    /// then `shared` has it of each, and may be read at once. It has `WARP`s of threads more places than there are threads. There are barriers in this.
    Scan { var: Var, op: BinOp, prim: Prim, own: Exp, shared: Exp },
    /// Whether all other groups of the launch have come here before; what they stored until then is visible. All threads of a group do this
    /// together, once; they share the place `shared`, an `i32`, meanwhile. There is a barrier in this.
    IsLast { var: Var, shared: Exp },
    /// Whether a thread of this launch has failed: behind `IsLast` a thread of any group, elsewhere one of this group, before the last barrier.
    HasFailed { var: Var },
    /// The first byte of memory for so many bytes that is the group's alone: what its threads share, if there are pointers to that, or the
    /// group's part of the scratch memory, which has as many bytes for each group. The number is a parameter of the kernel. Nothing else is
    /// shared dynamically.
    Pool { var: Var, scratch: Exp, bytes: Exp },
    /// What a thread that fails inside leaves. There is no barrier in it.
    Guard(Block),
}

impl GroupStmt {
    /// Whether all threads of a group do this together.
    pub fn meets(&self) -> bool {
        match self {
            GroupStmt::Barrier
            | GroupStmt::CountBefore { .. }
            | GroupStmt::LookBack { .. }
            | GroupStmt::Scan { .. }
            | GroupStmt::IsLast { .. } => true,
            GroupStmt::Fence
            | GroupStmt::Atomic { .. }
            | GroupStmt::CompareAndSwap { .. }
            | GroupStmt::Acquire { .. }
            | GroupStmt::Peek { .. }
            | GroupStmt::Publish { .. }
            | GroupStmt::HasFailed { .. }
            | GroupStmt::Pool { .. }
            | GroupStmt::Guard(_) => false,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum DeviceStmt {
    /// A new block in the device's memory.
    Alloc {
        block: Var,
        bytes: Exp,
        site: SiteId,
    },
    /// With so many groups. Remote pointers are passed for pointers.
    Launch {
        kernel: GroupKernelId,
        args: Vec<Exp>,
        /// What the kernel reads and writes by some of these pointers; by others, it may be all of a block. Where devices share work, less is moved
        /// then.
        reaches: Vec<Reach>,
        groups: Exp,
        site: SiteId,
    },
    /// Elements that follow each other, when everything before is done.
    Read {
        vars: Vec<Var>,
        elem: Elem,
        ptr: Exp,
        index: Exp,
    },
    Write {
        elem: Elem,
        ptr: Exp,
        index: Exp,
        value: Exp,
    },
    /// `count` elements from the host to the device.
    Upload {
        elem: Elem,
        to: Exp,
        from: Exp,
        count: Exp,
    },
    /// `count` elements from the device to the host, when everything before is done.
    Download {
        elem: Elem,
        to: Exp,
        from: Exp,
        count: Exp,
    },
    /// `count` elements within the device; the two places do not overlap, or are the same.
    Copy {
        elem: Elem,
        to: Exp,
        from: Exp,
        count: Exp,
    },
    /// All bytes of `count` elements are 0.
    Clear {
        elem: Elem,
        ptr: Exp,
        count: Exp,
    },
    /// The device with this number, of those that the program has, counted round, runs all commands from now on. What is where is not the host's concern.
    Select(Exp),
    /// Whoever runs the program plans how a task of this width, which works on about so many elements, is cut into parts, and which device does each. Kernels do so many rows at once that
    /// parts should begin at multiples of the grain.
    Plan {
        width: Exp,
        elements: Exp,
        grain: Exp,
        kind: PlanKind,
        site: SiteId,
    },
    /// All commands from now on belong to this part of the plan, and are run by its device.
    Part(Exp),
    /// A number of the plan.
    Planned {
        var: Var,
        what: Planned,
    },
    /// This device gets `count` elements from `from` on, if it has not got them: it will read them.
    Bring {
        elem: Elem,
        ptr: Exp,
        from: Exp,
        count: Exp,
    },
    /// Where the processor, which does the part at work, has what is at a remote pointer. What it reads of that was brought.
    Here {
        var: Var,
        elem: Elem,
        ptr: Exp,
    },
    /// The processor has written `count` elements from `from` on.
    Written {
        elem: Elem,
        ptr: Exp,
        from: Exp,
        count: Exp,
    },
    /// The cells that kernels have added to a region are known to the host, when everything before is done. Kernels know those of the host
    /// from the launch on.
    Fetch(Exp),
    /// The host knows where a region ends, when everything before is done, and can add cells of its own behind those of kernels, which it does not know.
    Settle(Exp),
    /// The same as `Fetch` for the first words of one cell.
    Look {
        region: Exp,
        cell: Exp,
        words: u32,
    },
    /// A new cell of so many words on the device, which the host does not know until it is fetched.
    CellNew {
        cell: Var,
        region: Exp,
        words: Exp,
        site: SiteId,
    },
    /// Where the first word of a cell is on the device, as a remote pointer to `u64`, and the block there that it is in, which is retained.
    CellPlace {
        ptr: Var,
        block: Var,
        region: Exp,
        cell: Exp,
        site: SiteId,
    },
}

impl DeviceStmt {
    /// Whether the host goes on only when everything before is done.
    pub fn waits(&self) -> bool {
        match self {
            DeviceStmt::Read { .. }
            | DeviceStmt::Download { .. }
            | DeviceStmt::Fetch(_)
            | DeviceStmt::Settle(_)
            | DeviceStmt::Look { .. } => true,
            DeviceStmt::Alloc { .. }
            | DeviceStmt::Launch { .. }
            | DeviceStmt::Write { .. }
            | DeviceStmt::Upload { .. }
            | DeviceStmt::Copy { .. }
            | DeviceStmt::Clear { .. }
            | DeviceStmt::Select(_)
            | DeviceStmt::Plan { .. }
            | DeviceStmt::Part(_)
            | DeviceStmt::Planned { .. }
            | DeviceStmt::Bring { .. }
            | DeviceStmt::Here { .. }
            | DeviceStmt::Written { .. }
            | DeviceStmt::CellNew { .. }
            | DeviceStmt::CellPlace { .. } => false,
        }
    }
}

/// The elements that a kernel reads or writes by a pointer: `count` from `from` on, which may be negative.
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    /// The number of the argument.
    pub arg: usize,
    pub elem: Elem,
    pub from: Exp,
    pub count: Exp,
}

/// What is known of a task that is planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanKind {
    Usual,
    /// The processor can do parts, too.
    Processor,
    /// Rows go down a recursion, so that some take much longer than others.
    Uneven,
}

impl PlanKind {
    pub const ALL: [PlanKind; 3] = [PlanKind::Usual, PlanKind::Processor, PlanKind::Uneven];

    /// Its word in the text; the usual one has none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            PlanKind::Usual => None,
            PlanKind::Processor => Some("processor"),
            PlanKind::Uneven => Some("uneven"),
        }
    }
}

/// What a plan knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planned {
    /// How many parts there are.
    Parts,
    /// Where the part at work begins.
    From,
    /// How many rows it has.
    Count,
    /// 1 if the processor does it, and 0 if a device with kernels does.
    Processor,
    /// 1 if there are no parts: the first device does everything.
    Alone,
}

impl Planned {
    pub const ALL: [Planned; 5] =
        [Planned::Parts, Planned::From, Planned::Count, Planned::Processor, Planned::Alone];

    pub fn name(self) -> &'static str {
        match self {
            Planned::Parts => "planned_parts",
            Planned::From => "planned_from",
            Planned::Count => "planned_count",
            Planned::Processor => "planned_processor",
            Planned::Alone => "planned_alone",
        }
    }
}

//! imp: what a program does, step by step, over memory.
//!
//! An imp program is functions and kernels in a small imperative language. Arrays are gone: what is left of them are
//! pointers to elements, *blocks* (counted pieces of memory that keep the elements alive) and `i64` sizes. Parallel
//! operators are gone: a function *launches* kernels, and a kernel is a piece of code for a range of indices. Checks
//! are branches to `Fail`. Types of the source, layouts and schedules were decided before; nothing here is decided.
//!
//! Absent on purpose: schedules (who runs a chunk, and when), transfers, and the layout of blocks, which belong to the
//! device. A device that can call functions and launch from anywhere (the CPU) runs everything as compiled
//! code; for any other, the functions are the host's part and the kernels the device's.
//!
//! **Variables** belong to one function or kernel, whose table has their names and types. They are assigned, any number of
//! times, by `Set` and by the statements that say so; a variable is visible in the whole function. There is no other state
//! than variables, memory and globals.
//!
//! **Memory.** A pointer leads to elements of one type that lie one after the other; `Offset` leads on to a
//! later element (or an earlier one). An element is a scalar (a `bool` has one byte), a pointer of unknown type
//! (`Any`), a block or a region. `Alloc` makes a block with a count of one; `Retain` and `Release` change the count,
//! and at zero the memory is free again. Both do nothing for the null block, which stands for memory that
//! somebody else keeps alive. Fresh memory is not initialised.
//!
//! **Regions and cells.** A region is a store that grows and is freed as a whole (`RegionEnd`). A cell is a number of
//! 8-byte words in it, with an address of its own, a `u32` (`CellNew`), and never changes once its words are written; `Exp::Cell` is the
//! pointer to its first word, valid until the next cell of the region is made, or the region ends. The cell of a `Data`
//! begins with the constructor's number, a `u32`; then come the columns (`cells`): a scalar has the bytes of its type, a ref four; an array has a word for the length of its
//! first dimension if that is `?`, and then one for each part: how many bytes behind the first word of the cell the part's element 0 is, or would
//! be. Behind the columns come the elements of all parts, each from a new word on. So a region has no pointers, and means the same
//! wherever it is copied to. What is in a cell is also part of a block (`Exp::CellBlock`), which keeps it after the region has ended.
//!
//! **Parts of an array.** Wherever an array crosses the border of a function or lies in a cell it is row-major, and is
//! its parts: for each `?` behind the first dimension, from the outside, the offsets (one `i64` more than there are
//! rows at that level: row `r` is the elements `offsets[r] .. offsets[r + 1]` of the next level), then the
//! elements themselves. Each part is a pointer and a block, but for cells. Offsets need not start at 0.
//!
//! **Kernels.** `Launch` splits `0 .. width` into `chunks` ranges and runs the kernel once for each, in any order and at the same
//! time; it goes on when all have ended. Chunk `c` of an even split is `c*width/chunks .. (c+1)*width/chunks`. A split
//! by offsets cuts where the elements, not the rows, are about even; it may give ranges that are empty. In an
//! ordered launch no chunk starts before those with lower numbers have started, so that it may `Await` them;
//! kernels of ordered launches launch nothing. A launch in parts runs the kernel for each part of the plan that was made last; it is code of the host, and the device of the part does what that asks for. What chunks write they write to disjoint places, or it does not matter
//! who is last.
//!
//! **Failure.** `Fail` ends the program with its site and operands. Each call and launch that is left this way adds its own site.
//!
//! **Vectors** are the values of several neighbouring iterations of a loop side by side: lane `l` is that of
//! iteration `l`. Operators work lane by lane; scalars never mix with vectors, `Splat` makes one the other.
//!
//! # Invariants (the verifier cites these numbers)
//!
//! - I1. Variables, functions, kernels, globals, sites and datas that are mentioned exist.
//! - I2. A variable is assigned on every way to its use.
//! - I3. Operands have the types that their operation asks for; indices, sizes and bounds of loops are `i64` scalars. The
//!   cases of a `Switch` are distinct. `Fail` has the site of a check, and the operands of its kind.
//! - I4. What is assigned has the type of the variable; calls and launches pass what parameters ask for, and bind all results.
//! - I5. The variable of a `For` is not assigned in its body; those of an `Independent` loop are assigned in the loop before they are used in it,
//!   and not used after it before they are assigned again, except the accumulators of a `Reduce`, which are used and changed by nothing but `acc = acc op e`.
//! - I6. Vectors have 2 to 64 lanes, a power of two, and operands of one operation have equally many. Conditions of `If`
//!   and `While` are scalars.
//! - I7. `Await` and `Signal` stand only in kernels that are launched in order, and those contain no launch and no call.
//! - I8. An entry point's types agree with its function's parameters and results, part by part; its arrays may be remote.
//! - I9. What is for group kernels (`group`) stands in them alone, what is for the host of a device in functions, and in kernels that are launched in parts, alone. A
//!   remote pointer is not read or written. In a group kernel there is no `Launch`, `Await`, `Signal` or `Const`, and no
//!   vector; a function that it calls is a pointer's function: it has none of these either. Arrays of functions are not shared.
//! - I10. A `Barrier` is in no `Guard`, and where threads of a group may differ about reaching it there is none.
//!
//! # Example
//!
//! The sums of the rows of a matrix. `p[i].f32` is the element at index `i`, `&p[i].f32` the pointer to it; operators have the
//! type of their operands behind them (`+.f32`), but for `i64`; `#1` is a site.
//!
//! ```text
//! sites {
//!   #0 operator "map" @0:40-62
//!   #1 check size @0:20-30
//! }
//!
//! fun row_sums (n: i64, m: i64, xs: ptr f32, xs_block: block, k: i64) -> ptr f32, block {
//!   if !(k == n) {
//!     fail(k, n) #1
//!   }
//!   sums: block = alloc(n * 4) #0
//!   launch row_sums(m, xs, data.f32(sums)) over n in chunks(n, n * m) #0
//!   return data.f32(sums), sums
//! }
//!
//! kernel row_sums (chunk: i64, from: i64 .. to: i64) (m: i64, xs: ptr f32, sums: ptr f32) {
//!   for i: i64 = from .. to independent {
//!     sum: f32 = 0f32
//!     row: ptr f32 = &xs[i * m].f32
//!     for j: i64 = 0 .. m reduce (add.f32 sum neutral 0f32) {
//!       sum = sum +.f32 row[j].f32
//!     }
//!     sums[i].f32 = sum
//!   }
//! }
//! ```

pub mod build;
pub mod cells;
pub mod exp;
pub mod group;
mod names;
pub mod normalise;
pub mod parse;
pub mod print;
pub mod reach;
pub mod types;
pub mod verify;
pub mod walk;

pub use crate::nest::{Data, DataId, Iface, IfaceId};
pub use crate::scalar::{BinOp, Prim, Scalar, TriOp, UnOp};
pub use group::{
    DeviceStmt, GroupArray, GroupExp, GroupKernel, GroupKernelId, GroupStmt, PlanKind, Planned, Reach, WARP,
    WORDS_PER_TILE,
};
use norn_base::Span;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prog {
    pub datas: Vec<Data>,
    pub funs: Vec<Fun>,
    pub kernels: Vec<Kernel>,
    /// For a device with groups of threads.
    pub group_kernels: Vec<GroupKernel>,
    /// The constants of the program, each with the function that computes it on first use.
    pub consts: Vec<Const>,
    /// Where the program can fail, and the calls that lead there.
    pub sites: Vec<Site>,
    pub entries: Vec<Entry>,
    pub ifaces: Vec<Iface>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FunId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct KernelId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ConstId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A variable of a function or kernel: an index into its table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Var(pub u32);

#[derive(Clone, PartialEq, Debug)]
pub struct Fun {
    pub name: String,
    pub params: Vec<Var>,
    /// What a call has of its own; none is shared.
    pub arrays: Vec<GroupArray>,
    pub vars: Vec<VarInfo>,
    pub body: Block,
    pub results: Vec<Exp>,
    pub ret: Vec<Type>,
    /// It may call itself, by way of others or not: the stack is checked on entry.
    pub recursive: bool,
    pub span: Span,
}

/// Code for the indices `from .. to`, of chunk number `chunk`.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    pub name: String,
    pub chunk: Var,
    pub from: Var,
    pub to: Var,
    pub params: Vec<Var>,
    pub vars: Vec<VarInfo>,
    pub body: Block,
    pub span: Span,
}

/// Its function has no parameters; its results are kept as long as the program is loaded.
#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    pub fun: FunId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct VarInfo {
    /// A hint: the printer makes names distinct.
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Scalar(Prim),
    Vector(Prim, u16),
    Ptr(Elem),
    /// A pointer into the memory of another device, for a host.
    Remote(Elem),
    /// An array of a group kernel, or of a call of a function.
    Local(Elem),
    Block,
    Region,
}

/// What lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elem {
    Prim(Prim),
    /// A pointer to elements of some type: any can be stored; what is loaded has the type `Ptr(Any)` and is to be cast.
    Any,
    Block,
    Region,
}

/// Statements one after the other.
pub type Block = Vec<Stmt>;

#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    Const(Scalar),
    Var(Var),

    // # Scalars, or vectors lane by lane
    Un(UnOp, Prim, Box<Exp>),
    Bin(BinOp, Prim, Box<Exp>, Box<Exp>),
    Tri(TriOp, Prim, Box<Exp>, Box<Exp>, Box<Exp>),
    Convert {
        from: Prim,
        to: Prim,
        value: Box<Exp>,
    },
    /// One or the other; both are computed. The condition is a `bool`, or a vector of them.
    Select(Box<Exp>, Box<Exp>, Box<Exp>),

    // # Memory
    /// The element at this index.
    Load {
        elem: Elem,
        ptr: Box<Exp>,
        index: Box<Exp>,
    },
    /// The pointer to the element at this index.
    Offset {
        elem: Elem,
        ptr: Box<Exp>,
        index: Box<Exp>,
    },
    /// The same place as a pointer to elements of this type.
    Cast(Elem, Box<Exp>),
    /// The null pointer, the null block or no region.
    Null(Type),
    /// The first byte of a block's memory, as a pointer to elements of this type.
    Data(Elem, Box<Exp>),
    /// The same of a block on the device, for its host: a remote pointer.
    Remote(Elem, Box<Exp>),
    /// The first word of a cell, as a pointer to `u64`.
    Cell {
        region: Box<Exp>,
        cell: Box<Exp>,
    },
    /// The block in which a cell lies: who retains it can use what is there after the end of the region. Null where somebody else keeps
    /// the memory alive.
    CellBlock {
        region: Box<Exp>,
        cell: Box<Exp>,
    },
    /// How many bytes a block can hold.
    Capacity(Box<Exp>),
    /// The pointer to the first of these constants, which are part of the program's text and never written. All have this type.
    Table(Prim, Arc<[Scalar]>),

    // # Vectors
    Splat(u16, Box<Exp>),
    /// 0, 1, 2, .. in the lanes.
    Lanes(Prim, u16),
    /// The elements at `index`, `index + 1`, .., where the mask holds; elsewhere anything, and no memory is touched. The index
    /// is a scalar.
    LoadLanes {
        prim: Prim,
        lanes: u16,
        ptr: Box<Exp>,
        index: Box<Exp>,
        mask: Option<Box<Exp>>,
    },
    /// The elements at the indices in a vector of `i64`, where the mask holds; elsewhere anything.
    Gather {
        prim: Prim,
        ptr: Box<Exp>,
        index: Box<Exp>,
        mask: Option<Box<Exp>>,
    },
    /// One lane of a vector; the number of the lane is an `i64` scalar.
    Lane(Box<Exp>, Box<Exp>),
    /// All lanes combined by the operator, neighbours first.
    Combine(BinOp, Prim, Box<Exp>),
    /// Whether any lane of a vector of `bool` holds.
    Any(Box<Exp>),

    // # The machine
    /// How many chunks can run at the same time.
    Workers,
    /// Into how many chunks a launch of this width with about this much work (in scalar operations) should be split; at least 1.
    Chunks {
        width: Box<Exp>,
        work: Box<Exp>,
    },
    /// How many groups of 256 threads the device can hold at the same time.
    DeviceGroups,
    /// How many bytes a group has as its `Pool` without scratch memory; 0 if there are no pointers to what threads share.
    DevicePool,
    /// What the user of a library has set the tunable of this number to; -1 if nothing was set.
    Tunable(u32),
    /// In a group kernel.
    Group(GroupExp),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    Set(Var, Exp),
    Store {
        elem: Elem,
        ptr: Exp,
        index: Exp,
        value: Exp,
    },
    /// The lanes of a vector at `index`, `index + 1`, .., where the mask holds.
    StoreLanes {
        prim: Prim,
        ptr: Exp,
        index: Exp,
        value: Exp,
        mask: Option<Exp>,
    },
    /// The lanes of a vector at the indices in a vector of `i64`, where the mask holds; the last lane wins.
    Scatter {
        prim: Prim,
        ptr: Exp,
        index: Exp,
        value: Exp,
        mask: Option<Exp>,
    },
    /// `count` elements that lie one after the other; the two places do not overlap, or are the same.
    Copy {
        elem: Elem,
        to: Exp,
        from: Exp,
        count: Exp,
    },

    // # Blocks
    /// A new block of at least this many bytes. The site is that of the statement that needs the memory.
    Alloc {
        block: Var,
        bytes: Exp,
        site: SiteId,
    },
    Retain(Exp),
    Release(Exp),

    // # Regions
    RegionNew(Var),
    RegionEnd(Exp),
    /// A new cell of so many words, at least one.
    CellNew {
        cell: Var,
        region: Exp,
        words: Exp,
        site: SiteId,
    },

    // # Control
    If {
        cond: Exp,
        then: Block,
        els: Block,
    },
    Switch {
        scrutinee: Exp,
        cases: Vec<(i64, Block)>,
        default: Block,
    },
    /// The variable counts from `from` to below `to`.
    For {
        var: Var,
        from: Exp,
        to: Exp,
        form: LoopForm,
        body: Block,
    },
    /// `before`, and as long as the condition holds then: the body, and again.
    While {
        before: Block,
        cond: Exp,
        body: Block,
    },
    Call {
        fun: FunId,
        args: Vec<Exp>,
        results: Vec<Var>,
        site: SiteId,
    },
    /// The results of a constant, which is computed if it has not been. They stay those of the constant, which keeps them alive.
    Const {
        id: ConstId,
        results: Vec<Var>,
        site: SiteId,
    },
    Launch {
        kernel: KernelId,
        args: Vec<Exp>,
        width: Exp,
        chunks: Exp,
        split: Split,
        site: SiteId,
    },
    /// Wait until another chunk has signalled at this place, an `i64` that was 0 before.
    Await {
        ptr: Exp,
        index: Exp,
    },
    /// What was written before is visible to who awaits this place.
    Signal {
        ptr: Exp,
        index: Exp,
    },
    /// Hand so many words, each an `i64`, to whoever looks on (see `nest::observe`).
    Show {
        words: Exp,
        count: Exp,
    },
    Fail {
        site: SiteId,
        operands: Vec<Exp>,
    },
    /// In a group kernel.
    Group(GroupStmt),
    /// In a function, on a host that has a device.
    Device(DeviceStmt),
}

#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// One iteration after the other.
    Plain,
    /// No iteration reads what another writes: any order, and side by side.
    Independent,
    /// As `Independent`, but for these accumulators, whose operators are associative and commutative (up to rounding).
    Reduce(Vec<Accumulator>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Accumulator {
    pub var: Var,
    pub op: BinOp,
    pub prim: Prim,
    pub neutral: Scalar,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Split {
    Even,
    /// By these offsets: a pointer to `width + 1` numbers of type `i64`.
    ByOffsets(Exp),
    /// Evenly, and started in order.
    Ordered,
    /// In the parts of the plan of a task, by the host of devices: chunks are parts, and their ranges rows.
    Parts {
        /// Whether a part may wait for its device.
        wait: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub what: SiteKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SiteKind {
    /// A check fails with operands as its kind says.
    Check(crate::failure::CheckKind),
    /// The function that is called.
    Call(String),
    /// An operator, by its name, as it runs in parallel or needs memory.
    Operator(String),
}

/// A function that can be called from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub name: String,
    pub fun: FunId,
    /// What the values passed to the function are; each has one imp parameter, or those of its parts.
    pub args: Vec<EntryType>,
    /// The same for its results.
    pub rets: Vec<EntryType>,
    /// The columns of these are the last of `args`.
    pub params: Vec<crate::nest::EntryParam>,
    /// Its columns are the last of `rets`.
    pub result: IfaceId,
    pub result_unique: bool,
    pub doc: String,
    pub attrs: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EntryType {
    Region,
    Value(EntryElem, Vec<EntryDim>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryElem {
    Prim(Prim),
    /// A cell of this data in the region that is this argument.
    Ref(DataId, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryDim {
    Const(i64),
    /// This argument, an `i64`.
    Arg(usize),
    /// This result, an `i64`.
    Result(usize),
    Irregular,
}

//! Programs in executable form: what `resolve` makes of nest and `exec` runs.
//!
//! It is nest with everything looked up that does not change from run to run: variables and constants
//! are places in the locals, an operator is a function, a result is moved to where it is needed, and
//! each use of an object says whether it is the last. What a type says about the representation of a
//! value is there as `Kind`, `Out` and `Fit`.

use crate::data::Kind;
use crate::freedom::Rounding;
use norn_base::{FileId, Span};
use norn_ir::nest::{IfaceId, Observed, Prim, Type};
use norn_ir::scalar::eval::{BinFn, TriFn, UnFn, Word};
use std::sync::Arc;

pub(crate) struct Code {
    pub(crate) funs: Vec<FunCode>,
    /// The files of functions of the library: a failure there is one of the call.
    pub(crate) library: Vec<FileId>,
}

/// What a function does that only shows its arguments.
pub(crate) struct Observe {
    pub(crate) what: Observed,
    pub(crate) iface: IfaceId,
    /// The types of the last parameters, and which parameter is their region.
    pub(crate) columns: Box<[(Type, Option<usize>)]>,
}

pub(crate) struct FunCode {
    pub(crate) name: String,
    /// The words of a call that begins: constants are there already.
    pub(crate) words: Vec<Word>,
    /// How many objects there are.
    pub(crate) objects: usize,
    pub(crate) params: Box<[Place]>,
    pub(crate) body: Block,
    pub(crate) results: Box<[Operand]>,
    pub(crate) is_library: bool,
    pub(crate) observe: Option<Box<Observe>>,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Place {
    Word(u32),
    Object(u32),
    /// A certificate.
    Nothing,
}

/// A use of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Use {
    pub(crate) place: u32,
    /// Nobody looks at the place again before it is bound again.
    pub(crate) last: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Operand {
    Word(u32),
    Object(Use),
    Nothing,
}

pub(crate) struct Block {
    pub(crate) ops: Box<[Op]>,
    /// Of each operation, where it comes from.
    pub(crate) spans: Box<[Span]>,
}

impl Block {
    pub(crate) fn empty() -> Block {
        Block { ops: Box::new([]), spans: Box::new([]) }
    }
}

pub(crate) enum Op {
    Un {
        f: UnFn,
        dst: u32,
        x: u32,
    },
    Bin {
        f: BinFn,
        dst: u32,
        x: u32,
        y: u32,
    },
    Tri {
        f: TriFn,
        dst: u32,
        x: u32,
        y: u32,
        z: u32,
    },
    /// Rounds the result of the operation before in another way (`freedom`).
    Round(Box<Round>),
    Copy {
        dst: u32,
        src: u32,
    },
    Move {
        dst: u32,
        src: Use,
    },
    /// Forget objects that nobody looks at again.
    Drop(Box<[u32]>),
    /// If the condition holds, the first.
    If {
        cond: u32,
        branches: Box<[Block; 2]>,
    },
    Switch(Box<Switch>),
    For(Box<For>),
    While(Box<While>),
    Call(Box<Call>),
    Const(Box<ConstUse>),
    CheckIndex {
        index: u32,
        length: u32,
    },
    Check(Box<Check>),
    /// The value agrees with its type.
    CheckType(Box<TypeCheck>),
    /// The element of a vector; it is no use of the array.
    IndexWord {
        dst: u32,
        array: u32,
        index: u32,
    },
    /// The same of an array with more dimensions.
    IndexWords {
        dst: u32,
        array: u32,
        indices: Box<[u32]>,
    },
    UpdateWord {
        dst: u32,
        array: Use,
        index: u32,
        value: u32,
    },
    UpdateWords(Box<UpdateWords>),
    Array(Box<ArrayOp>),
    Fused(Box<Fused>),
    Choose(Box<Choose>),
    Scatter(Box<Scatter>),
    AccStream(Box<AccStream>),
    AccWrite(Box<AccWrite>),
    Task(Box<Task>),
    Region {
        dst: u32,
    },
    Alloc(Box<Alloc>),
    Tag {
        dst: u32,
        cell: u32,
        region: Option<u32>,
    },
    Load(Box<Load>),
}

pub(crate) struct Round {
    pub(crate) rounding: Rounding,
    pub(crate) prim: Prim,
    pub(crate) dst: u32,
    pub(crate) operands: [u32; 3],
}

// # Control

pub(crate) struct Switch {
    pub(crate) scrutinee: u32,
    /// The words of the scrutinee, in order, with their blocks.
    pub(crate) cases: Box<[(Word, Block)]>,
    pub(crate) default: Block,
}

/// Parameters are set before, and by the body.
pub(crate) struct For {
    pub(crate) var: u32,
    pub(crate) bound: u32,
    pub(crate) prim: Prim,
    pub(crate) body: Block,
}

pub(crate) struct While {
    pub(crate) cond: Block,
    pub(crate) holds: u32,
    pub(crate) body: Block,
}

pub(crate) struct Call {
    pub(crate) fun: u32,
    pub(crate) args: Box<[Operand]>,
    pub(crate) dsts: Box<[Place]>,
}

pub(crate) struct ConstUse {
    pub(crate) constant: u32,
    pub(crate) fun: u32,
    pub(crate) dsts: Box<[Place]>,
}

/// `nest::Check` on places.
pub(crate) enum Check {
    Slice { start: u32, count: u32, stride: u32, length: u32 },
    Size { expected: u32, found: u32 },
    Shape { array: u32, dims: Box<[Option<u32>]> },
    NonNegative(u32),
    NonZero(u32),
    Exponent(Prim, u32),
    Range { prim: Prim, start: u32, second: u32, end: u32, ok: u32 },
    Segments { lengths: u32, total: u32 },
    Flat { offset: u32, dims: Box<[(u32, u32)]>, length: u32 },
    Assert { cond: u32, text: String },
    Fail { text: String },
}

pub(crate) struct TypeCheck {
    pub(crate) name: String,
    pub(crate) place: u32,
    pub(crate) fit: Fit,
}

// # Types

/// The dimensions of an array, `None` where it is `?`, and what its scalars are.
pub(crate) struct Fit {
    pub(crate) dims: Box<[Option<u32>]>,
    pub(crate) elem: Kind,
}

/// An array that is built row by row.
pub(crate) struct Out {
    pub(crate) dst: u32,
    pub(crate) kind: Kind,
    pub(crate) row: OutRow,
}

pub(crate) enum OutRow {
    Word,
    Regular(Box<[u32]>),
    Entry,
}

/// What takes the element of an array.
#[derive(Clone, Copy)]
pub(crate) enum Bind {
    Word(u32),
    Row(u32),
    /// A row of an irregular array, with its length.
    Entry {
        length: u32,
        row: u32,
    },
}

// # Arrays

pub(crate) struct UpdateWords {
    pub(crate) dst: u32,
    pub(crate) array: Use,
    pub(crate) indices: Box<[u32]>,
    pub(crate) value: u32,
}

pub(crate) enum ArrayOp {
    Literal { rows: Box<[Operand]>, out: Out },
    Range { dst: u32, prim: Prim, count: u32, start: u32, step: u32 },
    Replicate { count: u32, value: Operand, out: Out },
    Index { dst: Place, length: Option<u32>, array: Use, selects: Box<[SelectAt]>, fit: Option<Fit> },
    Update { dst: u32, array: Use, selects: Box<[SelectAt]>, value: Operand },
    Concat { arrays: Box<[Use]>, out: Out },
    Reshape { dst: u32, array: Use, old: usize, new: Box<[u32]> },
    Rearrange { dst: u32, array: Use, perm: Box<[usize]> },
    Fit { dst: u32, array: Use, fit: Fit },
    FlatIndex { dst: u32, array: Use, offset: u32, dims: Box<[(u32, u32)]> },
    FlatUpdate { dst: u32, array: Use, offset: u32, strides: Box<[u32]>, value: Use },
    Lengths { dst: u32, array: Use },
    Ends { dst: u32, lengths: Use },
    JoinRows { total: u32, array: Use, out: Out },
    Segment { dst: u32, lengths: Use, array: Use },
    Sort { array: Use, keys: Option<u32>, places: Option<u32> },
}

#[derive(Clone, Copy)]
pub(crate) enum SelectAt {
    Fix(u32),
    Slice { start: u32, count: u32, stride: u32 },
}

// # Parallel operators

pub(crate) struct Input {
    pub(crate) array: Use,
    pub(crate) bind: Bind,
}

/// Map, reduce, scan, and all of them at once. Accumulators are set before, and by the operators' blocks; the
/// lambda leaves their other operands where they are needed.
pub(crate) struct Fused {
    pub(crate) width: u32,
    pub(crate) inputs: Box<[Input]>,
    pub(crate) lambda: Block,
    pub(crate) scans: Box<[Scan]>,
    pub(crate) reductions: Box<[Operator]>,
    pub(crate) outs: Box<[(Operand, Out)]>,
}

/// The operator of a scan or a reduction.
pub(crate) struct Operator {
    /// Combines what is accumulated with a value, and leaves the results where the former was.
    pub(crate) block: Block,
    pub(crate) acc: Box<[Place]>,
    pub(crate) value: Box<[Place]>,
    pub(crate) commutative: bool,
}

pub(crate) struct Scan {
    pub(crate) op: Operator,
    pub(crate) outs: Box<[(Operand, Out)]>,
}

/// Filter and partition.
pub(crate) struct Choose {
    pub(crate) width: u32,
    pub(crate) inputs: Box<[Input]>,
    pub(crate) lambda: Block,
    pub(crate) holds: u32,
    /// Elements that do not satisfy the lambda come after those that do, instead of not at all.
    pub(crate) keep_rest: bool,
    pub(crate) count: u32,
    pub(crate) outs: Box<[(Operand, Out)]>,
}

pub(crate) struct Scatter {
    pub(crate) width: u32,
    pub(crate) inputs: Box<[Input]>,
    pub(crate) dests: Box<[Use]>,
    /// Leaves the indices and the values.
    pub(crate) lambda: Block,
    pub(crate) indices: Box<[u32]>,
    pub(crate) values: Box<[Operand]>,
    pub(crate) op: Option<Combine>,
    pub(crate) dsts: Box<[u32]>,
}

/// How a value is combined with one that is there.
pub(crate) struct Combine {
    /// What takes the old value, and has the result afterwards.
    pub(crate) acc: Box<[Bind]>,
    pub(crate) value: Box<[Bind]>,
    /// The neutral element, if it is of scalars and may be used (`freedom`).
    pub(crate) neutral: Option<Box<[u32]>>,
    pub(crate) block: Block,
}

pub(crate) struct AccStream {
    pub(crate) width: u32,
    pub(crate) dests: Box<[Use]>,
    pub(crate) op: Option<Arc<AccOp>>,
    pub(crate) inputs: Box<[Input]>,
    pub(crate) acc: u32,
    pub(crate) lambda: Block,
    pub(crate) dsts: Box<[u32]>,
}

/// The operator of an accumulator, with the objects around it that it uses.
pub(crate) struct AccOp {
    pub(crate) combine: Combine,
    pub(crate) captured: Box<[u32]>,
}

pub(crate) struct AccWrite {
    pub(crate) dst: u32,
    pub(crate) acc: Use,
    pub(crate) index: u32,
    pub(crate) values: Box<[Operand]>,
}

/// Work that is done in parts.
pub(crate) struct Task {
    pub(crate) width: u32,
    pub(crate) inputs: Box<[Use]>,
    pub(crate) windows: Box<[Window]>,
    pub(crate) carries: Box<[Carry]>,
    pub(crate) part: Portion,
    /// What the lambda takes of the parts before.
    pub(crate) carried: Box<[Place]>,
    pub(crate) results: Box<[Operand]>,
    pub(crate) joins: Box<[Join]>,
}

pub(crate) struct Window {
    pub(crate) arrays: Box<[Use]>,
    pub(crate) from: u32,
    pub(crate) count: u32,
    pub(crate) need: Block,
    pub(crate) first: u32,
    pub(crate) size: u32,
}

pub(crate) struct Carry {
    pub(crate) portion: Portion,
    pub(crate) total: Box<[Operand]>,
    pub(crate) neutral: Box<[Operand]>,
    pub(crate) op: Operator,
}

/// A lambda of a task, and what takes the part that it is for.
pub(crate) struct Portion {
    pub(crate) from: u32,
    pub(crate) count: u32,
    pub(crate) inputs: Box<[u32]>,
    pub(crate) windows: Box<[Taken]>,
    pub(crate) block: Block,
}

/// What takes the rows of a window.
pub(crate) struct Taken {
    pub(crate) first: u32,
    pub(crate) size: u32,
    pub(crate) arrays: Box<[u32]>,
}

/// Of results of parts, in their order, what takes them.
pub(crate) enum Join {
    Rows(Out),
    Kept {
        count: u32,
        outs: Box<[Out]>,
    },
    /// The accumulator begins with the neutral element, and has the result afterwards.
    Partial {
        neutral: Box<[Operand]>,
        op: Operator,
        dsts: Box<[Place]>,
    },
}

// # Recursive types

pub(crate) struct Alloc {
    pub(crate) dst: u32,
    pub(crate) region: Option<u32>,
    pub(crate) data: u32,
    pub(crate) constr: u32,
    pub(crate) fields: Box<[Operand]>,
}

pub(crate) struct Load {
    pub(crate) cell: u32,
    pub(crate) region: Option<u32>,
    pub(crate) constr: u32,
    pub(crate) dsts: Box<[Bind]>,
}

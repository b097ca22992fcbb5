//! What `nest` and the languages behind it have in common: programs, functions, bodies and statements, and all expressions but the
//! parallel ones, which are the one type parameter `O`.
//!
//! What the parts mean, and the rules N1 to N13 that hold of them, is said in `nest`. Walking through an expression, printing,
//! parsing and verifying are written once, here; what they have to know about `O` is the trait `Operators`.
//!
//! An expression belongs to one of five groups. Four of them are the same in every language, and three of these (scalars, arrays,
//! cells) have no bodies, so that functions over them need no type parameter. A pass names groups, or members of one group, and
//! what has to be known of an operator it asks the operator: then a new operator concerns those passes only that treat it in a
//! way of its own.

pub mod build;
pub mod calls;
pub mod free;
pub mod iface;
mod names;
pub mod normalise;
pub mod observe;
pub mod operators;
pub mod outline;
pub mod parse;
pub mod print;
pub mod types;
pub mod verify;
pub mod walk;

pub use crate::scalar::{BinOp, Prim, Scalar, TriOp, UnOp};
pub use iface::{Column, Iface, IfaceId, IfaceShape};
use norn_base::Span;
pub use observe::{ObserveKind, Observed, ShowSite, Showing};
pub use operators::Operators;

#[derive(Clone, PartialEq, Debug)]
pub struct Prog<O> {
    pub datas: Vec<Data>,
    /// Values computed at most once, on first use.
    pub consts: Vec<Const>,
    pub funs: Vec<Fun<O>>,
    pub entries: Vec<Entry>,
    /// The types of what goes in and out of entry points.
    pub ifaces: Vec<Iface>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FunId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ConstId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DataId(pub u32);

/// A variable of a function: an index into its table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Var(pub u32);

/// What the cells of a recursive type are: one constructor each, with its columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Data {
    pub name: String,
    pub constrs: Vec<Constr>,
}

/// The type of the number of a constructor, of a sum or a recursive type that has so many.
pub fn tag_prim(constructors: usize) -> Prim {
    match constructors {
        0..=0x80 => Prim::I8,
        0x81..=0x8000 => Prim::I16,
        _ => Prim::I32,
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Constr {
    pub name: String,
    /// Arrays have `?` for every dimension that is not a constant, the outermost included.
    pub columns: Vec<Type>,
}

/// A constant of the program. Its function has no parameters but regions.
#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    pub fun: FunId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fun<O> {
    pub name: String,
    pub params: Vec<Param>,
    pub ret: Vec<Ret>,
    pub body: Body<O>,
    pub vars: Vec<VarInfo>,
    /// As written in the source, without `#[` and `]`.
    pub attrs: Vec<String>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub var: Var,
    /// The function (or loop) may overwrite it.
    pub unique: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ret {
    pub ty: Type,
    /// It shares memory with no parameter that is not unique.
    pub unique: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct VarInfo {
    /// A hint: the printer makes names distinct.
    pub name: String,
    pub ty: Type,
    /// Only `flat` has it: in whose memory it is, where that is not what one expects.
    pub side: Option<Side>,
    /// Only `flat` has it: a size that the host knows, and that this one does not exceed.
    pub bound: Option<Atom>,
}

/// In whose memory a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    Host,
    Device,
    Both,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A scalar if there are no dimensions.
    Value(Elem, Vec<Dim>),
    /// A write-only view of arrays of these types, all with the same outermost dimensions.
    Acc(Vec<Type>),
    /// Only `flat` has it: a descriptor, which says of so many rows, of so many elements in all, where they are.
    Seg {
        count: Dim,
        total: Dim,
    },
    Region,
    /// That a check has passed.
    Cert,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elem {
    Prim(Prim),
    /// A place of a cell in a region. No region: in the columns of a `Data`, and everywhere before
    /// regions are inferred.
    Ref(DataId, Option<Var>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// In `flat` it may be a descriptor, unless it is the outermost: then rows are as long as that says.
    Size(Atom),
    Irregular,
    /// The size that is this result of the function.
    Result(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    Var(Var),
    Const(Scalar),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Body<O> {
    pub stms: Vec<Stm<O>>,
    pub result: Vec<Atom>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stm<O> {
    pub vars: Vec<Var>,
    /// The checks it relies on.
    pub certs: Vec<Var>,
    /// Only a scheduled nest program has it: the expression, which is a parallel operator, is split among all that the device has.
    pub grid: Option<Grid>,
    pub exp: Exp<O>,
    pub attrs: Vec<String>,
    /// Where in the source it comes from.
    pub span: Span,
}

/// A mark on a statement: where its operator runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// About how many scalar operations it takes; an `i64`.
    pub work: Atom,
    /// An input with irregular rows, by whose elements the operator is split.
    pub balance: Option<Var>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Lambda<O> {
    pub params: Vec<Var>,
    pub body: Body<O>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Exp<O> {
    Scalar(ScalarExp),
    Control(ControlExp<O>),
    Array(ArrayExp),
    Cell(CellExp),
    /// What the language is about: the parallel operators of nest.
    Op(O),
}

/// Another name for any value, and scalars from scalars.
#[derive(Clone, PartialEq, Debug)]
pub enum ScalarExp {
    Atom(Atom),
    Un(UnOp, Prim, Atom),
    Bin(BinOp, Prim, Atom, Atom),
    Tri(TriOp, Prim, Atom, Atom, Atom),
    Convert {
        from: Prim,
        to: Prim,
        value: Atom,
    },
    /// Only a scheduled nest program has it: how much can run at the same time, an `i64` of at least 1.
    Workers,
    /// The same: what the user of a library has set the tunable of this number to, an `i64`; -1 if nothing was set.
    Tunable(u32),
}

/// What has bodies, calls, and checks.
#[derive(Clone, PartialEq, Debug)]
pub enum ControlExp<O> {
    If {
        cond: Atom,
        then: Body<O>,
        els: Body<O>,
    },
    /// The case with the number that the integer scrutinee is, or the default.
    Switch {
        scrutinee: Atom,
        cases: Vec<(i64, Body<O>)>,
        default: Body<O>,
    },
    /// The body yields the parameters of the next iteration; the loop yields the last.
    Loop {
        params: Vec<(Param, Atom)>,
        form: LoopForm<O>,
        body: Body<O>,
    },
    Call {
        fun: FunId,
        args: Vec<Atom>,
    },
    /// The regions of the constant, then its value.
    Const(ConstId),
    /// Fails unless it holds. Binds one certificate.
    Check(Check),
}

/// Building, reading and rearranging arrays.
#[derive(Clone, PartialEq, Debug)]
pub enum ArrayExp {
    /// The rows one by one; of one shape unless the result has `?`.
    ArrayLit(Vec<Atom>),
    /// `count` numbers of an integer type: `start`, `start + step`, ..
    Range {
        prim: Prim,
        count: Atom,
        start: Atom,
        step: Atom,
    },
    /// `count` times the value.
    Replicate {
        count: Atom,
        value: Atom,
    },
    /// An element, a row or a slice. Dimensions that are not mentioned are taken whole. Where the
    /// first dimension that remains is `?` its size comes in front of the row.
    Index {
        array: Var,
        slice: Vec<DimIndex>,
    },
    /// The array, consumed, with this part of it replaced.
    Update {
        array: Var,
        slice: Vec<DimIndex>,
        value: Atom,
    },
    /// The arrays one after the other; `size` rows in all.
    Concat {
        arrays: Vec<Var>,
        size: Atom,
    },
    /// The first `old` dimensions, none of them `?`, become `new`; as many elements in the same order.
    Reshape {
        array: Var,
        old: usize,
        new: Vec<Atom>,
    },
    /// Dimension `i` of the result is dimension `perm[i]` of the array. Dimensions that are not
    /// mentioned stay; no `?` is moved.
    Rearrange {
        array: Var,
        perm: Vec<usize>,
    },
    /// The same value in memory of its own, rows one after the other.
    Copy(Var),
    /// The same elements under a type with these dimensions: sizes known by other names, or a size
    /// instead of `?`, or the reverse.
    Coerce {
        array: Var,
        dims: Vec<Dim>,
    },
    /// The elements at `offset + i1*s1 + i2*s2 ..` for all `i1 < n1`, `i2 < n2`, ..
    FlatIndex {
        array: Var,
        offset: Atom,
        dims: Vec<(Atom, Atom)>,
    },
    FlatUpdate {
        array: Var,
        offset: Atom,
        strides: Vec<Atom>,
        value: Var,
    },

    // # Irregular arrays
    /// The length of each row: dimension 1, which is `?`. In memory of its own.
    Lengths(Var),
    /// Where rows of these lengths end when they stand one after the other: sums of the lengths up to each. It may share memory with what
    /// is segmented by the same lengths, so nobody overwrites it.
    Ends(Var),
    /// All rows, one after the other: their number, then the array.
    JoinRows(Var),
    /// Cut into rows of these lengths. Shares memory with the array, not with the lengths.
    Segment {
        lengths: Var,
        array: Var,
    },

    // # Accumulators
    /// Write one row of each array at an index, if it is within bounds.
    AccWrite {
        acc: Var,
        index: Atom,
        values: Vec<Atom>,
    },
}

/// Recursive types.
#[derive(Clone, PartialEq, Debug)]
pub enum CellExp {
    /// A new region, which lives to the end of the body.
    Region,
    /// A new cell.
    Alloc { region: Option<Var>, data: DataId, constr: usize, fields: Vec<Atom> },
    /// A ref that leads nowhere, for columns of a sum that do not matter. Nothing is ever loaded from it.
    Null(DataId),
    /// The number of the cell's constructor, of the type that `tag_prim` gives.
    Tag { cell: Atom },
    /// The fields of a cell that has this constructor. In front of an array whose first dimension is `?`
    /// comes its length.
    Load { cell: Atom, constr: usize },
}

/// An associative operator with its neutral elements. The lambda takes the columns of two values.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduction<O> {
    pub lambda: Lambda<O>,
    pub neutral: Vec<Atom>,
    pub commutative: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm<O> {
    /// The variable counts from 0 up to the bound.
    For(Var, Atom),
    /// As long as the body, which sees the parameters, yields `true`.
    While(Body<O>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum DimIndex {
    Fix(Atom),
    /// `start`, `start + stride`, ..
    Slice {
        start: Atom,
        count: Atom,
        stride: Atom,
    },
}

/// What must hold. Operands are `i64` unless said otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Check {
    /// `0 <= index < length`
    Index { index: Atom, length: Atom },
    /// All of `start`, `start + stride`, .. (`count` of them) are indices, `count` is not negative, and
    /// an empty slice may start anywhere.
    Slice { start: Atom, count: Atom, stride: Atom, length: Atom },
    /// The two sizes are equal.
    Size { expected: Atom, found: Atom },
    /// All rows of an irregular array have the sizes of these dimensions.
    Shape { array: Var, dims: Vec<Dim> },
    /// A size is not negative.
    NonNegative(Atom),
    /// An integer divisor is not 0.
    NonZero(Prim, Atom),
    /// An integer exponent is not negative.
    Exponent(Prim, Atom),
    /// The numbers of a range `start..second..end`, of which there are `count`; it fails if the step is
    /// 0 or leads away from the end. `ok` is whether it does not.
    Range { prim: Prim, start: Atom, second: Atom, end: Atom, ok: Atom },
    /// Row lengths are not negative and add up to `total`.
    Segments { lengths: Var, total: Atom },
    /// A view of flat memory lies within the array.
    Flat { offset: Atom, dims: Vec<(Atom, Atom)>, length: Atom },
    /// What an `assert` asks for; the text is its source.
    Assert { cond: Atom, text: String },
    /// Never: a hole was evaluated, no case matched, or the like.
    Fail { text: String },
}

/// A function that can be called from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub name: String,
    pub fun: FunId,
    /// The columns of these types, in this order, are the function's last parameters. Those before them are
    /// regions, which the caller makes, and sizes, which are dimensions in the types of columns.
    pub params: Vec<EntryParam>,
    /// Its columns are the function's last results.
    pub result: IfaceId,
    pub result_unique: bool,
    pub doc: String,
    pub attrs: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct EntryParam {
    pub name: String,
    pub ty: IfaceId,
    pub unique: bool,
}

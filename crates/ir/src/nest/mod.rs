//! nest: what a program means, without the conveniences of the source language.
//!
//! A nest program is first-order and monomorphic. Records, tuples, sums and closures are gone: a
//! value of such a type is several values, its *columns*, and an array of them is several arrays.
//! A sum is a column `i8` for its constructor, numbered in the order of their names, and the columns
//! of all payloads, of which only those of the constructor matter. `()` is one column `bool`, so
//! that every array has at least one. A function that is known is called; one of several is a sum over
//! the lambdas that can reach the place, and applying it is a call of a function that branches.
//! A value of a recursive type is a *ref*: a place in a region. A region is a store of cells of any
//! of the program's `Data`; all refs inside a cell lead into the region of the cell.
//!
//! Absent on purpose: inlining (every instance of a function is there once), memory (arrays are
//! values; `unique` says what may be overwritten), and schedules (operators nest freely).
//!
//! **Scopes.** A `Body` is a list of statements, each binding new variables, and a list of results.
//! A variable is visible after its statement to the end of its body, and inside the bodies and
//! lambdas of later statements. A lambda sees the variables around it. Variables belong to one
//! function, whose table has their names, types and places.
//!
//! **Sizes are values.** A dimension of an array's type is an `i64` atom, or `?` where it varies from
//! element to element of the array around it: `[n][?]f32`. What comes with a size that was not known
//! before delivers it as a result of its own, in front: `let k: i64, ys: [k]f32 = filter ..`.
//! Taking an element out of an irregular array, or a field out of a cell, yields the row's length
//! (its first dimension, if that one is `?`) in front of the row. Two different atoms may denote one
//! size: that sizes agree is a fact of the typed program or established by a check, and not proven here.
//! A value whose length varies enters lambdas, and enters and leaves reductions, as length and row; where
//! a lambda's results become rows of an array (`map`) it yields the row alone.
//!
//! **Order.** Statements run one after the other. A check that fails ends the program with its place,
//! its operands and the calls that led to it. Operations assume that their checks have passed; a
//! statement lists the checks it relies on (its certificates) so that passes may move both. The order
//! of the applications of an operator's lambda is unspecified; when several fail, one of
//! the failures is reported.
//!
//! **Regions.** A region lives to the end of the body whose statement made it. A function takes the regions of
//! its parameters and results as parameters, in front of the others; lambdas see those around them.
//! Who calls an entry point makes its regions, and keeps them as long as the results. The regions of
//! a constant are made when it is computed, and live as long as the program: a constant yields them
//! in front of its value. No cell is made in these but by the constant itself.
//!
//! **Consumption.** `Update`, `Scatter`, `Hist`, `FlatUpdate`, `AccStream` and `AccWrite` consume the
//! arrays they change; a call consumes arguments of unique parameters, a loop initial values of unique
//! parameters. Whatever shares memory with a consumed variable is not used afterwards.
//!
//! # Invariants (the verifier cites these numbers)
//!
//! Scopes
//! - N1. A variable is used only where it is visible, and bound once in its function.
//! - N2. Functions, constants and data that are mentioned exist, and the entry points' functions too.
//!   A constant has a function of its own, whose parameters are regions.
//!
//! Types
//! - N3. An expression yields as many values as its statement binds; their types agree with those of
//!   the variables in all but the names of sizes: same elements, same rank, `?` in the same places.
//! - N4. Operands have the types that their operation asks for; sizes, indices and widths are `i64`.
//! - N5. Sizes in the type of a variable are constants or variables of type `i64` visible where it is bound, or
//!   bound by the same statement (or parameter list) before it.
//! - N6. The outermost dimension of an array is never `?`. A row (a lambda's parameter over an
//!   irregular array) has a size of its own: the parameter before it.
//! - N7. `Dim::Result` stands only in the result types of functions, and names an earlier `i64` result.
//!
//! Bodies
//! - N8. A body's results agree with what its owner asks for: a branch with the statement, a loop's body
//!   with its parameters, a function's body with its result types, a lambda with its operator. The columns of an
//!   entry point are the last parameters and results of its function.
//! - N9. A certificate is a variable bound by a check; only checks bind variables of type `cert`.
//!
//! Regions
//! - N10. Every ref has the region it leads into, which is a variable of type `region` visible there;
//!   inside the columns of a `Data` it has none: that of the cell is meant. A ref is loaded from, and allocated
//!   in, the region of its type.
//! - N11. Variables of type `region` are bound by `Region` (one), by `Const` (first) and as parameters of
//!   functions; refs into a region are no results of the body where it is bound.
//!
//! Consumption
//! - N12. No variable is used after it, or what shares its memory, was consumed, in the order of statements.
//!   Not consumed are: parameters that are not unique, constants, arrays out of cells, and in lambdas and
//!   loops what is bound outside. Unique results of a function, and next values of unique
//!   parameters of a loop, share memory with nothing else.
//!
//! Schedules
//! - N13. Nothing says where it runs: `Grid` and `Workers` belong to `flat`.
//!
//! # Example
//!
//! ```text
//! fun positive_sums (n: i64, xss: [n][?]f32) -> i64, *[#0]f32 {
//!   let sums: [n]f32 = map n (xss) \(k: i64, xs: [k]f32) {
//!     let s: f32 = reduce k (xs) neutral (0f32) \(x: f32, y: f32) {
//!       let z: f32 = add.f32 x y
//!       in z
//!     }
//!     in s
//!   }
//!   let m: i64, ys: [m]f32 = filter n (sums) \(x: f32) {
//!     let p: bool = lt.f32 0f32 x
//!     in p, x
//!   }
//!   in m, ys
//! }
//! ```

pub mod build;
pub mod calls;
pub mod iface;
mod names;
pub mod normalise;
pub mod observe;
pub mod parse;
pub mod print;
pub mod types;
pub mod verify;
pub mod walk;

pub use crate::scalar::{BinOp, Prim, Scalar, TriOp, UnOp};
pub use iface::{Column, Iface, IfaceId, IfaceShape};
use norn_base::Span;
pub use observe::{ObserveKind, Observed, ShowSite, Showing};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prog {
    pub datas: Vec<Data>,
    /// Values computed at most once, when first asked for.
    pub consts: Vec<Const>,
    pub funs: Vec<Fun>,
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
pub struct Fun {
    pub name: String,
    pub params: Vec<Param>,
    pub ret: Vec<Ret>,
    pub body: Body,
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
}

#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A scalar if there are no dimensions.
    Value(Elem, Vec<Dim>),
    /// A write-only view of arrays of these types, all with the same outermost dimensions.
    Acc(Vec<Type>),
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

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    pub stms: Vec<Stm>,
    pub result: Vec<Atom>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stm {
    pub vars: Vec<Var>,
    /// The checks it relies on.
    pub certs: Vec<Var>,
    pub exp: Exp,
    pub attrs: Vec<String>,
    /// Where in the source it comes from.
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    pub params: Vec<Var>,
    pub body: Body,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    // # Scalars and control
    Atom(Atom),
    Un(UnOp, Prim, Atom),
    Bin(BinOp, Prim, Atom, Atom),
    Tri(TriOp, Prim, Atom, Atom, Atom),
    Convert {
        from: Prim,
        to: Prim,
        value: Atom,
    },
    If {
        cond: Atom,
        then: Body,
        els: Body,
    },
    /// The case with the number that the integer scrutinee is, or the default.
    Switch {
        scrutinee: Atom,
        cases: Vec<(i64, Body)>,
        default: Body,
    },
    /// The body yields the parameters of the next iteration; the loop yields the last.
    Loop {
        params: Vec<(Param, Atom)>,
        form: LoopForm,
        body: Body,
    },
    Call {
        fun: FunId,
        args: Vec<Atom>,
    },
    /// The regions of the constant, then its value.
    Const(ConstId),
    /// Fails unless it holds. Binds one certificate.
    Check(Check),

    // # Building and rearranging arrays
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
    /// All rows, one after the other: their number, then the array.
    JoinRows(Var),
    /// Cut into rows of these lengths. Shares memory with the array, not with the lengths.
    Segment {
        lengths: Var,
        array: Var,
    },

    // # Parallel operators; inputs are as long as the width
    /// Of an input whose rows are irregular, the lambda takes the row's length and the row.
    Map {
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    Reduce {
        width: Atom,
        op: Reduction,
        inputs: Vec<Var>,
    },
    Scan {
        width: Atom,
        op: Reduction,
        inputs: Vec<Var>,
    },
    /// The lambda of the inputs yields what is scanned, then what is reduced, then what is just
    /// kept. Yields scans, then reductions, then arrays.
    Fused {
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
        scans: Vec<Reduction>,
        reductions: Vec<Reduction>,
    },
    /// The lambda yields whether a row is kept, then the row's columns. Yields how many are kept, then
    /// arrays of these. Columns of rows that are not kept do not matter.
    Filter {
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    /// As `Filter`, but all rows are kept, those that satisfy the lambda first.
    Partition {
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    /// The keys, an array of primitive values, in ascending order, and the place that each had before. Equal keys stay
    /// in their order. What the order is says `scalar::order`.
    Sort {
        width: Atom,
        keys: Var,
        wanted: Sorted,
    },
    /// The destinations, consumed, with values written into them. The lambda yields an index for each of the first
    /// dimensions of all destinations, then the value for each destination. What lies outside is ignored.
    Scatter {
        width: Atom,
        dests: Vec<Var>,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    /// As `Scatter`, combining with what is there.
    Hist {
        width: Atom,
        dests: Vec<Var>,
        op: Reduction,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    Stream {
        width: Atom,
        form: StreamForm,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    /// The lambda takes an accumulator for the destinations (which it returns) and an element of each
    /// input. Writes store, or combine by `op`.
    AccStream {
        width: Atom,
        dests: Vec<Var>,
        op: Option<Reduction>,
        inputs: Vec<Var>,
        lambda: Lambda,
    },
    /// Write one row of each array at an index, if it is within bounds.
    AccWrite {
        acc: Var,
        index: Atom,
        values: Vec<Atom>,
    },

    // # Recursive types
    /// A new region, which lives to the end of the body.
    Region,
    /// A new cell.
    Alloc {
        region: Option<Var>,
        data: DataId,
        constr: usize,
        fields: Vec<Atom>,
    },
    /// A ref that leads nowhere, for columns of a sum that do not matter. Nothing is ever loaded from it.
    Null(DataId),
    /// The number of the cell's constructor, of the type that `tag_prim` gives.
    Tag {
        cell: Atom,
    },
    /// The fields of a cell that has this constructor. In front of an array whose first dimension is `?`
    /// comes its length.
    Load {
        cell: Atom,
        constr: usize,
    },

    // # Places to run, which only `flat` has
    /// The parallel operator, all over the device at the same time.
    Grid {
        /// About how many scalar operations it takes; an `i64`.
        work: Atom,
        /// An input with irregular rows, by whose elements the operator is split.
        balance: Option<Var>,
        op: Box<Exp>,
    },
    /// How much can run at the same time, an `i64` of at least 1.
    Workers,
}

/// What a sort yields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sorted {
    Keys,
    /// For each place the one that its key had before.
    Places,
    /// Keys, then places.
    Both,
}

impl Sorted {
    pub fn has_keys(self) -> bool {
        self != Sorted::Places
    }

    pub fn has_places(self) -> bool {
        self != Sorted::Keys
    }

    pub fn name(self) -> &'static str {
        match self {
            Sorted::Keys => "keys",
            Sorted::Places => "places",
            Sorted::Both => "both",
        }
    }
}

/// An associative operator with its neutral elements. The lambda takes the columns of two values.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduction {
    pub lambda: Lambda,
    pub neutral: Vec<Atom>,
    pub commutative: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// The variable counts from 0 up to the bound.
    For(Var, Atom),
    /// As long as the body, which sees the parameters, yields `true`.
    While(Body),
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

/// The lambda of a stream takes the size of a chunk, the accumulators if there are any, and a chunk of
/// each input; it yields accumulators, then arrays as long as the chunk. The stream yields the last
/// (or combined) accumulators, then the arrays whole.
#[derive(Clone, PartialEq, Debug)]
pub enum StreamForm {
    /// `any_order`: chunks need not be of neighbours.
    Map { any_order: bool },
    /// The lambda takes no accumulators. Those of chunks are combined in order by the operator, whose
    /// neutral element is what an empty chunk yields.
    Reduce { any_order: bool, op: Lambda },
    /// One chunk after the other, starting with these accumulators.
    Seq { init: Vec<Atom> },
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

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
//! Here is what programs mean, and the parallel operators. Programs, bodies, statements and all other expressions are defined in
//! `skeleton`, which is nest for any set of operators.
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
//! - N13. Nothing says where it runs: `grid`, `workers` and tasks (`task`) come with a schedule (`grids`), and descriptors, sides and bounds belong to `flat`.
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
pub mod derivative;
pub mod grids;
pub mod normalise;
mod operator;
pub mod parse;
pub mod print;
pub mod splice;
pub mod task;
pub mod verify;
pub mod walk;

pub use crate::skeleton::iface;
pub use crate::skeleton::{
    ArrayExp, Atom, BinOp, CellExp, Check, Column, Const, ConstId, Constr, Data, DataId, Dim, DimIndex, Elem,
    Entry, EntryParam, FunId, Grid, Iface, IfaceId, IfaceShape, ObserveKind, Observed, Param, Prim, Ret,
    Scalar, ScalarExp, ShowSite, Showing, Side, TriOp, Type, UnOp, Var, VarInfo, tag_prim,
};
pub use operator::{Applied, Combining};
pub use task::Task;

pub type Prog = crate::skeleton::Prog<Operator>;
pub type Fun = crate::skeleton::Fun<Operator>;
pub type Body = crate::skeleton::Body<Operator>;
pub type Stm = crate::skeleton::Stm<Operator>;
pub type Lambda = crate::skeleton::Lambda<Operator>;
pub type Reduction = crate::skeleton::Reduction<Operator>;
pub type LoopForm = crate::skeleton::LoopForm<Operator>;
pub type Exp = crate::skeleton::Exp<Operator>;
pub type ControlExp = crate::skeleton::ControlExp<Operator>;

/// A parallel operator. Its inputs are as long as its width.
#[derive(Clone, PartialEq, Debug)]
pub enum Operator {
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
        yields: Sorted,
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
    /// Only a scheduled program has it: work of a host that can be done in parts (`task`).
    Task(Box<Task>),
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

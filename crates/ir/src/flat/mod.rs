//! flat: the language of devices, whose parallel expressions are kernels.
//!
//! A flat program means what the nest program means that it was made of. It has the same skeleton (bodies, statements, scalars, views of
//! arrays, control flow, cells), but where nest has operators that nest freely, flat has *kernels*: one index space, one body, and *outs*
//! that say what becomes of the body's results. Everything that the speed of a device depends on is written down: what runs together, what
//! is stored, in whose memory it is, what the host waits for.
//!
//! **Space.** `grid (i < n | j in d) { .. }`: left of the bar are the *points*, right of it is what the outs go *through*, in row-major
//! order. A reduction has a result for each point; a scan, filter or sort restarts at each. A dimension is a number of indices, or the
//! elements of the row that the dimension before it names, as descriptor `d` says: `j in d`, where `j` counts from 0 in each row. The
//! variables of all dimensions, of type i64, are visible in the body, those of points in operators and in `after`, too. `grid (|)` is one
//! thread of the device.
//!
//! **Levels.** `grid`, in host code: thread code for each element. `groups`, in host code: group code, a group of threads for each point.
//! `group`, in group code: shared by the threads of the group, whose arrays lie in shared memory. `seq`, in thread code: one thread goes
//! through it; these nest freely.
//!
//! **Outs.** The results of the body belong to the outs, in this order; the text names them once more, in parentheses.
//! - `map (x)`: an array with the dimensions of the space; of certificates, one. `into (v [0i64:n:1i64])`: as the part of `v` that the
//!   slice selects.
//! - `reduce OP (x)`: one value for each point. `after \(x) {..}`: what becomes of it.
//! - `scan OP (x)`: an array with the dimensions of the space. `after (y) \(x, y) {..}`: what becomes of each element, given `y`, further
//!   results of the body for the same element.
//! - `filter c (x)`: how many are kept; with a point dimension, the descriptor of what is kept; then arrays of what is kept.
//! - `partition c (x)`: for each point how many satisfy `c`; then the arrays, those elements first.
//! - `sort key (k, x)`: arrays in the ascending order of their first column, which is primitive; `sort by \(a, b) {..} (x)`: in the order
//!   of a function that says whether `a` may stand before `b`. Both keep equal elements in their order.
//! - `scatter (i) (x) into (v)`, `hist OP (i) (x) into (v)`: `v` with elements written, or combined with what is there. Indices are those
//!   of the dimensions of `v` that follow the points: each point has a part of its own. What lies outside is ignored.
//! - `acc a: acc(..) OP (b) into (v)`: `v` with all that the body writes to `a`, combined or stored; `b` is the accumulator after the
//!   writes. Indices are those of `v`.
//!
//! **Descriptors.** `d: seg n t` says of `n` rows with `t` elements in all where each begins. `[n][d]f32` is an array of such rows, dense
//! and in this order; `[n][d][e]f32`, where `e: seg t u`, has rows of rows. What nest says of `?` holds of such a dimension: a row that is
//! taken out comes with its length in front. What is asked of a descriptor: its facts (`number`, `total`, `longest`, `nonempty`), the row
//! that an element belongs to (`owner d p`), and where a row begins (`offset d i`).
//!
//! **Sides.** In host code arrays and descriptors are in the memory of the device, scalars on the host, unless `@device`, `@host` or
//! `@both` says otherwise. `t: i64 @device <= m` is a number on the device of which the host knows a bound. Host code computes with what is
//! on its side; `read` brings scalars over, and waits; `copy x to host` brings arrays. A cpu function has all on the host.
//!
//! **How.** `how reduce.elements(each: 8)` names the algorithm, a line of the capability table (`how`), with its tunables. Without it, it
//! is not decided yet.
//!
//! **Order.** As in nest. A kernel runs after all statements before it that matter to it; the host waits only for `read` and `copy .. to
//! host`.
//!
//! Absent on purpose: memory (allocation, reuse of buffers, layouts) is `imp_gen`'s business. Replicate, concat, literals of rows,
//! transpositions and slices are views; where they are stored, that is a `map` whose body reads one element.
//!
//! # Invariants (the verifier cites these numbers, and N1 to N12, which hold as in nest)
//!
//! - K1. Host code has all but `group` and `seq`, calls host and cpu functions, and sees elements of arrays only by `read`: it does not
//!   index, update or write them, and computes with scalars of its side. Kernels see what is on the device. Thread code has `seq` and calls
//!   thread functions; group code has `group`, and thread code that each thread does for itself. Only host code has `describe`, `rows`,
//!   `read`, `copy .. to`, `choose` and sides; bounds stand in group code, too. The points of `groups` are its whole space. A cpu function
//!   has `seq` and calls cpu functions: what of it runs in parallel is decided by `schedule`, after `unflatten`. No function takes an
//!   accumulator.
//! - K2. A space has at most one `in`: its last dimension, but not its only one, since the one before it names the row. In a chain
//!   `[n][d][e]`, `e` has as many rows as `d` has elements; outer levels are collapsed (`p < t`, `owner d p`). A filter has at most one
//!   point dimension, and partition and sort go through one dimension.
//! - K3. A descriptor is a value; types name it as they name sizes, but never as the outermost dimension. What an `in` names is a
//!   descriptor. There is no `?` in host code.
//! - K4. An irregular array is dense in the order of its descriptor. Anything else is `rows xs at starts by d`: rows shared or anywhere,
//!   never consumed.
//! - K5. A device size that an array's memory depends on has a bound that the host knows; otherwise it is read before. Bounds are on the
//!   host. (Arrays are allocated at the bound if that is little, else the size is read: by `imp_gen`.)
//! - K6. A kernel whose width is a device size has as many groups as the device runs, which loop. (By `imp_gen`; nothing in the text.)
//! - K7. Any number of map, reduce, scatter, hist, acc; scan, filter and partition share one look-back; sort stands alone. Outs do not
//!   depend on each other, but through `after`. The line that `how` names serves one of the outs, and has the tunables that it is given.
//! - K8. An operator combines values of one point, and may mention the point. Elements may be rows, records, refs; they have one shape all
//!   over the space, so that `after` and operators take no lengths.
//! - K9. `into v` consumes `v` (N12). The body does not read `v`, but for a map at its own element. A kernel that may run again (heap,
//!   stacks, regions) writes to nothing that it consumed. (The last by the passes, which know what may run again.)
//! - K10. A thread that fails records its site, reaches every barrier, writes nothing more. (By `imp_gen`.) A check that varies stands in
//!   the body, or in an earlier kernel that yields its certificate (N9).
//! - K11. Around a `group` kernel, conditions, widths and trip counts are uniform in the group: they depend on host values, the point, and
//!   results of `group` kernels alone. The sizes of its arrays are known to the host: they, or their bounds, come from outside of the
//!   kernel `groups`.
//! - K12. Same bits in every run, duplicates of a scatter aside. (By the lines of `how`: see there which are exact.)
//! - K13. Versions are `choose` alone. (By the passes: what they compare are predicted costs, and they limit the number of versions.)
//! - K14. `when c`: nothing happens unless the device bool holds. So all outs of such a kernel write `into` something. (That a loop is
//!   enqueued several steps ahead, and its flag read once, is decided by the passes.)
//! - K15. A kernel means a nest expression: maps over the points around operators, and `segment`. `unflatten` writes it.
//! - K16. Threads communicate in outs, never in bodies (N12: a body consumes nothing from outside, an accumulator is written in the kernel
//!   that binds it). So a dimension can be cut.
//!
//! # Example
//!
//! Sums of products over segments, and rows without what is not positive:
//!
//! ```text
//! host fun main (n: i64, m: i64, lens: [n]i64, vals: [m]f32, d: seg n m, xss: [n][d]f32) -> *[n]f32, *[n]f32 {
//!   let t: i64 @device, l: seg n t = describe lens
//!   let ys: [n]f32 = grid (i < n | j in l) {
//!     let o: i64 = offset l i
//!     let k: i64 = add.i64 o j
//!     let v: f32 = index vals [k]
//!     in v
//!   } reduce commutative neutral (0f32) \(a: f32, b: f32) {
//!     let c: f32 = add.f32 a b
//!     in c
//!   } (v) how reduce.elements(each: 8)
//!   let k.2: i64 @device <= m, e: seg n k.2, ps: [n][e]f32 = grid (i.2 < n | j.2 in d) {
//!     let y: f32 = index xss [i.2, j.2]
//!     let p: bool = lt.f32 0f32 y
//!     in p, y
//!   } filter p (y) how filter.lookback(each: 15)
//!   let s: [n]f32 = grid (i.3 < n | j.3 in e) {
//!     let z: f32 = index ps [i.3, j.3]
//!     in z
//!   } reduce commutative neutral (0f32) \(a.2: f32, b.2: f32) {
//!     let c.2: f32 = add.f32 a.2 b.2
//!     in c.2
//!   } (z)
//!   in ys, s
//! }
//! ```
//!
//! No wait: kernels read `t` and `k.2` on the device, and `ps` has room for `m`.

pub mod how;
mod operator;
mod unflatten;
mod verify;

pub use crate::skeleton::{Atom, Dim, DimIndex, FunId, Prim, Side, Type, Var, VarInfo};
pub use how::{How, Line, Tunable};
pub use unflatten::unflatten;

use crate::skeleton;
use crate::skeleton::parse::ParseError;
use crate::skeleton::verify::Violation;

pub type Prog = crate::skeleton::Prog<Operator>;
pub type Fun = crate::skeleton::Fun<Operator>;
pub type Body = crate::skeleton::Body<Operator>;
pub type Stm = crate::skeleton::Stm<Operator>;
pub type Lambda = crate::skeleton::Lambda<Operator>;
pub type Reduction = crate::skeleton::Reduction<Operator>;
pub type Exp = crate::skeleton::Exp<Operator>;
pub type ControlExp = crate::skeleton::ControlExp<Operator>;
type Part<'a> = crate::skeleton::walk::Part<'a, Operator>;
type PartMut<'a> = crate::skeleton::walk::PartMut<'a, Operator>;

/// What flat has beyond the skeleton.
#[derive(Clone, PartialEq, Debug)]
pub enum Operator {
    Kernel(Box<Kernel>),
    /// The number of elements in rows of these lengths, then their descriptor.
    Describe {
        lengths: Var,
    },
    /// Rows of the array that begin at these places, and are as long as the descriptor says. They may overlap.
    Rows {
        array: Var,
        starts: Var,
        descriptor: Var,
    },
    /// Scalars of the device, on the host. Waits for all that runs.
    Read(Vec<Atom>),
    /// The same value in the memory of this side.
    CopyTo {
        array: Var,
        side: Side,
    },
    /// The body of the first condition that holds, or the last.
    Choose {
        cases: Vec<(Atom, Body)>,
        otherwise: Body,
    },
    Fact {
        fact: Fact,
        descriptor: Var,
    },
    /// The row to which an element, counted through all rows, belongs.
    Owner {
        descriptor: Var,
        element: Atom,
    },
    /// Where a row begins, counted through all rows.
    Offset {
        descriptor: Var,
        row: Atom,
    },
}

/// Its code is flat; but for the level `groups`, it is handed to `imp_gen` with the code of its threads as nest (K15).
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel<O = Operator> {
    pub level: Level,
    pub points: Vec<SpaceDim>,
    pub through: Vec<SpaceDim>,
    /// Nothing happens unless this bool, which may be on the device, holds.
    pub when: Option<Atom>,
    pub body: skeleton::Body<O>,
    /// Together they take all results of the body, in order.
    pub outs: Vec<Out<O>>,
    pub how: Option<How>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    Grid,
    Groups,
    Group,
    Seq,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SpaceDim {
    /// An i64.
    pub var: Var,
    pub extent: Extent,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    Size(Atom),
    /// The elements of the row, of those that this descriptor has, that the dimension before it names.
    Row(Var),
}

/// What becomes of some results of a kernel's body.
#[derive(Clone, PartialEq, Debug)]
pub enum Out<O = Operator> {
    /// `into` is empty, or has a destination for each of the values.
    Map {
        values: usize,
        into: Vec<Into>,
    },
    /// As many values as the operator has neutral elements.
    Reduce {
        op: skeleton::Reduction<O>,
        after: Option<skeleton::Lambda<O>>,
    },
    Scan {
        op: skeleton::Reduction<O>,
        after: Option<After<O>>,
    },
    /// A bool, then these many values.
    Filter {
        values: usize,
    },
    Partition {
        values: usize,
    },
    Sort {
        order: Order<O>,
        values: usize,
    },
    /// Indices, then a value for each destination.
    Scatter {
        indices: usize,
        into: Vec<Into>,
    },
    Hist {
        op: skeleton::Reduction<O>,
        indices: usize,
        into: Vec<Into>,
    },
    /// One result of the body: the accumulator after all writes. Without an operator, writes store.
    Acc {
        var: Var,
        op: Option<skeleton::Reduction<O>>,
        into: Vec<Var>,
    },
}

/// What becomes of each element of a scan.
#[derive(Clone, PartialEq, Debug)]
pub struct After<O = Operator> {
    /// How many results of the body the lambda takes, after the scanned values.
    pub further: usize,
    pub lambda: skeleton::Lambda<O>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Order<O = Operator> {
    /// The first of the values, which is primitive, ascending, as `scalar::order` says.
    Key,
    /// Whether the first of two elements may stand before the second.
    By(skeleton::Lambda<O>),
}

/// A destination.
#[derive(Clone, PartialEq, Debug)]
pub struct Into {
    pub array: Var,
    /// The part that is written; all of it if this is empty.
    pub part: Vec<DimIndex>,
}

/// What can be asked of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// Of rows.
    Number,
    /// Of elements.
    Total,
    /// The length of the longest row; 0 if there is none.
    Longest,
    /// The number of rows that are not empty.
    Nonempty,
}

/// The words before `fun`: in whose code the function is.
pub const HOST: &str = "host";
pub const THREAD: &str = "thread";
pub const CPU: &str = "cpu";

pub fn parse(text: &str) -> Result<Prog, ParseError> {
    crate::skeleton::parse::parse(text)
}

/// All of the program: parsing it gives the program back, if its variables are normalised.
pub fn print(prog: &Prog) -> String {
    crate::skeleton::print::print(prog)
}

/// All violations, in the order of the program; of the rules about sides and uniformity only where the others hold.
pub fn verify(prog: &Prog) -> Vec<Violation> {
    verify::verify(prog)
}

//! Grids: marks on nest statements that say what runs in parallel.
//!
//! A scheduled program is a nest program (the same types, the same text, the same meaning) in which it has been decided what
//! runs in parallel. A mark and an expression say so, and both are there for nothing else:
//!
//! - `Stm::grid`, in the text `grid WORK by ROWS` before the operator: the statement's operator is split among all that the device
//!   has. `work` is an estimate, in scalar operations, by which the device decides into how many pieces; with little
//!   work it is one piece, and costs about what the operator alone would. `balance` names an input with
//!   irregular rows: pieces have about as many elements of it, rather than rows.
//! - `Workers`, in the text `workers`: how many pieces can run at the same time. Versions are chosen with it; nothing else depends on
//!   it, so a program yields the same on every device.
//!
//! An operator without this mark runs, element after element, in the thread that reaches it. A grid may
//! stand anywhere, in the lambda of another grid too: the device then has pieces of both, and who waits for the
//! inner one works on others meanwhile. What a grid yields is what its operator yields, up to the order in which
//! an associative operator is applied.
//!
//! A program for several devices also has tasks (`nest::task`): work of the host that can be done in parts, with grids inside.
//!
//! A stream decides on its chunks where it runs: in a grid each piece is a chunk; outside, a stream in whose lambda a
//! grid stands takes its inputs as one chunk, so that there is something to split.
//!
//! **Who writes it.** The pass `schedule`, for a device with a few powerful threads: it puts operators into grids from the outside in,
//! and where the answer depends on sizes it makes versions and a test. For a device with groups of threads, `place`: in a function of its
//! host a grid is a kernel, and in the lambda of a map that is a kernel a grid is done by the threads of one group.
//!
//! Absent on purpose: segmented index spaces, which are what `flat` is about. A perfect nest of maps around an operator is one; rows of
//! different lengths become flat operators before (`elements`). Layouts, buffers and the algorithm of a parallel scan are `imp`'s business.
//!
//! # Invariants (the verifier cites these numbers)
//!
//! - L1. It is a nest program: N1 to N12 hold.
//! - L2. In a grid stands an operator that can be split: `map`, `reduce`, `scan`, `fused`, `filter`, `partition`, `scatter`, `hist`,
//!   `stream` unless it is `seq`, and `acc_stream` unless it combines.
//! - L3. What a grid is balanced by is an input of its operator, and has irregular rows.
//! - L4. In the lambda of a reduction (of `reduce`, `scan`, `fused`, `hist`, `acc_stream`, or what combines the chunks of a `stream`) is no grid.
//! - L5. In the lambda of a grid whose pieces depend on those before them (`scan`, `fused` with scans, `filter`, `partition`) is no grid.
//!   A function that is called there may have some.
//! - L6. A scalar `@device`, which its host does not know, is what a grid in a function of the host reduces to, and the host does not need it
//!   (`needs`).
//!
//! # Example
//!
//! ```text
//! fun row_sums (n: i64, m: i64, xss: [n][m]f32) -> *[n]f32 {
//!   let work: i64 = mul.i64 m 3i64
//!   let workers.1: i64 = workers
//!   let enough: i64 = mul.i64 workers.1 8i64
//!   let wide: bool = le.i64 enough n
//!   let little: bool = lt.i64 work 32768i64
//!   let outer: bool = or.bool wide little
//!   let total: i64 = mul.i64 n work
//!   let sums: [n]f32 = if outer {
//!     let sums.2: [n]f32 = grid total map n (xss) \(xs: [m]f32) {
//!       let s: f32 = reduce m (xs) neutral (0f32) \(x: f32, y: f32) {
//!         let z: f32 = add.f32 x y
//!         in z
//!       }
//!       in s
//!     }
//!     in sums.2
//!   } else {
//!     let sums.3: [n]f32 = grid total map n (xss) \(xs.2: [m]f32) {
//!       let s.2: f32 = grid work reduce m (xs.2) neutral (0f32) \(x.2: f32, y.2: f32) {
//!         let z.2: f32 = add.f32 x.2 y.2
//!         in z.2
//!       }
//!       in s.2
//!     }
//!     in sums.3
//!   }
//!   in sums
//! }
//! ```

/// An attribute of functions that run on the host of a device: their arrays are in the device's memory, and their grids
/// run there.
pub const HOST: &str = "host";
/// How the names of functions end that stand for an operator in many places (`share`): what fails in them fails where
/// they are called.
pub const SHARED: &str = "_shared";
/// An attribute of functions that kernels of a device call: there is no grid in them.
pub const THREAD: &str = "thread";
/// An attribute of lifted functions: of the rows of what they take and yield, each is made of those with its number alone. The first parameter is how many rows there are.
pub const LIFTED: &str = "lifted";
/// An attribute of functions that parts of tasks call, and how their names end: each is the copy of another, without tasks.
pub const IN_PARTS: &str = "in_parts";
pub const IN_PARTS_NAME: &str = "_in_parts";

/// An attribute of statements of the host that bind a number: the device with this number runs all commands from there on.
pub const SELECT: &str = "select";
/// The same for those that bind the width of a task: whoever runs the program plans how that is cut, and into how many parts.
pub const PLAN: &str = "plan";
/// The same before it for those that bind about how many elements the task works on.
pub const ELEMENTS: &str = "elements";
/// The same for those that bind the number of a part: its device runs all commands from there on.
pub const PART: &str = "part";
/// Attributes of statements of the host that bind how many parts there are, where this one begins, and how many rows it has: the plan may choose other numbers than these.
pub const PARTS: &str = "parts";
pub const FROM: &str = "from";
pub const COUNT: &str = "count";
/// The same in a part for where it begins and how many rows it has, whatever was planned, and how many the whole task has.
pub const OWN_FROM: &str = "own_from";
pub const OWN_COUNT: &str = "own_count";
pub const WHOLE: &str = "whole";
/// The same for one that binds 1 if the first device does all of the task, and else 0.
pub const ALONE: &str = "alone";
/// The same for those that bind an array: this device will read it, and gets it before it begins with anything else.
pub const BRING: &str = "bring";
/// An attribute of statements that make an array all of whose elements are written before one is read: it may have any contents.
pub const ROOM: &str = "room";
/// An attribute of loops of the host over the parts of a plan, whose iterations write to different places and read nothing of each other: they may be run at the same time,
/// each on the device of its part.
pub const APART: &str = "apart";
/// An attribute of these loops, and of statements with `PLAN`: the processor can do parts, too.
pub const PROCESSOR: &str = "processor_can";
/// An attribute of statements with `PLAN`: rows go down a recursion, so that some take much longer than others.
pub const UNEVEN: &str = "uneven";
/// Attributes of statements of the host that make an array of its own numbers, write one of them, and read one: no device has anything to do with it.
pub const NOTES: &str = "notes";
pub const NOTE: &str = "note";
pub const NOTED: &str = "noted";
/// An attribute of statements in loops with `APART` that append what a part has kept to what the parts before have: the host notes it, and appends all of it behind the loop.
pub const APPEND: &str = "append";

/// Attributes that only the compiler gives: those in sources that have these names mean nothing.
pub const OWN_ATTRIBUTES: &[&str] = &[
    HOST,
    THREAD,
    LIFTED,
    IN_PARTS,
    SELECT,
    PLAN,
    ELEMENTS,
    UNEVEN,
    PART,
    PARTS,
    FROM,
    COUNT,
    OWN_FROM,
    OWN_COUNT,
    WHOLE,
    ALONE,
    BRING,
    ROOM,
    APART,
    PROCESSOR,
    NOTES,
    NOTE,
    NOTED,
    APPEND,
    "awaited",
    "few_threads",
    "processor",
];

pub mod needs;
pub mod verify;

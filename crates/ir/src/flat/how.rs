//! The capability table: which algorithms there are, for which out, and what can be tuned.
//!
//! The lines of an out stand in the order in which they are tried; the last serves everything. *Exact* lines give the same bits whatever
//! the order in which threads arrive, for operators without float arithmetic; the others fix the order by sizes, tunables and device (K12).

use super::Out;
use std::ops::RangeInclusive;

/// The algorithm of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct How {
    pub line: Line,
    pub args: Vec<(Tunable, i64)>,
}

/// The parameters of lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tunable {
    /// How many elements a thread takes.
    Each,
    /// Threads of a group.
    Group,
    /// Rows and columns of the block of results that a group computes.
    Tile,
    /// How many of the results each thread computes.
    Block,
    /// How many steps of the inner dimension are staged in shared memory at a time.
    Depth,
    /// How many copies of the bins there are.
    Decks,
    /// How often all elements are gone through at most, each time for as many bins as shared memory has room for.
    Passes,
}

/// Of lines that no pass makes yet.
const ANY: RangeInclusive<i64> = 1..=i64::MAX;

macro_rules! lines {
    ($($(#[$doc:meta])* $Line:ident = $text:literal ($($tunable:ident $range:expr),*);)*) => {
        /// A line of the capability table. Its name begins with the out that it serves.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Line {
            $($(#[$doc])* $Line,)*
        }

        impl Line {
            pub const ALL: &'static [Line] = &[$(Line::$Line),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Line::$Line => $text,)*
                }
            }

            pub fn tunables(self) -> &'static [Tunable] {
                match self {
                    $(Line::$Line => &[$(Tunable::$tunable),*],)*
                }
            }

            /// What it can be for the line. Where that is a single number, kernels are made for it.
            pub fn range(self, tunable: Tunable) -> RangeInclusive<i64> {
                match self {
                    $(Line::$Line => {
                        $(if tunable == Tunable::$tunable {
                            return $range;
                        })*
                    })*
                }
                panic!("flat: {} has no {}", self.name(), tunable.name())
            }
        }
    };
}

lines! {
    /// Scalars, several per thread.
    MapSeveral = "map.several" (Each 1..=16);
    /// Two or three dimensions, which are those of the device.
    MapBlocks = "map.blocks" (Tile 16..=16, Block 1..=1);
    /// A group for each point, with so many threads: what `groups` has.
    MapGroup = "map.group" (Group 64..=256);
    MapThread = "map.thread" ();
    /// Inputs that do not depend on some points are staged in shared memory, and each thread computes a block of results.
    ReduceTile = "reduce.tile" (Tile ANY, Block ANY, Depth ANY);
    /// The same without blocks: one result per thread.
    ReduceStage = "reduce.stage" (Group 256..=256, Depth ANY);
    /// A thread for each point.
    ReduceThread = "reduce.thread" ();
    /// A group for each point.
    ReduceGroup = "reduce.group" (Group 256..=256);
    /// Balanced by elements, whatever the lengths of rows.
    ReduceElements = "reduce.elements" (Each 1..=65536);
    /// Elements that are rows, in memory, combined pairwise.
    ReduceRows = "reduce.rows" ();
    ScanThread = "scan.thread" ();
    ScanGroup = "scan.group" (Group 256..=256);
    /// One pass, exact: a group looks back at the sums of those before it, up to the flag of a segment.
    ScanLookback = "scan.lookback" (Each 1..=31);
    /// Three kernels, in a fixed order: for floats.
    ScanThree = "scan.three" (Each 1..=31);
    ScanRows = "scan.rows" ();
    /// Filter and partition of scalars.
    FilterLookback = "filter.lookback" (Each 1..=31);
    /// Of rows: look-back of their numbers, then a copy by elements.
    FilterRows = "filter.rows" (Each 1..=31);
    ScatterElements = "scatter.elements" (Each 1..=1);
    /// By an operation of memory: bins in shared memory where there is room, in passes; else where they are. Exact.
    HistAtomic = "hist.atomic" (Passes 1..=256);
    /// By comparing and swapping the word that all columns fit into, in shared memory, in passes; if these are too many, where the bins are. Exact.
    HistSwap = "hist.swap" (Passes 1..=256, Each 4..=4096);
    /// The same under a lock for each bin. Exact.
    HistLock = "hist.lock" (Passes 1..=256, Each 4..=4096);
    /// Copies of the bins, each combined in order, if there are few; else as `hist.sort`.
    HistDecks = "hist.decks" (Decks 1..=1 << 20, Each 4..=4096);
    /// Sorted by bin, then reduced: so many sorted elements by a thread. Since it leaves up to two, they are four at least.
    HistSort = "hist.sort" (Each 4..=4096);
    /// What is written is kept as pairs, which become a hist.
    AccPairs = "acc.pairs" ();
    /// By segment and key.
    SortRadix = "sort.radix" (Each ANY);
    /// Short segments, in shared memory.
    SortGroup = "sort.group" (Group ANY);
    SortMerge = "sort.merge" (Each ANY);
}

impl Line {
    pub fn from_name(out: &str, word: &str) -> Option<Line> {
        Line::ALL.iter().copied().find(|line| line.name().split_once('.') == Some((out, word)))
    }

    /// Whether the line is for this out.
    pub fn serves<O>(self, out: &Out<O>) -> bool {
        let family = match out {
            Out::Map { .. } => "map",
            Out::Reduce { .. } => "reduce",
            Out::Scan { .. } => "scan",
            Out::Filter { .. } | Out::Partition { .. } => "filter",
            Out::Sort { .. } => "sort",
            Out::Scatter { .. } => "scatter",
            Out::Hist { .. } => "hist",
            // Where operators are atomic, an accumulator is a hist.
            Out::Acc { .. } => return self.name().starts_with("acc.") || self.name().starts_with("hist."),
        };
        self.name().split_once('.').is_some_and(|(of, _)| of == family)
    }
}

impl Tunable {
    pub const ALL: [Tunable; 7] = [
        Tunable::Each,
        Tunable::Group,
        Tunable::Tile,
        Tunable::Block,
        Tunable::Depth,
        Tunable::Decks,
        Tunable::Passes,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Tunable::Each => "each",
            Tunable::Group => "group",
            Tunable::Tile => "tile",
            Tunable::Block => "block",
            Tunable::Depth => "depth",
            Tunable::Decks => "decks",
            Tunable::Passes => "passes",
        }
    }
}

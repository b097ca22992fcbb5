//! Test blocks: what the comments of a program ask to be tested.
//!
//! ```text
//! -- Any words.
//! -- ==
//! -- tags { slow }                                  of the whole program, in the first block
//! -- tune @ apart.tune                              tunables of the whole program on a GPU, in the first block
//! -- entry: first last                              the entry points; without this line, main
//! -- input { [1, 2, 3] 0i64 } output { 1 }
//! -- "by name" compiled input @ big.in.gz output @ big.out
//! -- random input { [100]i32 7i64 } auto output
//! -- input { {x = 1, y = #some 2} [[1], []] }         values that the types of the entry point explain
//! -- script input { make 10i64 "x" }
//! -- input { empty([0]i32) 0i64 } error: bounds     fails, with a message that has this pattern
//! -- input { [1, 2] 0i64 } output { 1 } structure run { launches 1 }   what this run asks of a GPU
//! -- structure nest { map 1 /loop/map 1 }
//! -- warning: never used
//! ```
//!
//! A block is a comment that begins at the start of a line; what stands below its line `-- ==` is
//! read. Instead of cases it may have `property:` and the names of properties, or, where it is the
//! only block, `error:` and a pattern: the program must be rejected.
//!
//! This is the format of Futhark's own test runner. We read more in three places: `structure` and
//! `warning` may stand in any block, `tune` names a file, and a line such as `-- =====` opens no block.

mod cursor;
mod error;
mod find;
mod parse;
mod pattern;
mod random;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use cursor::Cursor;
pub use error::BlockError;
pub use find::count_blocks;
pub(crate) use find::uncomment;
pub use parse::parse_blocks;
pub use pattern::Pattern;
pub use values::Literals;

use super::script::Exp;
use norn_values::{Prim, Value};
use std::ops::Range;

/// What the test blocks of a program ask for.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub tags: Vec<String>,
    /// A file with tunables, relative to the program's folder.
    pub tune: Option<String>,
    /// The program must be rejected. Then nothing else is asked for.
    pub rejection: Option<Pattern>,
    pub groups: Vec<Group>,
    pub properties: Vec<Name>,
    pub structures: Vec<Structure>,
    /// Each must be found among the program's warnings.
    pub warnings: Vec<Pattern>,
}

/// Cases that are run for each of several entry points.
#[derive(Clone, Debug)]
pub struct Group {
    pub entries: Vec<Name>,
    pub cases: Vec<Case>,
}

/// One input, and what should come of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// What the user called it, or a text that distinguishes it from the others of its group.
    pub name: String,
    /// The words before `input`, those that say what kind of input it is included.
    pub tags: Vec<String>,
    pub input: Input,
    pub expect: Expect,
    /// What a GPU is asked for.
    pub run: Option<Structure>,
    /// The word `input` in the file.
    pub at: Range<usize>,
}

#[derive(Clone, Debug)]
pub enum Input {
    Values(Literals),
    /// A file with values, relative to the program's folder.
    File(String),
    Random(Vec<Random>),
    Script(Exp),
    ScriptFile(String),
}

/// A value to be made up.
#[derive(Clone, PartialEq, Debug)]
pub enum Random {
    Any { prim: Prim, shape: Vec<usize> },
    Exactly(Value),
}

#[derive(Clone, Debug)]
pub enum Expect {
    /// That it runs.
    Success,
    /// What the reference backend computes.
    Auto,
    Values(Literals),
    /// What is in a file, relative to the program's folder.
    File(String),
    /// A failure while running.
    Failure(Pattern),
}

/// How often operators occur in what a stage of the compiler makes of the program.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The stage, if it is named.
    pub stage: Option<Name>,
    pub counts: Vec<Count>,
    /// The word `structure` in the file.
    pub at: Range<usize>,
}

/// How often something should be found.
#[derive(Clone, Debug)]
pub struct Count {
    /// A path of operators, such as `loop/map`, or something else that the stage has.
    pub what: Name,
    pub expected: usize,
    /// The number in the file.
    pub at: Range<usize>,
}

/// A word and its place in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub at: Range<usize>,
}

impl Random {
    /// As the block says it, such as `[10]i32`.
    pub fn text(&self) -> String {
        match self {
            Random::Any { prim, shape } => {
                let dims: String = shape.iter().map(|dim| format!("[{dim}]")).collect();
                dims + prim.name()
            }
            Random::Exactly(value) => value.to_string(),
        }
    }
}

impl Spec {
    /// Whether nothing is to be run.
    pub fn runs_nothing(&self) -> bool {
        self.groups.is_empty() && self.properties.is_empty()
    }
}

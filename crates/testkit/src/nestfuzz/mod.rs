//! A differential fuzzer of the middle end: whatever a pass does, a program must mean the same.
//!
//! Two generators feed it. `generate` makes nest programs of all operators, `source` makes source programs and
//! rewritings of them that keep their meaning, and programs for groups of threads (`source/rows`), which get large inputs. `examine` asks the questions: is the program still one that the
//! verifier accepts, does its text read back, and does the interpreter compute the same results on random
//! inputs (`inputs`, `outcome`), after each pass alone and after all of them. What fails is made small by
//! `reduce`.

pub mod coverage;
pub mod examine;
pub mod generate;
pub mod inputs;
pub mod outcome;
pub mod panics;
pub mod reduce;
pub mod source;

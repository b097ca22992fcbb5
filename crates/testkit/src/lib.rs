//! The test runner: programs in files, blocks in documents, random input.
//!
//! A new test is a new file and nothing else:
//!
//! | place | test |
//! |---|---|
//! | `tests/lang/**/*.fut`, `tests/regress`, `examples`, `bench/programs`, `bench/compiler` | has no errors; its typed tree keeps the rules of `norn_check::verify`; formatting changes layout only; it keeps the rules of nest after every pass, and the text of nest reads back; its test blocks hold, also after the passes that improve it, compiled, and with OpenCL, if that is there, where two runs yield the same bits; NVRTC, if that is there, compiles its kernels |
//! | `tests/typed/*.fut` | the same, and the typed program is the `.typed` file beside it |
//! | `tests/errors/CODE/*.fut` | the diagnostics are those in the `.stderr` file beside it, CODE among them |
//! | `tests/growth/*.fut` | a program in several sizes: its nest grows linearly, or the larger ones are refused (`growth`) |
//! | `tests/stages/*.md` | its program is, at each stage that has a heading, what stands beneath (`stages`) |
//! | `tests/literate/*.fut` | its page is the `.md` (or `.html`) file beside it, with the files in its folder, and its errors are the `.stderr` file |
//! | `tests/plot/*.json` | the chart is drawn as in the `.svg` file beside it |
//! | `lib/norn/*.fut` | its page in `docs/src/library` is what its comments and types make it (`library`) |
//! | `docs/**/*.md` | a `norn` block has no diagnostics and its test blocks hold, a `norn-fail CODE` block has exactly that one; the paragraph above a block with a file name contains the name; links lead somewhere, pictures have alternative texts, tables of benchmarks are those of `bench/results`, the table of where programs run is what the compiler says (`sides`), and the manual lists all of its pages and all diagnostics |
//!
//! `BLESS=1` rewrites the files with what is expected; a plain run never writes. The command line itself is
//! tested beside it, in `crates/norn/tests`.

#![forbid(unsafe_code)]

pub mod agree;
pub mod blocks;
pub mod corpus;
pub mod cuda;
pub mod expectation;
pub mod fixed;
pub mod fuzzing;
pub mod growth;
pub mod imp;
pub mod kinds;
pub mod layout;
pub mod library;
pub mod literate;
pub mod manual;
pub mod mutate;
pub mod nest;
pub mod nestfuzz;
pub mod program;
pub mod rng;
pub mod run;
pub mod shrink;
pub mod sides;
pub mod stages;
pub mod turns;

use std::path::PathBuf;

/// The root of the repository: where `NORN_ROOT` says, or where this program was built.
pub fn root() -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::var_os("NORN_ROOT").map_or_else(|| PathBuf::from(built), PathBuf::from)
}

/// Whether everything is tested, also what takes long and rarely shows more: see CONTRIBUTING.md.
pub fn everything() -> bool {
    std::env::var_os("NORN_TEST_ALL").is_some()
}

/// Why a test failed, in words.
pub type Verdict = Result<(), String>;

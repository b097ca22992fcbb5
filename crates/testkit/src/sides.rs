//! The page that says where each program of the repository runs if there is a GPU: `docs/src/sides.md`, which nobody writes by hand.

use crate::corpus::{RepoFile, files};
use crate::expectation::compare;
use crate::{Verdict, root};
use norn::{check_file, pipeline};
use norn_passes::place::survey::{Side, Surveyed, Why};
use norn_passes::tuning::Tuner;
use std::collections::{BTreeMap, BTreeSet};

const HEAD: &str = "# Where the programs run

What a GPU does of the example programs and of the benchmarks, as `norn dev --where` finds it: how many operators, loops and calls become kernels, in how many places the host waits for a number, and what is left to the
processor, with the reason. Loops that are called long are left to it only if they are, which is decided at run time. With `--strict-device`, a single thread of the GPU does what the last column says yes to. A test writes this page. The host's own arithmetic is not listed, nor is what it does with single numbers and single values of recursive types.

| program | kernels | waits | left to the processor | nothing is, with `--strict-device` |
|---|---:|---:|---|---|
";

/// Checks that the page is what the compiler does.
pub fn check_sides(page: &RepoFile) -> Verdict {
    let mut text = HEAD.to_string();
    // What the tests of programs compare with what the compiler refuses.
    let listed =
        std::fs::read_to_string(root().join("tests/processor.txt")).map_err(|error| error.to_string())?;
    for file in [files("examples", "fut"), files("bench/programs", "fut")].concat() {
        let outcome = check_file(&file.path).map_err(|error| format!("{}: {error}", file.name))?;
        let Some(checked) = outcome.checked else {
            continue;
        };
        let surveyed = pipeline::survey(&checked.program, &outcome.sources, &mut Tuner::default())
            .map_err(|_| format!("{} cannot be lowered", file.name))?;
        if !surveyed.is_empty() {
            text += &line(&file.name, &surveyed, !listed.lines().any(|line| line == file.name));
        }
    }
    compare(&page.path, &text)
}

fn line(name: &str, surveyed: &[Surveyed], is_strict: bool) -> String {
    let (mut kernels, mut waits) = (0, 0);
    // By the reason, in order, what it is.
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for placed in surveyed.iter().flat_map(|fun| &fun.stms) {
        match placed.side {
            Side::Device => kernels += 1,
            Side::Wait | Side::WaitAgain => waits += 1,
            Side::Processor(Why::Scalars) => {}
            Side::Processor(why) => _ = left.entry(why.text()).or_default().insert(&placed.what),
        }
    }
    let reason = |(why, what): (&str, BTreeSet<&str>)| {
        let what: Vec<&str> = what.into_iter().collect();
        format!("{}: {why}", what.join(", "))
    };
    let left: Vec<String> = left.into_iter().map(reason).collect();
    let left = if left.is_empty() { "nothing".to_string() } else { left.join("; ") };
    let name = name.trim_end_matches(".fut");
    let strict = if is_strict { "yes" } else { "no" };
    format!("| `{name}` | {kernels} | {waits} | {left} | {strict} |\n")
}

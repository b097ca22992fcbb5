//! How what the compiler makes of a program grows with the program.
//!
//! A file in `tests/growth` is a program with lines that are repeated:
//!
//! ```text
//! -- Functions that are chosen one after the other.
//! -- growth: 8 16 32
//! entry main (n: i64) : i64 =
//!   let f0 = \x -> x + n
//! -- repeat
//!   let f{i} = if n > {i} then (\x -> f{i-1} (x + {i})) else f{i-1}
//! -- end
//!   in f{n} n
//! ```
//!
//! It is tried with each of the three sizes, of which each is twice the one before: `{i}` goes from 1 to the size, which is `{n}`. The
//! number of lines of nest must grow linearly: from the second size to the third by about twice as much as
//! from the first to the second. With `-- code: c device` so must the texts after these passes. With `-- refused from 16: E0802` the programs of that size or a larger one have that error
//! and no other. There is no limit on time: a program that grows exponentially does not end.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::program::{InMemory, check_text};
use norn::pipeline::{PASSES, Pass, compile_until, pass, show_after};
use norn_ir::nest::print::print;
use norn_passes::tuning::Tuner;
use std::collections::BTreeSet;

/// How much more than linear growth may seem, for what has only begun to grow.
const SLACK: f64 = 1.25;

pub fn check_growth(file: &RepoFile) -> Verdict {
    let text = file.read()?;
    let sizes = sizes(&text)?;
    let refused = refused(&text)?;
    let code = code(&text)?;
    let mut lines = Vec::new();
    let mut code_lines = vec![Vec::new(); code.len()];
    for size in sizes {
        let report = check_text("main.fut", &expand(&text, size), &mut InMemory::default()).lowered();
        if let Some((_, code)) = refused.filter(|(from, _)| size >= *from) {
            if report.error_codes() != BTreeSet::from([code]) {
                return Err(format!("size {size} should be refused with {code}\n{}", report.rendered()));
            }
            continue;
        }
        if report.diagnostics.has_errors() {
            return Err(format!("size {size}\n{}", report.rendered()));
        }
        let prog = compile_until(&report.program, &PASSES[PASSES.len() - 1]);
        lines.push(prog.map_err(|_| "regions fail".to_string()).map(|prog| print(&prog).lines().count())?);
        for (pass, lines) in code.iter().zip(&mut code_lines) {
            let text = show_after(&report.program, pass, &mut Tuner::default());
            let text = text.map_err(|_| format!("{} fails", pass.name))?;
            lines.push(text.lines().count());
        }
    }
    is_linear("nest", sizes, &lines)?;
    code.iter().zip(&code_lines).try_for_each(|(pass, lines)| is_linear(pass.name, sizes, lines))
}

fn is_linear(what: &str, sizes: [usize; 3], lines: &[usize]) -> Verdict {
    let [small, medium, large] = lines[..] else { return Ok(()) };
    let (first, second) = (medium.saturating_sub(small) as f64, large.saturating_sub(medium) as f64);
    if second <= 2.0 * SLACK * first {
        Ok(())
    } else {
        Err(format!("with the sizes {sizes:?}, {what} has {small}, {medium} and {large} lines"))
    }
}

fn sizes(text: &str) -> Result<[usize; 3], String> {
    let sizes: Option<Vec<usize>> = text
        .lines()
        .find_map(|line| line.strip_prefix("-- growth: "))
        .map(|sizes| sizes.split(' ').filter_map(|size| size.parse().ok()).collect());
    match sizes.as_deref() {
        Some(&[n, m, k]) if m == 2 * n && k == 2 * m => Ok([n, m, k]),
        _ => Err("there is no line such as `-- growth: 8 16 32`, each size twice the one before".into()),
    }
}

/// The passes whose texts are measured, too.
fn code(text: &str) -> Result<Vec<Pass>, String> {
    let Some(names) = text.lines().find_map(|line| line.strip_prefix("-- code: ")) else {
        return Ok(Vec::new());
    };
    names.split(' ').map(|name| pass(name).ok_or_else(|| format!("there is no pass {name}"))).collect()
}

fn refused(text: &str) -> Result<Option<(usize, &str)>, String> {
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("-- refused from ")) else {
        return Ok(None);
    };
    let parts = line.split_once(": ").and_then(|(from, code)| Some((from.parse().ok()?, code)));
    parts.map(Some).ok_or_else(|| "a line should be such as `-- refused from 16: E0802`".to_string())
}

/// The program in one size.
fn expand(text: &str, size: usize) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "-- repeat" {
            out.push_str(&with_numbers(line, size, size));
            continue;
        }
        let repeated: Vec<&str> = lines.by_ref().take_while(|line| *line != "-- end").collect();
        for i in 1..=size {
            repeated.iter().for_each(|line| out.push_str(&with_numbers(line, i, size)));
        }
    }
    out
}

fn with_numbers(line: &str, i: usize, size: usize) -> String {
    let before = i.saturating_sub(1).to_string();
    line.replace("{i-1}", &before).replace("{i}", &i.to_string()).replace("{n}", &size.to_string()) + "\n"
}

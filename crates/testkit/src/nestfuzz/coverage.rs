//! Which operators generated programs use, and how their runs end: whether the generator does its work.

use super::examine::inputs;
use super::inputs::Inputs;
use super::outcome::{Outcome, outcomes};
use norn_ir::nest::Prog;
use norn_ir::nest::print::{Places, print_with};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Default)]
pub struct Coverage {
    programs: usize,
    statements: usize,
    /// How many statements of each kind there are, by the first word of their text.
    words: BTreeMap<String, usize>,
    values: usize,
    failed: BTreeMap<String, usize>,
    broken: usize,
}

impl Coverage {
    pub fn add(&mut self, prog: &Prog, seed: u64) {
        self.programs += 1;
        for line in print_with(prog, Places::Hidden).lines() {
            let Some((_, exp)) = line.split_once(" = ").filter(|_| line.trim_start().starts_with("let "))
            else {
                continue;
            };
            // After the certificates.
            let exp =
                if exp.starts_with('<') { exp.split_once("> ").map_or(exp, |(_, exp)| exp) } else { exp };
            let word = exp.split([' ', '.']).next().unwrap_or_default();
            let word = if word.chars().all(|c| c.is_ascii_lowercase() || c == '_') { word } else { "atom" };
            *self.words.entry(word.into()).or_default() += 1;
            self.statements += 1;
        }
        for outcome in
            inputs(prog, Inputs::small(seed)).map(|inputs| outcomes(prog, 0, &inputs)).unwrap_or_default()
        {
            match outcome {
                Outcome::Values(_) => self.values += 1,
                Outcome::Failed(said) => {
                    let said: String = said.chars().filter(|c| !c.is_ascii_digit()).take(24).collect();
                    *self.failed.entry(said).or_default() += 1;
                }
                Outcome::Broken(_) => self.broken += 1,
            }
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coverage { programs, statements, words, values, failed, broken } = self;
        writeln!(f, "{programs} programs, {statements} statements: {words:?}")?;
        write!(f, "{values} runs with results, {broken} broken, others failed: {failed:?}")
    }
}

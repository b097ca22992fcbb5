//! What the user sees of many tests: the failed ones in full, all others as numbers.

use crate::args::ColorChoice;
use norn::testing::{ProgramReport, Verdict};
use std::io::IsTerminal;

pub struct Report {
    is_colored: bool,
    is_verbose: bool,
    programs: Counts,
    tests: Counts,
}

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// The verdict on a program or a test, in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Passed,
    Failed,
    Skipped,
}

impl Report {
    pub fn new(color: ColorChoice, is_verbose: bool) -> Report {
        let is_colored = match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                std::io::stdout().is_terminal() && !unwanted
            }
        };
        Report { is_colored, is_verbose, programs: Counts::default(), tests: Counts::default() }
    }

    /// Counts a program, and returns what there is to say about it.
    pub fn add(&mut self, program: &ProgramReport) -> String {
        let word = if program.failed() {
            Word::Failed
        } else if program.skipped() {
            Word::Skipped
        } else {
            Word::Passed
        };
        self.programs.add(word);
        let mut text = String::new();
        for (what, verdict) in &program.tests {
            let (word, details) = match verdict {
                Verdict::Passed => (Word::Passed, ""),
                Verdict::Skipped(why) => (Word::Skipped, why.as_str()),
                Verdict::Failed(why) => (Word::Failed, why.as_str()),
            };
            self.tests.add(word);
            if word == Word::Failed || self.is_verbose {
                text += &format!("  {} {what}\n", self.paint(word));
                let indented =
                    |line: &str| if line.is_empty() { "\n".into() } else { format!("    {line}\n") };
                text.extend(details.trim_end().lines().map(indented));
            }
        }
        if word == Word::Failed || self.is_verbose {
            text.extend(program.notes.iter().map(|note| format!("  note: {note}\n")));
            text.insert_str(0, &format!("{} {}\n", self.paint(word), program.path.display()));
        }
        text
    }

    pub fn has_failures(&self) -> bool {
        self.programs.failed > 0
    }

    /// The last line.
    pub fn summary(&self) -> String {
        format!("{}; {}\n", self.programs.describe("program"), self.tests.describe("test"))
    }

    fn paint(&self, word: Word) -> String {
        let (text, code) = match word {
            Word::Passed => ("ok", 32),
            Word::Failed => ("FAILED", 31),
            Word::Skipped => ("skipped", 33),
        };
        if self.is_colored { format!("\x1b[1;{code}m{text}\x1b[0m") } else { text.into() }
    }
}

impl Counts {
    fn add(&mut self, word: Word) {
        match word {
            Word::Passed => self.passed += 1,
            Word::Failed => self.failed += 1,
            Word::Skipped => self.skipped += 1,
        }
    }

    /// `3 programs: 1 passed, 2 failed`
    fn describe(&self, noun: &str) -> String {
        let Counts { passed, failed, skipped } = self;
        let total = passed + failed + skipped;
        let mut text = format!("{total} {noun}{}: {passed} passed", if total == 1 { "" } else { "s" });
        for (count, word) in [(failed, "failed"), (skipped, "skipped")] {
            if *count > 0 {
                text += &format!(", {count} {word}");
            }
        }
        text
    }
}

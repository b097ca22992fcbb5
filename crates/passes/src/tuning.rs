//! Tunables: the numbers by which a program for a GPU is made, and a user's own for them (`--tune FILE`).
//!
//! ```text
//! # Never a thread for each row, but in the second nest of `main` from 10,000 rows on.
//! *.outer = never
//! main.2.outer = 10000
//! *.filter.lookback.each = 9
//! ```
//!
//! A tunable is called by its function, the number of the nest or kernel in it, and what is tuned:
//! - `outer`, a threshold of `distribute`: from how many elements of the maps around on a nest is kept as it was, with a thread for each. With
//!   0 it always is, and with `never` it never is: it is taken apart.
//! - `groups`, another: from how many elements inside on a nest that is taken apart gets a group of threads for each element, if that has
//!   enough memory.
//! - `processor`, a threshold of `single`: from how much work on a loop over elements is left to the processor.
//! - the parameters of lines of the capability table (`norn_ir::flat::Tunable`), such as `filter.lookback.each`.
//!
//! `fission.rows` is no tunable of a program, but can be set: the work of devices is then done in parts of so many rows, one after the other (`cut`). It
//! is for tests of what is split among devices, and makes programs slow. `fission.runs` is another: from how many keys on several devices sort together; `fission.calls`, from how many rows on they share the call of a lifted function.
//!
//! In a name of the file, `*` stands for any text. The last line that fits decides. A name without `*` must be a tunable of the program, and
//! every value must be in the range of all tunables that it is for: whatever the file says, a program yields what it would yield without.
//!
//! Passes query a `Tuner`, which records each query: `norn dev --tunables` lists them.
//!
//! In a library, thresholds between versions that it has can also be set when it runs: `ask_at_run_time` numbers them, and the test between the versions reads the
//! number (`ScalarExp::Tunable`). What kernels are made for cannot.

use norn_base::Span;
use std::fmt;
use std::ops::RangeInclusive;

/// What a threshold can be; the last of them is `never`.
pub const THRESHOLD: RangeInclusive<i64> = 0..=NEVER;
/// As a threshold: no array has so many elements.
pub const NEVER: i64 = i64::MAX;

/// The setting by which the work of devices is done in parts.
const FISSION_ROWS: &str = "fission.rows";
/// That by which several devices sort fewer keys than they would.
const FISSION_RUNS: &str = "fission.runs";
/// That by which several devices share calls with fewer rows than they would.
const FISSION_CALLS: &str = "fission.calls";
/// So many rows for each device make parts of a call that take about as long, if none is much longer than the share of a device.
pub const ROWS_OF_CALLS: i64 = 2;
/// So many keys are sorted sooner by two devices than by one, as they have to be merged.
const LEAST_IN_RUNS: i64 = 1 << 16;

/// A user's numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tuning {
    settings: Vec<Setting>,
}

/// A line that sets something.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Setting {
    /// A name, in which `*` stands for any text.
    name: String,
    value: i64,
    line: usize,
}

/// What is wrong with a line, as a sentence. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuningError {
    pub line: usize,
    pub message: String,
}

/// A tunable of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramTunable {
    pub name: String,
    /// What it is if the user sets nothing, in words where sizes decide.
    pub usual: String,
    pub range: RangeInclusive<i64>,
    pub value: Option<i64>,
    /// What is tuned.
    pub span: Span,
}

impl Tuning {
    /// Of a text with a line for each setting.
    pub fn parse(text: &str) -> Result<Tuning, Vec<TuningError>> {
        let mut tuning = Tuning::default();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            match parse_setting(content) {
                Ok((name, value)) => match tuning.settings.iter().find(|other| other.name == name) {
                    Some(other) => {
                        let message = format!("`{name}` is set in line {} already.", other.line);
                        wrong.push(TuningError { line: number, message });
                    }
                    None => tuning.settings.push(Setting { name: name.into(), value, line: number }),
                },
                Err(message) => wrong.push(TuningError { line: number, message }),
            }
        }
        if wrong.is_empty() { Ok(tuning) } else { Err(wrong) }
    }

    /// All nests that can be taken apart are, and no loop is left to the processor.
    pub fn inner() -> Tuning {
        Tuning::all(&["*.outer", "*.groups", "*.processor"], NEVER)
    }

    /// No nest is taken apart that a thread for each element can do, and all loops are left to the processor.
    pub fn outer() -> Tuning {
        Tuning::all(&["*.outer", "*.processor"], 0)
    }

    /// All nests are taken apart, or get a group of threads for each element, if that has enough memory.
    pub fn groups() -> Tuning {
        let mut tuning = Tuning::all(&["*.outer"], NEVER);
        tuning.settings.extend(Tuning::all(&["*.groups"], 0).settings);
        tuning
    }

    /// The work of devices is done in parts of so many rows.
    pub fn parts(rows: i64) -> Tuning {
        Tuning::all(&[FISSION_ROWS], rows)
    }

    /// Several devices sort as few keys as these together, and share calls with as few rows.
    pub fn runs(least: i64) -> Tuning {
        Tuning::all(&[FISSION_RUNS, FISSION_CALLS], least)
    }

    fn all(names: &[&str], value: i64) -> Tuning {
        let setting = |(name, line): (&&str, usize)| Setting { name: (*name).into(), value, line };
        Tuning { settings: names.iter().zip(1..).map(setting).collect() }
    }
}

fn parse_setting(content: &str) -> Result<(&str, i64), String> {
    let Some((name, value)) = content.split_once('=') else {
        return Err(format!("Expected `NAME = NUMBER`, found `{content}`."));
    };
    let (name, value) = (name.trim(), value.trim());
    let is_part = |letter: char| !letter.is_whitespace() && letter != '=';
    if name.is_empty() || !name.chars().all(is_part) {
        return Err(format!("Expected the name of a tunable, found `{name}`."));
    }
    if value == "never" {
        return Ok((name, NEVER));
    }
    let digits = value.replace('_', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    match digits.parse().ok().filter(|_| is_number) {
        Some(number) => Ok((name, number)),
        None => Err(format!("Expected a number or `never`, found `{value}`.")),
    }
}

/// Answers the passes.
#[derive(Clone, Debug, Default)]
pub struct Tuner {
    tuning: Tuning,
    /// Which settings were used.
    used: Vec<bool>,
    tunables: Vec<ProgramTunable>,
    wrong: Vec<TuningError>,
    /// The functions that were begun.
    funs: Vec<String>,
    /// How the present one is called.
    fun: String,
    /// Nothing is left to the processor, whatever it costs.
    strict: bool,
    /// How many devices share the work, if it is more than one.
    devices: i64,
    /// Whether the processor is one of them.
    has_processor: bool,
    /// Whether floats are combined in another order than one device alone does it.
    has_blocks: bool,
    /// The thresholds that can be set when the program runs, if any can: their names, by their numbers.
    at_run_time: Option<Vec<String>>,
}

impl Tuner {
    pub fn new(tuning: Tuning) -> Tuner {
        Tuner { used: vec![false; tuning.settings.len()], tuning, ..Tuner::default() }
    }

    /// From now on, for a program that must leave nothing to the processor.
    pub fn be_strict(&mut self) {
        self.strict = true;
    }

    /// From now on, for a library, whose users can set thresholds when it runs.
    pub fn be_for_library(&mut self) {
        self.at_run_time = Some(Vec::new());
    }

    /// The number of a threshold that can be set when the program runs: one that nothing sets now.
    pub fn ask_at_run_time(&mut self, number: usize, what: &str) -> Option<u32> {
        let name = format!("{}.{number}.{what}", self.fun);
        if self.tuning.settings.iter().any(|setting| fits(setting.name.as_bytes(), name.as_bytes())) {
            return None;
        }
        let names = self.at_run_time.as_mut()?;
        let at = names.iter().position(|other| *other == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        Some(at as u32)
    }

    /// The names of these thresholds, by their numbers.
    pub fn names_at_run_time(&self) -> &[String] {
        self.at_run_time.as_deref().unwrap_or_default()
    }

    /// From now on, for a program whose work so many devices share, of which the processor may be one.
    pub fn share_among(&mut self, devices: usize, has_processor: bool) {
        (self.devices, self.has_processor) = (devices as i64, has_processor);
    }

    /// Whether the processor shares the work of a device.
    pub fn has_processor(&self) -> bool {
        self.has_processor
    }

    /// Whether floats of the program are combined in blocks, since several devices do it.
    pub fn note_blocks(&mut self, has_blocks: bool) {
        self.has_blocks |= has_blocks;
    }

    pub fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    pub fn devices(&self) -> i64 {
        self.devices.max(1)
    }

    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// For each pass, before its first query.
    pub fn begin_pass(&mut self) {
        self.funs.clear();
    }

    /// The next queries belong to this function. Several may have one name.
    pub fn begin_fun(&mut self, name: &str) {
        let same = self.funs.iter().filter(|other| *other == name).count();
        self.funs.push(name.into());
        self.fun = if same == 0 { name.into() } else { format!("{name}'{}", same + 1) };
    }

    /// The user's setting, if there is one. A query may be repeated.
    pub fn ask(
        &mut self,
        number: usize,
        what: &str,
        usual: impl fmt::Display,
        range: RangeInclusive<i64>,
        span: Span,
    ) -> Option<i64> {
        let name = format!("{}.{number}.{what}", self.fun);
        let mut value = None;
        for (at, setting) in self.tuning.settings.iter().enumerate() {
            if fits(setting.name.as_bytes(), name.as_bytes()) {
                self.used[at] = true;
                value = Some(at);
            }
        }
        let value = value.map(|at| &self.tuning.settings[at]);
        let allowed = value.filter(|setting| range.contains(&setting.value)).map(|setting| setting.value);
        if let (Some(setting), None) = (value, allowed) {
            let message = format!("`{name}` is from {}, and cannot be {}.", shown(&range), setting.value);
            let wrong = TuningError { line: setting.line, message };
            if !self.wrong.contains(&wrong) {
                self.wrong.push(wrong);
            }
        }
        if !self.tunables.iter().any(|tunable| tunable.name == name) {
            self.tunables.push(ProgramTunable {
                name,
                usual: usual.to_string(),
                range,
                value: allowed,
                span,
            });
        }
        allowed
    }

    /// The tunables that were queried until now, in that order.
    pub fn tunables(&self) -> &[ProgramTunable] {
        &self.tunables
    }

    /// How many rows parts have into which the work of a device is cut, if it is.
    pub fn rows_of_parts(&mut self) -> Option<i64> {
        let at = self.tuning.settings.iter().position(|setting| setting.name == FISSION_ROWS)?;
        self.used[at] = true;
        let Setting { value, line, .. } = self.tuning.settings[at];
        if value == 0 {
            let message = format!("`{FISSION_ROWS}` is from 1 to `never`, and cannot be 0.");
            self.wrong.push(TuningError { line, message });
        }
        Some(value).filter(|value| (1..NEVER).contains(value))
    }

    /// From how many keys on several devices sort together.
    pub fn least_sorted_in_runs(&mut self) -> i64 {
        // A GPU and the processor: it sorts sooner than runs are merged.
        let usual = if self.has_processor && self.devices < 3 { NEVER } else { LEAST_IN_RUNS };
        self.set(FISSION_RUNS).unwrap_or(usual)
    }

    /// From how many rows on several devices share the call of a lifted function.
    pub fn least_rows_of_calls(&mut self) -> i64 {
        // The processor has no part in calls of functions of the device.
        let usual = if self.has_processor && self.devices < 3 { NEVER } else { ROWS_OF_CALLS * self.devices };
        self.set(FISSION_CALLS).unwrap_or(usual)
    }

    /// What a user has set under this name.
    fn set(&mut self, name: &str) -> Option<i64> {
        let at = self.tuning.settings.iter().position(|setting| setting.name == name)?;
        self.used[at] = true;
        Some(self.tuning.settings[at].value)
    }

    /// The tunables of a program that has been made, in their order; or what is wrong with the settings.
    pub fn finish(self) -> Result<Vec<ProgramTunable>, Vec<TuningError>> {
        let mut wrong = self.wrong;
        for (setting, used) in self.tuning.settings.iter().zip(self.used) {
            if !used && !setting.name.contains('*') {
                let message = format!(
                    "The program has no tunable `{}`; `norn dev --tunables` lists those that it has.",
                    setting.name
                );
                wrong.push(TuningError { line: setting.line, message });
            }
        }
        wrong.sort_by_key(|wrong| wrong.line);
        if wrong.is_empty() { Ok(self.tunables) } else { Err(wrong) }
    }
}

/// `1 to 31`.
pub fn shown(range: &RangeInclusive<i64>) -> String {
    let end = if *range.end() == NEVER { "`never`".to_string() } else { range.end().to_string() };
    format!("{} to {end}", range.start())
}

/// Whether a name fits a pattern, in which `*` stands for any text. The text of a `*` only grows, so the last is all that is tried again.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut in_pattern, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        if pattern.get(in_pattern) == Some(&b'*') {
            star = Some((in_pattern, in_name));
            in_pattern += 1;
        } else if pattern.get(in_pattern) == Some(&name[in_name]) {
            in_pattern += 1;
            in_name += 1;
        } else if let Some((at, text)) = star {
            star = Some((at, text + 1));
            in_pattern = at + 1;
            in_name = text + 1;
        } else {
            return false;
        }
    }
    pattern[in_pattern..].iter().all(|letter| *letter == b'*')
}

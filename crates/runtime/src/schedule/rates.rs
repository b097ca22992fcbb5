//! How fast devices do the rows of tasks: what was measured, and what is kept of it from run to run.

use super::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How much the last run counts.
const NEW: f64 = 0.5;
/// So many runs of a task are measured, and then one of so many.
const FIRST: u64 = 8;
const LATER: u64 = 32;

/// By task and device.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rates {
    known: BTreeMap<(i32, usize), MeasuredRate>,
    /// How often each task was run by this process.
    runs: BTreeMap<i32, u64>,
    /// How each was last cut, and whether threads of the host ran its parts.
    cuts: BTreeMap<i32, Vec<Part>>,
    threaded: BTreeSet<i32>,
    /// For how many seconds the parts of each keep threads of the host busy, besides what is moved before.
    busy: BTreeMap<i32, f64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct MeasuredRate {
    /// Rows a second.
    rate: f64,
    /// Seconds that a part kept the host busy.
    delay: Option<f64>,
}

impl Rates {
    /// A task is run again; whether that is worth measuring.
    pub fn begin(&mut self, task: i32) -> bool {
        let runs = self.runs.entry(task).or_default();
        *runs += 1;
        let is_trial = (*runs).is_multiple_of(LATER);
        if is_trial {
            // Who has had no part, because it took too long to move what it lacked, may have one again.
            let own = self.known.range_mut((task, 0)..=(task, usize::MAX));
            own.for_each(|(_, known)| known.delay = known.delay.map(|delay| delay / 2.0));
        }
        *runs <= FIRST || is_trial
    }

    /// How a task was last cut, if it had so many rows then.
    pub fn cuts(&self, task: i32, width: u64) -> &[Part] {
        let cuts = self.cuts.get(&task).map_or(&[][..], |parts| parts);
        if cuts.last().is_some_and(|last| last.rows.end == width) { cuts } else { &[] }
    }

    /// A task is cut so; whether it was before, so that what it takes is what it will take again: rows that change their device are moved once.
    pub fn note_cuts(&mut self, task: i32, parts: &[Part]) -> bool {
        // Neighbours of one device, of which others may have done some, count as one part.
        let mut cuts: Vec<Part> = Vec::with_capacity(parts.len());
        for part in parts {
            match cuts.last_mut() {
                Some(last) if last.device == part.device => last.rows.end = part.rows.end,
                _ => cuts.push(part.clone()),
            }
        }
        let is_as_cut = cuts == parts;
        self.cuts.insert(task, cuts).is_some_and(|before| is_as_cut && before == parts)
    }

    /// Whether the parts of a task are run by threads of the host.
    pub fn note_threads(&mut self, task: i32, has_threads: bool) {
        match has_threads {
            true => self.threaded.insert(task),
            false => self.threaded.remove(&task),
        };
    }

    /// For so many seconds all parts together have kept threads busy.
    pub fn note_busy(&mut self, task: i32, seconds: f64) {
        self.busy.entry(task).and_modify(|busy| *busy = mix(*busy, seconds)).or_insert(seconds);
    }

    pub fn busy(&self, task: i32) -> f64 {
        self.busy.get(&task).copied().unwrap_or(0.0)
    }

    pub fn has_threads(&self, task: i32) -> bool {
        self.threaded.contains(&task)
    }

    pub fn rate(&self, task: i32, device: usize) -> Option<f64> {
        self.known.get(&(task, device)).map(|known| known.rate).filter(|rate| *rate > 0.0)
    }

    pub fn delay(&self, task: i32, device: usize) -> f64 {
        self.known.get(&(task, device)).and_then(|known| known.delay).unwrap_or(0.0)
    }

    /// A device took so many seconds for so many rows.
    pub fn note(&mut self, task: i32, device: usize, rows: u64, seconds: f64) {
        // No clock measures less.
        let rate = rows as f64 / seconds.max(1e-7);
        if rows > 0 && rate.is_finite() {
            let known = self.known.entry((task, device)).or_insert(MeasuredRate { rate: 0.0, delay: None });
            known.rate = if known.rate > 0.0 { mix(known.rate, rate) } else { rate };
        }
    }

    /// The same where the time is that with all that has to be moved, which was not known at first: a rate that was much too high is forgotten.
    pub fn note_with_moves(&mut self, task: i32, device: usize, rows: u64, seconds: f64) {
        let rate = rows as f64 / seconds.max(1e-7);
        if self.rate(task, device).is_some_and(|known| known > 2.0 * rate) && rows > 0 {
            self.known.remove(&(task, device));
        }
        self.note(task, device, rows, seconds);
    }

    /// Its part kept the host busy for so many seconds.
    pub fn note_delay(&mut self, task: i32, device: usize, seconds: f64) {
        let known = self.known.entry((task, device)).or_insert(MeasuredRate { rate: 0.0, delay: None });
        known.delay = Some(known.delay.map_or(seconds, |delay| mix(delay, seconds)));
    }

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for ((task, device), MeasuredRate { rate, delay }) in &self.known {
            // Writing to a string does not fail.
            let delay = delay.unwrap_or(0.0);
            let _ = writeln!(text, "{task} {device} {rate:e} {delay:e}");
        }
        text
    }

    /// What cannot be read is not known.
    pub fn from_text(text: &str) -> Rates {
        let line = |line: &str| {
            let mut words = line.split(' ');
            let key = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let (rate, delay): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let is_fine = |number: f64| number.is_finite() && number >= 0.0;
            (is_fine(rate) && is_fine(delay)).then_some((key, MeasuredRate { rate, delay: Some(delay) }))
        };
        Rates { known: text.lines().filter_map(line).collect(), ..Rates::default() }
    }
}

fn mix(before: f64, now: f64) -> f64 {
    before + NEW * (now - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_what_is_measured() {
        let mut rates = Rates::default();
        assert_eq!(rates.rate(7, 0), None);
        rates.note(7, 0, 100, 1.0);
        assert_eq!(rates.rate(7, 0), Some(100.0));
        (0..20).for_each(|_| rates.note(7, 0, 200, 1.0));
        assert!((rates.rate(7, 0).unwrap() - 200.0).abs() < 1.0);
        rates.note(7, 1, 0, 1.0);
        assert_eq!(rates.rate(7, 1), None, "no rows, no rate");
    }

    #[test]
    fn rates_are_kept_as_text() {
        let mut rates = Rates::default();
        rates.note(3, 1, 12345, 0.5);
        rates.note_delay(3, 1, 1e-4);
        rates.note_delay(3, 1, 3e-4);
        assert!((rates.delay(3, 1) - 2e-4).abs() < 1e-9);
        assert_eq!(Rates::from_text(&rates.to_text()), rates);
        assert_eq!(Rates::from_text("1 2\nx\n1 2 inf 0\n1 2 -1 0\n"), Rates::default());
    }

    #[test]
    fn a_task_that_was_measured_often_is_measured_seldom() {
        let mut rates = Rates::default();
        let measured = (0..1000).filter(|_| rates.begin(1)).count();
        assert!((FIRST as usize..60).contains(&measured), "{measured}");
    }
}

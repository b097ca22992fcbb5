//! How fast devices do tasks: what was measured, and what is kept of it from run to run.
//!
//! Rates are in elements, since rows of one task may be longer than those of the last: a sort of 10^7 keys has as many rows, its runs, as one of 10^5. What was measured
//! at about the same size counts, else at the nearest one.
//!
//! Nothing is decided here: policies (`policy`) ask for rates, delays and the last cuts.

use super::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How much the last run counts.
const NEW: f64 = 0.5;
/// So many runs of a task are measured, and then one of so many.
const FIRST: u64 = 8;
const LATER: u64 = 32;

/// A task that works on so many elements, to a factor of two: few take a device longer, each, than many do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SizedTask {
    pub task: i32,
    class: u32,
}

impl SizedTask {
    pub fn new(task: i32, elements: u64) -> SizedTask {
        SizedTask { task, class: elements.checked_ilog2().unwrap_or(0) }
    }

    fn on(self, device: usize) -> (i32, usize, u32) {
        (self.task, device, self.class)
    }
}

/// By task and device.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rates {
    /// By task, device and class of sizes.
    known: BTreeMap<(i32, usize, u32), MeasuredRate>,
    /// How often each task was run by this process.
    runs: BTreeMap<SizedTask, u64>,
    /// How each was last cut, and whether threads of the host ran its parts.
    cuts: BTreeMap<SizedTask, Vec<Part>>,
    threaded: BTreeSet<SizedTask>,
    /// For how many seconds the parts of each keep threads of the host busy, besides what is moved before.
    busy: BTreeMap<SizedTask, f64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct MeasuredRate {
    /// Elements a second.
    rate: f64,
    /// Seconds that a part kept the host busy.
    delay: Option<f64>,
}

impl Rates {
    /// A task is run again; whether that is worth measuring.
    pub fn begin(&mut self, task: SizedTask) -> bool {
        let runs = self.runs.entry(task).or_default();
        *runs += 1;
        let is_trial = (*runs).is_multiple_of(LATER);
        if is_trial {
            // Who has had no part, because it took too long to move what it lacked, may have one again.
            let all = self.known.range_mut((task.task, 0, 0)..=(task.task, usize::MAX, u32::MAX));
            let own = all.filter(|((_, _, class), _)| *class == task.class);
            own.for_each(|(_, known)| known.delay = known.delay.map(|delay| delay / 2.0));
        }
        *runs <= FIRST || is_trial
    }

    /// How a task was last cut, if it had so many rows then.
    pub fn cuts(&self, task: SizedTask, width: u64) -> &[Part] {
        let cuts = self.cuts.get(&task).map_or(&[][..], |parts| parts);
        if cuts.last().is_some_and(|last| last.rows.end == width) { cuts } else { &[] }
    }

    /// A task is cut so; whether it was before, so that what it takes is what it will take again: rows that change their device are moved once.
    pub fn note_cuts(&mut self, task: SizedTask, parts: &[Part]) -> bool {
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
    pub fn note_threads(&mut self, task: SizedTask, has_threads: bool) {
        match has_threads {
            true => self.threaded.insert(task),
            false => self.threaded.remove(&task),
        };
    }

    /// For so many seconds all parts together have kept threads busy.
    pub fn note_busy(&mut self, task: SizedTask, seconds: f64) {
        self.busy.entry(task).and_modify(|busy| *busy = mix(*busy, seconds)).or_insert(seconds);
    }

    pub fn busy(&self, task: SizedTask) -> f64 {
        self.busy.get(&task).copied().unwrap_or(0.0)
    }

    pub fn has_threads(&self, task: SizedTask) -> bool {
        self.threaded.contains(&task)
    }

    pub fn rate(&self, task: SizedTask, device: usize) -> Option<f64> {
        self.nearest(task, device, |known| Some(known.rate).filter(|rate| *rate > 0.0))
    }

    pub fn delay(&self, task: SizedTask, device: usize) -> f64 {
        self.nearest(task, device, |known| known.delay).unwrap_or(0.0)
    }

    /// How many times faster than the first device this one is: in the middle of all tasks that both have done, of which long ones count more.
    pub fn speed(&self, device: usize) -> Option<f64> {
        let ratio = |(&(task, other, class), known): (&(i32, usize, u32), &MeasuredRate)| {
            let first = self.known.get(&(task, 0, class)).filter(|first| first.rate > 0.0)?;
            let time = f64::from(class).exp2() / first.rate;
            Some((known.rate / first.rate, time)).filter(|(ratio, _)| other == device && *ratio > 0.0)
        };
        let mut ratios: Vec<(f64, f64)> = self.known.iter().filter_map(ratio).collect();
        ratios.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let half = ratios.iter().map(|(_, time)| time).sum::<f64>() / 2.0;
        let mut before = 0.0;
        let is_middle = |(_, time): &&(f64, f64)| {
            before += time;
            before >= half
        };
        ratios.iter().find(is_middle).map(|(ratio, _)| *ratio)
    }

    /// What is known of the task, or else of the same task with the size that comes next to this one.
    fn nearest(
        &self,
        task: SizedTask,
        device: usize,
        wanted: impl Fn(&MeasuredRate) -> Option<f64>,
    ) -> Option<f64> {
        let same = self.known.range((task.task, device, 0)..=(task.task, device, u32::MAX));
        let found = same.filter_map(|((_, _, class), known)| Some((class, wanted(known)?)));
        found.min_by_key(|(class, _)| class.abs_diff(task.class)).map(|(_, found)| found)
    }

    /// A device took so many seconds for so many elements.
    pub fn note(&mut self, task: SizedTask, device: usize, elements: u64, seconds: f64) {
        // No clock measures less.
        let rate = elements as f64 / seconds.max(1e-7);
        if elements > 0 && rate.is_finite() {
            let known = self.known.entry(task.on(device)).or_insert(MeasuredRate { rate: 0.0, delay: None });
            known.rate = if known.rate > 0.0 { mix(known.rate, rate) } else { rate };
        }
    }

    /// The same where the time is that with all that has to be moved, which was not known at first: a rate that was much too high is forgotten.
    pub fn note_with_moves(&mut self, task: SizedTask, device: usize, elements: u64, seconds: f64) {
        let rate = elements as f64 / seconds.max(1e-7);
        let key = task.on(device);
        if self.known.get(&key).is_some_and(|known| known.rate > 2.0 * rate) && elements > 0 {
            self.known.remove(&key);
        }
        self.note(task, device, elements, seconds);
    }

    /// Its part kept the host busy for so many seconds.
    pub fn note_delay(&mut self, task: SizedTask, device: usize, seconds: f64) {
        let known = self.known.entry(task.on(device)).or_insert(MeasuredRate { rate: 0.0, delay: None });
        known.delay = Some(known.delay.map_or(seconds, |delay| mix(delay, seconds)));
    }

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for ((task, device, class), MeasuredRate { rate, delay }) in &self.known {
            // Writing to a string does not fail.
            let delay = delay.unwrap_or(0.0);
            let _ = writeln!(text, "{task} {device} {class} {rate:e} {delay:e}");
        }
        text
    }

    /// What cannot be read is not known.
    pub fn from_text(text: &str) -> Rates {
        let line = |line: &str| {
            let mut words = line.split(' ');
            let (task, device) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let key = (task, device, words.next()?.parse().ok()?);
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
        let task = SizedTask::new(7, 100);
        assert_eq!(rates.rate(task, 0), None);
        rates.note(task, 0, 100, 1.0);
        assert_eq!(rates.rate(task, 0), Some(100.0));
        (0..20).for_each(|_| rates.note(task, 0, 200, 1.0));
        assert!((rates.rate(task, 0).unwrap() - 200.0).abs() < 1.0);
        rates.note(task, 1, 0, 1.0);
        assert_eq!(rates.rate(task, 1), None, "no rows, no rate");
    }

    #[test]
    fn rates_are_kept_as_text() {
        let mut rates = Rates::default();
        let task = SizedTask::new(3, 1000);
        rates.note(task, 1, 12345, 0.5);
        rates.note_delay(task, 1, 1e-4);
        rates.note_delay(task, 1, 3e-4);
        assert!((rates.delay(task, 1) - 2e-4).abs() < 1e-9);
        assert_eq!(Rates::from_text(&rates.to_text()), rates);
        assert_eq!(Rates::from_text("1 2\nx\n1 2 0 inf 0\n1 2 0 -1 0\n"), Rates::default());
    }

    #[test]
    fn a_task_that_was_measured_often_is_measured_seldom() {
        let mut rates = Rates::default();
        let measured = (0..1000).filter(|_| rates.begin(SizedTask::new(1, 5))).count();
        assert!((FIRST as usize..60).contains(&measured), "{measured}");
    }

    #[test]
    fn a_device_is_as_fast_as_in_most_tasks() {
        let mut rates = Rates::default();
        assert_eq!(rates.speed(1), None);
        for (task, width, rate) in [(1, 10_000, 300), (2, 1, 1), (3, 1, 2), (4, 100, 150)] {
            let task = SizedTask::new(task, width);
            rates.note(task, 0, 100, 1.0);
            rates.note(task, 1, rate, 1.0);
        }
        rates.note(SizedTask::new(5, 100), 1, 9999, 1.0);
        assert_eq!([0, 1].map(|device| rates.speed(device)), [Some(1.0), Some(3.0)]);
    }

    /// Whoever does few rows is not said to do many as slowly, unless nothing else is known.
    #[test]
    fn few_rows_are_known_apart_from_many() {
        let (few, many, more) =
            (SizedTask::new(1, 100), SizedTask::new(1, 10_000), SizedTask::new(1, 1 << 20));
        let mut rates = Rates::default();
        rates.note(few, 0, 100, 1.0);
        assert_eq!(rates.rate(more, 0), Some(100.0));
        rates.note(many, 0, 10_000, 1.0);
        assert_eq!([few, many, more].map(|task| rates.rate(task, 0)), [Some(100.0), Some(1e4), Some(1e4)]);
        assert_eq!(rates.rate(SizedTask::new(2, 100), 0), None);
    }
}

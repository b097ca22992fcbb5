//! The scheduler on virtual time: the policies that divide real work, with devices that are only numbers.
//!
//! The host does what it does for a real team (`gpu::team`): it plans a task, moves to each device what that lacks, through its own memory and one after the other, launches the
//! parts, and goes on. Devices work while the host goes on; who needs what a device is still computing waits for it. What devices took is known to the next plan of the same task. Nothing depends on
//! chance or on a clock, so a run with a thousand devices is the same each time.
//!
//! Left out: what kernels of different parts take from each other, as on one processor, and that a device may hold too little.

use super::{Part, Policy, Present, Rates, SizedTask, Standing, Turns, Work};
use std::ops::Range;

/// A device of which only this is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mock {
    /// How much work it does in a second.
    pub speed: f64,
    /// Seconds of the host for each launch.
    pub launch: f64,
    /// Seconds of the host for each move, and bytes a second.
    pub latency: f64,
    pub bandwidth: f64,
}

/// What a step reads of the rows of the step before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// A map: the rows of a part, and nothing else.
    Rows,
    /// A stencil: so many rows on both sides, too.
    Halo(u64),
    /// Everything, as of the bodies that attract each other.
    Whole,
}

/// A task that is done so many times, each time on the results of the time before.
pub struct Job<'a> {
    pub width: u64,
    pub row_bytes: u64,
    pub steps: usize,
    pub reads: Reads,
    /// The work of the first rows, of which there are so many: it grows with their number.
    pub work: &'a dyn Fn(u64) -> f64,
}

/// What happened, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub device: usize,
    pub what: Action,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// So many rows.
    Rows(u64),
    /// So many bytes.
    Move(u64),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timeline {
    pub events: Vec<Event>,
    /// When each step had been done.
    pub steps: Vec<f64>,
}

impl Timeline {
    pub fn end(&self) -> f64 {
        self.steps.last().copied().unwrap_or(0.0)
    }
}

/// Runs the job. At first the first device has everything.
pub fn simulate(devices: &[Mock], job: &Job, policy: &dyn Policy) -> Timeline {
    let mut host = 0.0_f64;
    let mut free = vec![0.0_f64; devices.len()];
    let mut rates = Rates::default();
    let mut owners: Vec<Part> = vec![Part { device: 0, rows: 0..job.width }];
    let (mut timeline, task) = (Timeline::default(), SizedTask::new(0, job.width));
    for _ in 0..job.steps {
        let standing = |device| Standing { rate: rates.rate(task, device), delay: rates.delay(task, device) };
        let standings: Vec<Standing> = (0..devices.len()).map(standing).collect();
        let mut parts = policy.cut(Work::of(job.width), &standings, rates.cuts(task, job.width));
        let present: Vec<Present> =
            parts.iter().map(|part| present(devices.len(), job, &owners, part)).collect();
        policy.assign(&mut parts, &present);
        let is_settled = rates.note_cuts(task, &parts);
        let mut busy = vec![0.0; parts.len()];
        for (part, busy) in parts.iter().zip(&mut busy) {
            for (source, rows) in missing(job, &owners, part) {
                let bytes = (rows.end - rows.start) * job.row_bytes;
                let time = [source, part.device].map(|device| {
                    let Mock { latency, bandwidth, .. } = devices[device];
                    latency + bytes as f64 / bandwidth
                });
                let from = free[source].max(host);
                host = from + time[0] + time[1];
                *busy += time[0] + time[1];
                timeline.events.push(Event {
                    device: part.device,
                    what: Action::Move(bytes),
                    from,
                    to: host,
                });
            }
        }
        // Where there are more parts than devices, whoever is free first goes on.
        let turns = Turns::new(&parts, policy.can_steal());
        let mut order = turns.devices();
        let mut done: Vec<Part> = Vec::with_capacity(parts.len());
        let mut measured = vec![(0, 0.0); devices.len()];
        while !turns.are_over() {
            if done.len() >= order.len() {
                order.sort_by(|a, b| free[*a].total_cmp(&free[*b]));
            }
            let device = if done.len() < order.len() { order[done.len()] } else { order[0] };
            let Some(at) = turns.next(device) else {
                order.retain(|other| *other != device);
                continue;
            };
            let Part { device: owner, rows } = &parts[at];
            let launch = devices[device].launch;
            host += launch;
            if is_settled {
                rates.note_delay(task, device, busy[at] + launch);
            }
            let mut from = host.max(free[device]);
            if device != *owner {
                let bytes = (rows.end - rows.start) * job.row_bytes;
                let to = from + bytes as f64 / devices[device].bandwidth + devices[device].latency;
                timeline.events.push(Event { device, what: Action::Move(bytes), from, to });
                from = to;
            }
            let work = (job.work)(rows.end) - (job.work)(rows.start);
            let to = from + work / devices[device].speed;
            free[device] = to;
            let count = rows.end - rows.start;
            measured[device] = (measured[device].0 + count, measured[device].1 + to - from);
            timeline.events.push(Event { device, what: Action::Rows(count), from, to });
            done.push(Part { device, rows: rows.clone() });
        }
        for (device, (rows, time)) in measured.into_iter().enumerate() {
            rates.note(task, device, rows, time);
        }
        done.sort_by_key(|part| part.rows.start);
        owners = done;
        timeline.steps.push(free.iter().copied().fold(host, f64::max));
    }
    timeline
}

/// Runs the job where its rows are in the host's memory before each step, as what a program is called with is, and the last device is the processor, which reads them there. The others get theirs at the same time,
/// each by a thread of its own.
pub fn simulate_helped(devices: &[Mock], job: &Job, policy: &dyn Policy) -> Timeline {
    let (mut now, mut rates, mut timeline) = (0.0_f64, Rates::default(), Timeline::default());
    let (helper, task) = (devices.len() - 1, SizedTask::new(0, job.width));
    for _ in 0..job.steps {
        let standing = |device| Standing { rate: rates.rate(task, device), delay: rates.delay(task, device) };
        let standings: Vec<Standing> = (0..devices.len()).map(standing).collect();
        let work = Work { has_threads: true, has_helper: true, ..Work::of(job.width) };
        let parts = policy.cut(work, &standings, rates.cuts(task, job.width));
        rates.note_cuts(task, &parts);
        let mut free = vec![now; devices.len()];
        let mut done = vec![0; devices.len()];
        for Part { device, rows } in parts {
            let (mock, count) = (devices[device], rows.end - rows.start);
            let mut from = free[device];
            if device != helper {
                let bytes = count * job.row_bytes;
                let to = from + mock.latency + bytes as f64 / mock.bandwidth;
                timeline.events.push(Event { device, what: Action::Move(bytes), from, to });
                from = to;
            }
            let to = from + mock.launch + ((job.work)(rows.end) - (job.work)(rows.start)) / mock.speed;
            timeline.events.push(Event { device, what: Action::Rows(count), from, to });
            (free[device], done[device]) = (to, done[device] + count);
        }
        for (device, rows) in done.into_iter().enumerate() {
            rates.note_with_moves(task, device, rows, free[device] - now);
        }
        now = free.into_iter().fold(now, f64::max);
        timeline.steps.push(now);
    }
    timeline
}

/// The rows that a part reads.
fn read(job: &Job, part: &Part) -> Range<u64> {
    let Range { start, end } = part.rows;
    match job.reads {
        Reads::Rows => start..end,
        Reads::Halo(halo) => start.saturating_sub(halo)..(end + halo).min(job.width),
        Reads::Whole => 0..job.width,
    }
}

/// Those of them that another device has, and who that is.
fn missing(job: &Job, owners: &[Part], part: &Part) -> Vec<(usize, Range<u64>)> {
    let read = read(job, part);
    // Owners are in the order of their rows: with a thousand of them, only those that are met are looked at.
    let first = owners.partition_point(|owner| owner.rows.end <= read.start);
    let met = owners[first..].iter().take_while(|owner| owner.rows.start < read.end);
    let others = met.filter(|owner| owner.device != part.device);
    others
        .map(|owner| (owner.device, owner.rows.start.max(read.start)..owner.rows.end.min(read.end)))
        .collect()
}

fn present(devices: usize, job: &Job, owners: &[Part], part: &Part) -> Present {
    let mut bytes = vec![0; devices];
    // For nobody, everything is missing.
    let nobody = Part { device: usize::MAX, rows: part.rows.clone() };
    for (device, rows) in missing(job, owners, &nobody) {
        bytes[device] += (rows.end - rows.start) * job.row_bytes;
    }
    Present(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Affinity, Finish, Static};

    const LIKE: Mock = Mock { speed: 1e9, launch: 1e-5, latency: 2e-5, bandwidth: 1e10 };

    fn even(rows: u64) -> f64 {
        rows as f64 * 1e3
    }

    fn job<'a>(steps: usize, reads: Reads, work: &'a dyn Fn(u64) -> f64) -> Job<'a> {
        Job { width: 1 << 20, row_bytes: 4, steps, reads, work }
    }

    fn is_near(x: f64, y: f64, tolerance: f64) -> bool {
        (x - y).abs() <= tolerance * y
    }

    /// The first run moves rows from the first device; the time of those after it is what can be written down.
    fn step(devices: &[Mock], job: &Job, policy: &dyn Policy) -> f64 {
        let timeline = simulate(devices, job, policy);
        let steps = &timeline.steps;
        (steps[steps.len() - 1] - steps[0]) / (steps.len() - 1) as f64
    }

    #[test]
    fn maps_take_what_the_formula_says() {
        for count in [1, 2, 3, 4, 16, 64, 256, 1024] {
            let devices = vec![LIKE; count];
            for policy in [&Static { weights: vec![] } as &dyn Policy, &Finish, &Affinity] {
                let found = step(&devices, &job(32, Reads::Rows, &even), policy);
                // Each device has its share to do, and the host all launches.
                let share = even(1 << 20) / 1e9 / count as f64;
                let formula = share.max(count as f64 * LIKE.launch);
                // Who leaves devices out for which the host has no time may do better.
                let is_fine = is_near(found, formula, 0.05) || policy.name() == "finish" && found < formula;
                assert!(is_fine, "{} of {count}: {found} for {formula}", policy.name());
            }
        }
    }

    #[test]
    fn stencils_wait_for_their_neighbours_and_move_halos() {
        for count in [2, 4, 16, 64, 256, 1024] {
            let devices = vec![LIKE; count];
            let found = step(&devices, &job(32, Reads::Halo(1), &even), &Static { weights: vec![] });
            // After all devices are done the host moves two halos between each two neighbours, then it launches.
            let moves = (2 * (count - 1)) as f64 * 2.0 * (LIKE.latency + 4.0 / LIKE.bandwidth);
            let formula = even(1 << 20) / 1e9 / count as f64 + moves + LIKE.launch * count as f64;
            assert!(is_near(found, formula, 0.1), "{count}: {found} for {formula}");
        }
    }

    #[test]
    fn faster_devices_get_more() {
        let devices = [LIKE, Mock { speed: 3e9, ..LIKE }];
        let equally = step(&devices, &job(32, Reads::Rows, &even), &Static { weights: vec![] });
        let finish = step(&devices, &job(32, Reads::Rows, &even), &Finish);
        assert!(is_near(finish, equally / 2.0, 0.05), "{finish} for half of {equally}");
    }

    /// The last rows have nearly all of the work.
    #[test]
    fn cuts_move_until_unequal_rows_take_equally_long() {
        let work = |rows: u64| (rows as f64 / 1e6).powi(4) * 1e9;
        let devices = [LIKE; 4];
        let ideal = work(1 << 20) / 1e9 / 4.0;
        let equally = step(&devices, &job(64, Reads::Rows, &work), &Static { weights: vec![] });
        let finish = simulate(&devices, &job(64, Reads::Rows, &work), &Finish);
        let last = finish.steps[63] - finish.steps[62];
        assert!(equally > 2.5 * ideal, "{equally}");
        assert!(last < 1.1 * ideal, "{last} for {ideal}");
    }

    /// The first time, nobody knows that; those who are done take over.
    #[test]
    fn who_is_done_takes_over_parts_of_others() {
        let work = |rows: u64| (rows as f64 / 1e6).powi(4) * 1e9;
        for count in [2, 4, 8] {
            let ideal = work(1 << 20) / 1e9 / count as f64;
            let devices = vec![LIKE; count];
            let first = |policy: &dyn Policy| simulate(&devices, &job(1, Reads::Rows, &work), policy).end();
            let (stolen, equally) = (first(&Finish), first(&Static { weights: vec![] }));
            assert!(
                stolen < 0.75 * equally && stolen < 2.0 * ideal,
                "{count}: {stolen}, {equally} for {ideal}"
            );
        }
    }

    #[test]
    fn what_is_too_small_stays_where_it_is() {
        let small =
            Job { width: 64, row_bytes: 4, steps: 64, reads: Reads::Whole, work: &|rows| rows as f64 };
        let timeline = simulate(&[LIKE; 8], &small, &Finish);
        let last = timeline.steps[63] - timeline.steps[62];
        assert!(last < 2.0 * (LIKE.launch + 64.0 / LIKE.speed), "{last}");
    }

    /// A GPU that computes a hundred times as fast as the processor, but has to get its rows first.
    #[test]
    fn the_processor_helps_where_copies_take_longest() {
        let gpu = Mock { speed: 1e12, launch: 5e-6, latency: 1e-5, bandwidth: 4e10 };
        let processor = Mock { speed: 1e10, launch: 5e-6, latency: 0.0, bandwidth: 1e11 };
        for width in [1, 1000, 100_000, 1 << 20, 100_000_000] {
            for (units, row_bytes) in [(1.0, 4), (10.0, 4), (1e3, 4), (1e5, 4), (1.0, 400)] {
                let work = |rows: u64| rows as f64 * units;
                let job = Job { width, row_bytes, steps: 16, reads: Reads::Rows, work: &work };
                let timeline = simulate_helped(&[gpu, processor], &job, &Finish);
                let found = timeline.steps[15] - timeline.steps[14];
                let alone =
                    gpu.latency + gpu.launch + width as f64 * (row_bytes as f64 / 4e10 + units / 1e12);
                let helper = processor.launch + width as f64 * units / 1e10;
                let both = 1.0 / (1.0 / alone + 1.0 / helper);
                // Small tasks are not tried, and what saves too little is not done.
                let begin = gpu.latency + gpu.launch;
                let is_fine = found <= 1.03 * alone && (width < 100_000 || found <= 1.11 * both + begin);
                assert!(is_fine, "{width} rows of {units}: {found}, alone {alone}, both {both}");
            }
        }
    }

    /// Every row is done once in each step, and no device does two things at once.
    #[test]
    fn nothing_is_done_twice_or_at_the_same_time() {
        for policy in [&Static { weights: vec![1.0, 5.0] } as &dyn Policy, &Finish, &Affinity] {
            for reads in [Reads::Rows, Reads::Halo(3), Reads::Whole] {
                let timeline = simulate(&[LIKE; 5], &job(7, reads, &even), policy);
                let rows: u64 = timeline
                    .events
                    .iter()
                    .map(|event| if let Action::Rows(rows) = event.what { rows } else { 0 })
                    .sum();
                assert_eq!(rows, 7 << 20);
                for device in 0..5 {
                    let own = timeline.events.iter().filter(|event| event.device == device);
                    let work: Vec<&Event> =
                        own.filter(|event| matches!(event.what, Action::Rows(_))).collect();
                    assert!(work.windows(2).all(|pair| pair[0].to <= pair[1].from), "{}", policy.name());
                }
            }
        }
    }

    /// The table in docs/src/how/devices.md; `BLESS=1` writes it.
    #[test]
    fn the_manual_says_what_is_simulated() {
        const BEGIN: &str = "<!-- simulated: crates/runtime/src/schedule/simulate.rs, BLESS=1 -->\n";
        const END: &str = "<!-- end -->";
        let mut table = String::from("| devices | map | stencil | all rows |\n|---|---|---|---|\n");
        for count in [1, 2, 4, 16, 64, 256, 1024] {
            table += &format!("| {count} |");
            for reads in [Reads::Rows, Reads::Halo(1), Reads::Whole] {
                let last = |count: usize| {
                    let timeline = simulate(&vec![LIKE; count], &job(64, reads, &even), &Finish);
                    (timeline.steps[63] - timeline.steps[55]) / 8.0
                };
                table += &format!(" {:.1} |", last(1) / last(count));
            }
            table.push('\n');
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/how/devices.md");
        let page = std::fs::read_to_string(path).expect("a page");
        let (before, rest) = page.split_once(BEGIN).expect("where the table begins");
        let (found, after) = rest.split_once(END).expect("where the table ends");
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            std::fs::write(path, [before, BEGIN, &table, END, after].concat())
                .expect("a page that is written");
        } else {
            assert_eq!(found, table, "BLESS=1 writes the table");
        }
    }
}

//! How the work of a team is divided: a plan for each task, made by a policy (`schedule`) from how fast devices have been.
//!
//! The host goes through the parts of a plan twice. First each part announces what it will read: then parts get their devices, and what these lack is moved before one of them
//! begins, since who asks a busy device for what it has would wait. The second time, parts are run. While a task is new, what devices take for it is measured.

use super::ledger::PartOfTask;
use super::program::{Halt, Program};
use super::team::{BringOptions, Team, Within};
use super::{at_work, guard, thread_clock};
use crate::cache::Cache;
use crate::schedule::{Part, Present, Rates, SizedTask, Standing, TaskKind, Turns, Work};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// For how many seconds parts have to keep the host busy, so that it pays that other threads help.
const WORTH_THREADS: f64 = 1.5e-4;

/// After so many more runs nobody waits for what a run took.
const MOST_UNKNOWN: u64 = 256;

/// The same for bytes that parts move from the processor's memory.
const WORTH_THREADS_BYTES: u64 = 1 << 19;

/// A part that was run, by whom, what came of it, and how long it kept a thread busy.
struct Done<R> {
    at: usize,
    device: usize,
    result: Result<R, Halt>,
    busy: Duration,
    /// How long it took to bring what it reads, as far as that is so whenever it is run.
    moved: Duration,
}

/// How the task at work is cut, and what is known from those before.
#[derive(Default)]
pub(super) struct Scheduling {
    rates: Rates,
    /// Whether something was measured that the cache does not know.
    has_news: bool,
    runs: u64,
    /// What moving took, by run and device, until it is known what the rest took.
    moved: BTreeMap<(u64, usize), Duration>,
    pub(super) plan: Option<Plan>,
}

pub(super) struct Plan {
    task: SizedTask,
    width: u64,
    elements: u64,
    run: u64,
    is_measured: bool,
    /// How many devices can do parts: the first ones.
    devices: usize,
    /// Whether it has one part, which is the first device's, whatever a policy says.
    is_alone: bool,
    /// Whether it is cut as it was the last time.
    is_settled: bool,
    parts: Vec<Part>,
    /// Whether parts of different devices are run by different threads, since they wait or keep the host busy.
    are_apart: bool,
    /// The part at work, once there is one, and since when, by the clock of the thread.
    at: Option<usize>,
    since: Duration,
    /// How long it took to move to each part what its device lacked, and how long the part itself has kept the host busy.
    moved: Vec<Duration>,
    busy: Vec<Duration>,
    /// What parts will read: addresses, and what is reached from there.
    requested: Vec<Accesses>,
    /// Parts are first asked for that, one after the other; not any more when they are run.
    asks: bool,
}

/// What becomes of a request to read something.
pub(super) enum BringDecision {
    /// It is there when parts are run.
    Noted,
    /// It has to be brought now, to this device if it is for a part.
    Now(Option<usize>),
}

/// Addresses, and what is reached from each.
type Accesses = Vec<(u64, Within)>;

/// How many parts there are, and where the one at work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planned {
    pub parts: i64,
    pub from: i64,
    pub count: i64,
    /// Whether the processor does it.
    pub processor: bool,
    /// Whether the first device does everything.
    pub alone: bool,
}

impl Scheduling {
    /// From what is known of runs before, and whether the cache does not know that.
    pub fn new(rates: Rates, has_news: bool) -> Scheduling {
        Scheduling { rates, has_news, ..Scheduling::default() }
    }

    /// Notes what the part at work will read.
    pub fn wants(&mut self, address: u64, within: Within) -> BringDecision {
        let Some(plan) = &mut self.plan else { return BringDecision::Now(None) };
        let Some(at) = plan.at else { return BringDecision::Now(None) };
        plan.requested.get_mut(at).into_iter().for_each(|requested| requested.push((address, within)));
        if plan.asks {
            BringDecision::Noted
        } else {
            BringDecision::Now(plan.parts.get(at).map(|part| part.device))
        }
    }
}

impl Plan {
    /// A part with these rows, of all of which it is known how many elements they have.
    fn part_of_task(&self, part: usize, rows: &Range<u64>) -> PartOfTask {
        let share = u128::from(rows.end - rows.start) * u128::from(self.elements);
        let elements = share.div_ceil(u128::from(self.width.max(1))) as u64;
        PartOfTask { task: self.task, run: self.run, part, elements }
    }

    /// The part at work has kept the host busy until now, if it was run and not only asked what it reads.
    fn end_part(&mut self) {
        let waited = at_work::take_waited();
        if let (false, Some(busy)) = (self.asks, self.at.and_then(|at| self.busy.get_mut(at))) {
            *busy += thread_clock::now().saturating_sub(self.since + waited);
        }
    }
}

impl Team {
    /// The task is done, as far as the host is concerned.
    pub fn end_plan(&self, home: &Program) {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, plan, moved, .. } = &mut *scheduling;
        let Some(mut plan) = plan.take() else { return };
        self.is_measured.store(false, Relaxed);
        plan.end_part();
        // With the processor, what is moved whenever rows are done belongs to how fast they are; else it delays the others.
        let has_processor = self.processor().is_some();
        if plan.is_measured && has_processor {
            for (part, time) in plan.parts.iter().zip(&plan.moved) {
                *moved.entry((plan.run, part.device)).or_default() += *time;
            }
        }
        if plan.is_measured && plan.is_settled {
            for ((part, moved), busy) in plan.parts.iter().zip(&plan.moved).zip(&plan.busy) {
                let delay = if has_processor { *busy } else { *moved + *busy };
                rates.note_delay(plan.task, part.device, delay.as_secs_f64());
            }
            rates.note_busy(plan.task, plan.busy.iter().sum::<Duration>().as_secs_f64());
        }
        (0..=self.others().len()).for_each(|device| self.program(home, device).set_part(None));
    }

    /// Plans how a task is cut. What was measured of earlier ones is known by now.
    pub fn plan(&self, home: &Program, [width, elements, grain]: [u64; 3], task: i32, kind: TaskKind) {
        let mut scheduling = guard(&self.scheduling);
        self.note_measured(home, &mut scheduling);
        let elements = elements.max(width);
        let task = SizedTask::new(task, elements);
        let Scheduling { rates, runs, moved, plan, .. } = &mut *scheduling;
        let (is_helped, is_uneven) = (kind == TaskKind::Helped, kind == TaskKind::Uneven);
        // What the rows of a recursion have taken says little of the next ones.
        let standing = |device| match is_uneven {
            true => Standing { rate: rates.speed(device), delay: 0.0 },
            false => {
                let rows = |rate: f64| rate / elements as f64 * width as f64;
                Standing { rate: rates.rate(task, device).map(rows), delay: rates.delay(task, device) }
            }
        };
        let devices: Vec<Standing> = (0..self.devices(is_helped)).map(standing).collect();
        let has_helper = self.processor().is_some() && is_helped;
        let is_alone = self.is_alone.load(Relaxed);
        let parts = match is_alone {
            true => Vec::from_iter((width > 0).then_some(Part { device: 0, rows: 0..width })),
            false => self.policy.cut(
                Work {
                    width,
                    grain: grain.max(1),
                    has_threads: rates.has_threads(task),
                    has_helper,
                    is_uneven,
                },
                &devices,
                rates.cuts(task, width),
            ),
        };
        *runs += 1;
        let requested = vec![Vec::new(); parts.len()];
        let is_measured = !is_alone && !is_uneven && self.policy.learns() && rates.begin(task);
        self.is_measured.store(is_measured, Relaxed);
        moved.retain(|(run, _), _| run + MOST_UNKNOWN > *runs);
        let (since, none) = (thread_clock::now(), vec![Duration::ZERO; parts.len()]);
        *plan = Some(Plan {
            task,
            width,
            elements,
            run: *runs,
            is_measured,
            devices: devices.len(),
            is_alone,
            is_settled: false,
            parts,
            are_apart: false,
            at: None,
            since,
            moved: none.clone(),
            busy: none,
            requested,
            asks: true,
        });
    }

    /// What devices took for parts that are done is known from now on.
    fn note_measured(&self, home: &Program, scheduling: &mut Scheduling) {
        let Scheduling { rates, has_news, moved, .. } = scheduling;
        for device in 0..=self.others().len() {
            let program = self.program(home, device);
            program.set_part(None);
            // All parts that it did in a run together.
            let mut runs: BTreeMap<(u64, SizedTask), (u64, u64)> = BTreeMap::new();
            for (PartOfTask { task, run, part: _, elements }, time) in program.take_measured() {
                let all = runs.entry((run, task)).or_default();
                *all = (all.0 + elements, all.1 + time);
            }
            for ((run, task), (elements, time)) in runs {
                let time = time as f64 * 1e-9;
                match moved.remove(&(run, device)) {
                    Some(moved) => {
                        rates.note_with_moves(task, device, elements, time + moved.as_secs_f64());
                    }
                    None => rates.note(task, device, elements, time),
                }
                *has_news = true;
            }
        }
    }

    pub fn planned(&self) -> Planned {
        let scheduling = guard(&self.scheduling);
        let Some(plan) = &scheduling.plan else { return Planned::default() };
        let rows = plan.at.and_then(|at| plan.parts.get(at)).map_or(0..0, |part| part.rows.clone());
        let numbers =
            [plan.parts.len() as u64, rows.start, rows.end - rows.start].map(|number| number as i64);
        let processor = at_work::device().is_some_and(|device| self.is_processor(device));
        let alone = plan.parts.len() < 2 && plan.parts.iter().all(|part| part.device == 0);
        Planned { parts: numbers[0], from: numbers[1], count: numbers[2], processor, alone }
    }

    /// All commands from now on belong to this part. Parts are gone through twice: first they announce what they will read, then they are run.
    pub fn begin_part(&self, home: &Program, part: usize) -> Result<(), Halt> {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, plan, .. } = &mut *scheduling;
        let Some(plan) = plan else { return Ok(()) };
        plan.end_part();
        if part == 0 && plan.at.is_some() {
            self.distribute(home, plan, rates)?;
        }
        (plan.at, plan.since) = (Some(part), thread_clock::now());
        let (false, Some(Part { device, rows })) = (plan.asks, plan.parts.get(part)) else { return Ok(()) };
        let (is_measured, measured) = (plan.is_measured, plan.part_of_task(part, rows));
        // What is asked for now are kernels, which the processor has not.
        let device = if self.is_processor(*device) { 0 } else { *device };
        drop(scheduling);
        self.select_device(home, device);
        self.program(home, device).set_part(is_measured.then_some(measured));
        Ok(())
    }

    /// Parts get devices, and these what their parts read, before one of them is busy; once.
    fn distribute(&self, home: &Program, plan: &mut Plan, rates: &mut Rates) -> Result<(), Halt> {
        if !std::mem::replace(&mut plan.asks, false) {
            return Ok(());
        }
        let mut present = Vec::with_capacity(plan.requested.len());
        for requested in &plan.requested {
            let mut bytes = vec![0; plan.devices];
            for (address, within) in requested {
                self.add_present(*address, *within, &mut bytes);
            }
            present.push(Present(bytes));
        }
        if !plan.is_alone {
            self.policy.assign(&mut plan.parts, &present);
            plan.is_settled = rates.note_cuts(plan.task, &plan.parts);
        }
        let mut left = 0;
        // Rows that change their device are moved once, which does not belong to rates.
        let counts = plan.is_measured && (self.processor().is_none() || plan.is_settled);
        for ((Part { device, .. }, requested), moved) in
            plan.parts.iter().zip(&plan.requested).zip(&mut plan.moved)
        {
            for (address, within) in requested {
                let Some(bytes) = self.reached(*address, *within) else { continue };
                let options = BringOptions { time: counts.then_some(&mut *moved), leaves_to_part: true };
                self.bring_timed(home, &bytes, *device, options)?;
                left += self.lacks(&bytes, *device).0;
            }
        }
        // What is left to parts keeps their threads busy.
        plan.are_apart |= left > WORTH_THREADS_BYTES;
        Ok(())
    }

    /// Has devices get what the parts of the plan read, before one of them is busy. Whether several threads are to run these parts: if they wait, if they keep the host busy for longer than it
    /// takes another thread to begin, or if there are more than one for a device: who is done then takes over parts of others.
    pub fn begin_parts(&self, home: &Program, wait: bool) -> Result<bool, Halt> {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, plan, .. } = &mut *scheduling;
        let Some(plan) = plan else { return Ok(false) };
        self.distribute(home, plan, rates)?;
        plan.at = None;
        let devices = Turns::new(&plan.parts, false).devices();
        // Also if one device does all this time: what several would take depends on it.
        let is_worth_threads = plan.are_apart || wait || rates.busy(plan.task) > WORTH_THREADS;
        if !plan.is_alone {
            rates.note_threads(plan.task, is_worth_threads);
        }
        plan.are_apart = is_worth_threads && devices.len() > 1;
        Ok(plan.are_apart || plan.parts.len() > devices.len() && devices.len() > 1)
    }

    /// Runs the parts of the plan, or the first so many. Parts of one device are run one after the other; those of different devices at the same time, if there are threads for that.
    /// What each has returned, by parts.
    pub fn run_parts<R: Send>(
        &self,
        home: &Program,
        count: usize,
        has_threads: bool,
        run: &(dyn Fn(usize, Range<u64>) -> R + Sync),
    ) -> Result<Vec<R>, Halt> {
        let (is_measured, is_settled, mut parts, measured, requested) = {
            let scheduling = guard(&self.scheduling);
            let Some(plan) = &scheduling.plan else { return Ok(Vec::new()) };
            let requested = if self.processor().is_some() { plan.requested.clone() } else { Vec::new() };
            let measured = plan.parts.iter().enumerate().map(|(at, part)| plan.part_of_task(at, &part.rows));
            let measured: Vec<PartOfTask> = measured.collect();
            (plan.is_measured, plan.is_settled, plan.parts.clone(), measured, requested)
        };
        parts.truncate(count);
        let one = |device: usize, at: usize| {
            let rows = parts[at].rows.clone();
            let program = self.program(home, device);
            let part = measured[at];
            let mut moved = Duration::ZERO;
            if let Some(requested) = requested.get(at) {
                let counts = |is_lent: bool| is_measured && (is_settled || is_lent);
                if let Err(halt) = self.bring_to_part(home, requested, device, &counts, &mut moved) {
                    return Done { at, device, result: Err(halt), busy: Duration::ZERO, moved };
                }
            }
            if self.is_processor(device) {
                let begin = Instant::now();
                let (result, _) = at_work::during(device, || run(at, rows));
                program.note_part(part, is_measured, begin);
                return Done { at, device, result: Ok(result), busy: Duration::ZERO, moved };
            }
            program.set_part(is_measured.then_some(part));
            let (result, busy) = at_work::during(device, || run(at, rows));
            program.set_part(None);
            program.hurry_here();
            Done { at, device, result: Ok(result), busy, moved }
        };
        let turns = Turns::new(&parts, self.policy.can_steal()).with_helper(self.processor());
        let mut devices = turns.devices();
        // The processor does its part at once, so that what others are asked for comes before.
        devices.sort_by_key(|device| self.is_processor(*device));
        let has_threads = has_threads && rayon::current_num_threads() >= devices.len();
        let done: Vec<Done<R>> = self.while_parts_run(|| match has_threads {
            true => {
                let turn = |device| self.take_turns(home, device, &turns, &one);
                devices.into_par_iter().with_max_len(1).flat_map_iter(turn).collect()
            }
            false => {
                let mut all: Vec<usize> = (0..parts.len()).collect();
                all.sort_by_key(|at| self.is_processor(parts[*at].device));
                all.into_iter().map(|at| one(parts[at].device, at)).collect()
            }
        });
        let mut scheduling = guard(&self.scheduling);
        let mut results: Vec<Option<Result<R, Halt>>> = (0..parts.len()).map(|_| None).collect();
        for Done { at, device, result, busy, moved } in done {
            results[at] = Some(result);
            if let Some(plan) = &mut scheduling.plan {
                // What follows is done where the part is now.
                plan.parts[at].device = device;
                plan.busy[at] += busy;
                plan.moved[at] += moved;
            }
        }
        results.into_iter().flatten().collect()
    }

    /// Before a part begins: its device gets what it reads and has not yet, since the processor has it, or since the part was another's. The time is added for what `counts`, by whether it is lent.
    fn bring_to_part(
        &self,
        home: &Program,
        requested: &Accesses,
        device: usize,
        counts: &dyn Fn(bool) -> bool,
        time: &mut Duration,
    ) -> Result<(), Halt> {
        for (address, within) in requested {
            let Some(bytes) = self.reached(*address, *within) else { continue };
            let (missing, is_lent) = self.lacks(&bytes, device);
            if missing > 0 {
                let time = counts(is_lent).then_some(&mut *time);
                self.bring_timed(home, &bytes, device, BringOptions { time, leaves_to_part: false })?;
            }
        }
        Ok(())
    }

    /// Does parts on a device until none is left for it. As long as others might take over what it has not begun, it begins with no third before the first is done.
    fn take_turns<R>(
        &self,
        home: &Program,
        device: usize,
        turns: &Turns,
        one: &impl Fn(usize, usize) -> Done<R>,
    ) -> Vec<Done<R>> {
        let program = self.program(home, device);
        let (mut done, mut under_way) = (Vec::new(), VecDeque::new());
        while let Some(at) = turns.next(device) {
            done.push(one(device, at));
            if turns.are_over() {
                continue;
            }
            // If this fails the device is lost, which the next command reports.
            under_way.extend(program.fence_here().ok().flatten());
            if under_way.len() > 1 {
                under_way.pop_front().into_iter().for_each(|fence| fence());
            }
        }
        done
    }

    /// How many bytes of these each device has is added.
    fn add_present(&self, address: u64, within: Within, bytes: &mut [u64]) {
        let Some(reached) = self.reached(address, within) else { return };
        let blocks = guard(&self.blocks);
        let Some(block) = blocks.get(&reached.block) else { return };
        for (bytes, there) in bytes.iter_mut().zip(&block.present) {
            *bytes += there.within(&reached.range).iter().map(|range| range.end - range.start).sum::<u64>();
        }
    }

    /// What was measured is known to whoever runs the program next, also of tasks that were run once.
    pub fn end(&self, home: &Program, cache: &Cache) {
        self.note_measured(home, &mut guard(&self.scheduling));
        self.keep_rates(cache);
    }

    fn keep_rates(&self, cache: &Cache) {
        let scheduling = guard(&self.scheduling);
        if scheduling.has_news {
            cache.keep_bytes(scheduling.rates.to_text().as_bytes(), &self.rates_name);
        }
        let calls = guard(&self.calls);
        if calls.has_news {
            cache.keep_bytes(calls.to_text().as_bytes(), &self.calls_name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Finish, Policy, Recorded};

    /// What is measured after a program was first run so does not matter to it.
    #[test]
    fn shares_are_recorded_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(Some(folder.path()));
        let rate_of = |policy: Box<dyn Policy>| {
            let team = Team::new(Vec::new(), policy, "program", &cache);
            team.keep_rates(&cache);
            guard(&team.scheduling).rates.rate(SizedTask::new(0, 100), 1)
        };
        let measured = |rate: u64| {
            let mut rates = Rates::default();
            rates.note(SizedTask::new(0, 100), 1, rate, 1.0);
            cache.keep_bytes(rates.to_text().as_bytes(), "program.rates");
        };
        measured(100);
        assert_eq!(rate_of(Box::new(Recorded)), Some(100.0));
        measured(200);
        assert_eq!(rate_of(Box::new(Finish)), Some(200.0));
        assert_eq!(rate_of(Box::new(Recorded)), Some(100.0));
    }
}

//! How the work of a team is divided: a plan for each task, made by a policy (`schedule`) from how fast devices have been.
//!
//! The host goes through the parts of a plan twice. First each part tells what it will read: then parts get their devices, and what these lack is moved before one of them
//! begins, since who asks a busy device for what it has would wait. The second time, parts are run. While a task is new, what devices take for it is measured.

use super::ledger::PartOfTask;
use super::program::{Halt, Program};
use super::team::{Team, Within};
use super::{at_work, guard};
use crate::cache::Cache;
use crate::schedule::{Part, Present, Rates, Standing, Turns, Work};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// For how many seconds parts have to keep the host busy, so that it pays that other threads help.
const WORTH_THREADS: f64 = 1.5e-4;

/// A part that was run, by whom, what came of it, and how long it kept a thread busy.
struct Done<R> {
    at: usize,
    device: usize,
    result: R,
    busy: Duration,
}

/// How the task at work is cut, and what is known from those before.
#[derive(Default)]
pub(super) struct Scheduling {
    rates: Rates,
    /// Whether something was measured that the cache does not know.
    has_news: bool,
    runs: u64,
    pub(super) plan: Option<Plan>,
}

pub(super) struct Plan {
    task: i32,
    run: u64,
    is_measured: bool,
    /// Whether it is cut as it was the last time.
    is_settled: bool,
    parts: Vec<Part>,
    /// Whether parts of different devices are run by different threads.
    are_apart: bool,
    /// The part at work, once there is one, and since when.
    at: Option<usize>,
    since: Instant,
    /// How long it took to move to each part what its device lacked, and how long the part itself has kept the host busy.
    moved: Vec<Duration>,
    busy: Vec<Duration>,
    /// What parts will read: addresses, and what is reached from there. Parts are first asked for that, one after the other; nothing any more when they are run.
    wanted: Option<Vec<Wanted>>,
}

/// Addresses, and what is reached from each.
type Wanted = Vec<(u64, Within)>;

/// How many parts there are, and where the one at work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planned {
    pub parts: i64,
    pub from: i64,
    pub count: i64,
}

impl Scheduling {
    /// From what is known of runs before, and whether the cache does not know that.
    pub fn new(rates: Rates, has_news: bool) -> Scheduling {
        Scheduling { rates, has_news, ..Scheduling::default() }
    }

    /// Notes what the part at work will read, if that is asked for.
    pub fn wants(&mut self, address: u64, within: Within) -> bool {
        let Some(plan) = &mut self.plan else { return false };
        let (Some(wanted), Some(at)) = (&mut plan.wanted, plan.at) else { return false };
        wanted.get_mut(at).into_iter().for_each(|wanted| wanted.push((address, within)));
        true
    }
}

impl Plan {
    /// The part at work has kept the host busy until now, if it was run and not only asked what it reads.
    fn end_part(&mut self) {
        let waited = at_work::take_waited();
        if let (None, Some(busy)) = (&self.wanted, self.at.and_then(|at| self.busy.get_mut(at))) {
            *busy += self.since.elapsed().saturating_sub(waited);
        }
    }
}

impl Team {
    /// The task is done, as far as the host is concerned.
    pub fn end_plan(&self, home: &Program) {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, plan, .. } = &mut *scheduling;
        let Some(mut plan) = plan.take() else { return };
        self.is_measured.store(false, Relaxed);
        plan.end_part();
        if plan.is_measured && plan.is_settled {
            for ((part, moved), busy) in plan.parts.iter().zip(&plan.moved).zip(&plan.busy) {
                rates.note_delay(plan.task, part.device, (*moved + *busy).as_secs_f64());
            }
            rates.note_busy(plan.task, plan.busy.iter().sum::<Duration>().as_secs_f64());
        }
        (0..=self.others().len()).for_each(|device| self.program(home, device).set_part(None));
    }

    /// Plans how a task is cut. What was measured of earlier ones is known by now.
    pub fn plan(&self, home: &Program, width: u64, grain: u64, task: i32) {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, has_news, runs, plan } = &mut *scheduling;
        for device in 0..=self.others().len() {
            let program = self.program(home, device);
            program.set_part(None);
            // All parts that it did in a run together.
            let mut runs: BTreeMap<(u64, i32), (u64, u64)> = BTreeMap::new();
            for (PartOfTask { task, run, part: _, rows }, time) in program.take_measured() {
                let all = runs.entry((run, task)).or_default();
                *all = (all.0 + rows, all.1 + time);
            }
            for ((_, task), (rows, time)) in runs {
                rates.note(task, device, rows, time as f64 * 1e-9);
                *has_news = true;
            }
        }
        let standing = |device| Standing { rate: rates.rate(task, device), delay: rates.delay(task, device) };
        let devices: Vec<Standing> = (0..=self.others().len()).map(standing).collect();
        let parts = self.policy.cut(
            Work { width, grain: grain.max(1), has_threads: rates.has_threads(task) },
            &devices,
            rates.cuts(task, width),
        );
        *runs += 1;
        let wanted = Some(vec![Vec::new(); parts.len()]);
        let is_measured = self.policy.learns() && rates.begin(task);
        self.is_measured.store(is_measured, Relaxed);
        let (since, none) = (Instant::now(), vec![Duration::ZERO; parts.len()]);
        *plan = Some(Plan {
            task,
            run: *runs,
            is_measured,
            is_settled: false,
            parts,
            are_apart: false,
            at: None,
            since,
            moved: none.clone(),
            busy: none,
            wanted,
        });
    }

    pub fn planned(&self) -> Planned {
        let scheduling = guard(&self.scheduling);
        let Some(plan) = &scheduling.plan else { return Planned::default() };
        let rows = plan.at.and_then(|at| plan.parts.get(at)).map_or(0..0, |part| part.rows.clone());
        let numbers =
            [plan.parts.len() as u64, rows.start, rows.end - rows.start].map(|number| number as i64);
        Planned { parts: numbers[0], from: numbers[1], count: numbers[2] }
    }

    /// What is asked for from now on belongs to this part. Parts are gone through twice: first they tell what they will read, then they are run.
    pub fn begin_part(&self, home: &Program, part: usize) -> Result<(), Halt> {
        let mut scheduling = guard(&self.scheduling);
        let Scheduling { rates, plan, .. } = &mut *scheduling;
        let Some(plan) = plan else { return Ok(()) };
        plan.end_part();
        if part == 0
            && plan.at.is_some()
            && let Some(wanted) = plan.wanted.take()
        {
            self.distribute(home, plan, rates, &wanted)?;
        }
        (plan.at, plan.since) = (Some(part), Instant::now());
        let (None, Some(Part { device, rows })) = (&plan.wanted, plan.parts.get(part)) else { return Ok(()) };
        let (task, run, rows) = (plan.task, plan.run, rows.end - rows.start);
        let (device, is_measured) = (*device, plan.is_measured);
        drop(scheduling);
        self.select_device(home, device);
        self.program(home, device).set_part(is_measured.then_some(PartOfTask { task, run, part, rows }));
        Ok(())
    }

    /// Parts get devices, and these what their parts read, before one of them is busy.
    fn distribute(
        &self,
        home: &Program,
        plan: &mut Plan,
        rates: &mut Rates,
        wanted: &[Wanted],
    ) -> Result<(), Halt> {
        let mut present = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let mut bytes = vec![0; self.others().len() + 1];
            for (address, within) in wanted {
                self.add_present(*address, *within, &mut bytes);
            }
            present.push(Present(bytes));
        }
        self.policy.assign(&mut plan.parts, &present);
        plan.is_settled = rates.note_cuts(plan.task, &plan.parts);
        for ((Part { device, .. }, wanted), moved) in plan.parts.iter().zip(wanted).zip(&mut plan.moved) {
            for (address, within) in wanted {
                let Some(bytes) = self.reached(*address, *within) else { continue };
                let time = plan.is_measured.then_some(&mut *moved);
                self.bring_timed(home, &bytes, *device, time)?;
            }
        }
        Ok(())
    }

    /// Runs the parts of the plan, or the first so many, and has devices get what they read before one of them is busy. Parts of one device are run one after the other; those of
    /// different devices at the same time if they wait, if they keep the host busy for longer than it takes another thread to begin, or if there are more than one for a device: who is done then
    /// takes over parts of others. What each has returned, by parts.
    pub fn run_parts<R: Send>(
        &self,
        home: &Program,
        count: usize,
        wait: bool,
        run: &(dyn Fn(usize, Range<u64>) -> R + Sync),
    ) -> Result<Vec<R>, Halt> {
        let (task, number, is_measured, parts, are_apart) = {
            let mut scheduling = guard(&self.scheduling);
            let Scheduling { rates, plan, .. } = &mut *scheduling;
            let Some(plan) = plan else { return Ok(Vec::new()) };
            if let Some(wanted) = plan.wanted.take() {
                self.distribute(home, plan, rates, &wanted)?;
            }
            plan.at = None;
            plan.are_apart |= wait || rates.busy(plan.task) > WORTH_THREADS;
            rates.note_threads(plan.task, plan.are_apart);
            (plan.task, plan.run, plan.is_measured, plan.parts.clone(), plan.are_apart)
        };
        let parts = &parts[..count.min(parts.len())];
        let one = |device: usize, at: usize| {
            let rows = parts[at].rows.clone();
            let program = self.program(home, device);
            let part = PartOfTask { task, run: number, part: at, rows: rows.end - rows.start };
            program.set_part(is_measured.then_some(part));
            let (result, busy) = at_work::during(device, || run(at, rows));
            program.set_part(None);
            program.hurry_here();
            Done { at, device, result, busy }
        };
        let turns = Turns::new(parts, self.policy.can_steal());
        let devices = turns.devices();
        let has_threads = rayon::current_num_threads() >= devices.len();
        let done: Vec<Done<R>> = match has_threads && (are_apart || parts.len() > devices.len()) {
            true => {
                let turn = |device| self.take_turns(home, device, &turns, &one);
                devices.into_par_iter().with_max_len(1).flat_map_iter(turn).collect()
            }
            false => parts.iter().enumerate().map(|(at, part)| one(part.device, at)).collect(),
        };
        let mut scheduling = guard(&self.scheduling);
        let mut results: Vec<Option<R>> = (0..parts.len()).map(|_| None).collect();
        for Done { at, device, result, busy } in done {
            results[at] = Some(result);
            if let Some(plan) = &mut scheduling.plan {
                // What follows is done where the part is now.
                plan.parts[at].device = device;
                plan.busy[at] += busy;
            }
        }
        Ok(results.into_iter().flatten().collect())
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
            // If this fails the device is lost, which whoever asks next is told.
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

    /// What was measured is known to whoever runs the program next.
    pub fn keep_rates(&self, cache: &Cache) {
        let scheduling = guard(&self.scheduling);
        if scheduling.has_news {
            cache.keep_bytes(scheduling.rates.to_text().as_bytes(), &self.rates_name);
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
            guard(&team.scheduling).rates.rate(0, 1)
        };
        let measured = |rate: u64| {
            let mut rates = Rates::default();
            rates.note(0, 1, rate, 1.0);
            cache.keep_bytes(rates.to_text().as_bytes(), "program.rates");
        };
        measured(100);
        assert_eq!(rate_of(Box::new(Recorded)), Some(100.0));
        measured(200);
        assert_eq!(rate_of(Box::new(Finish)), Some(200.0));
        assert_eq!(rate_of(Box::new(Recorded)), Some(100.0));
    }
}

//! How a task is cut, and who does which part.
//!
//! - [`Static`]: in proportion to fixed weights, equally if there are none.
//! - [`Affinity`]: equal parts, each for the device that has most of what it reads (Newton, Holk and McDonell, section 5.4, where devices that are free are sorted
//!   by how much of the operands they have).
//! - [`Finish`]: so that all devices are done at the same time, by their measured rates, on as many devices as it takes to be done soonest: so small tasks are not split. Cuts stay as they are while
//!   that costs little.
//! - [`Recorded`]: as `Finish` would from what was measured before the program was first run so, and the same each time: nothing that is measured later matters, and nobody takes over parts
//!   of others. Where devices round differently, results are the same from run to run.
//! - [`Random`]: any cuts, any devices, for tests: what a program yields does not depend on them.

use super::{Part, Present, Standing, Work, helper};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub trait Policy: Send + Sync {
    fn name(&self) -> &'static str;

    /// The parts of the rows, in order. They cover all rows, and none is empty. When the same task last had so many rows, it was cut in these parts; there are none if it had not.
    fn cut(&self, work: Work, devices: &[Standing], before: &[Part]) -> Vec<Part>;

    /// Whether a device that is done takes over parts of others.
    fn can_steal(&self) -> bool {
        false
    }

    /// Whether it goes by what devices have taken for the last runs.
    fn learns(&self) -> bool {
        true
    }

    /// Gives parts to other devices than `cut` has, when it is known what they read.
    fn assign(&self, _parts: &mut [Part], _present: &[Present]) {}
}

/// The policy that a user names: `finish`, `recorded`, `affinity`, `static`, `static:3+1` with weights, or `random`.
pub fn policy_named(name: &str) -> Option<Box<dyn Policy>> {
    match name.trim() {
        "finish" => Some(Box::new(Finish)),
        "recorded" => Some(Box::new(Recorded)),
        "affinity" => Some(Box::new(Affinity)),
        "random" => Some(Box::new(Random::default())),
        "static" => Some(Box::new(Static { weights: Vec::new() })),
        name => {
            let weights: Option<Vec<f64>> =
                name.strip_prefix("static:")?.split('+').map(|weight| weight.trim().parse().ok()).collect();
            let weights = weights?;
            let is_fine = |weight: &f64| weight.is_finite() && *weight >= 0.0;
            let fine = weights.iter().all(is_fine) && weights.iter().any(|weight| *weight > 0.0);
            fine.then(|| Box::new(Static { weights }) as Box<dyn Policy>)
        }
    }
}

pub struct Static {
    /// Those that are missing are 1.
    pub weights: Vec<f64>,
}

impl Policy for Static {
    fn name(&self) -> &'static str {
        "static"
    }

    fn cut(&self, work: Work, devices: &[Standing], _before: &[Part]) -> Vec<Part> {
        let weight = |device: usize| self.weights.get(device).copied().unwrap_or(1.0);
        work.divided(&(0..devices.len()).map(weight).collect::<Vec<f64>>())
    }
}

pub struct Affinity;

impl Policy for Affinity {
    fn name(&self) -> &'static str {
        "affinity"
    }

    fn cut(&self, work: Work, devices: &[Standing], _before: &[Part]) -> Vec<Part> {
        work.divided(&vec![1.0; devices.len()])
    }

    /// One part after the other takes the device that is free and has most of it; all are free again when each has a part.
    fn assign(&self, parts: &mut [Part], present: &[Present]) {
        let mut free: Vec<usize> = Vec::new();
        for (part, Present(bytes)) in parts.iter_mut().zip(present) {
            if free.is_empty() {
                free = (0..bytes.len()).collect();
            }
            // Of those with equally many, the one that has the part already, or else the first.
            let own = part.device;
            let best = (0..free.len()).max_by_key(|at| {
                let device = free[*at];
                (bytes[device], device == own, std::cmp::Reverse(device))
            });
            if let Some(best) = best {
                part.device = free.remove(best);
            }
        }
    }
}

/// The same cuts in each process.
#[derive(Default)]
pub struct Random {
    drawn: AtomicU64,
}

impl Random {
    /// A number below the bound, which is positive.
    fn below(&self, bound: u64) -> u64 {
        // SplitMix64: numbers that follow each other become numbers that seem to have nothing to do with each other.
        let mut x = self.drawn.fetch_add(1, Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % bound
    }
}

impl Policy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn can_steal(&self) -> bool {
        true
    }

    /// Up to twice as many parts as there are devices, cut anywhere.
    fn cut(&self, Work { width, .. }: Work, devices: &[Standing], _before: &[Part]) -> Vec<Part> {
        let devices = devices.len() as u64;
        let mut ends: Vec<u64> = (0..self.below(2 * devices)).map(|_| self.below(width + 1)).collect();
        ends.push(width);
        ends.sort_unstable();
        ends.dedup();
        let mut from = 0;
        let mut parts = Vec::with_capacity(ends.len());
        for end in ends.into_iter().filter(|end| *end > 0) {
            parts.push(Part { device: self.below(devices) as usize, rows: from..end });
            from = end;
        }
        parts
    }
}

pub struct Finish;

impl Policy for Finish {
    fn name(&self) -> &'static str {
        "finish"
    }

    fn can_steal(&self) -> bool {
        true
    }

    /// The fastest devices, as many as the task is done with soonest: each more shares the work, but keeps the host busy, which moves to it what it lacks and launches. In a loop nothing is moved for a task that
    /// stays on the first device. If nothing is known yet, each device has several parts, which others take over when they are done; not in a recursion, of which a small part has as many steps as a large one. There are at most half as many devices more than the last time. A device that was never measured is taken to be as fast as the average of the others.
    fn cut(&self, work: Work, devices: &[Standing], before: &[Part]) -> Vec<Part> {
        let Work { width, grain: _, has_threads, has_helper, is_uneven } = work;
        if has_helper {
            return helper::cut(work, devices, before);
        }
        // What is beyond was measured wrongly, and would overflow.
        let sane = |rate: f64| rate.clamp(1e-9, 1e18);
        let known: Vec<f64> = devices.iter().filter_map(|device| device.rate.map(sane)).collect();
        if known.is_empty() {
            let parts = work.divided(&vec![1.0; devices.len()]);
            return if is_uneven { parts } else { work.shrinking(parts) };
        }
        let usual = known.iter().sum::<f64>() / known.len() as f64;
        let rates: Vec<f64> = devices.iter().map(|device| device.rate.map_or(usual, sane)).collect();
        let mut order: Vec<usize> = (0..devices.len()).collect();
        order.sort_by(|a, b| rates[*b].total_cmp(&rates[*a]));
        // How long the others keep the host busy depends on how many they are: of those who had no part, nothing newer is known than of those who had.
        let had_part = |device: usize| before.iter().any(|part| part.device == device);
        let delays = before.iter().map(|part| devices[part.device].delay);
        let (sum, longest_delay) =
            delays.fold((0.0, 0.0), |(sum, most), delay| (sum + delay, delay.max(most)));
        let delay = |device: usize| match before.len() < 2 || had_part(device) {
            true => devices[device].delay.max(0.0),
            false => sum / before.len() as f64,
        };
        let alone = |device: usize| {
            let moved = if device == 0 { 0.0 } else { delay(device) };
            width as f64 / rates[device] + moved
        };
        let best = order.iter().copied().min_by(|a, b| alone(*a).total_cmp(&alone(*b))).unwrap_or(0);
        let (mut chosen, mut end) = (vec![best], alone(best));
        let (mut rate, mut busy) = (0.0, 0.0);
        let most = if before.len() < 2 { order.len() } else { before.len() + before.len().div_ceil(2) };
        for count in 1..=order.len().min(most) {
            let device = order[count - 1];
            rate += rates[device];
            // Threads are busy at the same time.
            busy = if has_threads { delay(device).max(busy) } else { delay(device) + busy };
            if count > 1 && busy + width as f64 / rate < end {
                (chosen, end) = (order[..count].to_vec(), busy + width as f64 / rate);
            }
        }
        // Rows that change their device have to be moved.
        let time = |part: &Part| (part.rows.end - part.rows.start) as f64 / rates[part.device];
        let longest = before.iter().map(time).fold(0.0, f64::max);
        let is_good = match before {
            [] => false,
            [part] => longest + if part.device == 0 { 0.0 } else { delay(part.device) } <= KEPT * end,
            _ => longest + if has_threads { longest_delay } else { sum } <= KEPT * end,
        };
        if is_good && !is_uneven {
            return before.to_vec();
        }
        // What an earlier process measured does not say which of two like devices is faster, nor what all its tasks took. The fastest comes first, the slowest last.
        let like = if is_uneven { ALIKE_UNEVEN } else { ALIKE };
        let are_alike =
            (before.is_empty() || is_uneven) && rates[chosen[0]] <= like * rates[chosen[chosen.len() - 1]];
        let weight = |device: usize| match chosen.contains(&device) {
            true if are_alike => 1.0,
            true => rates[device],
            false => 0.0,
        };
        work.divided(&(0..devices.len()).map(weight).collect::<Vec<f64>>())
    }
}

pub struct Recorded;

impl Policy for Recorded {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn learns(&self) -> bool {
        false
    }

    /// Whether there are threads, and how the task was cut before, depends on what was measured. A helper of which nothing was recorded has no trial, since nobody would learn from it.
    fn cut(&self, work: Work, devices: &[Standing], _before: &[Part]) -> Vec<Part> {
        if let (true, Some((Standing { rate: None, .. }, others))) = (work.has_helper, devices.split_last()) {
            return self.cut(Work { has_helper: false, ..work }, others, &[]);
        }
        match devices.iter().any(|device| device.rate.is_some()) {
            true => Finish.cut(Work { has_threads: false, ..work }, devices, &[]),
            false => work.divided(&vec![1.0; devices.len()]),
        }
    }
}

/// How much longer a task may take before cuts move.
pub(super) const KEPT: f64 = 1.05;
/// How much faster than another a device may seem that is as fast: measurements differ by so much.
const ALIKE: f64 = 1.1;
/// The same for a recursion, whose parts never take equally long.
const ALIKE_UNEVEN: f64 = 1.5;

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(rate: f64, delay: f64) -> Standing {
        Standing { rate: Some(rate), delay }
    }

    fn rows(parts: &[Part], devices: usize) -> Vec<u64> {
        let mut rows = vec![0; devices];
        parts.iter().for_each(|part| rows[part.device] += part.rows.end - part.rows.start);
        rows
    }

    /// Whatever is known of devices, and however many there are.
    #[test]
    fn parts_cover_all_rows_and_none_is_empty() {
        let random = Random::default();
        let policies: [&dyn Policy; 6] = [
            &Finish,
            &Recorded,
            &Affinity,
            &random,
            &Static { weights: vec![] },
            &Static { weights: vec![0.0, 3.5, 1e-9] },
        ];
        let rates = [None, Some(1e-300), Some(1.0), Some(1e9), Some(1e300)];
        for policy in policies {
            for width in [0, 1, 2, 7, 1 << 20, 1 << 50] {
                for count in [1, 2, 3, 17, 1024] {
                    for seed in 0..5 {
                        let device = |at: usize| Standing {
                            rate: rates[(at * 7 + seed) % rates.len()],
                            delay: ((at + seed) % 3) as f64 * 1e-3,
                        };
                        let devices: Vec<Standing> = (0..count).map(device).collect();
                        let parts = policy.cut(Work::of(width), &devices, &[]);
                        assert!(
                            parts.iter().all(|part| part.rows.start < part.rows.end),
                            "{}",
                            policy.name()
                        );
                        let mut next = 0;
                        for part in &parts {
                            assert_eq!(part.rows.start, next);
                            next = part.rows.end;
                        }
                        assert_eq!(next, width, "{} of {count}", policy.name());
                    }
                }
            }
        }
    }

    #[test]
    fn all_are_done_at_the_same_time() {
        let parts = Finish.cut(Work::of(4000), &[standing(3.0, 0.0), standing(1.0, 0.0)], &[]);
        assert_eq!(rows(&parts, 2), [3000, 1000]);
        let parts =
            Finish.cut(Work::of(4000), &[standing(3.0, 0.0), standing(1.0, 0.0), Standing::default()], &[]);
        assert_eq!(rows(&parts, 3), [2000, 667, 1333]);
    }

    #[test]
    fn what_is_done_sooner_on_fewer_devices_is() {
        let devices = [standing(1e6, 0.0), standing(1e6, 2e-3), standing(1e3, 1e-2)];
        assert_eq!(rows(&Finish.cut(Work::of(1000), &devices, &[]), 3), [1000, 0, 0]);
        assert_eq!(rows(&Finish.cut(Work::of(100_000), &devices, &[]), 3), [50_000, 50_000, 0]);
    }

    /// Each device keeps a thread of its own busy.
    #[test]
    fn threads_of_the_host_wait_for_none_of_the_others() {
        let devices = [standing(1e6, 2e-3); 4];
        let before = [0..1, 1..2, 2..3, 3..8000].into_iter().enumerate();
        let before: Vec<Part> = before.map(|(device, rows)| Part { device, rows }).collect();
        let used = |has_threads: bool| {
            let parts = Finish.cut(Work { has_threads, ..Work::of(8000) }, &devices, &before);
            rows(&parts, 4).into_iter().filter(|rows| *rows > 0).count()
        };
        assert_eq!((used(false), used(true)), (1, 4));
    }

    #[test]
    fn cuts_stay_while_that_costs_little() {
        let before = Finish.cut(Work::of(1000), &[standing(1.0, 0.0); 2], &[]);
        assert_eq!(Finish.cut(Work::of(1000), &[standing(1.0, 0.0), standing(1.03, 0.0)], &before), before);
        assert_ne!(Finish.cut(Work::of(1000), &[standing(1.0, 0.0), standing(1.5, 0.0)], &before), before);
    }

    /// A group of threads that has fewer rows than others takes as long.
    #[test]
    fn parts_begin_at_multiples_of_the_grain() {
        let known = [[None, None], [Some(1.0), Some(1.0)], [Some(1.0), Some(2.1)]];
        // Of the last group, 104 and 60 rows.
        for (known, width) in known.into_iter().flat_map(|known| [(known, 1000), (known, 700)]) {
            let work = Work { grain: 128, ..Work::of(width) };
            let devices = known.map(|rate| Standing { rate, delay: 0.0 });
            for policy in [&Finish as &dyn Policy, &Affinity, &Static { weights: vec![2.0, 1.0] }] {
                let parts = policy.cut(work, &devices, &[]);
                assert!(parts.iter().all(|part| part.rows.start % 128 == 0), "{} {parts:?}", policy.name());
                assert!(parts.len() > 1 && parts.last().is_some_and(|part| part.rows.end == width));
            }
        }
        assert_eq!(Finish.cut(Work { grain: 128, ..Work::of(100) }, &[Standing::default(); 2], &[]).len(), 1);
    }

    /// However the task was cut before, and whoever serves the devices.
    #[test]
    fn what_was_recorded_is_cut_in_the_same_way_each_time() {
        let devices = [standing(3.0, 0.0), standing(1.0, 0.0)];
        let parts = Recorded.cut(Work::of(4000), &devices, &[]);
        assert_eq!(rows(&parts, 2), [3000, 1000]);
        let before = [Part { device: 1, rows: 0..4000 }];
        assert_eq!(Recorded.cut(Work { has_threads: true, ..Work::of(4000) }, &devices, &before), parts);
        assert_eq!(rows(&Recorded.cut(Work::of(10), &[Standing::default(); 2], &before), 2), [5, 5]);
        let work = Work { has_helper: true, ..Work::of(4000) };
        assert_eq!(rows(&Recorded.cut(work, &devices, &before), 2), [3000, 1000]);
        let trials = [standing(3.0, 0.0), Standing::default()];
        assert_eq!(rows(&Recorded.cut(Work { width: 128_000, ..work }, &trials, &[]), 2), [128_000, 0]);
        assert_eq!(rows(&Recorded.cut(work, &[Standing::default(); 2], &[]), 2), [4000, 0]);
        assert!(!Recorded.can_steal() && !Recorded.learns());
    }

    #[test]
    fn parts_go_where_their_operands_are() {
        let mut parts = Affinity.cut(Work::of(30), &[Standing::default(); 3], &[]);
        let present = [vec![0, 0, 8], vec![9, 0, 9], vec![5, 5, 5]].map(Present);
        Affinity.assign(&mut parts, &present);
        assert_eq!(parts.iter().map(|part| part.device).collect::<Vec<usize>>(), [2, 0, 1]);
    }

    #[test]
    fn a_recursion_is_cut_once_for_each_device() {
        let work = Work { is_uneven: true, ..Work::of(4000) };
        let of = |known: [Option<f64>; 2], before: &[Part]| {
            let devices = known.map(|rate| Standing { rate, delay: 0.0 });
            let parts = Finish.cut(work, &devices, before);
            (parts.len(), rows(&parts, 2))
        };
        let before = Finish.cut(work, &[standing(3.0, 0.0), standing(1.0, 0.0)], &[]);
        assert_eq!(rows(&before, 2), [3000, 1000], "devices that differ so much are not alike");
        for known in [[None, None], [Some(1.4), Some(1.0)]] {
            assert_eq!(of(known, &[]), (2, vec![2000, 2000]));
            assert_eq!(of(known, &before), (2, vec![2000, 2000]));
        }
    }

    #[test]
    fn policies_have_names() {
        for name in ["finish", "recorded", "affinity", "random", "static", "static:3+1"] {
            let policy = policy_named(name).expect("a policy");
            assert!(name.starts_with(policy.name()));
        }
        for name in ["", "static:", "static:0+0", "static:-1+2", "static:inf", "fast"] {
            assert!(policy_named(name).is_none(), "{name}");
        }
        let parts =
            policy_named("static:3+1").expect("a policy").cut(Work::of(8), &[Standing::default(); 2], &[]);
        assert_eq!(rows(&parts, 2), [6, 2]);
    }
}

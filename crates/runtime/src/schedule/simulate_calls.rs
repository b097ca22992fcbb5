//! Calls on virtual time: a GPU and the processor beside it, that are only numbers, make calls of programs with one task of some kind. Who makes a call, and how a task is cut, is decided as it is
//! for real devices (`calls`, `helper`).
//!
//! What a kind of task costs besides its rows is known: how often the rows are gone through, what all devices have to have, and what it takes to join what parts have made. So this shows that
//! no call takes much longer beside the processor than without it, whatever a program does, and however large it is.

use super::simulate::Mock;
use super::{Call, Calls, Finish, Part, Policy, Rates, SizedTask, Standing, Who, Work};

/// A program with one task.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static str,
    /// How many rows there are for so many elements, which are what a program is called with.
    pub rows: fn(f64) -> f64,
    /// The work of a row, for so many elements in all, alone and where parts are done apart: scans read twice then.
    pub work: fn(f64) -> f64,
    pub work_apart: f64,
    /// Bytes that arrive for a row, that all devices need whatever they do, and that are results.
    pub row_bytes: fn(f64) -> f64,
    pub whole_bytes: fn(f64) -> f64,
    pub result_bytes: fn(f64) -> f64,
    /// Bytes that go from one device to the other when parts are joined, if one has done everything and the other is to have it.
    pub join_bytes: fn(f64) -> f64,
    /// Launches of one device.
    pub launches: f64,
}

/// What calls work on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    pub gpu: Mock,
    pub processor: Mock,
    /// Seconds of the host to plan a task, to have threads begin, and to look up who has what.
    pub planning: f64,
    /// Whether the GPU has what a call is made with, and keeps its results; else the host has it, and gets these.
    pub is_resident: bool,
}

/// What calls have taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taken {
    pub all: f64,
    /// The fastest of the last few: one of them may be a trial.
    pub usual: f64,
    /// A call by the GPU alone.
    pub alone: f64,
}

/// Makes so many calls, with what is known of those before.
pub fn simulate_calls(
    setting: Setting,
    kind: Kind,
    elements: f64,
    count: usize,
    calls: &mut Calls,
    rates: &mut Rates,
) -> Taken {
    let call = Call { key: elements.to_bits(), has_peers: false, is_small: elements < 4096.0 };
    let (alone, arrival) = alone(setting, kind, elements);
    let mut taken = Taken { all: 0.0, usual: f64::INFINITY, alone };
    for number in 0..count {
        let who = calls.choose(call);
        let time = match who {
            Some(Who::All) => shared(setting, kind, elements, rates),
            Some(Who::First) | None => alone,
        };
        who.into_iter().for_each(|who| calls.note(call.key, who, time, arrival));
        taken.all += time;
        if number + 3 >= count {
            taken.usual = taken.usual.min(time);
        }
    }
    taken
}

/// What the GPU takes alone, and how much of that until it has what it needs.
fn alone(Setting { gpu, is_resident, .. }: Setting, kind: Kind, elements: f64) -> (f64, f64) {
    let rows = (kind.rows)(elements);
    let copied = |bytes: f64| if is_resident { 0.0 } else { gpu.latency + bytes / gpu.bandwidth };
    let arrival = copied(rows * (kind.row_bytes)(elements) + (kind.whole_bytes)(elements));
    let work = rows * (kind.work)(elements) / gpu.speed + kind.launches * gpu.launch;
    (arrival + work + copied((kind.result_bytes)(elements)), arrival)
}

/// What all devices take, which learn from it.
fn shared(setting: Setting, kind: Kind, elements: f64, rates: &mut Rates) -> f64 {
    let Setting { gpu, processor, planning, is_resident } = setting;
    let rows = (kind.rows)(elements);
    let task = SizedTask::new(0, rows as u64);
    let standing = |device| Standing { rate: rates.rate(task, device), delay: rates.delay(task, device) };
    let standings: Vec<Standing> = (0..2).map(standing).collect();
    let work = Work { has_threads: true, has_helper: true, ..Work::of(rows as u64) };
    let parts = Finish.cut(work, &standings, rates.cuts(task, rows as u64));
    rates.note_cuts(task, &parts);
    let (mut longest, mut least_share) = (0.0_f64, 1.0_f64);
    for Part { device, rows: own } in &parts {
        let count = (own.end - own.start) as f64;
        let share = count / rows.max(1.0);
        let (mock, has_all) = if *device == 0 { (gpu, is_resident) } else { (processor, !is_resident) };
        let bytes = count * (kind.row_bytes)(elements) + (kind.whole_bytes)(elements);
        // Everything goes by the way between the GPU and the host.
        let moved = if has_all { 0.0 } else { gpu.latency + bytes / gpu.bandwidth };
        let results = share * (kind.result_bytes)(elements) / gpu.bandwidth;
        let moved = moved + if has_all { 0.0 } else { results };
        let work = count * (kind.work)(elements) * kind.work_apart / mock.speed;
        let time = moved + work + kind.launches * mock.launch;
        rates.note_with_moves(task, *device, count as u64, time);
        (longest, least_share) = (longest.max(time), least_share.min(share));
    }
    let joined = match parts.len() > 1 {
        true => least_share * (kind.join_bytes)(elements) / gpu.bandwidth + gpu.latency,
        false => 0.0,
    };
    planning + longest + joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: f64) -> f64 {
        0.0
    }

    fn same(elements: f64) -> f64 {
        elements
    }

    /// What there is no other line for.
    const MAP: Kind = Kind {
        name: "map",
        rows: same,
        work: |_| 1.0,
        work_apart: 1.0,
        row_bytes: |_| 4.0,
        whole_bytes: none,
        result_bytes: |elements| 4.0 * elements,
        join_bytes: none,
        launches: 1.0,
    };

    const KINDS: [Kind; 7] = [
        MAP,
        Kind { name: "sum", result_bytes: |_| 4.0, launches: 2.0, ..MAP },
        Kind {
            name: "histogram",
            work: |_| 4.0,
            result_bytes: |_| 8e3,
            join_bytes: |_| 1.6e4,
            launches: 2.0,
            ..MAP
        },
        // What parts have kept is copied twice.
        Kind {
            name: "filter",
            work_apart: 2.0,
            result_bytes: |elements| 2.0 * elements,
            join_bytes: |elements| 2.0 * elements,
            launches: 3.0,
            ..MAP
        },
        Kind { name: "scan", work: |_| 2.0, work_apart: 2.0, ..MAP },
        Kind {
            name: "sort",
            work: |_| 64.0,
            work_apart: 1.2,
            join_bytes: |elements| 4.0 * elements,
            launches: 8.0,
            ..MAP
        },
        Kind {
            name: "matmul",
            rows: f64::sqrt,
            work: |elements| 2.0 * elements,
            row_bytes: |elements| 4.0 * elements.sqrt(),
            whole_bytes: |elements| 4.0 * elements,
            ..MAP
        },
    ];

    /// A GPU that computes a hundred times as fast as the processor; copies are from memory as it is, or that is pinned.
    fn settings() -> Vec<Setting> {
        let processor = Mock { speed: 1e10, launch: 5e-6, latency: 0.0, bandwidth: 1e11 };
        let mut settings = Vec::new();
        for bandwidth in [2.5e10, 5.5e10] {
            let gpu = Mock { speed: 1e12, launch: 5e-6, latency: 1e-5, bandwidth };
            for is_resident in [false, true] {
                settings.push(Setting { gpu, processor, planning: 6e-5, is_resident });
            }
        }
        settings
    }

    /// At any size, of any kind, wherever the data is: also with the trials that it takes to find that out.
    #[test]
    fn beside_the_processor_nothing_takes_longer_than_with_the_gpu_alone() {
        for setting in settings() {
            for kind in KINDS {
                for elements in (0..=8).map(|digits| 10f64.powi(digits)) {
                    let (mut calls, mut rates) = (Calls::default(), Rates::default());
                    let taken = simulate_calls(setting, kind, elements, 500, &mut calls, &mut rates);
                    let what = format!("{} of {elements}, {setting:?}: {taken:?}", kind.name);
                    assert!(taken.all <= 1.03 * 500.0 * taken.alone, "{what}");
                    assert!(taken.usual <= 1.03 * taken.alone, "{what}");
                    // The next process knows it.
                    let mut calls = Calls::from_text(&calls.to_text());
                    let mut rates = Rates::from_text(&rates.to_text());
                    let next = simulate_calls(setting, kind, elements, 3, &mut calls, &mut rates);
                    assert!(next.all <= 1.03 * 3.0 * next.alone, "{what}, then {next:?}");
                }
            }
        }
    }

    #[test]
    fn where_copies_are_the_limit_the_processor_helps() {
        for setting in settings().into_iter().filter(|setting| !setting.is_resident) {
            for kind in KINDS.into_iter().filter(|kind| ["map", "sum", "histogram"].contains(&kind.name)) {
                let (mut calls, mut rates) = (Calls::default(), Rates::default());
                let taken = simulate_calls(setting, kind, 1e8, 50, &mut calls, &mut rates);
                assert!(taken.usual < 0.9 * taken.alone, "{}: {taken:?}", kind.name);
            }
        }
    }
}

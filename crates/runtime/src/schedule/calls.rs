//! Whether a call of an entry point is made with all devices, or with the first one alone.
//!
//! A program for several devices plans tasks, looks up who has what, and joins what parts have made. Where a device is done in microseconds, that takes longer than all that others could do for it.
//! So there is the same program for the first device alone, too, and each call is made by one of the two: small ones by one device, with the launches and waits that it has there, and others by whoever was faster. What counts is how long
//! whole calls took, with all copies and joins, and not how long they should take.
//!
//! Calls are distinguished by their entry point and by how large their arguments are (`Call::key`), and what they took is kept from run to run. What was never tried is tried ([`Calls::choose`]):
//!
//! - not at all, if the first device alone takes less than [`LEAST`];
//! - at once, if other devices are of the same kind, or if arguments take much of the time to arrive, which is when the processor can help a GPU;
//! - else when a trial costs no more than a small part of the time that such calls have taken already ([`BUDGET`]). What was slower is tried again in the same who, with a smaller part.

use std::collections::BTreeMap;
use std::fmt::Write;

/// In seconds: what one device does in less, no other can help it with.
pub const LEAST: f64 = 1e-4;
/// What trials may cost, relative to all calls; and those of what was slower before.
const BUDGET: f64 = 0.03;
const BUDGET_AGAIN: f64 = 0.01;
/// How much of a call arguments have to take to arrive, so that it pays to read them where they are.
const ARRIVAL: f64 = 0.3;
/// How many times longer a call may take with all devices, and how many seconds more, when that was never tried.
const WORST: f64 = 3.0;
const WORST_MORE: f64 = 1e-3;
/// What the time with all devices has to be, relative to that of one alone.
const WORTH: f64 = 0.97;
/// So many calls show what they take: the first may have to compile, and with all devices rates have to become known.
const ENOUGH_ALONE: usize = 2;
const ENOUGH_SHARED: usize = 5;
/// As many seconds as nobody waits, in place of the time of calls that fail.
const NEVER_DONE: f64 = 1e9;
/// How many times longer calls take that are bad.
const BAD: f64 = 1.5;
/// So many calls fewer are enough where they are bad.
const FEWER: usize = 3;
/// Of so many calls, the one in the middle counts: the fastest would speak for who is fast by chance.
const RECENT: usize = 5;
/// A trial of less than so many seconds matters to nobody.
const NOTHING: f64 = 1e-3;

/// Who does what a call asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The first device, alone.
    First,
    /// All devices.
    All,
}

/// What is known of a call before it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// What it has in common with calls that take as long.
    pub key: u64,
    /// Whether another device is of the same kind as the first.
    pub has_peers: bool,
    /// Whether its arguments are so small that it may be over before the work is divided.
    pub is_small: bool,
}

/// What is known of calls.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calls {
    known: BTreeMap<u64, CallTimes>,
    /// Whether something was measured that the cache does not know.
    pub has_news: bool,
}

/// In seconds.
#[derive(Clone, PartialEq, Debug, Default)]
struct CallTimes {
    alone: Times,
    shared: Times,
    /// What arguments took to arrive, at the first device alone.
    arrival: f64,
    /// All calls since the last trial.
    spent: f64,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Times {
    /// The last is the newest.
    recent: Vec<f64>,
    count: usize,
}

impl Calls {
    /// Who makes a call; none: the first device, and nobody needs to know how long that takes.
    pub fn choose(&mut self, call: Call) -> Option<Who> {
        let known = self.known.entry(call.key).or_default();
        let who = known.choose(call);
        let is_short = known.alone.usual().is_some_and(|alone| alone < LEAST);
        let is_settled = who == Who::First && is_short && known.alone.count >= ENOUGH_ALONE;
        (!is_settled).then_some(who)
    }

    /// A call has taken them so many seconds, and so many of these until its arguments had arrived.
    pub fn note(&mut self, key: u64, who: Who, seconds: f64, arrival: f64) {
        if !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let known = self.known.entry(key).or_default();
        let best = known.alone().zip(known.shared()).map(|(alone, shared)| better(alone, shared));
        let own = match who {
            Who::First => &mut known.alone,
            Who::All => &mut known.shared,
        };
        // What is tried again is seen afresh.
        if best.is_some_and(|best| best != who) {
            own.recent.clear();
            known.spent = 0.0;
        }
        own.add(seconds);
        known.spent += seconds;
        if who == Who::First {
            known.arrival = arrival;
        }
        self.has_news = true;
    }

    /// All devices cannot make such calls: there is too little memory, or one of them fails. This is not kept for other processes, for which it may be otherwise.
    pub fn note_failed(&mut self, key: u64) {
        let known = self.known.entry(key).or_default();
        known.shared = Times { recent: vec![NEVER_DONE], count: ENOUGH_SHARED };
    }

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (key, CallTimes { alone, shared, arrival, spent: _ }) in &self.known {
            let none = Times::default();
            let shared = if shared.usual() == Some(NEVER_DONE) { &none } else { shared };
            let time = |times: &Times| times.usual().unwrap_or(0.0);
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{key:x} {} {:e} {} {:e} {arrival:e}",
                alone.count,
                time(alone),
                shared.count,
                time(shared)
            );
        }
        text
    }

    /// What cannot be read is not known.
    pub fn from_text(text: &str) -> Calls {
        let line = |line: &str| {
            let mut words = line.split(' ');
            let key = u64::from_str_radix(words.next()?, 16).ok()?;
            let mut times = || {
                let (count, time): (usize, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                let is_fine = time.is_finite() && time >= 0.0;
                is_fine.then(|| Times { recent: if count > 0 { vec![time] } else { Vec::new() }, count })
            };
            let (alone, shared) = (times()?, times()?);
            let arrival: f64 = words.next()?.parse().ok()?;
            Some((key, CallTimes { alone, shared, arrival, spent: 0.0 })).filter(|_| arrival.is_finite())
        };
        Calls { known: text.lines().filter_map(line).collect(), has_news: false }
    }
}

impl CallTimes {
    fn choose(&self, call: Call) -> Who {
        let may_cost = |seconds: f64| seconds <= BUDGET * self.spent;
        match (self.alone(), self.shared()) {
            (None, None) if call.has_peers && !call.is_small => Who::All,
            (None, None) => Who::First,
            (Some(alone), None) => {
                let has_begun = self.shared.count > 0;
                let promises = call.has_peers || self.arrival >= ARRIVAL * alone;
                let trial = ((WORST - 1.0) * alone + WORST_MORE) * ENOUGH_SHARED as f64;
                match alone >= LEAST && (has_begun || promises || may_cost(trial)) {
                    true => Who::All,
                    false => Who::First,
                }
            }
            (None, Some(shared)) => {
                let trial = shared * ENOUGH_ALONE as f64;
                match self.alone.count > 0 || shared <= NOTHING || may_cost(trial) {
                    true => Who::First,
                    false => Who::All,
                }
            }
            (Some(alone), Some(shared)) => {
                let best = better(alone, shared);
                let trial = (alone - shared).abs().max(BUDGET * alone);
                match alone >= LEAST && trial <= BUDGET_AGAIN * self.spent {
                    true if best == Who::First => Who::All,
                    true => Who::First,
                    false => best,
                }
            }
        }
    }

    /// What the first device takes, if it has been called often enough.
    fn alone(&self) -> Option<f64> {
        self.alone.usual().filter(|_| self.alone.count >= ENOUGH_ALONE)
    }

    /// What all devices take. Where that is much longer, fewer calls show it.
    fn shared(&self) -> Option<f64> {
        let is_bad =
            self.alone().zip(self.shared.least()).is_some_and(|(alone, shared)| shared > BAD * alone);
        let enough = if is_bad { ENOUGH_SHARED - FEWER } else { ENOUGH_SHARED };
        self.shared.usual().filter(|_| self.shared.count >= enough)
    }
}

fn better(alone: f64, shared: f64) -> Who {
    if shared < WORTH * alone { Who::All } else { Who::First }
}

impl Times {
    fn add(&mut self, seconds: f64) {
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(seconds);
        self.count = self.count.saturating_add(1);
    }

    /// Of two in the middle, the faster.
    fn usual(&self) -> Option<f64> {
        let mut sorted = self.recent.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len().saturating_sub(1) / 2).copied()
    }

    fn least(&self) -> Option<f64> {
        self.recent.iter().copied().min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELPED: Call = Call { key: 1, has_peers: false, is_small: false };

    /// Makes so many calls, which take so long in each of the two made, and arrive so long. How they were made.
    fn calls(calls: &mut Calls, call: Call, count: usize, alone: f64, shared: f64, arrival: f64) -> Vec<Who> {
        let make = |_| {
            let who = calls.choose(call);
            match who {
                Some(Who::All) => calls.note(call.key, Who::All, shared, 0.0),
                Some(Who::First) => calls.note(call.key, Who::First, alone, arrival),
                None => {}
            }
            who.unwrap_or(Who::First)
        };
        (0..count).map(make).collect()
    }

    fn shared(made: &[Who]) -> usize {
        made.iter().filter(|who| **who == Who::All).count()
    }

    #[test]
    fn what_is_short_is_never_tried() {
        let mut known = Calls::default();
        assert_eq!(shared(&calls(&mut known, HELPED, 100_000, 5e-5, 1e-5, 4e-5)), 0);
        assert_eq!(known.choose(HELPED), None, "nobody measures it");
    }

    #[test]
    fn what_promises_is_tried_at_once_and_kept_if_it_is_faster() {
        let mut known = Calls::default();
        let made = calls(&mut known, HELPED, 200, 1e-2, 7e-3, 5e-3);
        assert_eq!(made[..2], [Who::First; 2]);
        assert!(shared(&made) > 190, "{made:?}");
        let made = calls(&mut Calls::default(), HELPED, 50, 1e-2, 1.7e-2, 5e-3);
        assert_eq!(shared(&made), 2, "a bad trial ends soon");
    }

    #[test]
    fn what_promises_nothing_is_tried_when_that_costs_little() {
        let mut known = Calls::default();
        let made = calls(&mut known, HELPED, 1000, 1e-2, 5e-3, 0.0);
        let first = made.iter().position(|who| *who == Who::All);
        assert!(first.is_some_and(|first| (200..500).contains(&first)), "{first:?}");
        assert!(shared(&made) > 500);
    }

    #[test]
    fn devices_of_one_kind_share_at_first() {
        let alike = Call { has_peers: true, ..HELPED };
        let made = calls(&mut Calls::default(), alike, 200, 2e-2, 1e-2, 0.0);
        assert_eq!(made[..5], [Who::All; 5]);
        assert!(shared(&made) > 190);
        let made = calls(&mut Calls::default(), alike, 200, 2e-5, 1e-4, 0.0);
        assert_eq!(shared(&made), 5);
        let small = Call { is_small: true, ..alike };
        assert_eq!(shared(&calls(&mut Calls::default(), small, 200, 2e-5, 1e-4, 0.0)), 0);
        assert!(shared(&calls(&mut Calls::default(), small, 200, 2e-2, 1e-2, 0.0)) > 190);
    }

    /// Whatever the two made take: trials cost little, over many calls.
    #[test]
    fn trials_cost_little() {
        for alone in [1e-6, 1e-4, 1e-3, 1.0] {
            for slower in [0.1, 0.5, 0.9, 1.0, 1.1, 1.7, 3.0] {
                for arrival in [0.0, 0.5] {
                    let made =
                        calls(&mut Calls::default(), HELPED, 1000, alone, slower * alone, arrival * alone);
                    let times = shared(&made);
                    let all = times as f64 * slower + (1000 - times) as f64;
                    assert!(all <= 1030.0, "{alone} {slower} {arrival}: {all}");
                }
            }
        }
    }

    #[test]
    fn what_has_changed_is_found_out() {
        let mut known = Calls::default();
        calls(&mut known, HELPED, 100, 1e-2, 2e-2, 9e-3);
        let made = calls(&mut known, HELPED, 2000, 1e-2, 5e-3, 9e-3);
        assert!(shared(&made) > 1000, "{}", shared(&made));
    }

    #[test]
    fn what_is_known_is_kept_as_text() {
        let mut known = Calls::default();
        calls(&mut known, HELPED, 20, 1e-2, 2e-2, 5e-3);
        let mut again = Calls::from_text(&known.to_text());
        assert_eq!(again.to_text(), known.to_text());
        assert_eq!(shared(&calls(&mut again, HELPED, 20, 1e-2, 2e-2, 5e-3)), 0);
        assert_eq!(Calls::from_text("1 2\nx\n1 1 inf 0 0 0\n1 1 -1 0 0 0\n"), Calls::default());
    }
}

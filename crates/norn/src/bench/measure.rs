//! How often something is run until its time is known.

use super::stats::summarise;
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Exactly so many runs are measured, whatever they take.
    pub runs: Option<usize>,
    /// How long it is run before times count, though never less than once.
    pub warm_up: Duration,
    /// After so many runs and so much time the interval may be narrow enough.
    pub least_runs: usize,
    /// More runs than these tell nothing new.
    pub most_runs: usize,
    pub least_time: Duration,
    /// Half the width of the interval, in relation to the median, that is narrow enough.
    pub precision: f64,
    /// It is not run for longer than this, though at least once.
    pub budget: Duration,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            runs: None,
            warm_up: Duration::from_millis(200),
            least_runs: 10,
            most_runs: 100_000,
            least_time: Duration::from_millis(500),
            precision: 0.01,
            budget: Duration::from_secs(5),
        }
    }
}

impl Plan {
    /// Runs until the time is known. `run` returns how long it took; `progress` gets the share
    /// of the work is done, as far as one can know. The times are in microseconds.
    pub fn measure<E>(
        &self,
        mut run: impl FnMut() -> Result<Duration, E>,
        mut progress: impl FnMut(f64),
    ) -> Result<Vec<f64>, E> {
        // Of very short runs, what lies between them takes longer.
        let begin = Instant::now();
        let mut warm = run()?;
        while warm.max(begin.elapsed()) < self.warm_up {
            warm += run()?;
        }
        let begin = Instant::now();
        let mut times = Vec::new();
        let mut total = Duration::ZERO;
        // The interval takes a look at all times: not after every run.
        let mut next_look = self.least_runs;
        loop {
            let looks = times.len() >= next_look && total.max(begin.elapsed()) >= self.least_time;
            if self.is_enough(&times, total.max(begin.elapsed()), looks) {
                break;
            }
            if looks {
                next_look = times.len() + times.len() / 20 + 1;
            }
            let time = run()?;
            total += time;
            times.push(time.as_secs_f64() * 1e6);
            progress(self.share_done(times.len(), total));
        }
        Ok(times)
    }

    fn is_enough(&self, times: &[f64], total: Duration, looks: bool) -> bool {
        if let Some(runs) = self.runs {
            return times.len() >= runs;
        }
        if times.is_empty() {
            return false;
        }
        if total >= self.budget || times.len() >= self.most_runs {
            return true;
        }
        let is_narrow = || summarise(times).is_some_and(|summary| summary.uncertainty() <= self.precision);
        looks && is_narrow()
    }

    fn share_done(&self, runs: usize, total: Duration) -> f64 {
        let share = match self.runs {
            Some(expected) => runs as f64 / expected.max(1) as f64,
            None => total.as_secs_f64() / self.budget.as_secs_f64().max(f64::MIN_POSITIVE),
        };
        share.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often something with these times in milliseconds, over and over, is run and measured.
    fn counts(plan: &Plan, milliseconds: &[u64]) -> (usize, usize) {
        let mut runs = 0;
        let measured = plan.measure::<()>(
            || {
                runs += 1;
                Ok(Duration::from_millis(milliseconds[runs % milliseconds.len()]))
            },
            |share| assert!((0.0..=1.0).contains(&share)),
        );
        (runs, measured.unwrap().len())
    }

    #[test]
    fn steady_work_is_run_until_the_least_time() {
        assert_eq!(counts(&Plan::default(), &[100]), (2 + 10, 10));
        assert_eq!(counts(&Plan::default(), &[10]), (20 + 50, 50));
    }

    #[test]
    fn unsteady_work_is_run_until_the_budget() {
        assert_eq!(counts(&Plan::default(), &[100, 200]).1, 34);
    }

    #[test]
    fn long_work_is_run_once() {
        assert_eq!(counts(&Plan::default(), &[60_000]), (2, 1));
    }

    #[test]
    fn the_number_of_runs_can_be_given() {
        let plan = Plan { runs: Some(3), ..Plan::default() };
        assert_eq!(counts(&plan, &[60_000, 1]).1, 3);
        assert_eq!(counts(&Plan { runs: Some(0), ..plan }, &[1000]), (1, 0));
    }

    #[test]
    fn runs_that_take_no_time_come_to_an_end() {
        let plan = Plan { warm_up: Duration::from_millis(1), ..Plan::default() };
        let times = plan.measure::<()>(|| Ok(Duration::ZERO), |_| ()).unwrap();
        assert!((plan.least_runs..=plan.most_runs).contains(&times.len()));
    }

    #[test]
    fn a_failure_ends_it() {
        let mut runs = 0;
        let mut run = || {
            runs += 1;
            if runs < 5 { Ok(Duration::from_millis(100)) } else { Err("no") }
        };
        assert_eq!(Plan::default().measure(&mut run, |_| ()), Err("no"));
    }
}

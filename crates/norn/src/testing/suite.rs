//! Many programs at once.

use super::isolate::{ProgramReport, run_isolated};
use crate::child::ChildCommand;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Tests programs, `jobs` at a time, each in a process that `child` starts. Reports are handed to
/// `done` in the order of the programs, as soon as those before them are there; `progress` is notified
/// of each program that is finished.
pub fn run_suite(
    programs: &[PathBuf],
    child: &ChildCommand,
    jobs: usize,
    timeout: Option<Duration>,
    progress: &(dyn Fn(&ProgramReport) + Sync),
    done: &mut (dyn FnMut(ProgramReport) + Send),
) {
    let next = AtomicUsize::new(0);
    let ordered = Mutex::new(Ordered { waiting: programs.iter().map(|_| None).collect(), next: 0, done });
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, programs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(number) else { break };
                    let report = run_isolated(child, program, timeout);
                    progress(&report);
                    // A reporter that panicked is no reason not to test the rest.
                    ordered.lock().unwrap_or_else(|e| e.into_inner()).add(number, report);
                }
            });
        }
    });
}

/// Reports that wait for those before them.
struct Ordered<'a> {
    waiting: Vec<Option<ProgramReport>>,
    /// The first that was not handed out.
    next: usize,
    done: &'a mut (dyn FnMut(ProgramReport) + Send),
}

impl Ordered<'_> {
    fn add(&mut self, number: usize, report: ProgramReport) {
        self.waiting[number] = Some(report);
        while let Some(report) = self.waiting.get_mut(self.next).and_then(Option::take) {
            self.next += 1;
            (self.done)(report);
        }
    }
}

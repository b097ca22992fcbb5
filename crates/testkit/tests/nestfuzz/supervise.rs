//! Starts the workers and watches over them. A worker that dies, or is at one program for too long, has found a bug, too: the
//! program that it was at is all that is known of it. If the search goes on after bugs, another worker takes its place.

use super::{PROGRAM_LIMIT, REDUCE_LIMIT, bugs, current, folder, list_bug};
use norn_testkit::Verdict;
use norn_testkit::fuzzing::{goes_on, gpu, number, seed, workers};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

struct Running {
    worker: u64,
    /// How many have had this place before.
    life: u64,
    child: Child,
}

pub fn fuzz() -> Verdict {
    fs::create_dir_all(folder()).map_err(|e| e.to_string())?;
    // One that is asked for and not there is reported at once, and not by each worker.
    gpu();
    let seconds = number("NORN_FUZZ_SECONDS").unwrap_or(5);
    println!("NORN_FUZZ_SEED={} for {seconds} s", seed());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut running = Vec::new();
    for worker in 0..workers() {
        let _ = fs::remove_file(bugs(worker));
        running.push(start(worker, 0, end).map_err(|e| e.to_string())?);
    }
    watch(&mut running, end);
    for Running { child, .. } in &mut running {
        // One that has ended by itself cannot be stopped any more.
        let _ = child.kill();
        let _ = child.wait();
    }
    let found: String = (0..workers()).filter_map(|worker| fs::read_to_string(bugs(worker)).ok()).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// A worker that goes on until this time.
fn start(worker: u64, life: u64, end: Instant) -> io::Result<Running> {
    // One from an earlier run would look like a program that takes very long.
    let _ = fs::remove_file(current(worker));
    let seconds = end.saturating_duration_since(Instant::now()).as_secs();
    let mut command = Command::new(env::current_exe()?);
    command.env("NORN_FUZZ_WORKER", worker.to_string());
    command.env("NORN_FUZZ_LIFE", life.to_string()).env("NORN_FUZZ_SECONDS", seconds.to_string());
    Ok(Running { worker, life, child: command.spawn()? })
}

/// Waits for all workers to end, or for the first that fails.
fn watch(running: &mut Vec<Running>, end: Instant) {
    let deadline = end + PROGRAM_LIMIT + REDUCE_LIMIT;
    while !running.is_empty() {
        let mut i = 0;
        while let Some(Running { worker, life, child }) = running.get_mut(i) {
            let is_late = Instant::now() > deadline || is_stuck(*worker);
            match child.try_wait() {
                Ok(Some(status)) if status.success() => drop(running.swap_remove(i)),
                Ok(None) if !is_late => i += 1,
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    let at = fs::read_to_string(current(*worker)).unwrap_or_default();
                    let how = if is_late { "did not end" } else { "failed" };
                    list_bug(*worker, &format!("worker {worker} {how} at NORN_FUZZ_PROGRAM={at}"));
                    let Some(next) = start(*worker, *life + 1, end).ok().filter(|_| goes_on()) else {
                        return;
                    };
                    running[i] = next;
                }
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn is_stuck(worker: u64) -> bool {
    let changed = fs::metadata(current(worker)).and_then(|m| m.modified());
    changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > PROGRAM_LIMIT + REDUCE_LIMIT))
}

//! The host waits once for all that it reads between two launches.
//!
//! ```text
//! sum: f64 = read.f64(sums, 0)              sum: f64 = read.f64(sums, 0)
//! release(sums_block)                ==>    least: f64 = read.f64(leasts, 0)      // emitted with the one before as one request
//! least: f64 = read.f64(leasts, 0)          release(sums_block)
//! ```
//!
//! A read moves up to the one before it, and checks between them move along: a check that failed on the device is reported before one that fails on the host, whoever finds out first; reads that follow each other are one request of the device (`norn_emit`, `device_read_all`). Each wait takes as long as a kernel
//! over a hundred thousand elements.
//!
//! Needs and gives: a valid program of a device and its host. Keeps: what is read, and the order of everything else. Refuses: reads between which the host launches, branches, or
//! computes where the second one is from what the first one has read.
//! Cost: linear, times the reads that follow each other.

use crate::motion::{is_check, join_neighbours, may_be_crossed, move_along, moved_along};
use norn_ir::imp::{DeviceStmt, Prog, Stmt};

pub fn reads(prog: &mut Prog) {
    let is_read = |stmt: &Stmt| matches!(stmt, Stmt::Device(DeviceStmt::Read { .. }));
    let is_crossed = |stmt: &Stmt| may_be_crossed(stmt) || is_check(stmt);
    join_neighbours(prog, is_read, is_crossed, &mut |done, first, read| {
        let moved = first.and_then(|at| Some((at, moved_along(&done[at..], &read)?)));
        let place = moved.map_or(done.len(), |(at, moved)| move_along(done, at, &moved) + 1);
        done.insert(place, read);
        place
    });
}

//! Scans in a grid.
//!
//! In one launch if the lambda does not take long: chunks are small pieces, started in order. Each adds up its piece, waits
//! for the sum of all before it, hands on its own, and then scans the piece, which is still in the cache:
//!
//! ```text
//! sum = reduce piece;  await flag[chunk - 1];  carry = sums[chunk - 1];  sums[chunk] = carry + sum;  signal flag[chunk]
//! scan piece from carry
//! ```
//!
//! Otherwise in two: chunks add up their parts, then the sums are added up, then chunks scan from there.
//!
//! Elements are computed twice if that is cheap. If not, they are stored in the output when they are added up, and scanned
//! from there.

use super::accs::{AccHome, Accs};
use super::launch::{Grid, Launch};
use super::outs::Out;
use super::sweep::{Pass, Scanned, Sweep, Vars, arrays_inside};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, LoopForm, Split, Stmt};

/// What the kernels of a scan are handed.
struct Scan<'a> {
    sweep: &'a Sweep<'a>,
    scanned: Vec<Vec<Option<Out>>>,
    outs: Vec<Out>,
    /// For each scan the sums of chunks.
    sums: Vec<Vec<Array>>,
    /// For each reduction the accumulators of chunks.
    partials: Vec<Vec<Array>>,
    /// Elements are stored when they are added up.
    stored: bool,
}

impl Gen<'_> {
    pub fn scan_in_grid(
        &mut self,
        sweep: &Sweep,
        vars: &Vars,
        scanned: &[Vec<Option<Out>>],
        outs: &[Out],
        width: &Exp,
        grid: &Grid,
    ) -> Vec<Accs> {
        let calls = sweep.has_calls();
        let chunks = if calls { self.chunks(grid, width) } else { self.pieces(grid, width, sweep.inputs) };
        let sums = sweep.scans.iter().map(|op| self.new_partials(&op.lambda, &chunks)).collect();
        let partials = sweep.reductions.iter().map(|op| self.new_partials(&op.lambda, &chunks)).collect();
        let stored = sweep.stores_scanned();
        let (scanned, outs) = (scanned.to_vec(), outs.to_vec());
        let scan = Scan { sweep, scanned, outs, sums, partials, stored };
        if calls {
            self.scan_in_two(&scan, width, &chunks, grid);
        } else {
            self.scan_in_order(&scan, width, &chunks, grid);
        }
        self.combine_partials(sweep, vars, &scan.partials, &chunks)
    }

    fn scan_in_order(&mut self, scan: &Scan, width: &Exp, chunks: &Exp, grid: &Grid) {
        let flags = self.zeros("flags", chunks.clone());
        let mut extra = scan.reprs();
        extra.extend([Repr::Array(flags), Repr::Scalar(chunks.clone())]);
        let (width, chunks) = (width.clone(), chunks.clone());
        let launch = Launch { name: scan.sweep.name, width, chunks, split: Split::Ordered };
        self.launch(grid, launch, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let scan = scan.inside(&mut given);
            let (Some(Repr::Array(flags)), Some(Repr::Scalar(chunks))) = (given.next(), given.next()) else {
                panic!("imp_gen: a scan was handed to a kernel as something else")
            };
            let [chunk, from, to] = [kernel.chunk, kernel.from, kernel.to].map(Exp::Var);
            let sums = this.neutral_scans(&scan);
            let reductions = this.neutral_reductions(&scan);
            let others_wait = this.code.bind("others_wait", chunk.clone().add(1).lt(chunks));
            if scan.stored {
                this.first_pass(&scan, &sums, &reductions, &from, &to);
            } else {
                this.code.open();
                this.first_pass(&scan, &sums, &reductions, &from, &to);
                let block = this.code.close();
                this.code.when(others_wait, block);
            }
            let carries = this.neutral_scans(&scan);
            this.code.open();
            let before = chunk.clone().sub(1);
            this.code.push(Stmt::Await { ptr: flags.data.ptr.clone(), index: before.clone() });
            for (carry, sums) in carries.iter().zip(&scan.sums) {
                let values = this.partial_at(sums, &before);
                this.set_accs(carry, &values);
            }
            let block = this.code.close();
            this.code.when(chunk.clone().gt(0), block);

            let next = this.neutral_scans(&scan);
            this.code.open();
            for (at, op) in scan.sweep.scans.iter().enumerate() {
                this.set_accs(&next[at], &carries[at].values());
                this.combine(&op.lambda, &next[at], &sums[at].values(), &[]);
                this.store_partial(&scan.sums[at], &chunk, &next[at].values());
            }
            this.code.push(Stmt::Signal { ptr: flags.data.ptr.clone(), index: chunk.clone() });
            let block = this.code.close();
            this.code.when(others_wait, block);
            this.second_pass(&scan, &carries, &reductions, &from, &to);
            this.store_reductions(&scan, &chunk, &reductions);
        });
    }

    fn scan_in_two(&mut self, scan: &Scan, width: &Exp, chunks: &Exp, grid: &Grid) {
        let name = scan.sweep.name;
        let launch = |split| Launch { name, width: width.clone(), chunks: chunks.clone(), split };
        let split = self.split(grid);
        self.launch(grid, launch(split.clone()), &scan.reprs(), &mut |this, kernel, given| {
            let scan = scan.inside(&mut given.into_iter());
            let sums = this.neutral_scans(&scan);
            let reductions = this.neutral_reductions(&scan);
            let (from, to) = (kernel.from.into(), kernel.to.into());
            this.first_pass(&scan, &sums, &reductions, &from, &to);
            for (partials, accs) in scan.sums.iter().zip(&sums) {
                this.store_partial(partials, &kernel.chunk.into(), &accs.values());
            }
            this.store_reductions(&scan, &kernel.chunk.into(), &reductions);
        });
        // What comes before each chunk.
        let mut before = Vec::with_capacity(scan.sums.len());
        for (op, sums) in scan.sweep.scans.iter().zip(&scan.sums) {
            let carries = self.new_partials(&op.lambda, chunks);
            let accs = self.neutral_accs(op, AccHome::Buffers(None));
            self.each(0, chunks.clone(), LoopForm::Plain, &mut |this, chunk| {
                this.store_partial(&carries, &chunk, &accs.values());
                let values = this.partial_at(sums, &chunk);
                this.combine(&op.lambda, &accs, &values, &[]);
            });
            before.push(carries);
        }
        let mut extra = scan.reprs();
        extra.extend(before.iter().flatten().cloned().map(Repr::Array));
        self.launch(grid, launch(split), &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let scan = scan.inside(&mut given);
            let before = arrays_inside(&before, &mut given);
            let mut carries = Vec::with_capacity(before.len());
            for (op, before) in scan.sweep.scans.iter().zip(&before) {
                let carry = this.new_accs(&op.lambda, AccHome::Buffers(None));
                let values = this.partial_at(before, &kernel.chunk.into());
                this.set_accs(&carry, &values);
                carries.push(carry);
            }
            this.second_pass(&scan, &carries, &[], &kernel.from.into(), &kernel.to.into());
        });
    }

    fn neutral_scans(&mut self, scan: &Scan) -> Vec<Accs> {
        scan.sweep.scans.iter().map(|op| self.neutral_accs(op, AccHome::Buffers(None))).collect()
    }

    fn neutral_reductions(&mut self, scan: &Scan) -> Vec<Accs> {
        scan.sweep.reductions.iter().map(|op| self.neutral_accs(op, AccHome::Buffers(None))).collect()
    }

    /// Add up the elements of a range. If they are stored, everything else is done with them now.
    fn first_pass(&mut self, scan: &Scan, sums: &[Accs], reductions: &[Accs], from: &Exp, to: &Exp) {
        let pass = if scan.stored {
            Pass {
                scans: sums,
                scanned: &scan.scanned,
                into_scanned: Scanned::Values,
                reductions,
                outs: Some(&scan.outs),
            }
        } else {
            Pass { scans: sums, scanned: &[], into_scanned: Scanned::Nothing, reductions: &[], outs: None }
        };
        self.pass(scan.sweep, &pass, from.clone(), to.clone());
    }

    /// Scan the elements of a range from what comes before it.
    fn second_pass(&mut self, scan: &Scan, carries: &[Accs], reductions: &[Accs], from: &Exp, to: &Exp) {
        if !scan.stored {
            let pass = Pass {
                scans: carries,
                scanned: &scan.scanned,
                into_scanned: Scanned::Sums,
                reductions,
                outs: Some(&scan.outs),
            };
            return self.pass(scan.sweep, &pass, from.clone(), to.clone());
        }
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| {
            for (at, op) in scan.sweep.scans.iter().enumerate() {
                let mut values = Vec::with_capacity(op.neutral.len());
                for out in scan.scanned[at].iter().flatten() {
                    match out {
                        Out::Regular(array) | Out::Shaped(array) => values.extend(this.row_at(array, &i)),
                        Out::Rows(_) => panic!("imp_gen: a scan of irregular rows in a grid"),
                    }
                }
                this.scan_step(op, &carries[at], &scan.scanned[at], Scanned::Sums, &i, &values);
            }
        });
    }

    fn store_reductions(&mut self, scan: &Scan, chunk: &Exp, reductions: &[Accs]) {
        for (partials, accs) in scan.partials.iter().zip(reductions) {
            self.store_partial(partials, chunk, &accs.values());
        }
    }
}

impl<'a> Scan<'a> {
    fn reprs(&self) -> Vec<Repr> {
        let scanned = self.scanned.iter().flatten().flatten();
        let mut reprs: Vec<Repr> = scanned.chain(&self.outs).flat_map(Out::reprs).collect();
        reprs.extend(self.sums.iter().chain(&self.partials).flatten().cloned().map(Repr::Array));
        reprs
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Scan<'a> {
        let mut scanned = Vec::with_capacity(self.scanned.len());
        for outs in &self.scanned {
            scanned.push(outs.iter().map(|out| out.as_ref().map(|out| out.inside(given))).collect());
        }
        Scan {
            sweep: self.sweep,
            scanned,
            outs: self.outs.iter().map(|out| out.inside(given)).collect(),
            sums: arrays_inside(&self.sums, given),
            partials: arrays_inside(&self.partials, given),
            stored: self.stored,
        }
    }
}

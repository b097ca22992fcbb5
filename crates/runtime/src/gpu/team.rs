//! Several devices that work for one program: what is where, and who has the present contents.
//!
//! A program calculates with addresses that are nobody's: each block has so many of them that what it calculates leads to the block, even if the first element of something would lie before it. A block has memory on the first device, its *home*, and may have a copy on any of the others. Whoever
//! runs a kernel, by the host's choice (`device_select` in rts/cpu/abi.h), gets what it has not yet of the blocks that the kernel reads or writes, and the kernel is given
//! the addresses there; what a kernel writes, only its device has afterwards. So the host need not know where anything is.
//!
//! Of each block it is known which bytes each device has. A kernel may read and write all of a block; copies, fills and what the host reads and writes are about some bytes,
//! and only these are moved. So devices that copy their rows into one block do not wait for each other. Contents are moved through the host, which waits for whoever has them unless these devices can do without (`handover`).
//! Bytes that nobody has written yet are nowhere, and are not moved.
//!
//! Several threads of the host may ask at the same time, each for the device of its part (`at_work`). What is where is looked up and noted under a lock that nobody holds while contents
//! are moved or a device is waited for: parts of a task write to nothing that another reads.

use super::intervals::Intervals;
use super::module::Param;
use super::plan::Scheduling;
use super::program::{Halt, Program, Request};
use super::recent::Trouble;
use super::{at_work, guard};
use crate::cache::Cache;
use crate::schedule::{Policy, Rates};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Addresses of blocks have this bit, which those of devices have not, the number of the block, and then so many bits for what is near it.
const NAMED: u64 = 1 << 63;
const BITS: u32 = 40;

/// The address of the block with this number: what is before and behind it has the same number.
fn name(number: u64) -> u64 {
    NAMED | number << BITS | 1 << (BITS - 1)
}

/// What is reached from an address: from how many bytes behind it on, and how many; fewer than none: all of a block.
pub(super) type Within = (i64, i64);
const ALL: Within = (0, -1);

/// The devices besides the first.
pub struct Team {
    others: Vec<Program>,
    /// Who does what is asked for; 0 is the first device.
    selected: AtomicUsize,
    pub(super) scheduling: Mutex<Scheduling>,
    pub(super) policy: Box<dyn Policy>,
    /// Under which the cache keeps what was measured.
    pub(super) rates_name: String,
    /// Whether the task at work is measured.
    pub(super) is_measured: AtomicBool,
    /// By their addresses.
    pub(super) blocks: Mutex<BTreeMap<u64, Block>>,
    /// Numbers that no block has any more, and the first that none had.
    numbers: Mutex<(Vec<u64>, u64)>,
}

pub(super) struct Block {
    bytes: u64,
    /// Where it is at home.
    home: u64,
    /// Which of its bytes each device has.
    pub(super) present: Vec<Intervals>,
    /// Where it is on each of the others that has had it.
    copies: Vec<Option<u64>>,
}

impl Team {
    /// What was measured is kept under this name; what is recorded beside it.
    pub fn new(others: Vec<Program>, policy: Box<dyn Policy>, name: &str, cache: &Cache) -> Team {
        let known = |name: &str| {
            let (_, text) = cache.read(name)?;
            Some(Rates::from_text(&String::from_utf8_lossy(&text)))
        };
        let measured = format!("{name}.rates");
        let (rates_name, rates) = match policy.learns() {
            true => (measured.clone(), known(&measured)),
            false => {
                let recorded = format!("{name}.shares");
                let rates = known(&recorded);
                (recorded, rates)
            }
        };
        // What is recorded for the first time is what was measured until now.
        let has_news = rates.is_none() && !policy.learns();
        let rates = rates.or_else(|| known(&measured)).unwrap_or_default();
        Team {
            others,
            selected: AtomicUsize::new(0),
            scheduling: Mutex::new(Scheduling::new(rates, has_news)),
            policy,
            rates_name,
            is_measured: AtomicBool::new(false),
            blocks: Mutex::default(),
            numbers: Mutex::default(),
        }
    }

    pub fn others(&self) -> &[Program] {
        &self.others
    }

    /// What is asked for from now on is done by this device, counted round, and belongs to no part.
    pub fn select(&self, home: &Program, device: usize) {
        self.end_plan(home);
        self.select_device(home, device);
    }

    /// What was asked of another begins meanwhile.
    pub(super) fn select_device(&self, home: &Program, device: usize) {
        let before = self.selected.swap(device % (self.others.len() + 1), Relaxed);
        self.program(home, before).hurry_here();
    }

    /// The address of a block that is here at home.
    pub fn add(&self, home: u64, bytes: u64) -> u64 {
        let number = {
            let (free, next) = &mut *guard(&self.numbers);
            free.pop().unwrap_or_else(|| std::mem::replace(next, *next + 1))
        };
        self.add_named(name(number), home, bytes);
        name(number)
    }

    /// The same with the address that it has at home.
    pub fn add_at_home(&self, home: u64, bytes: u64) {
        self.add_named(home, home, bytes);
    }

    fn add_named(&self, address: u64, home: u64, bytes: u64) {
        let present = vec![Intervals::default(); self.others.len() + 1];
        let copies = vec![None; self.others.len()];
        guard(&self.blocks).insert(address, Block { bytes, home, present, copies });
    }

    /// Where it was at home; the copies are given back.
    pub fn remove(&self, address: u64) -> u64 {
        let Some(block) = guard(&self.blocks).remove(&address) else { return address };
        for (other, copy) in self.others.iter().zip(block.copies) {
            copy.iter().for_each(|copy| other.give_back(*copy));
        }
        if address & NAMED != 0 {
            guard(&self.numbers).0.push((address & !NAMED) >> BITS);
        }
        block.home
    }

    /// The device that does what this thread asks for.
    pub(super) fn device(&self) -> usize {
        at_work::device().unwrap_or_else(|| self.selected.load(Relaxed))
    }

    /// Runs a kernel where it was asked for, on the contents that are present then.
    pub fn launch(&self, home: &Program, mut request: Request, within: &[i64]) -> Result<(), Halt> {
        if request.groups == 0 {
            return Ok(());
        }
        let device = self.device();
        let params = home.params(request.kernel);
        let mut written = Vec::new();
        for (at, (param, arg)) in params.iter().zip(&mut request.args).enumerate() {
            let Param::Pointer(access) = param else { continue };
            let within = within.get(2 * at..2 * at + 2).map_or(ALL, |within| (within[0], within[1]));
            let Some(bytes) = self.reached(*arg, within) else { continue };
            let place = self.bring(home, &bytes, device)?;
            *arg = place.wrapping_add(arg.wrapping_sub(bytes.block));
            if access.writes {
                written.push(bytes);
            }
        }
        self.program(home, device).launch_here(request, &[])?;
        written.iter().for_each(|bytes| self.note_written(bytes, device));
        Ok(())
    }

    /// The device that was selected gets what it will read.
    pub fn bring_there(&self, home: &Program, address: u64, within: Within) -> Result<(), Halt> {
        if guard(&self.scheduling).wants(address, within) {
            return Ok(());
        }
        match self.reached(address, within) {
            Some(bytes) => self.bring(home, &bytes, self.device()).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Before a kernel that only the first device can run: its arguments are where they are there.
    pub fn bring_home(&self, home: &Program, kernel: usize, args: &mut [u64]) -> Result<(), Halt> {
        let params = home.params(kernel);
        for (param, arg) in params.iter().zip(args) {
            if let (Param::Pointer(access), Some(bytes)) = (param, self.reached(*arg, ALL)) {
                let place = self.bring(home, &bytes, 0)?;
                *arg = place.wrapping_add(arg.wrapping_sub(bytes.block));
                if access.writes {
                    self.note_written(&bytes, 0);
                }
            }
        }
        Ok(())
    }

    /// Something is read where it is: by this device, if it has it, or by another that has all of it. Who has it may be busy, and then others can be asked for something meanwhile.
    pub fn read(&self, home: &Program, to: &mut [u8], from: u64) -> Result<(), Halt> {
        let Some(bytes) = self.reached(from, (0, to.len() as i64)) else { return home.read_here(to, from) };
        let device = {
            let blocks = guard(&self.blocks);
            let there =
                |device: &usize| blocks[&bytes.block].present[*device].missing(&bytes.range).is_empty();
            [self.device()].into_iter().chain(0..=self.others.len()).find(there).unwrap_or(0)
        };
        let place = self.bring(home, &bytes, device)?;
        let program = self.program(home, device);
        if at_work::device().is_some() {
            at_work::waiting(|| program.wait_here())?;
        }
        program.read_here(to, place.wrapping_add(from.wrapping_sub(bytes.block)))
    }

    pub fn write(&self, home: &Program, to: u64, from: &[u8]) -> Result<(), Halt> {
        // A part writes to its own device, which will read it.
        let device = at_work::device().unwrap_or(0);
        let to = self.place_to_write(to, from.len() as u64, device)?;
        self.program(home, device).write_here(to, from)
    }

    pub fn copy(&self, home: &Program, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        let device = self.device();
        let from = match self.reached(from, (0, bytes as i64)) {
            Some(reached) => {
                let place = self.bring(home, &reached, device)?;
                place.wrapping_add(from.wrapping_sub(reached.block))
            }
            None => from,
        };
        let to = self.place_to_write(to, bytes, device)?;
        self.program(home, device).copy_here(to, from, bytes)
    }

    pub fn fill(&self, home: &Program, to: u64, byte: u8, bytes: u64) -> Result<(), Halt> {
        let device = self.device();
        let to = self.place_to_write(to, bytes, device)?;
        self.program(home, device).fill_here(to, byte, bytes)
    }

    /// Where so many bytes are to be written on a device, which alone has them then; what is in no block is where it is.
    fn place_to_write(&self, at: u64, bytes: u64, device: usize) -> Result<u64, Halt> {
        let Some(reached) = self.reached(at, (0, bytes as i64)) else { return Ok(at) };
        let mut blocks = guard(&self.blocks);
        let Some(block) = blocks.get_mut(&reached.block) else { return Ok(at) };
        let place = block.address(self, device)?;
        block.written_by(device, reached.range);
        Ok(place.wrapping_add(at.wrapping_sub(reached.block)))
    }

    fn note_written(&self, bytes: &Bytes, device: usize) {
        let mut blocks = guard(&self.blocks);
        blocks
            .get_mut(&bytes.block)
            .into_iter()
            .for_each(|block| block.written_by(device, bytes.range.clone()));
    }

    fn note_present(&self, block: u64, range: Range<u64>, device: usize) {
        let mut blocks = guard(&self.blocks);
        blocks.get_mut(&block).into_iter().for_each(|block| block.present[device].insert(range.clone()));
    }

    pub(super) fn program<'a>(&'a self, home: &'a Program, device: usize) -> &'a Program {
        if device == 0 { home } else { &self.others[device - 1] }
    }

    /// The bytes of a block that are reached from an address.
    pub(super) fn reached(&self, address: u64, within: Within) -> Option<Bytes> {
        reached(&guard(&self.blocks), address, within)
    }

    /// The address of a block on a device, which has these bytes of it then, as far as anybody has them.
    fn bring(&self, home: &Program, bytes: &Bytes, device: usize) -> Result<u64, Halt> {
        self.bring_timed(home, bytes, device, None)
    }

    /// The same; the time that it takes to move contents is added, but not that until they are there, if it is wanted. Others find out and note what is where meanwhile: nobody writes
    /// to what another is about to read.
    pub(super) fn bring_timed(
        &self,
        home: &Program,
        bytes: &Bytes,
        device: usize,
        mut time: Option<&mut Duration>,
    ) -> Result<u64, Halt> {
        let mut has_waited = false;
        loop {
            let mut blocks = guard(&self.blocks);
            let Some(block) = blocks.get_mut(&bytes.block) else { return Ok(bytes.block) };
            let place = block.address(self, device)?;
            let Some((source, missing)) = block.missing(device, &bytes.range) else { return Ok(place) };
            let from = block.address(self, source)?;
            drop(blocks);
            // While the host waits for one of them, all others work.
            if !std::mem::replace(&mut has_waited, true) {
                (0..=self.others.len()).for_each(|device| self.program(home, device).hurry_here());
            }
            let (giver, taker) = (self.program(home, source), self.program(home, device));
            let is_measured = self.is_measured.load(Relaxed);
            let bytes_there = (missing.end - missing.start) as usize;
            if !is_measured
                && giver.hand_over(from + missing.start, taker, place + missing.start, bytes_there)?
            {
                self.note_present(bytes.block, missing, device);
                continue;
            }
            if is_measured {
                // Who waits until another device is done is not busy with moving.
                at_work::waiting(|| {
                    giver.finish_here()?;
                    if time.is_some() { taker.finish_here() } else { Ok(()) }
                })?;
            }
            let begin = Instant::now();
            let mut contents = vec![0; bytes_there];
            if at_work::device().is_some() {
                giver.wait_here()?;
            }
            giver.read_here(&mut contents, from + missing.start)?;
            taker.write_here(place + missing.start, &contents)?;
            time.iter_mut().for_each(|time| **time += begin.elapsed());
            self.note_present(bytes.block, missing, device);
        }
    }
}

/// Some bytes of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    /// Its address.
    pub block: u64,
    pub range: Range<u64>,
}

impl Block {
    /// Where it is on a device, or will be.
    fn address(&mut self, team: &Team, device: usize) -> Result<u64, Halt> {
        let Some(at) = device.checked_sub(1) else { return Ok(self.home) };
        if let Some(copy) = self.copies[at] {
            return Ok(copy);
        }
        let piece = team.others[at].obtain(self.bytes).map_err(Halt::Trouble)?;
        let Some(piece) = piece else {
            let name = &team.others[at].gpu().facts().name;
            let message = format!("{name} has no memory for a copy of {} bytes.", self.bytes);
            return Err(Halt::Trouble(Trouble { message, kernel: None, site: None }));
        };
        self.copies[at] = Some(piece.address);
        Ok(piece.address)
    }

    /// Some of these bytes that a device has not, and another that has them.
    fn missing(&self, device: usize, range: &Range<u64>) -> Option<(usize, Range<u64>)> {
        let missing = self.present[device].missing(range);
        missing.into_iter().find_map(|missing| {
            let mut sources = self.present.iter().enumerate();
            sources.find_map(|(source, there)| Some((source, there.within(&missing).into_iter().next()?)))
        })
    }

    /// Nobody else has these bytes any more.
    fn written_by(&mut self, device: usize, range: Range<u64>) {
        self.present.iter_mut().for_each(|present| present.remove(&range));
        self.present[device].insert(range);
    }
}

fn reached(blocks: &BTreeMap<u64, Block>, address: u64, (from, bytes): Within) -> Option<Bytes> {
    if bytes <= 0 {
        let (begin, block) = near(blocks, address)?;
        let all = if bytes < 0 { block.bytes } else { 0 };
        return Some(Bytes { block: begin, range: 0..all });
    }
    // What is reached is inside, even if the address is not.
    let first = address.wrapping_add_signed(from);
    let (begin, block) = near(blocks, first)?;
    let first = first.saturating_sub(begin).min(block.bytes);
    Some(Bytes { block: begin, range: first..first.saturating_add(bytes as u64).min(block.bytes) })
}

/// The block that an address leads to; of those that have no number, the one it is in.
fn near(blocks: &BTreeMap<u64, Block>, address: u64) -> Option<(u64, &Block)> {
    if address & NAMED != 0 {
        let name = name((address & !NAMED) >> BITS);
        return blocks.get(&name).map(|block| (name, block));
    }
    let (begin, block) = blocks.range(..=address).next_back()?;
    (address - begin <= block.bytes).then_some((*begin, block))
}

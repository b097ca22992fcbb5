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
//! One of the devices may be the processor (`processor`), which runs no kernels: the host's threads do its parts of tasks, and find what these read and write in the processor's copy of each block ([`Team::here`]).
//!
//! Several threads of the host may ask at the same time, each for the device of its part (`at_work`). What is where is looked up and noted under a lock that nobody holds while contents
//! are moved or a device is waited for: parts of a task write to nothing that another reads.

use super::intervals::Intervals;
use super::module::Param;
use super::plan::{BringDecision, Scheduling};
use super::program::{Halt, Program, Request};
use super::recent::Trouble;
use super::{at_work, guard};
use crate::cache::Cache;
use crate::schedule::{Calls, Policy, Rates};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
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
    /// Which of the devices is the processor, if one is: the last, so that all others are numbered without it.
    processor: Option<usize>,
    runs_parts: AtomicBool,
    /// Whether the first device does all parts.
    pub(super) is_alone: AtomicBool,
    /// Who does what is asked for; 0 is the first device.
    selected: AtomicUsize,
    pub(super) scheduling: Mutex<Scheduling>,
    pub(super) policy: Box<dyn Policy>,
    /// Under which the cache keeps what was measured.
    pub(super) rates_name: String,
    /// What calls took, with all devices and without.
    pub(super) calls: Mutex<Calls>,
    pub(super) calls_name: String,
    /// Whether the task at work is measured.
    pub(super) is_measured: AtomicBool,
    /// By their addresses.
    pub(super) blocks: Mutex<BTreeMap<u64, Block>>,
    /// Numbers that no block has any more, and the first that none had.
    numbers: Mutex<(Vec<u64>, u64)>,
    /// Blocks of others on the first device that the program reads until lending ends.
    guests: Mutex<Vec<u64>>,
}

pub(super) struct Block {
    bytes: u64,
    /// Where it is at home.
    home: u64,
    /// Which of its bytes each device has.
    pub(super) present: Vec<Intervals>,
    /// Where it is on each of the others that has had it.
    copies: Vec<Option<u64>>,
    /// Whether the processor's copy is memory of whoever has called the program, which nobody writes to.
    pub(super) is_lent: bool,
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
        let calls_name = format!("{name}.calls");
        let calls =
            cache.read(&calls_name).map(|(_, text)| Calls::from_text(&String::from_utf8_lossy(&text)));
        let processor = others.iter().position(Program::is_processor).map(|at| at + 1);
        assert!(processor.is_none_or(|at| at == others.len()), "the processor is not the last device");
        Team {
            others,
            processor,
            runs_parts: AtomicBool::new(false),
            is_alone: AtomicBool::new(false),
            selected: AtomicUsize::new(0),
            scheduling: Mutex::new(Scheduling::new(rates, has_news)),
            policy,
            rates_name,
            calls: Mutex::new(calls.unwrap_or_default()),
            calls_name,
            is_measured: AtomicBool::new(false),
            blocks: Mutex::default(),
            numbers: Mutex::default(),
            guests: Mutex::default(),
        }
    }

    pub fn others(&self) -> &[Program] {
        &self.others
    }

    pub(super) fn processor(&self) -> Option<usize> {
        self.processor
    }

    /// Parts are at work meanwhile.
    pub(super) fn while_parts_run<R>(&self, run: impl FnOnce() -> R) -> R {
        self.runs_parts.store(true, Relaxed);
        let done = run();
        self.runs_parts.store(false, Relaxed);
        done
    }

    /// Whether the parts of a task are at work, which have their devices begin themselves. Who asks a device now may wait for it.
    pub fn runs_parts(&self) -> bool {
        self.runs_parts.load(Relaxed)
    }

    pub(super) fn is_processor(&self, device: usize) -> bool {
        self.processor == Some(device)
    }

    /// How many devices there are for a task: without the processor, if it cannot do any of it.
    pub(super) fn devices(&self, processor_can: bool) -> usize {
        1 + self.others.len() - usize::from(self.processor.is_some() && !processor_can)
    }

    /// Where the processor has what is at an address.
    pub fn here(&self, address: u64) -> Result<u64, Halt> {
        let (Some(processor), Some(bytes)) = (self.processor, self.reached(address, (0, 0))) else {
            return Ok(address);
        };
        let mut blocks = guard(&self.blocks);
        let Some(block) = blocks.get_mut(&bytes.block) else { return Ok(address) };
        let place = block.address(self, processor)?;
        Ok(place.wrapping_add(address.wrapping_sub(bytes.block)))
    }

    /// The processor has written what is within so many bytes of an address.
    pub fn written_here(&self, address: u64, within: Within) {
        if let (Some(processor), Some(bytes)) = (self.processor, self.reached(address, within)) {
            self.note_written(&bytes, processor);
        }
    }

    /// All commands from now on are run by this device, counted round, and belong to no part.
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
        guard(&self.blocks).insert(address, Block { bytes, home, present, copies, is_lent: false });
    }

    /// Where it was at home; the copies are given back.
    pub fn remove(&self, address: u64) -> u64 {
        let Some(block) = guard(&self.blocks).remove(&address) else { return address };
        for (other, copy) in self.others.iter().zip(block.copies) {
            let is_lent = block.is_lent && other.is_processor();
            copy.iter().filter(|_| !is_lent).for_each(|copy| other.give_back(*copy));
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
        let device = match at_work::device() {
            Some(device) => device,
            None => match guard(&self.scheduling).wants(address, within) {
                BringDecision::Noted => return Ok(()),
                BringDecision::Now(device) => device.unwrap_or_else(|| self.device()),
            },
        };
        match self.reached(address, within) {
            Some(bytes) => self.bring(home, &bytes, device).map(|_| ()),
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
        if self.processor.is_some() {
            return self.read_pieces(home, to, &bytes);
        }
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

    /// The same where several devices have some of it, and one may be the processor: each piece from who has it.
    fn read_pieces(&self, home: &Program, to: &mut [u8], bytes: &Bytes) -> Result<(), Halt> {
        for (device, range) in self.pieces(bytes) {
            let Some(place) = self.place(bytes.block, device)? else { continue };
            let (program, from) = (self.program(home, device), place + range.start);
            let at = (range.start - bytes.range.start) as usize;
            let to = &mut to[at..at + (range.end - range.start) as usize];
            if program.is_processor() {
                // SAFETY: the processor has them there, and nobody writes to what another reads.
                copy_with_threads(to, unsafe { std::slice::from_raw_parts(from as *const u8, to.len()) });
                continue;
            }
            if at_work::device().is_some() {
                at_work::waiting(|| program.wait_here())?;
            }
            program.read_here(to, from)?;
        }
        Ok(())
    }

    /// Who has which of these bytes, each once; none of what nobody has.
    fn pieces(&self, bytes: &Bytes) -> Vec<(usize, Range<u64>)> {
        let blocks = guard(&self.blocks);
        let Some(block) = blocks.get(&bytes.block) else { return Vec::new() };
        let (mut pieces, mut left) = (Vec::new(), Intervals::default());
        left.insert(bytes.range.clone());
        for device in [self.device()].into_iter().chain(0..=self.others.len()) {
            for range in block.present[device].within(&bytes.range) {
                let own = left.within(&range);
                own.iter().for_each(|own| left.remove(own));
                pieces.extend(own.into_iter().map(|own| (device, own)));
            }
        }
        pieces
    }

    fn place(&self, block: u64, device: usize) -> Result<Option<u64>, Halt> {
        guard(&self.blocks).get_mut(&block).map(|block| block.address(self, device)).transpose()
    }

    /// A block has what the host has at a place, as long as that is lent; false if it cannot be.
    pub fn lend(&self, to: u64, from: &[u8]) -> bool {
        /// What is smaller is copied sooner than looked after.
        const LEAST: usize = 1 << 12;
        let mut blocks = guard(&self.blocks);
        let (Some(processor), Some(block)) = (self.processor, blocks.get_mut(&to)) else { return false };
        let own = &mut block.copies[processor - 1];
        if from.len() < LEAST || from.len() as u64 > block.bytes || own.is_some() {
            return false;
        }
        *own = Some(from.as_ptr() as u64);
        block.is_lent = true;
        block.present[processor].insert(0..from.len() as u64);
        true
    }

    /// The address by which the program reads so many bytes that somebody else has on the first device, until lending ends. Nobody writes to them.
    pub fn admit_guest(&self, home: u64, bytes: u64) -> u64 {
        let address = self.add(home, bytes);
        self.note_present(address, 0..bytes, 0);
        guard(&self.guests).push(address);
        address
    }

    /// Where so many bytes of a block are on the first device, which has them then.
    pub fn at_home(&self, home: &Program, address: u64, bytes: u64) -> Result<u64, Halt> {
        let Some(reached) = self.reached(address, (0, bytes as i64)) else { return Ok(address) };
        let place = self.bring(home, &reached, 0)?;
        Ok(place.wrapping_add(address.wrapping_sub(reached.block)))
    }

    /// What was lent is not any more. What is still there of it, the first device has.
    pub fn end_lending(&self, home: &Program) -> Result<(), Halt> {
        let guests = std::mem::take(&mut *guard(&self.guests));
        guests.into_iter().for_each(|guest| {
            self.remove(guest);
        });
        let Some(processor) = self.processor else { return Ok(()) };
        let all = |(address, block): (&u64, &Block)| Bytes { block: *address, range: 0..block.bytes };
        let blocks = guard(&self.blocks);
        let lent: Vec<Bytes> = blocks.iter().filter(|(_, block)| block.is_lent).map(all).collect();
        drop(blocks);
        for bytes in lent {
            self.bring(home, &bytes, 0)?;
            if let Some(block) = guard(&self.blocks).get_mut(&bytes.block) {
                (block.is_lent, block.copies[processor - 1]) = (false, None);
                block.present[processor] = Intervals::default();
            }
        }
        Ok(())
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

    /// How many of these bytes a device has to get from the processor, and whether they are lent to the program.
    pub(super) fn lacks(&self, bytes: &Bytes, device: usize) -> (u64, bool) {
        let blocks = guard(&self.blocks);
        let Some(block) = blocks.get(&bytes.block) else { return (0, false) };
        let missing = block.present[device].missing(&bytes.range);
        (missing.iter().map(|range| range.end - range.start).sum(), block.is_lent)
    }

    /// The bytes of a block that are reached from an address.
    pub(super) fn reached(&self, address: u64, within: Within) -> Option<Bytes> {
        reached(&guard(&self.blocks), address, within)
    }

    /// The address of a block on a device, which has these bytes of it then, as far as anybody has them.
    fn bring(&self, home: &Program, bytes: &Bytes, device: usize) -> Result<u64, Halt> {
        self.bring_timed(home, bytes, device, BringOptions::default())
    }

    /// The same; the time that it takes to move contents is added, but not that until they are there, if it is needed. Others find out and note what is where meanwhile: nobody writes
    /// to what another is about to read.
    pub(super) fn bring_timed(
        &self,
        home: &Program,
        bytes: &Bytes,
        device: usize,
        BringOptions { mut time, leaves_to_part }: BringOptions,
    ) -> Result<u64, Halt> {
        let without = self.processor.filter(|_| leaves_to_part);
        let mut has_waited = false;
        loop {
            let mut blocks = guard(&self.blocks);
            let Some(block) = blocks.get_mut(&bytes.block) else { return Ok(bytes.block) };
            let place = block.address(self, device)?;
            let found = block.missing(device, &bytes.range, without);
            let Some((source, missing)) = found else { return Ok(place) };
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
            if at_work::device().is_some() {
                giver.wait_here()?;
            }
            self.move_bytes((giver, from + missing.start), (taker, place + missing.start), &missing)?;
            time.iter_mut().for_each(|time| **time += begin.elapsed());
            self.note_present(bytes.block, missing, device);
        }
    }
}

impl Team {
    /// Through the host, or from or to where the processor has them.
    fn move_bytes(
        &self,
        (giver, from): (&Program, u64),
        (taker, to): (&Program, u64),
        range: &Range<u64>,
    ) -> Result<(), Halt> {
        let count = (range.end - range.start) as usize;
        if giver.is_processor() {
            // SAFETY: the processor has them there, and nobody writes to what another is about to read.
            return taker.write_here(to, unsafe { std::slice::from_raw_parts(from as *const u8, count) });
        }
        if taker.is_processor() {
            // SAFETY: there is room for them in the processor's copy of the block, of which nobody reads these bytes before it has them.
            return giver.read_here(unsafe { std::slice::from_raw_parts_mut(to as *mut u8, count) }, from);
        }
        let mut contents = vec![0; count];
        giver.read_here(&mut contents, from)?;
        taker.write_here(to, &contents)
    }
}

/// Options for moving bytes to a device.
#[derive(Default)]
pub(super) struct BringOptions<'a> {
    /// What has to be added to, if the time is measured.
    pub time: Option<&'a mut Duration>,
    /// What the processor has is left to the part that reads it: then the processor is not kept waiting by it.
    pub leaves_to_part: bool,
}

/// Copies by as many threads as it is worth.
fn copy_with_threads(to: &mut [u8], from: &[u8]) {
    const PIECE: usize = 1 << 20;
    to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE)).for_each(|(to, from)| to.copy_from_slice(from));
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

    /// Some of these bytes that a device has not, and another that has them and may be asked.
    fn missing(
        &self,
        device: usize,
        range: &Range<u64>,
        without: Option<usize>,
    ) -> Option<(usize, Range<u64>)> {
        let missing = self.present[device].missing(range);
        missing.into_iter().find_map(|missing| {
            let mut sources = self.present.iter().enumerate().filter(|(source, _)| Some(*source) != without);
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

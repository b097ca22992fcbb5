//! Several devices that work for one program: what is where, and who has the present contents.
//!
//! A program has its memory on the first device, its *home*, and calculates with addresses there. Each block may have a copy on any of the others. Whoever
//! runs a kernel, by the host's choice (`device_select` in rts/cpu/abi.h), gets what it has not yet of the blocks that the kernel reads or writes, and the kernel is given
//! the addresses there; what a kernel writes, only its device has afterwards. So the host need not know where anything is.
//!
//! Of each block it is known which bytes each device has. A kernel may read and write all of a block; copies, fills and what the host reads and writes are about some bytes,
//! and only these are moved. So devices that copy their rows into one block do not wait for each other. Contents are moved through the host, which waits for whoever has them.
//! Bytes that nobody has written yet are nowhere, and are not moved.

use super::guard;
use super::intervals::Intervals;
use super::module::Param;
use super::plan::Scheduling;
use super::program::{Halt, Program, Request};
use super::recent::Trouble;
use crate::schedule::{Finish, Policy, Rates, policy_named};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How far from a block addresses go that lead to it: a program may calculate with where the first element of something would be.
const NEAR: u64 = 1 << 39;

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
    /// Whether the task at work is measured, and how many nanoseconds the host has waited since it was last asked for one device to be done, before it could move something to another.
    pub(super) is_measured: AtomicBool,
    pub(super) waited: AtomicU64,
    /// By their addresses at home.
    pub(super) blocks: Mutex<BTreeMap<u64, Block>>,
}

pub(super) struct Block {
    bytes: u64,
    /// Which of its bytes each device has.
    pub(super) present: Vec<Intervals>,
    /// Where it is on each of the others that has had it.
    copies: Vec<Option<u64>>,
}

impl Team {
    pub fn new(others: Vec<Program>, rates_name: String, rates: Rates) -> Team {
        let named = std::env::var("NORN_POLICY").ok().and_then(|name| policy_named(&name));
        Team {
            others,
            selected: AtomicUsize::new(0),
            scheduling: Mutex::new(Scheduling::new(rates)),
            policy: named.unwrap_or_else(|| Box::new(Finish)),
            rates_name,
            is_measured: AtomicBool::new(false),
            waited: AtomicU64::new(0),
            blocks: Mutex::default(),
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

    pub fn add(&self, address: u64, bytes: u64) {
        let present = vec![Intervals::default(); self.others.len() + 1];
        let copies = vec![None; self.others.len()];
        guard(&self.blocks).insert(address, Block { bytes, present, copies });
    }

    pub fn remove(&self, address: u64) {
        let Some(block) = guard(&self.blocks).remove(&address) else { return };
        for (other, copy) in self.others.iter().zip(block.copies) {
            copy.iter().for_each(|copy| other.give_back(*copy));
        }
    }

    /// Runs a kernel where it was asked for, on the contents that are present then.
    pub fn launch(&self, home: &Program, mut request: Request, within: &[i64]) -> Result<(), Halt> {
        if request.groups == 0 {
            return Ok(());
        }
        let device = self.selected.load(Relaxed);
        let params = home.params(request.kernel);
        let mut blocks = guard(&self.blocks);
        let mut written = Vec::new();
        for (at, (param, arg)) in params.iter().zip(&mut request.args).enumerate() {
            let Param::Pointer(access) = param else { continue };
            let within = within.get(2 * at..2 * at + 2).map_or(ALL, |within| (within[0], within[1]));
            let Some((address, block, range)) = reached(&mut blocks, *arg, within) else { continue };
            let place = self.bring(home, address, block, device, range.clone())?;
            *arg = place.wrapping_add(arg.wrapping_sub(address));
            if access.writes {
                written.push((address, range));
            }
        }
        self.program(home, device).launch_here(request, &[])?;
        for (address, range) in written {
            blocks.get_mut(&address).into_iter().for_each(|block| block.written_by(device, range.clone()));
        }
        Ok(())
    }

    /// The device that was selected gets what it will read.
    pub fn bring_there(&self, home: &Program, address: u64, within: Within) -> Result<(), Halt> {
        if guard(&self.scheduling).wants(address, within) {
            return Ok(());
        }
        let device = self.selected.load(Relaxed);
        let mut blocks = guard(&self.blocks);
        let Some((address, block, range)) = reached(&mut blocks, address, within) else { return Ok(()) };
        self.bring(home, address, block, device, range).map(|_| ())
    }

    /// Before a kernel that only the first device can run.
    pub fn bring_home(&self, home: &Program, kernel: usize, args: &[u64]) -> Result<(), Halt> {
        let params = home.params(kernel);
        let mut blocks = guard(&self.blocks);
        for (param, arg) in params.iter().zip(args) {
            if let (Param::Pointer(access), Some((address, block))) = (param, near(&mut blocks, *arg)) {
                self.bring(home, address, block, 0, 0..block.bytes)?;
                if access.writes {
                    block.written_by(0, 0..block.bytes);
                }
            }
        }
        Ok(())
    }

    /// Something is read at home.
    pub fn read(&self, home: &Program, to: &mut [u8], from: u64) -> Result<(), Halt> {
        self.place(home, &mut guard(&self.blocks), from, to.len() as u64, 0)?;
        home.read_here(to, from)
    }

    pub fn write(&self, home: &Program, to: u64, from: &[u8]) -> Result<(), Halt> {
        self.place_to_write(&mut guard(&self.blocks), to, from.len() as u64, 0)?;
        home.write_here(to, from)
    }

    pub fn copy(&self, home: &Program, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        let device = self.selected.load(Relaxed);
        let mut blocks = guard(&self.blocks);
        let from = self.place(home, &mut blocks, from, bytes, device)?;
        let to = self.place_to_write(&mut blocks, to, bytes, device)?;
        self.program(home, device).copy_here(to, from, bytes)
    }

    pub fn fill(&self, home: &Program, to: u64, byte: u8, bytes: u64) -> Result<(), Halt> {
        let device = self.selected.load(Relaxed);
        let to = self.place_to_write(&mut guard(&self.blocks), to, bytes, device)?;
        self.program(home, device).fill_here(to, byte, bytes)
    }

    /// Where so many bytes are on a device, which has them then.
    fn place(
        &self,
        home: &Program,
        blocks: &mut BTreeMap<u64, Block>,
        at: u64,
        bytes: u64,
        device: usize,
    ) -> Result<u64, Halt> {
        in_block(blocks, at, bytes, |address, block, range| self.bring(home, address, block, device, range))
    }

    /// Where so many bytes are to be written on a device, which alone has them then.
    fn place_to_write(
        &self,
        blocks: &mut BTreeMap<u64, Block>,
        at: u64,
        bytes: u64,
        device: usize,
    ) -> Result<u64, Halt> {
        in_block(blocks, at, bytes, |address, block, range| {
            let place = block.address(self, address, device)?;
            block.written_by(device, range);
            Ok(place)
        })
    }

    pub(super) fn program<'a>(&'a self, home: &'a Program, device: usize) -> &'a Program {
        if device == 0 { home } else { &self.others[device - 1] }
    }

    /// The address of a block on a device, which has these bytes of it then, as far as anybody has them.
    fn bring(
        &self,
        home: &Program,
        address: u64,
        block: &mut Block,
        device: usize,
        range: Range<u64>,
    ) -> Result<u64, Halt> {
        self.bring_timed(home, address, block, device, range, None)
    }

    /// The same; the time that it takes to move contents is added, but not that until they are there, if it is wanted.
    pub(super) fn bring_timed(
        &self,
        home: &Program,
        address: u64,
        block: &mut Block,
        device: usize,
        range: Range<u64>,
        mut time: Option<&mut Duration>,
    ) -> Result<u64, Halt> {
        let place = block.address(self, address, device)?;
        let missing = block.present[device].missing(&range);
        // While the host waits for one of them, all others work.
        if missing.iter().any(|missing| block.is_anywhere(missing)) {
            (0..=self.others.len()).for_each(|device| self.program(home, device).hurry_here());
        }
        for missing in missing {
            let mut wanted = Intervals::of(missing);
            for source in (0..block.present.len()).filter(|source| *source != device) {
                // Of those who have them, one is asked.
                for bytes in block.present[source].common(&wanted) {
                    wanted.remove(&bytes);
                    let from = block.address(self, address, source)?;
                    if self.is_measured.load(Relaxed) {
                        // Who waits until another device is done is not busy with moving.
                        let begin = Instant::now();
                        self.program(home, source).finish_here()?;
                        if time.is_some() {
                            self.program(home, device).finish_here()?;
                        }
                        self.waited.fetch_add(begin.elapsed().as_nanos() as u64, Relaxed);
                    }
                    let begin = Instant::now();
                    let mut contents = vec![0; (bytes.end - bytes.start) as usize];
                    self.program(home, source).read_here(&mut contents, from + bytes.start)?;
                    self.program(home, device).write_here(place + bytes.start, &contents)?;
                    time.iter_mut().for_each(|time| **time += begin.elapsed());
                    block.present[device].insert(bytes);
                }
            }
        }
        Ok(place)
    }
}

impl Block {
    /// Where it is on a device, or will be.
    fn address(&mut self, team: &Team, home: u64, device: usize) -> Result<u64, Halt> {
        let Some(at) = device.checked_sub(1) else { return Ok(home) };
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

    /// Whether somebody has some of these bytes.
    fn is_anywhere(&self, range: &Range<u64>) -> bool {
        self.present.iter().any(|present| !present.within(range).is_empty())
    }

    /// Nobody else has these bytes any more.
    fn written_by(&mut self, device: usize, range: Range<u64>) {
        self.present.iter_mut().for_each(|present| present.remove(&range));
        self.present[device].insert(range);
    }
}

/// The block of which so many bytes are reached from an address, and which bytes of it these are.
pub(super) fn reached(
    blocks: &mut BTreeMap<u64, Block>,
    address: u64,
    (from, bytes): Within,
) -> Option<(u64, &mut Block, Range<u64>)> {
    if bytes <= 0 {
        let (begin, block) = near(blocks, address)?;
        let all = if bytes < 0 { block.bytes } else { 0 };
        return Some((begin, block, 0..all));
    }
    // What is reached is inside, even if the address is not.
    let first = address.wrapping_add_signed(from);
    let (begin, block) = near(blocks, first)?;
    let first = first.saturating_sub(begin).min(block.bytes);
    let range = first..first.saturating_add(bytes as u64).min(block.bytes);
    Some((begin, block, range))
}

/// An address in a block, where its copy begins that is found for these bytes of it; what is in no block is where it is.
fn in_block(
    blocks: &mut BTreeMap<u64, Block>,
    at: u64,
    bytes: u64,
    copy: impl FnOnce(u64, &mut Block, Range<u64>) -> Result<u64, Halt>,
) -> Result<u64, Halt> {
    let Some((address, block)) = near(blocks, at) else { return Ok(at) };
    let offset = at.wrapping_sub(address);
    Ok(copy(address, block, offset..offset.saturating_add(bytes))?.wrapping_add(offset))
}

/// The block that an address leads to.
fn near(blocks: &mut BTreeMap<u64, Block>, address: u64) -> Option<(u64, &mut Block)> {
    let inside = blocks.range(..=address).next_back();
    let inside = inside.filter(|(begin, block)| address - *begin <= block.bytes).map(|(begin, _)| *begin);
    let begin = inside.or_else(|| {
        let (begin, block) = blocks.range(..address.saturating_add(NEAR)).next_back()?;
        (address < begin.saturating_add(block.bytes).saturating_add(NEAR)).then_some(*begin)
    })?;
    blocks.get_mut(&begin).map(|block| (begin, block))
}

//! The kernels of a program on a device: launches, transfers, and what became of them.
//!
//! A program has a state on the device (rts/gpu/state.h), in which kernels note a check that failed; those that are launched later
//! do nothing then. The host learns of it whenever it waits anyway: when it reads, and when a call ends ([`Program::finish`]).
//!
//! A device that has lost everything is recreated when a program next begins; programs load their modules again
//! then ([`Program::begin`]).

use super::device::{Api, Fence, Part};
use super::ledger::{PartOfTask, Traffic};
use super::module::{Access, Kernel, Param};
use super::plan::Planned;
use super::pool::Piece;
use super::queue::Queue;
use super::recent::Trouble;
use super::regions::DeviceRegion;
use super::running::Running;
use super::team::Team;
use super::units::{ModuleText, Units};
use super::{Gpu, guard};
use crate::RuntimeError;
use crate::cache::hash;
use crate::profile::{Cost, Timeline, What};
use crate::schedule::{Call, Finish, Policy, Recorded, TaskKind, Who, policy_named};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub struct Program {
    gpu: Arc<Gpu>,
    running: Mutex<Running>,
    /// The other devices that work for the program, if there are some.
    team: Option<Team>,
}

/// A launch as a program asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number of the kernel.
    pub kernel: usize,
    /// One word for each parameter.
    pub args: Vec<u64>,
    pub groups: u64,
    /// From where in the program.
    pub site: i32,
}

/// Why a run cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A check in a kernel failed, with these operands.
    Check {
        site: i32,
        operands: Vec<u64>,
    },
    /// The threads of a kernel launched at a site need so many bytes, one of them at a site of its own, if that is known.
    NoMemory {
        site: i32,
        bytes: u64,
        in_thread: Option<i32>,
    },
    Trouble(Trouble),
}

impl Program {
    pub(super) fn new(
        gpu: Arc<Gpu>,
        text: ModuleText,
        kernels: Vec<Kernel>,
    ) -> Result<Program, RuntimeError> {
        let mut queue = gpu.queue();
        queue.revive()?;
        let units = Units::new(text, kernels.len(), &*queue.device, gpu.cache.clone());
        let running = Running::new(&mut queue, units, kernels)?;
        drop(queue);
        Ok(Program { gpu, running: Mutex::new(running), team: None })
    }

    /// Compiles and loads kernels that are likely to be needed first.
    pub(super) fn prepare(&self) -> Result<(), RuntimeError> {
        let (mut running, mut queue) = self.lock();
        running.prepare(&mut queue)
    }

    /// The same with other devices that have the program, too.
    pub fn with_others(mut self, others: Vec<Program>) -> Program {
        if !others.is_empty() {
            let text = guard(&self.running).text().to_string();
            let all = [&self].into_iter().chain(&others);
            let identities: Vec<&[u8]> = all.map(|program| program.gpu.facts.identity.as_bytes()).collect();
            let key = hash(&[&[text.as_bytes()][..], &identities].concat());
            let policy: Box<dyn Policy> = match self.gpu.is_reproducible {
                true => Box::new(Recorded),
                false => policy_of_user().unwrap_or_else(|| Box::new(Finish)),
            };
            self.team = Some(Team::new(others, policy, &key[..40], &self.gpu.cache));
        }
        self
    }

    /// Plans how a task is cut, which stands at this site: its width, how many elements it works on, and its grain.
    pub fn plan(&self, sizes: [i64; 3], site: i32, kind: TaskKind) {
        let sizes = sizes.map(|number| u64::try_from(number).unwrap_or(0));
        self.team.iter().for_each(|team| team.plan(self, sizes, site, kind));
    }

    /// Where the processor has what is at an address, if it does the part at work.
    pub fn here(&self, address: u64) -> Result<u64, Halt> {
        self.team.as_ref().map_or(Ok(address), |team| team.here(address))
    }

    /// The processor has written what is within so many bytes of an address.
    pub fn written(&self, address: u64, within: (i64, i64)) {
        self.team.iter().for_each(|team| team.written_here(address, within));
    }

    /// Whether this is the processor.
    pub(super) fn is_processor(&self) -> bool {
        self.gpu.facts.api == Api::Processor
    }

    /// All commands from now on belong to this part of the plan.
    pub fn begin_part(&self, part: usize) -> Result<(), Halt> {
        self.team.as_ref().map_or(Ok(()), |team| team.begin_part(self, part))
    }

    /// The part of the plan that is at work.
    pub fn planned(&self) -> Planned {
        self.team.as_ref().map(Team::planned).unwrap_or_default()
    }

    /// Launches belong to this part of a task from now on, whose time is measured.
    pub(super) fn set_part(&self, part: Option<PartOfTask>) {
        guard(&self.running).ledger.part = part;
    }

    pub(super) fn take_measured(&self) -> Vec<(PartOfTask, u64)> {
        guard(&self.running).ledger.take_measured()
    }

    /// Waits for all commands of this device.
    pub(super) fn finish_here(&self) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        if running.busy { running.wait(&mut queue, Vec::new()) } else { Ok(()) }
    }

    /// The same, but others may ask it for something meanwhile, if it can do that.
    pub(super) fn wait_here(&self) -> Result<(), Halt> {
        self.fence_here()?.into_iter().for_each(|fence| fence());
        Ok(())
    }

    /// What waits for all work that was issued to this device until now, if it can do that.
    pub(super) fn fence_here(&self) -> Result<Option<Fence>, Halt> {
        let (running, mut queue) = self.lock();
        if !running.busy {
            return Ok(None);
        }
        queue.ask(running.owner, |queue| queue.device.fence()).map_err(Halt::Trouble)
    }

    /// Makes ready for the parts of the plan, which may wait for their devices. Whether threads of their own are to run them.
    pub fn begin_parts(&self, wait: bool) -> Result<bool, Halt> {
        self.team.as_ref().map_or(Ok(false), |team| team.begin_parts(self, wait))
    }

    /// Runs the parts of the plan, of which there are so many. How they ended.
    pub fn run_parts<R: Send>(
        &self,
        parts: usize,
        has_threads: bool,
        run: &(dyn Fn(usize, Range<u64>) -> R + Sync),
    ) -> Result<Vec<R>, Halt> {
        self.team.as_ref().map_or(Ok(Vec::new()), |team| team.run_parts(self, parts, has_threads, run))
    }

    /// The processor has done this part since then, which is measured or not.
    pub(super) fn note_part(&self, part: PartOfTask, is_measured: bool, begun: Instant) {
        guard(&self.running).ledger.note_part(part, is_measured, begun);
    }

    /// What is at an address is what the host has at a place until `end_lending`: nothing is moved before it is read, and the processor reads it there if it works for the program, too. The host keeps it,
    /// and nobody writes to it.
    ///
    /// # Safety
    /// It is there until then.
    pub unsafe fn lend(&self, to: u64, from: &[u8]) -> Result<(), Halt> {
        match &self.team {
            Some(team) if team.lend(to, from) => Ok(()),
            _ => self.write(to, from),
        }
    }

    /// The host does not keep what it has lent any more.
    pub fn end_lending(&self) -> Result<(), Halt> {
        self.team.as_ref().map_or(Ok(()), |team| team.end_lending(self))
    }

    /// The address by which the program reads so many bytes that another has on this device, until `end_lending`. Nobody writes to them.
    pub fn admit_guest(&self, address: u64, bytes: u64) -> u64 {
        self.team.as_ref().map_or(address, |team| team.admit_guest(address, bytes))
    }

    /// Where so many bytes of the program are on this device, as others find them that know nothing of its team.
    pub fn at_home(&self, address: u64, bytes: u64) -> Result<u64, Halt> {
        self.team.as_ref().map_or(Ok(address), |team| team.at_home(self, address, bytes))
    }

    /// Who makes a call, if the first device has the program for itself, too; none: the first, and nobody needs to know how long it takes.
    pub fn choose(&self, call: Call) -> Option<Who> {
        guard(&self.team.as_ref()?.calls).choose(call)
    }

    /// A call has taken so long, and its arguments so much of that until they had arrived.
    pub fn note_call(&self, call: Call, who: Who, time: Duration, arrival: Duration) {
        if let Some(team) = &self.team {
            guard(&team.calls).note(call.key, who, time.as_secs_f64(), arrival.as_secs_f64());
        }
    }

    /// All devices have failed to make a call.
    pub fn note_failed_call(&self, call: Call) {
        if let Some(team) = &self.team {
            guard(&team.calls).note_failed(call.key);
        }
    }

    /// Of the devices that the program is for, these run all commands from now on.
    pub fn use_devices(&self, who: Who) {
        if let Some(team) = &self.team {
            team.is_alone.store(who == Who::First, Relaxed);
        }
    }

    /// Whether another device of the same kind works for the program.
    pub fn has_peers(&self) -> bool {
        self.others().iter().any(|other| !other.is_processor())
    }

    /// All commands from now on are run by the device with this number, the first of which is this one.
    pub fn select(&self, device: usize) {
        self.team.iter().for_each(|team| team.select(self, device));
    }

    fn others(&self) -> &[Program] {
        self.team.as_ref().map_or(&[], Team::others)
    }

    pub(super) fn params(&self, kernel: usize) -> Vec<Param> {
        guard(&self.running).params(kernel).to_vec()
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Whether all blocks of the program are gone, because the device was reset or has to be.
    pub fn has_lost(&self) -> bool {
        let (running, queue) = self.lock();
        let here = queue.is_lost() || running.check_generation(&queue).is_err();
        drop((running, queue));
        here || self.others().iter().any(Program::has_lost)
    }

    /// Changes whenever all blocks of the program are lost; None while they are.
    pub fn generation(&self) -> Option<u64> {
        let (running, queue) = self.lock();
        let is_here = !queue.is_lost() && running.check_generation(&queue).is_ok();
        let here = is_here.then(|| queue.generation());
        drop((running, queue));
        self.others().iter().try_fold(here?, |sum, other| Some(sum + other.generation()?))
    }

    /// Whether other devices work for it, too, so that an address alone does not say where something is.
    pub fn has_team(&self) -> bool {
        self.team.is_some()
    }

    /// Makes the device and the program's module ready, if they were lost. All blocks of the program were given back.
    pub fn begin(&self) -> Result<(), RuntimeError> {
        let (mut running, mut queue) = self.lock();
        if queue.is_lost() {
            running.forget();
            queue.revive()?;
        }
        let renewed =
            if running.check_generation(&queue).is_err() { running.renew(&mut queue) } else { Ok(()) };
        drop((running, queue));
        renewed?;
        self.others().iter().try_for_each(Program::begin)
    }

    /// Makes ready for an array of so many bytes that somebody else has made on the device.
    pub fn admit(&self, bytes: u64) -> Result<(), Trouble> {
        let (mut running, queue) = self.lock();
        running.check_generation(&queue)?;
        running.widen_for(bytes, self.gpu.always_wide);
        Ok(())
    }

    /// At least so many bytes; none if there is not so much.
    pub fn obtain(&self, bytes: u64) -> Result<Option<Piece>, Trouble> {
        let found = self.obtain_here(bytes)?;
        let named =
            |team: &Team, piece: Piece| Piece { address: team.add(piece.address, piece.bytes), ..piece };
        Ok(match &self.team {
            Some(team) => found.map(|piece| named(team, piece)),
            None => found,
        })
    }

    /// The same for something that only this device uses: it has the address that it has here.
    pub fn obtain_at_home(&self, bytes: u64) -> Result<Option<Piece>, Trouble> {
        let found = self.obtain_here(bytes)?;
        if let (Some(team), Some(piece)) = (&self.team, found) {
            team.add_at_home(piece.address, piece.bytes);
        }
        Ok(found)
    }

    fn obtain_here(&self, bytes: u64) -> Result<Option<Piece>, Trouble> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue)?;
        running.widen_for(bytes, self.gpu.always_wide);
        let mut found = queue.obtain(running.owner, bytes)?;
        if found.is_none() && running.log.is_open() {
            if let Err(halt) = running.settle(&mut queue, Vec::new()) {
                // The next command reports it.
                running.log.halt = Some(halt);
            }
            found = queue.obtain(running.owner, bytes)?;
        }
        if found.is_some() || !running.drop_heap(&mut queue)? {
            return Ok(found);
        }
        queue.obtain(running.owner, bytes)
    }

    /// What was obtained, and is not needed any more. What the device has lost is gone already.
    pub fn give_back(&self, address: u64) {
        let address = self.team.as_ref().map_or(address, |team| team.remove(address));
        let (mut running, mut queue) = self.lock();
        if running.check_generation(&queue).is_ok() {
            // If this fails the device is lost, which the next command reports.
            let _ = running.give_back(&mut queue, address);
        }
    }

    pub fn write(&self, to: u64, from: &[u8]) -> Result<(), Halt> {
        match &self.team {
            Some(team) => team.write(self, to, from),
            None => self.write_here(to, from),
        }
    }

    pub(super) fn write_here(&self, to: u64, from: &[u8]) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.prepare_write(&mut queue, to)?;
        let begun = running.begin_move(&mut queue, from.len()).map_err(Halt::Trouble)?;
        running.write(&mut queue, to, from).map_err(Halt::Trouble)?;
        begun.into_iter().for_each(|begun| running.ledger.note_move(What::Sent(from.len() as u64), begun));
        Ok(())
    }

    /// Writes new words of a region: no kernel that was launched before reads or writes there, although one may do so near it.
    pub fn append(&self, to: u64, from: &[u8]) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.ledger.traffic.memory.cells_to_device += from.len() as u64;
        let begun = running.begin_transfer(&mut queue, from.len()).map_err(Halt::Trouble)?;
        running.write(&mut queue, to, from).map_err(Halt::Trouble)?;
        if let Some(begun) = begun {
            let owner = running.owner;
            queue.ask(owner, |queue| queue.device.synchronise()).map_err(Halt::Trouble)?;
            running.ledger.traffic.memory.timed_to_device.add(from.len(), begun);
        }
        Ok(())
    }

    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        match &self.team {
            Some(team) => team.copy(self, to, from, bytes),
            None => self.copy_here(to, from, bytes),
        }
    }

    pub(super) fn copy_here(&self, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.busy = true;
        running.copy(&mut queue, to, from, bytes)
    }

    pub fn fill(&self, to: u64, byte: u8, bytes: u64) -> Result<(), Halt> {
        match &self.team {
            Some(team) => team.fill(self, to, byte, bytes),
            None => self.fill_here(to, byte, bytes),
        }
    }

    pub(super) fn fill_here(&self, to: u64, byte: u8, bytes: u64) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.busy = true;
        running.fill(&mut queue, to, byte, bytes)
    }

    /// Where a region is now that the host has at an address, and its first free word, if kernels have added cells since the last call. This waits if nobody has
    /// looked at these kernels.
    pub fn settled_region(&self, host: u64) -> Result<Option<(Piece, u64)>, Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.settled_region(&mut queue, host)
    }

    /// Waits for all work that was issued before, and reads, unless a kernel has failed.
    pub fn read(&self, to: &mut [u8], from: u64) -> Result<(), Halt> {
        match &self.team {
            Some(team) => team.read(self, to, from),
            None => self.read_here(to, from),
        }
    }

    /// The same for several parts, with one wait, unless several devices have them.
    pub fn read_all(&self, parts: Vec<Part>) -> Result<(), Halt> {
        match &self.team {
            Some(team) => parts.into_iter().try_for_each(|part| team.read(self, part.to, part.from)),
            None => self.read_parts_here(parts),
        }
    }

    pub(super) fn read_here(&self, to: &mut [u8], from: u64) -> Result<(), Halt> {
        self.read_parts_here(vec![Part { from, to }])
    }

    fn read_parts_here(&self, parts: Vec<Part>) -> Result<(), Halt> {
        let bytes = parts.iter().map(|part| part.to.len()).sum();
        let (mut running, mut queue) = self.lock();
        let begun = running.begin_move(&mut queue, bytes).map_err(Halt::Trouble)?;
        running.wait(&mut queue, parts)?;
        begun.into_iter().for_each(|begun| running.ledger.note_move(What::Received(bytes as u64), begun));
        Ok(())
    }

    /// The same for words of a region.
    pub fn read_words(&self, to: &mut [u8], from: u64) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.ledger.traffic.memory.cells_from_device += to.len() as u64;
        let begun = running.begin_transfer(&mut queue, to.len()).map_err(Halt::Trouble)?;
        let bytes = to.len();
        running.wait(&mut queue, vec![Part { from, to }])?;
        if let Some(begun) = begun {
            running.ledger.traffic.memory.timed_from_device.add(bytes, begun);
        }
        Ok(())
    }

    /// How many words a kernel has requested of a region before, if that was too small.
    pub fn requested_words(&self, kernel: usize) -> u64 {
        guard(&self.running).requested_words[kernel]
    }

    /// Notes that a region has so many words now; whether the device did not have it before.
    pub fn note_region(&self, words: u64, is_new: bool) {
        guard(&self.running).ledger.note_region(words, is_new);
    }

    /// The host is busy with something else now: commands that were issued and may wait for more to come begin.
    pub fn hurry(&self) {
        if self.team.as_ref().is_some_and(Team::runs_parts) {
            return;
        }
        self.hurry_here();
        self.others().iter().for_each(Program::hurry);
    }

    pub(super) fn hurry_here(&self) {
        let (running, mut queue) = self.lock();
        if running.busy {
            // If this fails the device is lost, which the next command reports.
            let _ = queue.begin(running.owner);
        }
    }

    /// Waits for all work that was issued before.
    pub fn finish(&self) -> Result<(), Halt> {
        let ended = self.finish_here();
        // Of several failures, that of the first device.
        self.others().iter().map(Program::finish).fold(ended, |ended, other| ended.and(other))
    }

    /// Waits for all work that was issued before, but has kernels that did not begin yet do nothing. What they would have computed is
    /// not needed, nor whether they fail.
    pub fn abandon(&self) {
        let (mut running, mut queue) = self.lock();
        if running.busy {
            // If this fails the device is lost, which the next command reports.
            let _ = running.abandon(&mut queue);
        }
        drop((running, queue));
        self.others().iter().for_each(Program::abandon);
    }

    /// The device that was selected gets what it will read: what is within so many bytes of an address.
    pub fn bring(&self, address: u64, within: (i64, i64)) -> Result<(), Halt> {
        self.team.as_ref().map_or(Ok(()), |team| team.bring_there(self, address, within))
    }

    /// Launches a kernel without regions. For each argument that is an address, there are two numbers: from where on, counted from the address, the kernel reads and writes, and how many bytes;
    /// none for all, or if this is not known.
    pub fn launch_within(&self, request: Request, within: &[i64]) -> Result<(), Halt> {
        match &self.team {
            Some(team) => team.launch(self, request, within),
            None => self.launch_here(request, &[]),
        }
    }

    /// Launches a kernel. Nobody waits for it, unless very many are under way.
    pub fn launch(&self, mut request: Request, regions: &[DeviceRegion]) -> Result<(), Halt> {
        match &self.team {
            Some(team) if regions.is_empty() => team.launch(self, request, &[]),
            Some(team) => {
                // Regions are on the first device.
                team.bring_home(self, request.kernel, &mut request.args)?;
                self.launch_here(request, regions)
            }
            None => self.launch_here(request, regions),
        }
    }

    pub(super) fn launch_here(&self, request: Request, regions: &[DeviceRegion]) -> Result<(), Halt> {
        let (mut running, mut queue) = self.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        if let Some(halt) = running.log.halt.take() {
            return Err(halt);
        }
        if request.groups == 0 {
            return Ok(());
        }
        if running.log.is_open() || running.may_repeat(request.kernel) {
            return running.launch_logged(&mut queue, request, regions);
        }
        let request = running.place_regions(request, regions);
        let full = running.start(&mut queue, &request).map_err(Halt::Trouble)?;
        if full { running.wait(&mut queue, Vec::new()) } else { Ok(()) }
    }

    /// How many words a kernel takes, if there is one with this number.
    pub fn arity(&self, kernel: usize) -> Option<usize> {
        guard(&self.running).arity(kernel)
    }

    /// The parameters of a kernel that are regions, by their numbers, and how many threads its groups have.
    pub fn regions_of(&self, kernel: usize) -> (Vec<(usize, Access)>, u64) {
        guard(&self.running).regions_of(kernel)
    }

    /// Whether the times of launches are measured.
    pub fn set_profiling(&self, on: bool) {
        guard(&self.running).ledger.timing = on;
        self.others().iter().for_each(|other| other.set_profiling(on));
    }

    /// What launches have cost, by their sites, on all devices that work for the program, since the last call.
    pub fn take_profile(&self) -> Vec<Cost> {
        let mut costs = guard(&self.running).ledger.take_profile();
        for more in self.others().iter().map(Program::take_profile) {
            costs.resize(costs.len().max(more.len()), Cost::default());
            costs.iter_mut().zip(more).for_each(|(cost, more)| cost.add(more));
        }
        costs
    }

    /// What each device that works for the program has done while launches were timed, and when, since the last call.
    pub fn take_timelines(&self) -> Vec<Timeline> {
        let all = [self].into_iter().chain(self.others());
        let timeline = |program: &Program| Timeline {
            device: program.gpu.facts.name.clone(),
            events: guard(&program.running).ledger.take_events(),
        };
        all.map(timeline).collect()
    }

    /// How much was asked of the device, and of others that work for the program, since the last call.
    pub fn take_traffic(&self) -> Traffic {
        let mut traffic = guard(&self.running).ledger.take_traffic();
        for more in self.others().iter().map(Program::take_traffic) {
            traffic.launches += more.launches;
            traffic.waits += more.waits;
            traffic.bytes_to_device += more.bytes_to_device;
            traffic.bytes_from_device += more.bytes_from_device;
        }
        traffic
    }

    /// In this order always.
    pub(super) fn lock(&self) -> (MutexGuard<'_, Running>, MutexGuard<'_, Queue>) {
        let running = guard(&self.running);
        (running, self.gpu.queue())
    }
}

/// The policy that the user has named, if so.
pub(super) fn policy_of_user() -> Option<Box<dyn Policy>> {
    std::env::var("NORN_POLICY").ok().and_then(|name| policy_named(&name))
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(team) = &self.team {
            team.end(self, &self.gpu.cache);
        }
        let (mut running, mut queue) = self.lock();
        if running.check_generation(&queue).is_err() || queue.is_lost() {
            return;
        }
        running.leave(&mut queue);
    }
}

//! Launches that may run out of memory, and what is done when one has.
//!
//! They are launched as others are, and noted in the log (`log`). Whoever looks at the state next learns whether one has failed, makes what was too small larger, and has the device do again
//! everything from that launch on. So a loop of such kernels waits as often as its host reads something, and once more each time that memory was too small.

use super::device::Part;
use super::heap::FIRST_HEAP;
use super::log::{Entry, GrownRegion, Logged, RegionUse, Saved, Touched};
use super::module::{Access, Param};
use super::pool::Piece;
use super::program::{Halt, Request};
use super::queue::Queue;
use super::recent::Trouble;
use super::regions::{DeviceRegion, MOST_REGION_WORDS, NEXT, REGION_HEADER, SLOT, limit_of};
use super::running::Running;
use super::state::{HEAP, OUT_OF_HEAP, OUT_OF_REGION, State};
use std::collections::BTreeSet;

/// So many ends of regions are saved at most; then somebody looks.
const MOST_ENDS: usize = 4096;

impl Running {
    /// Launches a kernel that may run out of memory, or one behind such a kernel.
    pub fn launch_logged(
        &mut self,
        queue: &mut Queue,
        mut request: Request,
        regions: &[DeviceRegion],
    ) -> Result<(), Halt> {
        let may_repeat = self.may_repeat(request.kernel);
        let needs_heap = self.here.heap.is_none() && self.uses_heap(request.kernel);
        let adding = regions.iter().filter(|region| region.adds).count();
        let most_kept = (queue.pool.limit() / 8).min(1 << 30);
        let log = &self.log;
        // What the log keeps may be in the way of a heap.
        let is_in_the_way = needs_heap && log.kept_bytes > 0;
        if log.is_full() || log.kept_bytes > most_kept || log.ends + adding > MOST_ENDS || is_in_the_way {
            self.settle(queue, Vec::new())?;
        }
        // This may wait, and so close the log.
        let saved = if may_repeat { self.copies(queue, &request)? } else { Some(Vec::new()) };
        let can_repeat = saved.is_some();
        let mut uses = Vec::new();
        for region in regions {
            let known = self.log.regions.get(&region.piece.address).copied();
            if region.adds || known.is_some_and(|known| known.next.is_none()) {
                uses.push(self.use_region(queue, region)?);
            } else {
                let piece = known.map_or(region.piece, |known| known.piece);
                region.params.iter().for_each(|param| request.args[*param] = piece.address);
            }
        }
        self.log.kept_bytes += saved.iter().flatten().map(|saved| saved.copy.bytes).sum::<u64>();
        self.launches += 1;
        let logged = Logged { number: self.launches, request, saved, regions: uses };
        let touched = self.touched(queue, &logged);
        let performed = self.perform(queue, &logged);
        self.log.add(Entry::Launch(logged), touched);
        match performed {
            Ok(full) if full || !can_repeat => self.settle(queue, Vec::new()),
            Ok(_) => Ok(()),
            Err(halt) => {
                self.end_log(queue)?;
                Err(halt)
            }
        }
    }

    /// Puts the addresses of regions where a kernel expects them that adds no cells.
    pub fn place_regions(&self, mut request: Request, regions: &[DeviceRegion]) -> Request {
        for region in regions {
            let known = self.log.regions.get(&region.piece.address);
            let piece = known.map_or(region.piece, |known| known.piece);
            region.params.iter().for_each(|param| request.args[*param] = piece.address);
        }
        request
    }

    /// Where a region is to which kernels in the log add cells, this one perhaps the first.
    fn use_region(&mut self, queue: &mut Queue, region: &DeviceRegion) -> Result<RegionUse, Halt> {
        let host = region.piece.address;
        let GrownRegion { piece, next, begun } = self
            .log
            .regions
            .get(&host)
            .copied()
            .unwrap_or(GrownRegion { piece: region.piece, next: Some(region.next), begun: region.next });
        let begun = next.unwrap_or(begun);
        if !region.adds {
            return Ok(RegionUse { region: host, params: region.params.clone(), adds: None });
        }
        if let Some(next) = next {
            self.write_header(queue, piece, region.slot, next).map_err(Halt::Trouble)?;
        }
        self.log.regions.insert(host, GrownRegion { piece, next: None, begun });
        let end = self.log.ends;
        self.log.ends += 1;
        Ok(RegionUse { region: host, params: region.params.clone(), adds: Some((region.slot, end)) })
    }

    /// Has the device do a launch, for the first time or again. Returns whether so much is under way that somebody has to wait.
    fn perform(&mut self, queue: &mut Queue, logged: &Logged) -> Result<bool, Halt> {
        let Logged { number, request, saved, regions } = logged;
        for Saved { piece, copy } in saved.iter().flatten() {
            queue.copy(self.owner, copy.address, piece.address, piece.bytes).map_err(Halt::Trouble)?;
        }
        if self.here.heap.is_none() && self.uses_heap(request.kernel) {
            // Where memory is scarce, less may do.
            let found = [FIRST_HEAP, FIRST_HEAP / 4, FIRST_HEAP / 16]
                .into_iter()
                .map(|bytes| self.grow_heap(queue, bytes, request.site, None))
                .find(|found| !matches!(found, Err(Halt::NoMemory { .. })));
            found.unwrap_or(Err(Halt::NoMemory {
                site: request.site,
                bytes: FIRST_HEAP,
                in_thread: None,
            }))?;
        }
        if let Some(heap) = self.here.heap.filter(|_| self.uses_heap(request.kernel)) {
            let most = &mut self.ledger.traffic.memory.heap;
            *most = heap.bytes.max(*most);
        }
        if self.may_repeat(request.kernel) {
            let state = State { launch: *number, ..State::new(queue.device.facts().api, self.here.heap) };
            // Nothing else of the state: a kernel that was started before may have failed.
            let to = self.here.state + HEAP as u64;
            queue.write(self.owner, to, &state.bytes()[HEAP..]).map_err(Halt::Trouble)?;
        }
        let mut args = request.args.clone();
        for RegionUse { region, params, adds } in regions {
            let piece = self.region_piece(*region);
            params.iter().for_each(|param| args[*param] = piece.address);
            if let Some((slot, end)) = adds {
                let ends = self.ends(queue, request.site)?;
                let to = ends.address + 8 * *end as u64;
                queue.copy(self.owner, to, piece.address + NEXT, 8).map_err(Halt::Trouble)?;
                let slot = (*slot as u64).to_ne_bytes();
                queue.write(self.owner, piece.address + SLOT, &slot).map_err(Halt::Trouble)?;
            }
        }
        self.start(queue, &Request { args, ..*request }).map_err(Halt::Trouble)
    }

    fn region_piece(&self, host: u64) -> Piece {
        let region = self.log.regions.get(&host);
        region.unwrap_or_else(|| panic!("a region of the log is known until its host knows it")).piece
    }

    /// Where the ends of regions are saved, from which they are taken again.
    fn ends(&mut self, queue: &mut Queue, site: i32) -> Result<Piece, Halt> {
        if let Some(ends) = self.here.ends {
            return Ok(ends);
        }
        let bytes = 8 * MOST_ENDS as u64;
        let ends = queue.obtain(self.owner, bytes).map_err(Halt::Trouble)?;
        self.here.ends = ends;
        ends.ok_or(Halt::NoMemory { site, bytes, in_thread: None })
    }

    /// Waits, and reads these parts, when all commands are done: launches that ran out of memory are repeated.
    pub fn settle(&mut self, queue: &mut Queue, mut parts: Vec<Part>) -> Result<(), Halt> {
        let settled = self.try_settle(queue, &mut parts);
        self.end_log(queue)?;
        settled
    }

    /// Nothing in the log will be done again: all of it is done, or the run is over.
    fn end_log(&mut self, queue: &mut Queue) -> Result<(), Halt> {
        // If the run is over, it is known where regions are, but not what is in them.
        self.log.regions.values_mut().for_each(|region| region.next = region.next.or(Some(0)));
        self.close_log(queue).map_err(Halt::Trouble)
    }

    fn try_settle(&mut self, queue: &mut Queue, parts: &mut [Part]) -> Result<(), Halt> {
        loop {
            let moving =
                |(host, region): (&u64, &GrownRegion)| region.next.is_none().then_some((*host, region.piece));
            let moving: Vec<(u64, Piece)> = self.log.regions.iter().filter_map(moving).collect();
            let mut ends = vec![[0; 8]; moving.len()];
            let requested = parts.iter_mut().map(|part| Part { from: part.from, to: &mut *part.to });
            let of_regions = moving
                .iter()
                .zip(&mut ends)
                .map(|((_, piece), end)| Part { from: piece.address + NEXT, to: end });
            let parts = requested.chain(of_regions).collect();
            let state = self.wait_for_state(queue, parts).map_err(Halt::Trouble)?;
            let ends: Vec<u64> = ends.into_iter().map(u64::from_ne_bytes).collect();
            if state.failed == 0 {
                for ((host, _), end) in moving.into_iter().zip(ends) {
                    self.learn(host, end);
                    if let Some(region) = self.log.regions.get_mut(&host) {
                        region.next = Some(end);
                    }
                    self.ledger.note_region(end, false);
                }
                return Ok(());
            }
            self.here.reset_state(queue, self.owner).map_err(Halt::Trouble)?;
            if ![OUT_OF_HEAP, OUT_OF_REGION].contains(&state.site) {
                return Err(Halt::Check { site: state.site, operands: state.operands() });
            }
            let of = |host: u64| {
                moving.iter().zip(&ends).find(|((known, _), _)| *known == host).map_or(0, |(_, end)| *end)
            };
            self.forget_done(queue, state.failed_launch, of)?;
            self.enlarge(queue, &state, of)?;
            let entries = std::mem::take(&mut self.log.entries);
            let again = entries.iter().try_for_each(|entry| self.do_again(queue, entry));
            self.log.entries = entries;
            again?;
        }
    }

    /// What comes before a launch is done.
    fn forget_done(&mut self, queue: &mut Queue, failed: u64, end: impl Fn(u64) -> u64) -> Result<(), Halt> {
        let is_failed = |entry: &Entry| matches!(entry, Entry::Launch(logged) if logged.number == failed);
        let at = self.log.entries.iter().position(is_failed);
        let at = at.unwrap_or_else(|| panic!("a kernel has run out of memory that is not said to need some"));
        let waiting: BTreeSet<u64> = self.log.entries[at..].iter().flat_map(Entry::added_regions).collect();
        let done: BTreeSet<u64> = self.log.entries[..at].iter().flat_map(Entry::added_regions).collect();
        done.difference(&waiting).for_each(|host| self.learn(*host, end(*host)));
        let (copies, free) = self.log.drop_first(at);
        copies.into_iter().try_for_each(|copy| queue.give_back(self.owner, copy)).map_err(Halt::Trouble)?;
        free.into_iter().try_for_each(|address| self.release(queue, address)).map_err(Halt::Trouble)
    }

    /// Makes larger what was too small for the first launch in the log, and makes what it has changed as it was. `end` knows to which end the threads of the launch have
    /// come in a region.
    fn enlarge(&mut self, queue: &mut Queue, state: &State, end: impl Fn(u64) -> u64) -> Result<(), Halt> {
        let Some(Entry::Launch(logged)) = self.log.entries.first() else {
            panic!("the first request in the log is the launch that has failed")
        };
        let Request { kernel, site, .. } = logged.request;
        let adds = |used: &RegionUse| used.adds.map(|(slot, end)| (used.region, slot, end));
        let added: Vec<(u64, usize, usize)> = logged.regions.iter().filter_map(adds).collect();
        let restored: Option<Vec<(Piece, Piece)>> = logged
            .saved
            .as_ref()
            .map(|saved| saved.iter().map(|Saved { piece, copy }| (*piece, *copy)).collect());
        let operands = state.operands();
        self.ledger.traffic.memory.enlarged += 1;
        let in_thread = operands.get(1).map(|site| *site as i32).filter(|site| *site >= 0);
        let before = self.read_ends(queue, &added)?;
        let ran_out = operands.get(2).map_or(0, |slot| *slot as usize);
        for ((host, slot, _), before) in added.into_iter().zip(before) {
            let mut piece = self.region_piece(host);
            if state.site == OUT_OF_REGION && slot == ran_out {
                let missing_bytes = operands.first().copied().unwrap_or(0);
                let region = DeviceRegion { params: Vec::new(), slot, piece, next: before, adds: true };
                let requested = region.larger(end(host), missing_bytes);
                let bytes = region.bytes_for(requested);
                let no_memory = || Halt::NoMemory { site, bytes, in_thread };
                if restored.is_none() || requested <= region.limit() {
                    return Err(no_memory());
                }
                // Launches behind this one will add about as much as this one has, or as another has that had enough.
                let added = (end(host) - before).saturating_add(missing_bytes / 8);
                let known = &mut self.requested_words[kernel];
                // It may have ended long before it had all.
                let had_enough = region.limit().saturating_sub(before) >= *known;
                let again = if had_enough { known.saturating_mul(2) } else { *known };
                *known = added.max(again).min(MOST_REGION_WORDS);
                let each = *known;
                let foreseen = before.saturating_add(each.saturating_mul(self.adding_to(host)));
                let wishes = [foreseen.min(MOST_REGION_WORDS), requested];
                let larger = self.grow_region(queue, &region, wishes).map_err(Halt::Trouble)?;
                if piece.address != host {
                    queue.give_back(self.owner, piece.address).map_err(Halt::Trouble)?;
                }
                piece = larger.ok_or_else(no_memory)?;
                self.move_region(host, piece);
                self.foresee(queue, (kernel, slot), limit_of(piece), &end).map_err(Halt::Trouble)?;
            }
            self.write_header(queue, piece, slot, before).map_err(Halt::Trouble)?;
        }
        if state.site == OUT_OF_HEAP {
            let bytes = self.here.heap.map_or(FIRST_HEAP, |heap| heap.bytes.saturating_mul(2));
            if restored.is_none() {
                return Err(Halt::NoMemory { site, bytes, in_thread });
            }
            self.grow_heap(queue, bytes, site, in_thread)?;
        }
        for (piece, copy) in restored.unwrap_or_default() {
            queue.copy(self.owner, piece.address, copy.address, piece.bytes).map_err(Halt::Trouble)?;
        }
        Ok(())
    }

    /// Makes room in the regions of launches of a kernel behind the first in the log, which was too small for so many words: a loop that begins a region in each step would find out about
    /// each of them alone. Those launches have done nothing yet.
    fn foresee(
        &mut self,
        queue: &mut Queue,
        (kernel, slot): (usize, usize),
        words: u64,
        end: impl Fn(u64) -> u64,
    ) -> Result<(), Trouble> {
        let first: Vec<u64> = self.log.entries.first().into_iter().flat_map(Entry::added_regions).collect();
        let mut others = BTreeSet::new();
        for entry in &self.log.entries {
            if let Entry::Launch(logged) = entry
                && logged.request.kernel == kernel
            {
                let is_meant = |used: &&RegionUse| used.adds.is_some_and(|(other, _)| other == slot);
                others.extend(logged.regions.iter().filter(is_meant).map(|used| used.region));
            }
        }
        others.retain(|host| !first.contains(host));
        // Nobody knows whether so much is needed, so it is no more than a part of what there is.
        let mut left = (queue.pool.limit() - queue.pool.live()) / 4;
        for host in others {
            let old = self.region_piece(host);
            let used = end(host);
            let bytes = REGION_HEADER + 8 * used.saturating_add(words).min(MOST_REGION_WORDS);
            if limit_of(old) >= words {
                continue;
            }
            let Some(rest) = left.checked_sub(bytes) else { break };
            left = rest;
            let Some(piece) = queue.obtain(self.owner, bytes)? else { break };
            let (to, from) = (piece.address + REGION_HEADER, old.address + REGION_HEADER);
            queue.copy(self.owner, to, from, 8 * used)?;
            self.write_header(queue, piece, slot, used)?;
            if old.address != host {
                // A launch in the log may read it there, from before somebody added to it.
                self.log.keep(old);
            }
            self.move_region(host, piece);
        }
        Ok(())
    }

    fn move_region(&mut self, host: u64, to: Piece) {
        if let Some(region) = self.log.regions.get_mut(&host) {
            region.piece = to;
        }
    }

    /// What kernels have added to a region of the log, those want again that found too little room before.
    fn learn(&mut self, host: u64, end: u64) {
        let Some(region) = self.log.regions.get(&host) else { return };
        let each = end.saturating_sub(region.begun) / self.adding_to(host).max(1);
        for entry in &self.log.entries {
            let Entry::Launch(logged) = entry else { continue };
            let known = &mut self.requested_words[logged.request.kernel];
            if *known > 0 && entry.added_regions().contains(&host) {
                *known = each.max(*known);
            }
        }
    }

    /// How many launches in the log add cells to a region.
    fn adding_to(&self, host: u64) -> u64 {
        let adds = |used: &RegionUse| used.region == host && used.adds.is_some();
        let is_adding =
            |entry: &&Entry| matches!(entry, Entry::Launch(logged) if logged.regions.iter().any(adds));
        self.log.entries.iter().filter(is_adding).count() as u64
    }

    /// Where regions ended before a launch.
    fn read_ends(&mut self, queue: &mut Queue, added: &[(u64, usize, usize)]) -> Result<Vec<u64>, Halt> {
        let Some(place) = self.here.ends.filter(|_| !added.is_empty()) else { return Ok(Vec::new()) };
        let mut ends = vec![[0; 8]; added.len()];
        let part =
            |((_, _, end), to): (&(u64, usize, usize), _)| Part { from: place.address + 8 * *end as u64, to };
        let mut parts: Vec<Part> =
            added.iter().zip(ends.iter_mut().map(|end| &mut end[..])).map(part).collect();
        queue.read(self.owner, &mut parts).map_err(Halt::Trouble)?;
        drop(parts);
        self.ledger.traffic.waits += 1;
        Ok(ends.into_iter().map(u64::from_ne_bytes).collect())
    }

    fn do_again(&mut self, queue: &mut Queue, entry: &Entry) -> Result<(), Halt> {
        match entry {
            Entry::Launch(logged) => {
                self.ledger.traffic.memory.repeated += 1;
                self.perform(queue, logged).map(|_| ())
            }
            Entry::Copy { to, from, bytes } => {
                queue.copy(self.owner, *to, *from, *bytes).map_err(Halt::Trouble)
            }
            Entry::Fill { to, byte, bytes } => {
                queue.fill(self.owner, *to, *byte, *bytes).map_err(Halt::Trouble)
            }
        }
    }

    /// Nothing in the log is needed any more.
    pub fn close_log(&mut self, queue: &mut Queue) -> Result<(), Trouble> {
        let (copies, given_back) = self.log.close();
        copies.into_iter().try_for_each(|address| queue.give_back(self.owner, address))?;
        given_back.into_iter().try_for_each(|address| self.give_back(queue, address))
    }

    /// Gives a piece back as soon as nobody needs it.
    pub fn give_back(&mut self, queue: &mut Queue, address: u64) -> Result<(), Trouble> {
        if self.log.is_open() {
            if let Some(piece) = queue.pool.piece_at(address) {
                self.log.keep(piece);
            }
            return Ok(());
        }
        self.release(queue, address)
    }

    /// Gives a piece back that nobody needs.
    fn release(&mut self, queue: &mut Queue, address: u64) -> Result<(), Trouble> {
        // A region that has moved, which its host never learnt.
        if let Some(GrownRegion { piece, .. }) = self.log.regions.remove(&address)
            && piece.address != address
        {
            queue.give_back(self.owner, piece.address)?;
        }
        queue.give_back(self.owner, address)
    }

    /// Copies the memory that a kernel both reads and writes, by whatever pointers: pieces for that. None if there is not enough.
    fn copies(&mut self, queue: &mut Queue, request: &Request) -> Result<Option<Vec<Saved>>, Halt> {
        let mut pieces: Vec<(Piece, Access)> = Vec::new();
        for (param, arg) in self.params(request.kernel).iter().zip(&request.args) {
            let Param::Pointer(Access { reads, writes }) = *param else { continue };
            let Some(piece) = queue.pool.piece_at(*arg) else { continue };
            match pieces.iter_mut().find(|(other, _)| *other == piece) {
                Some((_, access)) => {
                    access.reads |= reads;
                    access.writes |= writes;
                }
                None => pieces.push((piece, Access { reads, writes })),
            }
        }
        let mut saved = Vec::new();
        for (piece, access) in pieces {
            if !(access.reads && access.writes) {
                continue;
            }
            let mut copy = queue.obtain(self.owner, piece.bytes).map_err(Halt::Trouble)?;
            if copy.is_none() && self.log.is_open() {
                self.settle(queue, Vec::new())?;
                copy = queue.obtain(self.owner, piece.bytes).map_err(Halt::Trouble)?;
            }
            let Some(copy) = copy else {
                let copies = saved.into_iter().map(|Saved { copy, .. }| copy.address);
                for address in copies {
                    queue.give_back(self.owner, address).map_err(Halt::Trouble)?;
                }
                return Ok(None);
            };
            saved.push(Saved { piece, copy });
        }
        Ok(Some(saved))
    }

    /// What a launch does with pieces of memory.
    fn touched(&self, queue: &Queue, logged: &Logged) -> Touched {
        let mut touched = Touched::default();
        for (param, arg) in self.params(logged.request.kernel).iter().zip(&logged.request.args) {
            let (Param::Pointer(access) | Param::Region(access)) = *param else { continue };
            let Some(piece) = queue.pool.piece_at(*arg) else { continue };
            if access.reads {
                touched.read.push(piece.address);
            }
            if access.writes {
                touched.written.push(piece.address);
            }
        }
        touched
    }

    /// Copies within the device.
    pub fn copy(&mut self, queue: &mut Queue, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        let source = queue.pool.piece_at(from).filter(|_| self.log.is_open());
        let depends = source.is_some_and(|source| self.log.has_written(source));
        let place = self.change(queue, to, depends)?;
        queue.copy(self.owner, to, from, bytes).map_err(Halt::Trouble)?;
        if let (Some(place), Some(source)) = (place, source) {
            let touched = Touched { read: vec![source.address], written: vec![place.address] };
            self.log.add(Entry::Copy { to, from, bytes }, touched);
        }
        Ok(())
    }

    pub fn fill(&mut self, queue: &mut Queue, to: u64, byte: u8, bytes: u64) -> Result<(), Halt> {
        let place = self.change(queue, to, false)?;
        queue.fill(self.owner, to, byte, bytes).map_err(Halt::Trouble)?;
        if let Some(place) = place {
            let touched = Touched { read: Vec::new(), written: vec![place.address] };
            self.log.add(Entry::Fill { to, byte, bytes }, touched);
        }
        Ok(())
    }

    pub fn write(&mut self, queue: &mut Queue, to: u64, from: &[u8]) -> Result<(), Trouble> {
        self.ledger.traffic.bytes_to_device += from.len() as u64;
        self.busy = true;
        queue.write(self.owner, to, from)
    }

    /// Before the host writes somewhere.
    pub fn prepare_write(&mut self, queue: &mut Queue, to: u64) -> Result<(), Halt> {
        if self.change(queue, to, false)?.is_some() { self.settle(queue, Vec::new()) } else { Ok(()) }
    }

    /// Before a change of memory that is done whether a kernel has failed or not: waits if the log has read what is there. Returns the piece if the change has to be in
    /// the log, since it depends on what is in there, or comes behind another change of the same piece.
    fn change(&mut self, queue: &mut Queue, to: u64, depends: bool) -> Result<Option<Piece>, Halt> {
        if !self.log.is_open() {
            return Ok(None);
        }
        let Some(piece) = queue.pool.piece_at(to) else { return Ok(None) };
        if self.log.has_read(piece) || self.log.is_full() {
            self.settle(queue, Vec::new())?;
            return Ok(None);
        }
        Ok((depends || self.log.has_written(piece)).then_some(piece))
    }

    /// Where a region is now that the host has at an address, and its first free word, if kernels have added cells since it was last known. Waits, if nobody has looked.
    pub fn settled_region(&mut self, queue: &mut Queue, host: u64) -> Result<Option<(Piece, u64)>, Halt> {
        match self.log.regions.get(&host) {
            None => return Ok(None),
            Some(GrownRegion { next: None, .. }) => self.wait(queue, Vec::new())?,
            Some(GrownRegion { next: Some(_), .. }) => {}
        }
        let region = self.log.regions.remove(&host);
        Ok(region.and_then(|GrownRegion { piece, next, .. }| Some((piece, next?))))
    }
}

//! Arrays that stay where a program has them.
//!
//! A [`Held`] array is memory that belongs to nobody's run: a run that fails does not take it along, and it is given back when the last who
//! knows it is gone. It is in the host's memory or on a GPU. Calls are made with it without a copy, where its memory is that of the
//! function that is called; otherwise it is moved. Nobody writes to it.
//!
//! Where the device has lost everything, what was held there is lost, too.

use crate::column::{Array, Elements};
use crate::failure::{LOST, sentence};
use crate::instances::Instances;
use crate::memory::{Memory, data_bytes};
use crate::{Exec, call::stopped};
use norn_ir::imp::Prim;
use norn_runtime::Canceller;
use norn_runtime::cpu::{Block, Instance, OwnedBlock, Session, Stop};
use norn_runtime::gpu::{Gpu, Program};
use norn_values::{Data, Element};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::slice::from_raw_parts;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// An array that is not written to. Cheap to clone.
#[derive(Clone)]
pub struct Held(Arc<Pieces>);

struct Pieces {
    prim: Prim,
    dims: Vec<Option<usize>>,
    parts: Vec<HeldPart>,
    home: Home,
}

/// Offsets or elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldPart {
    pub address: u64,
    /// How many offsets or elements.
    pub count: usize,
    pub bytes: u64,
}

/// Whose memory the parts are in.
pub enum Home {
    /// The host's, as long as this is there.
    Host {
        owner: Arc<dyn Any + Send + Sync>,
    },
    Gpu(OnGpu),
}

/// Memory of a GPU that belongs to nobody's run.
pub struct OnGpu {
    instances: Arc<Instances>,
    program: Arc<Program>,
    generation: u64,
    /// What is to be given back.
    pieces: Vec<u64>,
    /// Whether a program was given them instead.
    is_given: AtomicBool,
    /// Whose memory it is, if not the program's.
    _owner: Option<Arc<dyn Any + Send + Sync>>,
}

impl OnGpu {
    /// Nothing yet. None if the device has lost everything.
    pub fn new(instances: &Arc<Instances>) -> Option<OnGpu> {
        let program = instances.origin.gpu()?.clone();
        let generation = program.generation()?;
        Some(OnGpu {
            instances: instances.clone(),
            program,
            generation,
            pieces: Vec::new(),
            is_given: AtomicBool::new(false),
            _owner: None,
        })
    }

    /// It is given back with the others.
    pub fn add(&mut self, address: u64) {
        self.pieces.push(address);
    }

    fn is_here(&self) -> bool {
        !self.is_given.load(Relaxed) && self.program.generation() == Some(self.generation)
    }
}

impl Drop for OnGpu {
    fn drop(&mut self) {
        if self.is_here() {
            self.pieces.iter().for_each(|address| self.program.give_back(*address));
        }
    }
}

/// An array that somebody lends.
#[derive(Debug)]
pub struct Loan<'a> {
    prim: Prim,
    dims: Vec<usize>,
    /// Aligned as its elements are.
    elements: &'a [u8],
}

impl<'a> Loan<'a> {
    /// Panics if there are not as many elements as the dimensions say.
    pub fn new<T: Element>(dims: &[usize], elements: &'a [T]) -> Loan<'a> {
        assert_eq!(
            dims.iter().product::<usize>(),
            elements.len(),
            "an array with another number of elements"
        );
        // SAFETY: elements are numbers, or truth values, so that their bytes can be read.
        let bytes = unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) };
        Loan { prim: T::PRIM, dims: dims.to_vec(), elements: bytes }
    }
}

impl Held {
    pub(crate) fn new(prim: Prim, dims: Vec<Option<usize>>, parts: Vec<HeldPart>, home: Home) -> Held {
        Held(Arc::new(Pieces { prim, dims, parts, home }))
    }

    /// A regular array of the host. None if there are not as many elements as the dimensions say.
    pub fn of_host(dims: &[usize], data: Arc<Data>) -> Option<Held> {
        let (address, bytes) = data_bytes(&data);
        if dims.iter().try_fold(1usize, |count, dim| count.checked_mul(*dim)) != Some(data.len()) {
            return None;
        }
        // SAFETY: the elements are there as long as the data is, which nobody can write to while others hold it.
        Some(unsafe { Held::lend(data.prim(), dims, address, bytes, data) })
    }

    /// A regular array in memory of somebody else, so many bytes.
    ///
    /// # Safety
    /// As long as the owner is there, so are as many elements as the dimensions say, side by side, aligned, and nobody writes to them.
    pub unsafe fn lend(
        prim: Prim,
        dims: &[usize],
        address: *const u8,
        bytes: usize,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Held {
        let part = HeldPart { address: address as u64, count: dims.iter().product(), bytes: bytes as u64 };
        Held::new(prim, dims.iter().map(|dim| Some(*dim)).collect(), vec![part], Home::Host { owner })
    }

    /// Lends regular arrays as long as `work` takes. Nobody keeps one of them for longer: then their memory may be gone, and the process ends.
    pub fn lend_while<R>(loans: &[&Loan], work: impl FnOnce(Vec<Held>) -> R) -> R {
        /// A panic does not leave such a function: it ends the process.
        extern "C" fn end() -> ! {
            panic!("an array is kept for longer than it was lent")
        }
        /// Also if `work` panics.
        struct Back(Arc<()>);
        impl Drop for Back {
            fn drop(&mut self) {
                if Arc::strong_count(&self.0) > 1 {
                    end();
                }
            }
        }
        let back = Back(Arc::new(()));
        // SAFETY: the elements are borrowed, so they are there and nobody writes to them until this returns; by then nobody holds the owner.
        let lend = |loan: &&Loan| unsafe {
            Held::lend(loan.prim, &loan.dims, loan.elements.as_ptr(), loan.elements.len(), back.0.clone())
        };
        work(loans.iter().map(lend).collect())
    }

    /// As many as the array has dimensions, `None` where it is `?`.
    pub fn dims(&self) -> &[Option<usize>] {
        &self.0.dims
    }

    pub fn prim(&self) -> Prim {
        self.0.prim
    }

    /// The GPU that it is on; none if it is in the host's memory.
    pub fn gpu(&self) -> Option<&Arc<Gpu>> {
        match &self.0.home {
            Home::Host { .. } => None,
            Home::Gpu(on) => Some(on.program.gpu()),
        }
    }

    /// Where its elements begin, in the memory of its device.
    pub fn address(&self) -> u64 {
        self.0.parts.last().map_or(0, |part| part.address)
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.0.parts.iter().map(|part| part.bytes).sum()
    }

    /// The bytes of its elements, if they are in the host's memory.
    pub fn host_bytes(&self) -> Option<&[u8]> {
        let (Home::Host { .. }, Some(part)) = (&self.0.home, self.0.parts.last()) else { return None };
        if part.bytes == 0 {
            return Some(&[]);
        }
        // SAFETY: the elements are there as long as their owner is, and nobody writes to them.
        Some(unsafe { from_raw_parts(part.address as usize as *const u8, part.bytes as usize) })
    }

    /// Whether a program on a GPU finds it there.
    pub(crate) fn is_for(&self, program: &Arc<Program>) -> bool {
        match &self.0.home {
            Home::Host { .. } => false,
            Home::Gpu(on) => {
                let is_same = Arc::ptr_eq(&on.program, program);
                let share = Arc::ptr_eq(on.program.gpu(), program.gpu());
                is_same || share && !(on.program.has_team() && program.has_team())
            }
        }
    }

    /// The offsets for each `?`, then the elements. None if they are lost.
    pub(crate) fn parts(&self) -> Option<&[HeldPart]> {
        let is_here = match &self.0.home {
            Home::Host { owner } => !owner.downcast_ref::<OwnedBlock>().is_some_and(OwnedBlock::is_given),
            Home::Gpu(on) => on.is_here(),
        };
        is_here.then_some(&self.0.parts[..])
    }

    /// The same as a program finds them that it is for. Where other devices work for one of the two programs, they have other addresses there, as long as the call lasts. The error is why they
    /// could not be had, none if they are lost.
    pub(crate) fn parts_for(&self, program: &Arc<Program>) -> Result<Vec<HeldPart>, Option<Stop>> {
        let parts = self.parts().ok_or(None)?;
        let Home::Gpu(on) = &self.0.home else { return Ok(parts.to_vec()) };
        let moved = |part: &HeldPart| -> Result<HeldPart, Option<Stop>> {
            let HeldPart { address, bytes, .. } = *part;
            let address = match (Arc::ptr_eq(&on.program, program), on.program.has_team()) {
                (true, _) => address,
                (false, false) => program.admit_guest(address, bytes),
                (false, true) => {
                    let at_home = |_: &mut Instance| on.program.at_home(address, bytes);
                    let found = on.instances.with(&Canceller::default(), at_home).ok_or(None)?;
                    found.map_err(|halt| Some(stopped(halt)))?
                }
            };
            Ok(HeldPart { address, ..*part })
        };
        parts.iter().map(moved).collect()
    }

    /// Whether nobody else knows it, and its memory was made by a program, which may then be given it to overwrite.
    pub(crate) fn is_alone(&self) -> bool {
        let is_ours = match &self.0.home {
            Home::Host { owner } => Arc::strong_count(owner) == 1 && owner.is::<OwnedBlock>(),
            Home::Gpu(on) => on.pieces == self.0.parts.iter().map(|part| part.address).collect::<Vec<u64>>(),
        };
        Arc::strong_count(&self.0) == 1 && self.0.parts.len() == 1 && is_ours
    }

    /// Gives the memory to the program of a session, if nobody else knows it. It is lost to whoever has the array.
    pub(crate) fn give(&self, session: &mut Session, program: Option<&Arc<Program>>) -> Option<*mut Block> {
        let part = self.0.parts.first().filter(|_| self.is_alone())?;
        match &self.0.home {
            // SAFETY: nobody else knows the array.
            Home::Host { owner } => unsafe { session.adopt(owner.downcast_ref()?) },
            Home::Gpu(on) => {
                let is_same = program.is_some_and(|program| Arc::ptr_eq(program, &on.program));
                if !is_same || !on.is_here() || on.is_given.swap(true, Relaxed) {
                    return None;
                }
                // SAFETY: the program has obtained it, nobody else knows the array, and it is not given back twice.
                let block = unsafe { session.adopt_remote(part.address, part.bytes) };
                on.is_given.store(block.is_some(), Relaxed);
                block
            }
        }
    }

    /// How many entries the offsets of each `?` have.
    pub(crate) fn offset_counts(&self) -> impl Iterator<Item = usize> {
        let (_, offsets) = self.0.parts.split_last().unwrap_or((&NO_PART, &[]));
        offsets.iter().map(|part| part.count)
    }

    /// A copy in the host's memory. If it is on a GPU, this waits for calls of the program that it comes from. The error is a sentence.
    pub fn fetch(&self) -> Result<Array<'static>, String> {
        match &self.0.home {
            Home::Host { .. } => self.read(&mut Memory::Host),
            Home::Gpu(on) => {
                let read = |program: &Program| {
                    let mut download = |to: &mut [u8], from| program.read(to, from).map_err(stopped);
                    self.read(&mut Memory::Device(&mut download))
                };
                let lost = || Err(LOST.to_string());
                let never = Canceller::default();
                let fetched = on.instances.with(&never, |instance| instance.gpu().map_or_else(lost, read));
                fetched.unwrap_or_else(lost)
            }
        }
    }

    fn read(&self, memory: &mut Memory) -> Result<Array<'static>, String> {
        let lost = || LOST.to_string();
        let (elements, offsets) = self.parts().and_then(|parts| parts.split_last()).ok_or_else(lost)?;
        let mut levels = Vec::with_capacity(offsets.len());
        for part in offsets {
            // SAFETY: the parts are what the array was made with.
            let level = unsafe { memory.read::<i64>(part.address, 0, part.count) };
            levels.push(Cow::Owned(level.map_err(|stop| sentence(&stop))?));
        }
        // SAFETY: the parts are what the array was made with.
        let data = unsafe { memory.read_data(self.prim(), elements.address, 0, elements.count) };
        let elements = Elements::Prim(Cow::Owned(data.map_err(|stop| sentence(&stop))?));
        let array = Array::new(self.dims().to_vec(), levels, elements);
        Ok(array.unwrap_or_else(|| panic!("exec: a held array whose parts do not fit together")))
    }
}

impl Exec {
    /// A regular array on the GPU in memory of somebody else, which is used where it is. None if there is no GPU, or kernels could not use it there.
    ///
    /// # Safety
    /// As long as the owner is there, so are as many elements as the dimensions say, side by side, in the memory of the program's GPU; and nobody
    /// writes to them but what its queue was made to follow.
    pub unsafe fn lend(
        &self,
        prim: Prim,
        dims: &[usize],
        address: u64,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Option<Held> {
        let count = dims.iter().try_fold(1usize, |count, dim| count.checked_mul(*dim))?;
        let bytes = (count as u64).checked_mul(prim.size() as u64)?;
        let program = self.instances.origin.gpu()?;
        if program.has_team() || !address.is_multiple_of(ALIGNMENT) || program.admit(bytes).is_err() {
            return None;
        }
        let mut home = OnGpu::new(&self.instances)?;
        home._owner = Some(owner);
        let part = HeldPart { address, count, bytes };
        Some(Held::new(prim, dims.iter().map(|dim| Some(*dim)).collect(), vec![part], Home::Gpu(home)))
    }

    /// Moves an array to the GPU, to stay there as long as somebody knows it. None if there is no GPU, or no room on
    /// it, or it is an array of refs.
    pub fn hold(&self, array: &Array) -> Option<Held> {
        self.instances.origin.gpu()?;
        let hold = |program: &Program| -> Option<Held> {
            let data = match array.elements() {
                Elements::Prim(data) => data,
                Elements::Ref(_) => return None,
            };
            let mut home = OnGpu::new(&self.instances)?;
            let offsets = array
                .offsets()
                .iter()
                .map(|level| (level.as_ptr().cast(), size_of_val(&level[..]), level.len()));
            let (elements, bytes) = data_bytes(data);
            let mut parts = Vec::new();
            for (from, bytes, count) in offsets.chain([(elements, bytes, data.len())]) {
                let piece = program.obtain(bytes as u64).ok()??;
                home.add(piece.address);
                // SAFETY: they are the bytes of numbers, which the array keeps.
                program.write(piece.address, unsafe { from_raw_parts(from, bytes) }).ok()?;
                parts.push(HeldPart { address: piece.address, count, bytes: bytes as u64 });
            }
            Some(Held::new(data.prim(), array.dims().to_vec(), parts, Home::Gpu(home)))
        };
        self.instances.with(&Canceller::default(), |instance| hold(instance.ready_gpu()?)).flatten()
    }
}

/// What all memory of a GPU has that programs obtain.
const ALIGNMENT: u64 = 256;

const NO_PART: HeldPart = HeldPart { address: 0, count: 0, bytes: 0 };

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("prim", &self.0.prim).field("dims", &self.0.dims).finish_non_exhaustive()
    }
}

//! Random requests on a device whose kernels run out of memory: whoever waits after each must find the same as who waits only at the end, and as who has so much
//! memory that nothing runs out.

use super::device::{Device, Facts, Launch, ModuleId, Part, Source, Timer, Times};
use super::heap::FIRST_HEAP;
use super::mock_memory::{MockMemory, mock_facts, mock_gpu};
use super::regions::NEXT;
use super::state::{OUT_OF_HEAP, OUT_OF_REGION, STATE_BYTES, State};
use super::*;

/// Its memory is here, and its kernels are done at once. One that runs out has done half of its work.
struct Tight {
    facts: Facts,
    memory: MockMemory,
}

const WORDS: usize = 8;

/// ys := 3 xs + 1
const MAP: usize = 0;
/// ys := xs + 7, with so much of the heap
const THREADS: usize = 1;
/// xs := xs + ys, with so much of the heap
const CHANGE: usize = 2;
/// ys[0] := a new cell of so many words, which depend on ys[1]
const CELLS: usize = 3;
/// ys[1] := the word ys[0] of the region, if it has so many
const LOOK: usize = 4;

fn kernels() -> Vec<Kernel> {
    let read = Access { reads: true, writes: false };
    let written = Access { reads: false, writes: true };
    let changed = Access { reads: true, writes: true };
    let kernel = |name: &str, params: Vec<Param>, uses_heap| Kernel {
        name: name.to_string(),
        group_size: 1,
        params,
        uses_heap,
        pool: None,
        smallest_element: 8,
        may_fail: true,
    };
    use Param::{Pointer, Region, Scalar};
    vec![
        kernel("map", vec![Pointer(read), Pointer(written)], false),
        kernel("threads", vec![Pointer(read), Pointer(written), Scalar(8)], true),
        kernel("change", vec![Pointer(changed), Pointer(read), Scalar(8)], true),
        kernel("cells", vec![Region(changed), Pointer(changed), Scalar(8)], false),
        kernel("look", vec![Region(read), Pointer(changed)], false),
    ]
}

impl Tight {
    fn gpu() -> Arc<Gpu> {
        Tight::with_limit(1 << 36)
    }

    fn with_limit(bytes: u64) -> Arc<Gpu> {
        let facts = mock_facts("tight", 1 << 40);
        mock_gpu(Tight { facts, memory: MockMemory::default() }, bytes)
    }

    fn place(&mut self, address: u64) -> &mut [u8] {
        self.memory.place(address)
    }

    fn word(&mut self, address: u64) -> u64 {
        u64::from_ne_bytes(self.place(address)[..8].try_into().expect("a word"))
    }

    fn set_word(&mut self, address: u64, word: u64) {
        self.place(address)[..8].copy_from_slice(&word.to_ne_bytes());
    }

    /// What a kernel does that begins with this state; the state if it fails.
    fn run(&mut self, kernel: usize, args: &[u64], state: &State) -> Option<State> {
        let mut words = |count: usize, change: &dyn Fn(u64, u64) -> u64, to: u64, from: u64| {
            for at in (0..count as u64).map(|i| 8 * i) {
                let (old, other) = (self.word(to + at), self.word(from + at));
                self.set_word(to + at, change(old, other));
            }
        };
        let failed = |site: i32, operand: [u64; 3]| {
            let mut operands = [0; state::STATE_OPERANDS];
            operands[..3].copy_from_slice(&operand);
            Some(State {
                failed: 2,
                site,
                operands: 3,
                operand: operands,
                failed_launch: state.launch,
                ..*state
            })
        };
        let exhausted = |need: u64| need > state.heap_end - state.heap_begin;
        match kernel {
            MAP => words(WORDS, &|_, x| x.wrapping_mul(3).wrapping_add(1), args[1], args[0]),
            THREADS => {
                let is_exhausted = exhausted(args[2]);
                let count = if is_exhausted { WORDS / 2 } else { WORDS };
                words(count, &|_, x| x.wrapping_add(7), args[1], args[0]);
                if is_exhausted {
                    return failed(OUT_OF_HEAP, [0; 3]);
                }
            }
            CHANGE => {
                let is_exhausted = exhausted(args[2]);
                let count = if is_exhausted { WORDS / 2 } else { WORDS };
                words(count, &u64::wrapping_add, args[0], args[1]);
                if is_exhausted {
                    return failed(OUT_OF_HEAP, [0; 3]);
                }
            }
            CELLS => {
                let (region, out, count) = (args[0], args[1], args[2]);
                let cell = self.word(region + NEXT);
                let (limit, slot) = (self.word(region + 16), self.word(region + 24));
                self.set_word(region + NEXT, cell + count);
                self.set_word(out, cell);
                if cell + count > limit {
                    return failed(OUT_OF_REGION, [8 * count, u64::MAX, slot]);
                }
                let seen = self.word(out + 8);
                for word in cell..cell + count {
                    self.set_word(region + REGION_HEADER + 8 * word, seen.wrapping_mul(5).wrapping_add(word));
                }
            }
            LOOK => {
                let cell = self.word(args[1]);
                if (1..self.word(args[0] + NEXT)).contains(&cell) {
                    let word = self.word(args[0] + REGION_HEADER + 8 * cell);
                    self.set_word(args[1] + 8, word);
                }
            }
            _ => unreachable!("there are five kernels"),
        }
        None
    }
}

impl Source for Tight {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        self.memory.alloc(bytes)
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        self.memory.free(address)
    }
}

impl Device for Tight {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        self.place(to)[..from.len()].copy_from_slice(from);
        Ok(())
    }

    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        self.write(to, from)
    }

    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        for Part { from, to } in parts {
            to.copy_from_slice(&self.place(*from)[..to.len()]);
        }
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError> {
        let copied = self.place(from)[..bytes as usize].to_vec();
        self.write(to, &copied)
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        self.place(to)[..bytes as usize].fill(byte);
        Ok(())
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>> {
        texts.iter().map(|text| Ok(text.as_bytes().to_vec())).collect()
    }

    fn load(&mut self, _: &[u8], _: &[Kernel]) -> Result<ModuleId, RuntimeError> {
        Ok(ModuleId(0))
    }

    fn unload(&mut self, _: ModuleId) {}

    fn launch(&mut self, launch: &Launch) -> Result<Option<Timer>, DeviceError> {
        let mut state = State::default();
        state.bytes_mut().copy_from_slice(&self.place(launch.state)[..STATE_BYTES]);
        if state.failed == 0
            && let Some(failed) = self.run(launch.kernel, launch.args, &state)
        {
            self.write(launch.state, failed.bytes())?;
        }
        Ok(None)
    }

    fn time(&mut self, _: Timer) -> Result<Times, DeviceError> {
        Ok(Times::default())
    }

    fn clock(&mut self) -> Result<u64, DeviceError> {
        Ok(0)
    }

    fn reset(&mut self) -> Result<(), RuntimeError> {
        Ok(())
    }
}

/// A small generator of random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A region as the host knows it.
struct HostRegion {
    piece: Piece,
    next: u64,
}

/// How a run differs from others that must find the same.
#[derive(Clone, Copy)]
struct Manner {
    /// Whether somebody looks after each request.
    patient: bool,
    /// Whether nothing runs out.
    roomy: bool,
}

/// What is in all arrays after random requests, and how often the host waited.
fn outcome(seed: u64, manner: Manner) -> (Vec<Vec<u64>>, u64) {
    let mut random = Random(seed);
    let program = Program::new(Tight::gpu(), ModuleText::default(), kernels()).expect("a program");
    let obtain = |bytes: u64| program.obtain(bytes).expect("no trouble").expect("memory");
    let bytes = 8 * WORDS as u64;
    let mut arrays: Vec<Piece> = (0..4).map(|_| obtain(bytes)).collect();
    for (i, array) in arrays.iter().enumerate() {
        let words: Vec<u8> = (0..WORDS).flat_map(|j| ((10 * i + j) as u64).to_ne_bytes()).collect();
        program.write(array.address, &words).expect("it is written");
    }
    let region_bytes = REGION_HEADER + 8 * if manner.roomy { 1 << 20 } else { 64 };
    let mut regions: Vec<HostRegion> =
        (0..2).map(|_| HostRegion { piece: obtain(region_bytes), next: 1 }).collect();
    for region in &regions {
        program.write(region.piece.address, &region_header(region.piece, 0, 1)).expect("it is written");
    }
    for _ in 0..60 {
        let (from, to) = (random.below(arrays.len()), random.below(arrays.len()));
        let (x, y) = (arrays[from].address, arrays[to].address);
        let need =
            [1, 1, FIRST_HEAP + 1, 3 * FIRST_HEAP][random.below(4)] >> if manner.roomy { 10 } else { 0 };
        let (slot, words) = (random.below(2), 1 + random.below(40) as u64);
        let request = |kernel: usize, args: Vec<u64>| Request { kernel, args, groups: 1, site: 0 };
        let host = &regions[slot];
        let passed =
            |adds: bool| DeviceRegion { params: vec![0], adds, slot: 0, piece: host.piece, next: host.next };
        let done = match random.below(12) {
            0 | 1 if from != to => program.launch(request(MAP, vec![x, y]), &[]),
            2 | 3 if from != to => program.launch(request(THREADS, vec![x, y, need]), &[]),
            4 | 5 if from != to => program.launch(request(CHANGE, vec![x, y, need]), &[]),
            6 => program.launch(request(CELLS, vec![host.piece.address, y, words]), &[passed(true)]),
            7 => program.launch(request(LOOK, vec![host.piece.address, y]), &[passed(false)]),
            8 if from != to => program.copy(y, x, bytes),
            9 => program.fill(y, words as u8, bytes),
            10 => {
                // One array goes, another comes.
                let fresh = obtain(bytes);
                let copied = program.copy(fresh.address, x, bytes);
                program.give_back(x);
                arrays[from] = fresh;
                copied
            }
            11 if random.below(4) == 0 => {
                let now = program.settled_region(host.piece.address).expect("it is settled");
                if let Some((piece, next)) = now {
                    if piece.address != host.piece.address {
                        program.give_back(host.piece.address);
                    }
                    regions[slot] = HostRegion { piece, next };
                }
                Ok(())
            }
            _ => program.write(y, &words.to_ne_bytes()),
        };
        done.expect("memory is large enough");
        if manner.patient {
            program.finish().expect("memory is large enough");
        }
    }
    let found = arrays.iter().map(|array| {
        let mut read = vec![0; bytes as usize];
        program.read(&mut read, array.address).expect("memory is large enough");
        read.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("a word"))).collect()
    });
    let found = found.collect();
    arrays.iter().for_each(|array| program.give_back(array.address));
    for region in &regions {
        program.give_back(region.piece.address);
    }
    let waits = program.take_traffic().waits;
    let gpu = program.gpu().clone();
    drop(program);
    assert_eq!(gpu.memory_live(), 0, "something was not given back");
    (found, waits)
}

#[test]
fn requests_that_run_out_are_done_again() {
    let (mut hasty, mut patient) = (0, 0);
    for seed in 1..400u64 {
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (found, waits) = outcome(seed, Manner { patient: false, roomy: false });
        hasty += waits;
        let (of_patient, waits) = outcome(seed, Manner { patient: true, roomy: false });
        patient += waits;
        assert_eq!(found, of_patient, "{seed:#x}");
        let (of_roomy, _) = outcome(seed, Manner { patient: false, roomy: true });
        assert_eq!(found, of_roomy, "{seed:#x}");
    }
    assert!(3 * hasty < patient, "{hasty} waits instead of {patient}");
}

#[test]
fn memory_grows_to_a_hundred_times_what_it_was() {
    let program = Program::new(Tight::gpu(), ModuleText::default(), kernels()).expect("a program");
    let obtain = |bytes: u64| program.obtain(bytes).expect("no trouble").expect("memory");
    let bytes = 8 * WORDS as u64;
    let [from, to] = [bytes; 2].map(obtain);
    program.fill(from.address, 1, bytes).expect("it is filled");
    let piece = obtain(REGION_HEADER + 8 * 64);
    let region = DeviceRegion { params: vec![0], adds: true, slot: 0, piece, next: 1 };
    let request = |kernel: usize, args: Vec<u64>| Request { kernel, args, groups: 1, site: 0 };
    let launch =
        |request: Request, regions: &[DeviceRegion]| program.launch(request, regions).expect("memory");
    launch(request(THREADS, vec![from.address, to.address, 100 * FIRST_HEAP]), &[]);
    launch(request(CELLS, vec![piece.address, to.address, 64]), std::slice::from_ref(&region));
    launch(request(CELLS, vec![piece.address, to.address, 100 * 64]), std::slice::from_ref(&region));
    let mut read = [0; 8];
    program.read(&mut read, to.address + 16).expect("memory");
    assert_eq!(u64::from_ne_bytes(read), 0x0101_0101_0101_0108);
    let (_, next) = program.settled_region(piece.address).expect("it is settled").expect("cells were added");
    assert_eq!(next, 1 + 64 + 6400);
}

#[test]
fn regions_of_launches_behind_grow_together() {
    let program = Program::new(Tight::gpu(), ModuleText::default(), kernels()).expect("a program");
    let obtain = |bytes: u64| program.obtain(bytes).expect("no trouble").expect("memory");
    let to = obtain(8 * WORDS as u64);
    let regions: Vec<Piece> = (0..100).map(|_| obtain(REGION_HEADER + 8 * 64)).collect();
    for piece in &regions {
        let args = vec![piece.address, to.address, 300];
        let region = DeviceRegion { params: vec![0], adds: true, slot: 0, piece: *piece, next: 1 };
        program.launch(Request { kernel: CELLS, args, groups: 1, site: 0 }, &[region]).expect("memory");
    }
    program.finish().expect("memory is large enough");
    let traffic = program.take_traffic();
    assert_eq!((traffic.memory.enlarged, traffic.memory.repeated), (1, 100));
    for piece in &regions {
        let settled = program.settled_region(piece.address).expect("it is settled");
        assert_eq!(settled.expect("cells were added").1, 301);
    }
}

#[test]
fn regions_that_have_ended_are_free_while_launches_are_repeated() {
    let program =
        Program::new(Tight::with_limit(1 << 20), ModuleText::default(), kernels()).expect("a program");
    let obtain = |bytes: u64| program.obtain(bytes).expect("no trouble").expect("memory");
    let to = obtain(8 * WORDS as u64);
    for _ in 0..100 {
        let piece = obtain(REGION_HEADER + 8 * 64);
        let region = DeviceRegion { params: vec![0], adds: true, slot: 0, piece, next: 1 };
        let args = vec![piece.address, to.address, 8000];
        program.launch(Request { kernel: CELLS, args, groups: 1, site: 0 }, &[region]).expect("memory");
        program.give_back(piece.address);
    }
    program.finish().expect("memory is large enough for each");
}

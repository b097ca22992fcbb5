//! Devices, programs and their memory, for all tests.

use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Block, Cpu, CpuOptions, Instance, Session, Stop, block_address};
use norn_runtime::gpu::{Access, Api, Gpu, GpuOptions, Kernel, Loaded, Module, Param, Which};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

const ABI: &str = include_str!("../../../../rts/cpu/abi.h");
const STATE: &str = include_str!("../../../../rts/gpu/state.h");
const HOST: &str = include_str!("host.c");

pub const ADD: u64 = 0;
pub const CHECK: u64 = 1;
pub const SET: u64 = 2;
pub const HEAP: u64 = 3;
pub const SCALARS: u64 = 4;
pub const REVERSE: u64 = 5;
pub const CHAIN: u64 = 6;
pub const SPIN: u64 = 7;
pub const TRAP: u64 = 8;

/// The kernels of a dialect.
pub fn module(api: Api) -> Module {
    use Param::Scalar;
    let text = match api {
        Api::Cuda => include_str!("kernels.cu"),
        Api::OpenCl => include_str!("kernels.cl"),
        Api::Processor => "",
    };
    let long = Scalar(8);
    let read = Param::Pointer(Access { reads: true, writes: false });
    let written = Param::Pointer(Access { reads: false, writes: true });
    let changed = Param::Pointer(Access { reads: true, writes: true });
    let scalars = [1, 2, 4, 8, 4, 8, 1].map(Scalar).into_iter().chain([written; 2]).collect();
    let mut kernels = vec![
        ("k_add", vec![long, read, read, written]),
        ("k_check", vec![long, Scalar(4), read]),
        ("k_set", vec![long, Scalar(4), written]),
        ("k_heap", vec![long, long, written]),
        ("k_scalars", scalars),
        ("k_reverse", vec![long, read, written]),
        ("k_chain", vec![long, changed]),
        ("k_spin", vec![long, written]),
    ];
    if api == Api::Cuda {
        kernels.push(("k_trap", vec![written]));
    }
    let kernel = |(name, params): (&str, Vec<Param>)| Kernel {
        name: name.to_string(),
        group_size: 256,
        params,
        uses_heap: name == "k_heap",
        pool: None,
        smallest_element: 4,
        may_fail: true,
    };
    Module {
        text: text.replace("// STATE", STATE),
        starts: Vec::new(),
        kernels: kernels.into_iter().map(kernel).collect(),
    }
}

/// The device, if it is there.
pub fn gpu(api: Api, memory_limit: Option<u64>) -> Option<Arc<Gpu>> {
    match Gpu::new(GpuOptions { which: Which::usual(api), memory_limit }) {
        Ok(gpu) => Some(Arc::new(gpu)),
        Err(error @ (RuntimeError::NoDevice { .. } | RuntimeError::NoKernelCompiler(_))) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

pub fn cpu() -> Option<Cpu> {
    match Cpu::new(CpuOptions { threads: NonZero::new(2), memory_limit: None, quick: false }) {
        Ok(cpu) => Some(cpu),
        Err(RuntimeError::NoCompiler(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

pub fn instance(cpu: &Cpu, gpu: &Arc<Gpu>) -> Instance {
    let show = |error: RuntimeError| -> ! { panic!("{error}") };
    let Loaded { program, .. } = gpu.load(&module(gpu.facts().api)).unwrap_or_else(|error| show(error));
    // SAFETY: the text is that of the test.
    let compiled = unsafe { cpu.load(&format!("{ABI}\n{HOST}"), 8) }.unwrap_or_else(|error| show(error));
    Instance::new(cpu, compiled.library, Some(program)).unwrap_or_else(|error| show(error))
}

/// On each device that is there, one after the other: they count what they use.
pub fn on_devices(run: impl Fn(&Arc<Gpu>, &mut Instance)) {
    on_devices_with(None, run);
}

pub fn on_devices_with(memory_limit: Option<u64>, run: impl Fn(&Arc<Gpu>, &mut Instance)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|error| error.into_inner());
    let Some(cpu) = cpu() else { return };
    for api in [Api::Cuda, Api::OpenCl] {
        let Some(gpu) = gpu(api, memory_limit) else { continue };
        let mut instance = instance(&cpu, &gpu);
        run(&gpu, &mut instance);
        drop(instance);
        assert_eq!((gpu.memory_live(), cpu.memory().live()), (0, 0), "{}", gpu.describe());
    }
}

pub fn call(instance: &mut Instance, entry: usize, args: &[u64], results: usize) -> Result<Vec<u64>, Stop> {
    instance.enter(|session| call_in(session, entry, args, results))
}

pub fn call_in(session: &mut Session, entry: usize, args: &[u64], results: usize) -> Result<Vec<u64>, Stop> {
    let mut results = vec![0; results];
    // SAFETY: arguments and results are what the text of the test says.
    unsafe { session.call(entry, args, &mut results) }.map(|_| results)
}

/// Elements in a new block, and where they are.
pub fn upload<T: Copy>(session: &mut Session, elements: &[T]) -> (*mut Block, u64) {
    // SAFETY: numbers are bytes, and all bytes are numbers.
    let bytes = unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) };
    let block = session.device_alloc(bytes.len()).expect("no trouble").expect("memory");
    // SAFETY: the block was just made.
    let address = unsafe { block_address(block) };
    // SAFETY: so many bytes are there.
    unsafe { session.upload(address, bytes) }.expect("no trouble");
    (block, address)
}

pub fn download<T: Copy + Default>(session: &mut Session, from: u64, count: usize) -> Vec<T> {
    let mut elements = vec![T::default(); count];
    let bytes =
        // SAFETY: numbers are bytes, and all bytes are numbers.
        unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), count * size_of::<T>()) };
    // SAFETY: so many bytes are there.
    unsafe { session.download(bytes, from) }.expect("no trouble");
    elements
}

pub fn launch(session: &mut Session, kernel: u64, groups: u64, args: &[u64]) -> Result<(), Stop> {
    let args: Vec<u64> = [1, kernel, groups, 20].iter().chain(args).copied().collect();
    call_in(session, 0, &args, 0).map(|_| ())
}

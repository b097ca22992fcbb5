//! The devices that are there, by way of the runtime: CUDA, and OpenCL, which may be a processor (PoCL). What is not there is
//! skipped, with a note.

use norn_emit::{DeviceKernel, DeviceParam, DeviceText, emit_cuda, emit_opencl};
use norn_ir::imp::Prog;
use norn_runtime::RuntimeError;
use norn_runtime::gpu::{
    Access, Api, Gpu, GpuOptions, Halt, Kernel, Module, Param, Program, Request, Which, cuda,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Those that are there, for one test at a time: PoCL does not bear to compile kernels for several at once.
pub struct Devices {
    devices: Vec<Arc<Gpu>>,
    _turn: MutexGuard<'static, ()>,
}

impl Devices {
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Gpu>> {
        self.devices.iter()
    }
}

pub fn devices() -> Devices {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = |api| match Gpu::new(GpuOptions { which: Which::usual(api), memory_limit: None }) {
        Ok(gpu) => Some(Arc::new(gpu)),
        Err(error @ (RuntimeError::NoDevice { .. } | RuntimeError::NoKernelCompiler(_))) => {
            eprintln!("left out: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    };
    Devices { devices: [Api::Cuda, Api::OpenCl].into_iter().filter_map(open).collect(), _turn: turn }
}

pub fn load(gpu: &Arc<Gpu>, prog: &Prog) -> Program {
    let emitted = match gpu.facts().api {
        Api::Cuda => emit_cuda(prog),
        Api::OpenCl => emit_opencl(prog),
        Api::Processor => panic!("the processor has no kernels"),
    };
    let text = emitted.text.clone();
    let show = |error| panic!("{}: {error}\n{}", gpu.describe(), own_part(&text));
    gpu.load(&module(emitted)).unwrap_or_else(show).program
}

fn module(emitted: DeviceText) -> Module {
    let param = |param: DeviceParam| match param {
        DeviceParam::Pointer(norn_emit::Access { reads, writes }) => Param::Pointer(Access { reads, writes }),
        DeviceParam::Region(norn_emit::Access { reads, writes }) => Param::Region(Access { reads, writes }),
        DeviceParam::Scalar(bytes) => Param::Scalar(bytes),
    };
    let kernel = |kernel: DeviceKernel| Kernel {
        name: kernel.name,
        group_size: kernel.group_size,
        params: kernel.params.into_iter().map(param).collect(),
        uses_heap: kernel.uses_heap,
        pool: kernel.pool,
        smallest_element: kernel.smallest_element,
        may_fail: kernel.may_fail,
    };
    Module {
        text: emitted.text,
        starts: emitted.starts,
        kernels: emitted.kernels.into_iter().map(kernel).collect(),
    }
}

/// That the text compiles for a GPU of NVIDIA, if there is a compiler: to PTX, or to machine code if everything is tested
/// (`NORN_TEST_ALL`).
pub fn compiles_for_cuda(name: &str, prog: &Prog) {
    let text = emit_cuda(prog).text;
    let everything = std::env::var_os("NORN_TEST_ALL").is_some();
    match cuda::Nvrtc::find(None).and_then(|nvrtc| nvrtc.accept(&text, 90, everything)) {
        Ok(()) => {}
        Err(error @ RuntimeError::NoKernelCompiler(_)) => eprintln!("left out: {error}"),
        Err(error) => panic!("{name}: {error}\n{}", own_part(&text)),
    }
}

/// The text without headers, its lines numbered.
fn own_part(text: &str) -> String {
    let begin = text.rfind("#endif").unwrap_or(0);
    let first = text[..begin].lines().count();
    text.lines().enumerate().skip(first).map(|(i, line)| format!("{:4} {line}\n", i + 1)).collect()
}

pub enum Arg {
    Scalar(u64),
    Array(Vec<u8>),
}

/// What is in the arrays afterwards, or how it failed.
pub fn launch(program: &Program, kernel: usize, args: &[Arg], groups: u64) -> Result<Vec<Vec<u8>>, Halt> {
    let mut arrays = Vec::new();
    let mut words = Vec::new();
    for arg in args {
        match arg {
            Arg::Scalar(word) => words.push(*word),
            Arg::Array(bytes) => {
                let piece = program.obtain(bytes.len() as u64).expect("no trouble").expect("memory");
                program.write(piece.address, bytes).expect("no trouble");
                arrays.push((piece.address, bytes.len()));
                words.push(piece.address);
            }
        }
    }
    let run = || {
        program.launch(Request { kernel, args: words, groups, site: 0 }, &[])?;
        let read = |(address, count): &(u64, usize)| {
            let mut bytes = vec![0; *count];
            program.read(&mut bytes, *address).map(|()| bytes)
        };
        let found = arrays.iter().map(read).collect();
        program.finish()?;
        found
    };
    let found = run();
    arrays.iter().for_each(|(address, _)| program.give_back(*address));
    found
}

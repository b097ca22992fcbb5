//! Programs run: their test blocks hold.

use crate::Verdict;
use crate::corpus::RepoFile;
use norn::engine::{Api, Backend, CpuOptions, cpu, gpu};
use norn::testing::{Event, TestOptions, Verdict as Outcome, run_program};

/// Whether every test in the blocks of a program passes.
pub fn check_blocks(file: &RepoFile) -> Verdict {
    run(file, TestOptions { slow: true, ..TestOptions::default() })
}

/// The same for the program after all passes that improve it.
pub fn check_improved(file: &RepoFile) -> Verdict {
    // Where a failure is reported may change: calls are gone.
    run(file, TestOptions { slow: true, improve: true, structure: false, ..TestOptions::default() })
}

/// The same for the program as compiled code on the CPU, where there is a C compiler.
pub fn check_compiled(file: &RepoFile) -> Verdict {
    let options = TestOptions { slow: true, structure: false, ..TestOptions::default() };
    run(file, TestOptions { backend: Backend::Cpu, ..options })
}

/// The same with kernels on the device that OpenCL has, which may be the processor.
pub fn check_opencl(file: &RepoFile) -> Verdict {
    let options = TestOptions { slow: true, structure: false, ..TestOptions::default() };
    run(file, TestOptions { backend: Backend::OpenCl, ..options })
}

/// Whether programs can be compiled on this machine.
pub fn has_compiler() -> bool {
    cpu(CpuOptions::default()).is_ok()
}

/// Whether kernels can be run by OpenCL on this machine; or why not.
pub fn has_opencl() -> Verdict {
    let options = CpuOptions::default();
    let devices = cpu(options).and_then(|_| gpu(Api::OpenCl, options));
    devices.map(drop).map_err(|error| error.to_string())
}

fn run(file: &RepoFile, options: TestOptions) -> Verdict {
    let mut current = String::new();
    let mut failed = String::new();
    run_program(&file.path, &options, &mut |event| match event {
        Event::Started(what) => current = what,
        Event::Finished(Outcome::Failed(why)) => failed += &format!("{current}: {why}\n"),
        Event::Finished(Outcome::Passed | Outcome::Skipped(_)) | Event::Ended => {}
    });
    if failed.is_empty() { Ok(()) } else { Err(failed) }
}

//! The kernels of programs are CUDA C++: NVRTC compiles them for a GPU that need not be there. In each run it compiles a third of the programs
//! (`turns`), or all if everything is to be tested: to machine code those that are compiled as for users, and the others to PTX, for which it has
//! to read and check all of the text, too. The text of all others is made.

use crate::corpus::RepoFile;
use crate::run::is_thorough;
use crate::turns::{Task, has_turn};
use crate::{Verdict, everything, root};
use norn::testing::Subject;
use norn::{Paint, render_all};
use norn_base::codes::{NOT_ON_DEVICE, NOT_SUPPORTED};
use norn_runtime::gpu::cuda::Nvrtc;
use std::sync::OnceLock;

/// The GPUs that are compiled for: H100 and H200.
const ARCH: u32 = 90;

/// Whether there is an NVRTC; or why not.
pub fn has_nvrtc() -> Verdict {
    nvrtc().map(drop)
}

fn nvrtc() -> Result<&'static Nvrtc, String> {
    static FOUND: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| Nvrtc::find(None).map_err(|error| error.to_string()));
    found.as_ref().map_err(String::clone)
}

/// The programs of which something is left to the processor.
const LEFT: &str = "tests/processor.txt";

fn leaves_something(file: &RepoFile) -> Result<bool, String> {
    static LISTED: OnceLock<Result<String, String>> = OnceLock::new();
    let listed = LISTED.get_or_init(|| {
        std::fs::read_to_string(root().join(LEFT)).map_err(|error| format!("{LEFT}: {error}"))
    });
    Ok(listed.as_ref().map_err(String::clone)?.lines().any(|line| line == file.name))
}

/// Whether all kernels of a program are accepted, and nothing of it is left to the processor silently.
pub fn check_cuda(file: &RepoFile, subject: &Subject) -> Verdict {
    if subject.is_unsupported() {
        return Ok(());
    }
    if leaves_something(file)? {
        let refused = subject.stages()?.device_imp(true).err();
        if !refused.is_some_and(|said| said.iter().any(|d| d.code == NOT_ON_DEVICE)) {
            return Err(format!("Nothing is left to the processor any more: {LEFT} should not list it.\n"));
        }
    }
    let prog = match subject.stages()?.device_imp(!leaves_something(file)?) {
        Ok(prog) => prog,
        // Then there is no program to look at.
        Err(said) if said.iter().all(|d| d.code == NOT_SUPPORTED) => return Ok(()),
        Err(said) => return Err(render_all(&subject.outcome()?.sources, said, Paint::Plain)),
    };
    if prog.group_kernels.is_empty() {
        return Ok(());
    }
    let text = norn_emit::emit_cuda(prog).text;
    if !(everything() || has_turn(file, Task::Cuda)) {
        return Ok(());
    }
    nvrtc()?.accept(&text, ARCH, is_thorough(file)).map_err(|error| {
        let log = error.to_string();
        match first_place(&log) {
            Some(line) => format!("{}:\n{log}\n{}", kernel_at(&text, line), around(&text, line)),
            None => log,
        }
    })
}

/// The line of the first error: `kernels.cu(378): error: ..`.
pub fn first_place(log: &str) -> Option<usize> {
    let at = log.lines().find(|line| line.contains(": error"))?;
    at.split_once('(')?.1.split_once(')')?.0.parse().ok()
}

/// The kernel or function that a line belongs to.
pub fn kernel_at(text: &str, line: usize) -> &str {
    let begins = |line: &&str| line.starts_with("NORN_KERNEL(") || line.starts_with("NORN_FUNCTION ");
    let above: Vec<&str> = text.lines().take(line).collect();
    above.into_iter().rev().find(begins).unwrap_or("before all kernels")
}

/// A few lines of a text, with their numbers.
pub fn around(text: &str, line: usize) -> String {
    let numbered = text.lines().enumerate().skip(line.saturating_sub(4)).take(7);
    numbered.map(|(i, line)| format!("{:5} {line}\n", i + 1)).collect()
}

//! What takes too long to be done for all programs in every run is done in turns: for a part of the programs, which the number of commits
//! chooses, so that commits that follow each other go through all of them. Programs that are new or were changed by the last commit or
//! since are always among them.

use crate::corpus::RepoFile;
use crate::root;
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::OnceLock;

/// What is done in turns. In one run, different programs are chosen for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Running kernels with OpenCL.
    OpenCl = 0,
    /// Compiling kernels for CUDA.
    Cuda = 1,
    /// Running all versions of nests with OpenCL.
    Versions = 2,
    /// Compiling for the CPU as it is done for users.
    Thorough = 3,
    /// Running with OpenCL in parts.
    Cut = 4,
    /// Running with two devices.
    Shared = 5,
}

impl Task {
    /// In how many runs all programs have had their turn.
    fn turns(self) -> u64 {
        match self {
            Task::Cuda | Task::Thorough => 12,
            // Kernels are compiled by PoCL, which takes most of the time, minutes for some; and for each version.
            Task::OpenCl => 16,
            Task::Versions => 30,
            Task::Cut | Task::Shared => 64,
        }
    }
}

/// Whether the program has its turn.
pub fn has_turn(file: &RepoFile, task: Task) -> bool {
    let run = run();
    let number = hash(&file.name) + run.number + task as u64;
    run.changed.contains(&file.name) || number.is_multiple_of(task.turns())
}

/// Which of so many ways a program is tested in, where one is enough for a run: each in turn.
pub fn draw(file: &RepoFile, ways: u64) -> u64 {
    (hash(&file.name) / Task::Shared.turns() + run().number / Task::Shared.turns()) % ways
}

/// What is known of this run.
struct Run {
    number: u64,
    changed: BTreeSet<String>,
}

/// Where there is no git, all runs are the same.
fn run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        let number = git(&["rev-list", "--count", "HEAD"]).trim().parse().unwrap_or(0);
        let changed = git(&["diff", "--name-only", "HEAD~1"]);
        let new = git(&["ls-files", "--others", "--exclude-standard"]);
        Run { number, changed: changed.lines().chain(new.lines()).map(String::from).collect() }
    })
}

fn git(arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(root()).args(arguments).output();
    let succeeded = output.ok().filter(|output| output.status.success());
    succeeded.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// Fowler, Noll and Vo's hash, of which the lower half is enough.
fn hash(name: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, mix) & u64::from(u32::MAX)
}

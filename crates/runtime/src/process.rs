//! Processes that we start, and folders that we work in: what must not outlive us.
//!
//! A C compiler starts other programs, and a program that is tested starts a C compiler. So a process gets a group of its own, and
//! is ended with its whole group: first it is asked to end, so that it can tidy up, and soon afterwards it is killed.
//!
//! All groups and folders are in one table. Who handles an interrupt ends this process by [`exit`].

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a group has to tidy up after it was asked to end. Few need a millisecond, but a machine can be busy.
const GRACE: Duration = Duration::from_secs(1);

/// How often it is looked at whether a group has ended.
const PAUSE: Duration = Duration::from_millis(5);

struct Table {
    groups: BTreeSet<u32>,
    folders: BTreeSet<PathBuf>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { groups: BTreeSet::new(), folders: BTreeSet::new() });

/// Whether processes stay in our own group.
static SHARES_GROUP: AtomicBool = AtomicBool::new(false);

/// Keeps processes in our own group from now on. This is for a process that was itself started as a [`Process`]: whoever ends it
/// then ends all that it has started, even if there is no time to tidy up.
pub fn share_group() {
    SHARES_GROUP.store(true, Relaxed);
}

/// A process with all that it starts.
pub struct Process {
    /// None when it was waited for.
    child: Option<Child>,
    /// The number of its group, if it has one of its own.
    group: Option<u32>,
}

impl Process {
    pub fn start(command: &mut Command) -> io::Result<Process> {
        let has_group = cfg!(unix) && !SHARES_GROUP.load(Relaxed);
        #[cfg(unix)]
        if has_group {
            std::os::unix::process::CommandExt::process_group(command, 0);
        }
        // Held until its group is in the table, so that `exit` finds every process.
        let mut table = table();
        let child = command.spawn()?;
        let group = has_group.then(|| child.id());
        table.groups.extend(group);
        Ok(Process { child: Some(child), group })
    }

    /// Its streams.
    pub fn child(&mut self) -> Option<&mut Child> {
        self.child.as_mut()
    }

    pub fn wait(mut self) -> io::Result<ExitStatus> {
        match self.child.take() {
            Some(mut child) => child.wait(),
            None => Err(ErrorKind::InvalidInput.into()),
        }
    }

    /// Waits for it, and for all that it writes to the streams that are piped.
    pub fn wait_with_output(mut self) -> io::Result<Output> {
        match self.child.take() {
            Some(child) => child.wait_with_output(),
            None => Err(ErrorKind::InvalidInput.into()),
        }
    }

    /// Ends it and all that it has started.
    pub fn end(mut self) {
        let Some(mut child) = self.child.take() else { return };
        if let Some(group) = self.group {
            signal_group(group, Signal::End);
            let deadline = Instant::now() + GRACE;
            while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(PAUSE);
            }
            // What it has started may be there even if it is not.
            signal_group(group, Signal::Kill);
        } else {
            // It may have ended in this moment, which is as good.
            let _ = child.kill();
        }
        let _ = child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            table().groups.remove(&group);
        }
    }
}

/// A folder for temporary files that only the user can look into. It is removed when it is dropped, or by [`exit`].
pub struct TempFolder {
    path: PathBuf,
}

impl TempFolder {
    /// In the system's folder for such files.
    pub fn new(prefix: &str) -> io::Result<TempFolder> {
        TempFolder::within(&std::env::temp_dir(), prefix)
    }

    pub fn within(parent: &Path, prefix: &str) -> io::Result<TempFolder> {
        let mut table = table();
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let path = builder.tempdir_in(parent)?.keep();
        table.folders.insert(path.clone());
        Ok(TempFolder { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // Held until the folder is gone: `exit` in between would leave what is left of it.
        let mut table = table();
        // One that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
        table.folders.remove(&self.path);
    }
}

/// Ends all processes with what they have started, removes all folders, and ends this process. Other threads that have to do with
/// processes or folders wait meanwhile, so that none of them comes to its own conclusions.
pub fn exit(code: i32) -> ! {
    let mut table = table();
    table.groups.iter().for_each(|group| signal_group(*group, Signal::End));
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline && table.groups.iter().any(|group| group_exists(*group)) {
        thread::sleep(PAUSE);
    }
    table.groups.iter().for_each(|group| signal_group(*group, Signal::Kill));
    for folder in std::mem::take(&mut table.folders) {
        // One that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(folder);
    }
    std::process::exit(code)
}

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy)]
enum Signal {
    End,
    Kill,
}

#[cfg(unix)]
fn signal_group(group: u32, signal: Signal) {
    // Not SIGINT, which what a script starts in the background ignores.
    const SIGTERM: i32 = 15;
    const SIGKILL: i32 = 9;
    let number = match signal {
        Signal::End => SIGTERM,
        Signal::Kill => SIGKILL,
    };
    // A group that has ended cannot be reached, which is as good.
    kill_group(group, number);
}

/// Whether there is a process in the group, if only one that nobody has waited for.
#[cfg(unix)]
fn group_exists(group: u32) -> bool {
    kill_group(group, 0) == 0
}

#[cfg(unix)]
fn kill_group(group: u32, signal: i32) -> i32 {
    unsafe extern "C" {
        safe fn kill(process: i32, signal: i32) -> i32;
    }
    match i32::try_from(group) {
        // 0 and 1 would be our own group, and all processes.
        Ok(group) if group > 1 => kill(-group, signal),
        Ok(_) | Err(_) => -1,
    }
}

#[cfg(not(unix))]
fn signal_group(_group: u32, _signal: Signal) {}

#[cfg(not(unix))]
fn group_exists(_group: u32) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    /// The script starts another process, whose number it prints.
    #[test]
    fn a_process_ends_with_what_it_has_started() {
        let script = "sh -c 'trap \"\" INT; sleep 60' & echo $!; wait; sleep 60";
        let mut command = Command::new("/bin/sh");
        let mut process = Process::start(command.args(["-c", script]).stdout(Stdio::piped())).unwrap();
        let mut line = String::new();
        let stdout = process.child().unwrap().stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let group = process.group.unwrap();
        let begin = Instant::now();
        process.end();
        assert!(begin.elapsed() < Duration::from_secs(10));
        // Orphans are waited for by the system, which may take a moment.
        while group_exists(group) {
            assert!(begin.elapsed() < Duration::from_secs(10), "process {line} is still there");
            thread::sleep(PAUSE);
        }
    }

    #[test]
    fn folders_are_private_and_go_away() {
        use std::os::unix::fs::MetadataExt;
        let folder = TempFolder::new("norn-test-").unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        drop(folder);
        assert!(!path.exists());
    }
}

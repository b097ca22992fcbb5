//! `norn watch`: a command again, each time a program changes.
//!
//! What is watched are the programs among the arguments, those in folders among them, and all that they import. Times and sizes of files are
//! looked at several times a second, which works everywhere, also on disks of the network.

use crate::args::{ColorChoice, MessageFormat, WatchArgs};
use crate::console::{Console, Exit};
use crate::programs::programs_at;
use norn_check::shipped_file;
use norn_runtime::stdout_was_closed;
use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

const OFTEN: Duration = Duration::from_millis(200);

pub fn run(args: &WatchArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let program = std::env::current_exe()?;
    let mut rounds = 0;
    loop {
        let before = state(&args.arguments);
        if before.is_empty() {
            console.error("there is no program among the arguments")?;
            return Ok(Exit::Usage);
        }
        let status = Command::new(&program).arg(&args.command).args(&args.arguments).status();
        let status = status.map_err(|e| Error::other(format!("norn cannot be started: {e}")))?;
        rounds += 1;
        if args.rounds.is_some_and(|most| rounds >= most) {
            return Ok(if status.success() { Exit::Ok } else { Exit::Rejected });
        }
        let verdict = if status.success() { "done" } else { "failed" };
        console.print_error(&format!("-- {} {verdict}; waiting for a change\n", args.command))?;
        while state(&args.arguments) == before {
            if stdout_was_closed() {
                return Ok(Exit::Usage);
            }
            sleep(OFTEN);
        }
        // Editors write a file in several steps.
        sleep(OFTEN / 4);
    }
}

/// The files that matter, as they are now.
fn state(arguments: &[String]) -> BTreeMap<PathBuf, Option<(SystemTime, u64)>> {
    let mut programs = Vec::new();
    for argument in arguments.iter().filter(|a| !a.starts_with('-')) {
        let path = Path::new(argument);
        if path.is_dir() || path.extension().is_some_and(|e| e == "fut") {
            // A folder that cannot be read now may be there again in a moment.
            let _ = programs_at(path, &mut programs);
        }
    }
    let mut files = BTreeMap::new();
    while let Some(path) = programs.pop() {
        if files.contains_key(&path) {
            continue;
        }
        let data = std::fs::metadata(&path).ok();
        files.insert(path.clone(), data.and_then(|d| Some((d.modified().ok()?, d.len()))));
        programs.extend(imports(&path));
    }
    files
}

fn imports(path: &Path) -> Vec<PathBuf> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let name = path.to_string_lossy();
    let all = norn_check::imports_of(&name, &text);
    all.into_iter().filter(|p| shipped_file(p).is_none()).map(PathBuf::from).collect()
}

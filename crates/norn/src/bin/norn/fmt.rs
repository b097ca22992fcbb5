//! `norn fmt`: format programs.

use crate::args::{ColorChoice, FmtArgs, MessageFormat};
use crate::console::{Console, Exit};
use crate::programs::programs_at;
use norn::{FileError, ParsedFile, parse_bytes, parse_file};
use similar::TextDiff;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// How many lines of a difference are shown.
const DIFF_LINES: usize = 40;

pub fn run(args: &FmtArgs, color: ColorChoice) -> io::Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let mut exit = Exit::Ok;
    let mut files = Vec::new();
    for path in &args.files {
        if let Err(e) = programs_at(path, &mut files) {
            console.error(FileError {
                path: path.display().to_string(),
                reason: format!("cannot be read: {e}"),
            })?;
            exit = exit.max(Exit::Usage);
        }
    }
    for path in &files {
        let outcome = match format_one(&console, path, args.check)? {
            Ok(outcome) => outcome,
            Err(e) => {
                console.error(e)?;
                Exit::Usage
            }
        };
        exit = exit.max(outcome);
    }
    Ok(exit)
}

/// The outer result is that of writing to the user, the inner that of reading and writing files.
fn format_one(console: &Console, path: &Path, check: bool) -> io::Result<Result<Exit, FileError>> {
    let from_stdin = path == Path::new("-");
    let parsed = if from_stdin { parse_stdin() } else { parse_file(path) };
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(e) => return Ok(Err(e)),
    };
    let Some(syntax) = parsed.syntax.as_ref().filter(|_| !parsed.diagnostics.has_errors()) else {
        console.report(&parsed.sources, &parsed.diagnostics)?;
        return Ok(Ok(Exit::Rejected));
    };
    let file = parsed.sources.file(parsed.root);
    let formatted = syntax.format(&file.text);
    let unchanged = formatted == *file.text;
    if check {
        if unchanged {
            return Ok(Ok(Exit::Ok));
        }
        console.print(format!("{} is not formatted:\n{}", file.name, short_diff(&file.text, &formatted)))?;
        return Ok(Ok(Exit::Rejected));
    }
    if from_stdin {
        console.print(&formatted)?;
    } else if !unchanged && let Err(e) = replace(path, &formatted) {
        return Ok(Err(FileError { path: file.name.clone(), reason: format!("cannot be written: {e}") }));
    }
    Ok(Ok(Exit::Ok))
}

fn parse_stdin() -> Result<ParsedFile, FileError> {
    let name = "<stdin>";
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(parse_bytes(name, bytes)),
        Err(e) => Err(FileError { path: name.into(), reason: format!("cannot be read: {e}") }),
    }
}

/// Puts `text` in place of what the file at `path` holds, all or nothing: a new file is written
/// beside it and then takes its name.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays, what it points to is replaced.
    let target = fs::canonicalize(path)?;
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".norn-fmt-{}", std::process::id()));
    let beside = target.with_file_name(name);
    let written = write_new(&beside, &target, text).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The error that is reported is the first one.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, like: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(fs::metadata(like)?.permissions())?;
    file.sync_all()
}

fn short_diff(old: &str, new: &str) -> String {
    let diff = TextDiff::configure().timeout(Duration::from_millis(500)).diff_lines(old, new);
    let text = diff.unified_diff().context_radius(1).to_string();
    let mut lines = text.lines();
    let mut shown: String = lines.by_ref().take(DIFF_LINES).map(|line| format!("{line}\n")).collect();
    match lines.count() {
        0 => {}
        more => shown.push_str(&format!("... and {more} more lines\n")),
    }
    shown
}

//! The C compiler of the system: which one, and what it can do.
//!
//! What was found out is kept on disk, by the path and the date of the compiler, so that a program that was compiled
//! before starts without asking the compiler anything. Which compiler compiled last is kept, too: where there is none any more,
//! programs that it compiled are still found.

use super::machine::machine;
use crate::RuntimeError;
use crate::cache::{Cache, hash};
use crate::process::Process;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

/// Programs are improved as much as the compiler can.
const THOROUGH: &str = "-O3";
/// What a compiler in a hurry is asked for instead.
const QUICK: &str = "-O0";

/// What we ask of the compiler. Those that it does not know are left out.
const FLAGS: &[&str] = &[
    THOROUGH,
    "-march=native",
    "-fwrapv",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-fno-plt",
];

/// What we ask of clang besides. Its search for scalars that could be vectors does not end on functions that are one long
/// block of stores, and the program's loops are vectorised before it sees them.
const CLANG_FLAGS: &[&str] = &["-fno-slp-vectorize"];

/// The versions of clang that are looked for by their numbers.
const CLANGS: std::ops::Range<u32> = 11..31;

/// Without these it is of no use.
const NEEDED: &[&str] = &["-std=gnu11", "-shared", "-fPIC", "-w"];

/// What a compiler must be able to compile, and what it must compute.
const PROBE: &str = "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\
    int64_t norn_probe(int64_t x) { return (int64_t)fmod((double)x, 43.0); }\n";

#[derive(Clone, PartialEq, Debug)]
pub struct Compiler {
    path: PathBuf,
    /// What stands between the path and the flags, if the user gave more than a name.
    extra: Vec<String>,
    /// The first line of its version.
    pub version: String,
    flags: Vec<String>,
    hurries: bool,
    /// It is not there any more, and neither is another; what was tried. What it has compiled before can still be run.
    missing: Option<Vec<String>>,
}

impl Compiler {
    /// The first compiler that works: `CC`, `cc`, `gcc` or `clang`. If there is none, the one that compiled last.
    pub fn find(cache: &Cache) -> Result<Compiler, RuntimeError> {
        let chosen = std::env::var("CC").unwrap_or_default();
        let mut tried = Vec::new();
        for command in [chosen.as_str(), "cc", "gcc", "clang"] {
            let mut words = command.split_whitespace();
            let Some(name) = words.next() else { continue };
            let Some(path) = find_program(name) else { continue };
            let extra = words.map(String::from).collect();
            match Compiler::examine(path, extra, cache) {
                Ok(compiler) => return Ok(compiler),
                Err(why) => tried.push(format!("`{command}` {}", why.trim())),
            }
        }
        match Compiler::remembered(cache) {
            Some(compiler) => Ok(Compiler { missing: Some(tried), ..compiler }),
            None => Err(RuntimeError::NoCompiler(tried)),
        }
    }

    /// Why it cannot compile anything, if it is only remembered.
    pub fn missing(&self) -> Option<RuntimeError> {
        self.missing.clone().map(RuntimeError::NoCompiler)
    }

    /// The compiler that compiled last on this machine.
    fn remembered(cache: &Cache) -> Option<Compiler> {
        let (_, bytes) = cache.read(&last_name())?;
        let text = String::from_utf8(bytes).ok()?;
        let (path, rest) = text.split_once('\n')?;
        let (extra, rest) = rest.split_once('\n')?;
        let (version, flags) = read_record(rest)?;
        let extra = extra.split_whitespace().map(String::from).collect();
        Some(Compiler { path: path.into(), extra, version, flags, hurries: false, missing: None })
    }

    /// Keeps in mind that it compiled last.
    pub fn remember(&self, cache: &Cache) {
        let Some(path) = self.path.to_str() else { return };
        // How it was asked to compile is no part of it.
        if Compiler::remembered(cache) != Some(Compiler { hurries: false, ..self.clone() }) {
            let text = format!("{path}\n{}\n{}", self.extra.join(" "), self.record());
            cache.keep_bytes(text.as_bytes(), &last_name());
        }
    }

    /// From now on it improves programs less, and is done earlier.
    pub fn hurry(&mut self) {
        self.hurries = true;
    }

    /// Another compiler that takes less time for long texts, if this one is in a hurry and the user did not choose it: clang, which
    /// takes two fifths of the time that gcc takes.
    pub fn quicker(&self, cache: &Cache) -> Option<Compiler> {
        let is_chosen = std::env::var("CC").is_ok_and(|chosen| !chosen.trim().is_empty());
        if is_chosen || !self.hurries || self.missing.is_some() || self.version.contains("clang") {
            return None;
        }
        // Where it came with PoCL, there is only the name with a number.
        let mut names = std::iter::once("clang".into()).chain(CLANGS.rev().map(|n| format!("clang-{n}")));
        let path = names.find_map(|name: String| find_program(&name))?;
        let mut clang = Compiler::examine(path, Vec::new(), cache).ok()?;
        clang.hurry();
        Some(clang)
    }

    /// The flags of ours that it knows.
    fn known_flags(&self) -> Vec<String> {
        let known =
            |flag: &String| if self.hurries && flag == THOROUGH { QUICK.into() } else { flag.clone() };
        self.flags.iter().map(known).collect()
    }

    /// What compiled programs depend on beside their text.
    pub fn identity(&self) -> String {
        let path = self.path.to_string_lossy();
        [&path, self.version.as_str(), &self.extra.join(" "), &self.known_flags().join(" "), &machine()]
            .join("\n")
    }

    /// Compiles C text in a folder, and returns the path of the result.
    pub fn compile(&self, text: &str, folder: &Path) -> Result<PathBuf, RuntimeError> {
        let source = folder.join("program.c");
        fs::write(&source, text).map_err(|error| RuntimeError::Io {
            what: "write",
            path: source.clone(),
            error,
        })?;
        let output = self.run(&self.known_flags(), &source);
        let output =
            output.map_err(|error| RuntimeError::Io { what: "run", path: self.path.clone(), error })?;
        if !output.status.success() {
            let message = first_lines(&output.stderr, 20);
            return Err(RuntimeError::Rejected { compiler: self.path.clone(), message });
        }
        Ok(result_path(&source))
    }

    /// Compiles C text to an executable, in a folder, and returns its path.
    pub fn build(&self, text: &str, folder: &Path) -> Result<PathBuf, RuntimeError> {
        let result = folder.join("program");
        self.make(text, folder, &[], &result, &["-lm", "-lpthread"])?;
        Ok(result)
    }

    /// Compiles C text to a static library, in a folder, and returns its path. Its archiver is that of the system, or what `AR` names.
    pub fn archive(&self, text: &str, folder: &Path) -> Result<PathBuf, RuntimeError> {
        let (object, result) = (folder.join("program.o"), folder.join("program.a"));
        // Who links it may make a shared library or an executable of it.
        self.make(text, folder, &["-c", "-fPIC"], &object, &[])?;
        let archiver = std::env::var_os("AR").unwrap_or_else(|| "ar".into());
        let mut command = Command::new(&archiver);
        command.arg("rcs").arg(&result).arg(&object).env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        run_tool(&mut command, Path::new(&archiver))?;
        Ok(result)
    }

    /// Compiles C text in a folder, with some flags before the others, to a file, with these libraries.
    fn make(
        &self,
        text: &str,
        folder: &Path,
        flags: &[&str],
        result: &Path,
        libraries: &[&str],
    ) -> Result<(), RuntimeError> {
        let source = folder.join("program.c");
        fs::write(&source, text).map_err(|error| RuntimeError::Io {
            what: "write",
            path: source.clone(),
            error,
        })?;
        let mut command = self.command();
        command.args(["-std=gnu11", "-w"]).args(flags).args(self.known_flags());
        command.arg("-o").arg(result).arg(&source).args(libraries).env("TMPDIR", folder);
        run_tool(&mut command, &self.path)
    }

    /// What the compiler can do; or why it is of no use, as a phrase.
    fn examine(path: PathBuf, extra: Vec<String>, cache: &Cache) -> Result<Compiler, String> {
        let name = record_name(&path, &extra);
        if let Some((_, bytes)) = cache.read(&name)
            && let Some((version, flags)) = str::from_utf8(&bytes).ok().and_then(read_record)
        {
            return Ok(Compiler { path, extra, version, flags, hurries: false, missing: None });
        }
        let mut compiler = Compiler {
            path,
            extra,
            version: String::new(),
            flags: Vec::new(),
            hurries: false,
            missing: None,
        };
        let version = Process::start(compiler.command().arg("--version").stderr(Stdio::null()))
            .and_then(Process::wait_with_output)
            .map_err(|error| format!("cannot be started: {error}"))?;
        compiler.version = first_lines(&version.stdout, 1);
        compiler.flags =
            cache.in_workshop(|folder| compiler.probe_flags(folder)).map_err(|Useless(why)| why)?;
        // That it cannot be written means that it is found out again next time.
        cache.keep_bytes(compiler.record().as_bytes(), &name);
        Ok(compiler)
    }

    /// Those of our flags that it knows.
    fn probe_flags(&self, folder: &Path) -> Result<Vec<String>, Useless> {
        let source = folder.join("probe.c");
        fs::write(&source, PROBE).map_err(|error| Useless(format!("cannot be tried: {error}")))?;
        let all = flags_for(&self.version);
        if self.probe(&all, &source).is_ok() {
            return Ok(all);
        }
        self.probe(&[], &source).map_err(Useless)?;
        let mut flags = Vec::new();
        for flag in all {
            flags.push(flag);
            if self.probe(&flags, &source).is_err() {
                flags.pop();
            }
        }
        Ok(flags)
    }

    /// Whether something can be compiled with these flags, loaded and run.
    fn probe(&self, flags: &[String], source: &Path) -> Result<(), String> {
        let output = self.run(flags, source).map_err(|error| format!("cannot be started: {error}"))?;
        if !output.status.success() {
            return Err(format!("fails: {}", first_lines(&output.stderr, 1)));
        }
        let result = result_path(source);
        // SAFETY: the library was compiled from our own text, in a folder that is ours. It has no initialisers, and the function has the
        // type that the text says.
        let answer = unsafe {
            libloading::Library::new(&result).and_then(|library| {
                library.get::<unsafe extern "C" fn(i64) -> i64>(b"norn_probe").map(|probe| probe(85))
            })
        };
        // The next attempt must not find this one loaded.
        let _ = fs::remove_file(result);
        match answer {
            Ok(42) => Ok(()),
            Ok(other) => Err(format!("computes {other} instead of 42")),
            Err(error) => Err(format!("makes what cannot be loaded: {error}")),
        }
    }

    fn run(&self, flags: &[String], source: &Path) -> std::io::Result<Output> {
        let mut command = self.command();
        command.args(NEEDED).args(flags).arg("-o").arg(result_path(source)).arg(source);
        if !cfg!(windows) {
            command.arg("-lm");
        }
        // What it writes on its way goes away with the folder.
        let folder = source.parent().unwrap_or(source);
        command.env("TMPDIR", folder);
        Process::start(&mut command)?.wait_with_output()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        // Messages are compared and shown: one language.
        command.args(&self.extra).env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// What was found out about it.
    fn record(&self) -> String {
        format!("{}\n{}\n{END}\n", self.version, self.flags.join("\n"))
    }
}

/// Why a compiler is of no use, as a phrase.
struct Useless(String);

impl From<RuntimeError> for Useless {
    fn from(error: RuntimeError) -> Useless {
        Useless(format!("cannot be tried: {error}"))
    }
}

/// All queries to the compiler with this version.
fn flags_for(version: &str) -> Vec<String> {
    let own = if version.contains("clang") { CLANG_FLAGS } else { &[] };
    FLAGS.iter().chain(own).map(|flag| flag.to_string()).collect()
}

/// The last line of a record, without which it is not whole.
const END: &str = "end";

/// The version and the flags of a record. One with flags that are not ours is none.
fn read_record(text: &str) -> Option<(String, Vec<String>)> {
    let mut lines = text.lines();
    let version = lines.next()?.to_string();
    let mut flags: Vec<String> = lines.map(String::from).collect();
    let is_whole = flags.pop()? == END;
    flags.retain(|flag| !flag.is_empty());
    (is_whole && flags.iter().all(|flag| FLAGS.iter().chain(CLANG_FLAGS).any(|known| known == flag)))
        .then_some((version, flags))
}

/// The name of the record of the compiler that compiled last, for a machine like this.
fn last_name() -> String {
    format!("{}.last", &hash(&[machine().as_bytes()])[..32])
}

/// A compiler that was exchanged has another record.
fn record_name(path: &Path, extra: &[String]) -> String {
    let data = fs::metadata(path).ok();
    let size = data.as_ref().map_or(0, fs::Metadata::len);
    let time = data.and_then(|data| data.modified().ok()).unwrap_or(SystemTime::UNIX_EPOCH);
    let age = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
    let parts = [
        path.to_string_lossy().into_owned(),
        extra.join(" "),
        size.to_string(),
        age.to_string(),
        FLAGS.join(" "),
        CLANG_FLAGS.join(" "),
        NEEDED.join(" "),
        machine(),
    ];
    let parts: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
    format!("{}.cc", &hash(&parts)[..32])
}

/// Where a program is that is called by this name.
fn find_program(name: &str) -> Option<PathBuf> {
    let suffixed = |path: PathBuf| {
        let mut with: OsString = path.clone().into_os_string();
        with.push(std::env::consts::EXE_SUFFIX);
        [path, with.into()].into_iter().find(|path| path.is_file())
    };
    let given = PathBuf::from(name);
    let found = if given.components().count() > 1 {
        suffixed(given)
    } else {
        std::env::split_paths(&std::env::var_os("PATH")?).find_map(|folder| suffixed(folder.join(name)))
    };
    // What `cc` leads to is what matters when it is exchanged.
    found.map(|path| fs::canonicalize(&path).unwrap_or(path))
}

fn result_path(source: &Path) -> PathBuf {
    source.with_extension(std::env::consts::DLL_EXTENSION)
}

fn run_tool(command: &mut Command, path: &Path) -> Result<(), RuntimeError> {
    let output = Process::start(command).and_then(Process::wait_with_output);
    let output = output.map_err(|error| RuntimeError::Io { what: "run", path: path.to_path_buf(), error })?;
    if output.status.success() {
        return Ok(());
    }
    let message = first_lines(&output.stderr, 20);
    Err(RuntimeError::Rejected { compiler: path.to_path_buf(), message })
}

fn first_lines(bytes: &[u8], count: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter(|line| !line.trim().is_empty()).take(count).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_must_be_whole() {
        assert_eq!(
            read_record("cc 1\n-O3\n-fwrapv\nend\n"),
            Some(("cc 1".into(), vec!["-O3".into(), "-fwrapv".into()]))
        );
        assert_eq!(read_record("cc 1\n\nend\n"), Some(("cc 1".into(), vec![])));
        assert_eq!(read_record("cc 1\n-O3\n"), None);
        assert_eq!(read_record(""), None);
        assert_eq!(read_record("cc 1\n-O3\n-fplugin=./evil.so\nend\n"), None);
    }

    #[test]
    fn clang_does_not_search_for_vectors_in_straight_code() {
        let has = |version: &str| flags_for(version).contains(&"-fno-slp-vectorize".to_string());
        assert!(has("Ubuntu clang version 18.1.3 (1ubuntu1)"));
        assert!(has("Apple clang version 15.0.0"));
        assert!(!has("cc (Ubuntu 13.2.0) 13.2.0"));
    }

    #[test]
    fn the_second_time_the_compiler_is_not_queried() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let Ok(first) = Compiler::find(&cache) else { return };
        // The record and its hash.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(Compiler::find(&cache).unwrap(), first);
        first.remember(&cache);
        assert_eq!(Compiler::remembered(&cache), Some(first));
    }

    #[test]
    fn haste_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let Ok(thorough) = Compiler::find(&cache) else { return };
        let mut quick = thorough.clone();
        quick.hurry();
        assert_ne!(quick.identity(), thorough.identity());
        quick.remember(&cache);
        assert_eq!(Compiler::remembered(&cache), Some(thorough));
    }
}

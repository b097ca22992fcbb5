//! Programs under test, checked without leaving the process.

use crate::Verdict;
use norn::pipeline::{DIFFERENTIATE, compile, compile_until, mark_library, to_device_imp};
use norn::{FsLoader, Paint, render_all};
use norn_base::{Diagnostics, Severity, SourceMap, codes};
use norn_check::typed::Program;
use norn_check::verify::verify_program;
use norn_check::{Checked, LoadError, Loader, Options, check, library_names};
use norn_passes::tuning::Tuner;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program and what the compiler says of it.
pub struct Report {
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    pub program: Program,
}

impl Report {
    pub fn rendered(&self) -> String {
        render_all(&self.sources, &self.diagnostics, Paint::Plain)
    }

    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.diagnostics.iter().map(|d| d.code.0).collect()
    }

    pub fn error_codes(&self) -> BTreeSet<&'static str> {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.0).collect()
    }

    /// The same with what is only found when the program is lowered.
    pub fn lowered(mut self) -> Report {
        if !self.diagnostics.has_errors()
            && let Err(said) = compile_until(&self.program, &DIFFERENTIATE)
        {
            self.diagnostics.extend(said);
            self.diagnostics.sort();
        }
        self
    }

    /// The same with all that can be found of this code: some of it only when the program is compiled for a device.
    pub fn complete(self, code: &str) -> Report {
        let mut report = self.lowered();
        if code == codes::NOT_ON_DEVICE.0
            && !report.diagnostics.has_errors()
            && let Err(said) = compile_strictly(&report.program, &report.sources)
        {
            report.diagnostics.extend(said);
            report.diagnostics.sort();
        }
        report
    }

    /// Everything said, without the places.
    pub fn messages(&self) -> Vec<Message> {
        messages(&self.diagnostics)
    }

    /// That the typed tree of a program without errors keeps the rules.
    pub fn verify(&self) -> Verdict {
        if self.diagnostics.has_errors() { Ok(()) } else { verify(&self.sources, &self.program) }
    }
}

fn compile_strictly(program: &Program, sources: &SourceMap) -> Result<(), Diagnostics> {
    let mut prog = compile(program)?;
    mark_library(&mut prog, sources);
    to_device_imp(prog, true, &mut Tuner::default()).map(drop)
}

/// A code and what is said.
pub type Message = (&'static str, String);

/// Everything said, without the places.
pub fn messages(diagnostics: &Diagnostics) -> Vec<Message> {
    diagnostics.iter().map(|d| (d.code.0, d.message.clone())).collect()
}

/// That the typed tree of a program keeps the rules.
pub fn verify(sources: &SourceMap, program: &Program) -> Verdict {
    let violations = verify_program(program);
    let said =
        violations.iter().map(|v| format!("rule {}, {}: {}\n", v.rule, sources.place(v.span), v.message));
    if violations.is_empty() { Ok(()) } else { Err(said.collect()) }
}

/// Check `text` as the file `name`; what it imports comes from `loader`.
pub fn check_text(name: &str, text: &str, loader: &mut dyn Loader) -> Report {
    check_text_for("", name, text, loader)
}

/// As `check_text`, for a test of the diagnostic with this code, which is given even if it has to be asked for.
pub fn check_text_for(code: &str, name: &str, text: &str, loader: &mut dyn Loader) -> Report {
    let mut sources = SourceMap::default();
    let root = sources.add(name, text);
    let warnings =
        codes::OPTIONAL.iter().map(|(_, optional)| *optional).filter(|optional| optional.0 == code);
    let options = Options { warnings: warnings.collect(), ..Options::default() };
    let Checked { mut diagnostics, program, .. } = check(&mut sources, root, name, loader, options);
    diagnostics.sort();
    Report { sources, diagnostics, program }
}

/// Checks every definition of the prelude and of the library, also those that no program reaches.
pub fn check_whole_prelude() -> Verdict {
    let mut sources = SourceMap::default();
    let imports: String =
        library_names().enumerate().map(|(i, name)| format!("module m{i} = import \"{name}\"\n")).collect();
    let root = sources.add("empty.fut", imports);
    let options = Options { whole_prelude: true, ..Options::default() };
    let Checked { diagnostics, program, .. } =
        check(&mut sources, root, "empty.fut", &mut InMemory::default(), options);
    let report = Report { sources, diagnostics, program };
    if report.diagnostics.is_empty() { report.verify() } else { Err(report.rendered()) }
}

/// Files of one folder: in diagnostics their names are relative to it, wherever it is.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder that `path` is in, and its name there.
    pub fn of(path: &Path) -> (Folder, String) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (Folder(path.parent().unwrap_or(Path::new(".")).into()), name)
    }
}

impl Loader for Folder {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        FsLoader.load(&self.0.join(path).to_string_lossy())
    }
}

/// Files that exist only here.
#[derive(Default)]
pub struct InMemory(pub BTreeMap<String, String>);

impl Loader for InMemory {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        self.0.get(path).cloned().ok_or(LoadError::NotFound)
    }
}

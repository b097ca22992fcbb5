//! Programs of Norn in Rust programs, with a typed function for each entry point.
//!
//! A build script checks the program and writes a module for it, which [`program!`](crate::program!) includes:
//!
//! ```ignore
//! // build.rs
//! norn::bindings::build("src/dot.fut");
//!
//! // main.rs
//! mod dot {
//!     norn::program!("dot.fut");
//! }
//! let program = dot::Program::load(&norn::Context::default())?;
//! let sum: f32 = program.dot(xs.view(), ys.view())?;
//! ```
//!
//! The module (`generate`) has the text of the program in it, and is compiled for a device when it is loaded. Its functions
//! are a line each, over what [`typed`] does with values.

mod generate;
pub mod typed;

use crate::{Outcome, Paint, check_file, on_large_stack, pipeline, render_all};
use norn_base::Diagnostics;
use norn_check::{LoadError, Loader, shipped_file};
use std::fmt::Write as _;
use std::path::Path;

/// Includes the module that `bindings::build` has made of a program, by its file name.
#[macro_export]
macro_rules! program {
    ($file:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $file, ".rs"));
    };
}

/// Makes the module of the program whose main file is at `path`, for a build script: it is written to where `program!` finds it, and is
/// made again when a file of the program changes. If there is an error in the program, the build ends with its diagnostics.
pub fn build(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let made = on_large_stack("norn", || module(path));
    let (text, files) = match made {
        Ok(made) => made,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1)
        }
    };
    files.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    let folder =
        std::env::var_os("OUT_DIR").unwrap_or_else(|| panic!("norn::bindings::build is for build scripts"));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let target = Path::new(&folder).join(format!("{name}.rs"));
    if let Err(e) = std::fs::write(&target, text) {
        eprintln!("`{}` cannot be written: {e}", target.display());
        std::process::exit(1)
    }
}

/// The module of a program, and the files that it is made of. The error is what the user should see.
pub fn module(path: &Path) -> Result<(String, Vec<String>), String> {
    let Outcome { sources, diagnostics, checked } = check_file(path).map_err(|e| format!("error: {e}"))?;
    let said = |diagnostics: &Diagnostics| render_all(&sources, diagnostics, Paint::Plain);
    let Some(checked) = checked.filter(|_| !diagnostics.has_errors()) else { return Err(said(&diagnostics)) };
    let prog = pipeline::compile(&checked.program).map_err(|diagnostics| said(&diagnostics))?;
    let files: Vec<(&str, &str)> = (sources.files().iter())
        .filter(|file| shipped_file(&file.name).is_none() && !file.text.is_empty())
        .map(|file| (file.name.as_str(), file.text.as_ref()))
        .collect();
    let mut text = generate::generate(&prog);
    text += "\nstatic FILES: &[(&str, &str)] = &[\n";
    for (name, content) in &files {
        let _ = writeln!(text, "    ({name:?}, {content:?}),");
    }
    text += "];\n";
    Ok((text, files.into_iter().map(|(name, _)| name.to_string()).collect()))
}

/// Files that are part of a Rust program.
pub(crate) struct Texts<'a>(pub &'a [(&'a str, &'a str)]);

impl Loader for Texts<'_> {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.to_string()).ok_or(LoadError::NotFound)
    }
}

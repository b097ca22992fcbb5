//! C libraries: a program as a `.h`, a `.c` and a manifest, which need nothing of Norn; or as the text of an executable, or as a Python module. They are for the
//! processor, or for a GPU and its host: then arrays are in its memory, and the text of its kernels is in the `.c` file, which the driver of the GPU compiles (`device`).
//!
//! The interface is the one that Futhark documents for its libraries, so that what was made for these works with ours: contexts, arrays,
//! opaque values, records, sums, entry points, and a manifest in JSON that describes all of it. The `.c` file is the text of the
//! program (`norn_emit`), the device it runs on (rts/library), tables that describe types, entry points and places of
//! failures (`tables`), and the functions of the interface, of which each is a few lines (`functions`).
//!
//! Values of recursive types hold the region of their cells (rts/library/cells.h). Functions are part of such values alone, and stay in them. Arrays of more than eight dimensions are
//! refused.

mod checks;
mod device;
mod functions;
mod header;
mod manifest;
mod module;
mod names;
mod tables;
mod tunables;

use crate::Outcome;
use crate::engine::{CompileError, Rejection};
use crate::tune::TuneFile;
use functions::functions;
pub use module::identifier;
use names::Types;
use norn_base::{Diagnostics, SourceMap};
use norn_ir::imp::Prog;
use norn_ir::nest::{Elem, IfaceId, IfaceShape};
use norn_passes::tuning::Tuner;
use std::fmt;

/// What a library's program runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    #[default]
    Cpu,
    OpenCl,
    Cuda,
}

impl Target {
    /// As manifests and headers call it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Cpu => "multicore",
            Target::OpenCl => "opencl",
            Target::Cuda => "cuda",
        }
    }
}

/// The files of a library, and the compiler's diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    pub header: String,
    pub code: String,
    pub manifest: String,
}

/// Why there is no library of a program.
#[derive(Debug)]
pub enum LibraryError {
    Compile(CompileError),
    /// An entry point has a type that its callers could not use; a sentence.
    Type(String),
}

/// What a library is made of beside its program.
#[derive(Clone, Copy)]
pub struct LibrarySpec<'a> {
    /// The name of its files, without their endings.
    pub name: &'a str,
    pub target: Target,
    /// The numbers by which a program for a GPU is made.
    pub tune: Option<&'a TuneFile>,
}

/// So many dimensions an array of the interface may have (`NORN_RANK` in rts/library/value.h).
const MOST_DIMENSIONS: usize = 8;

/// The library of a program that has been checked.
pub fn library(outcome: Outcome, spec: LibrarySpec) -> Result<Library, LibraryError> {
    made(outcome, spec, |library, _| library)
}

fn made<T>(
    outcome: Outcome,
    spec: LibrarySpec,
    make: impl FnOnce(Library, &Prog) -> T,
) -> Result<T, LibraryError> {
    let Outcome { sources, diagnostics, checked } = outcome;
    let rejected = |sources, diagnostics| {
        Err(LibraryError::Compile(CompileError::Rejected(Box::new(Rejection { sources, diagnostics }))))
    };
    let Some(checked) = checked.filter(|_| !diagnostics.has_errors()) else {
        return rejected(sources, diagnostics);
    };
    let mut tuner = spec.tune.map_or_else(Tuner::default, |tune| tune.tuner());
    tuner.be_for_library();
    match compiled(&checked.program, &sources, spec.target, &mut tuner) {
        Ok(mut prog) => {
            let tunables = tunables::keep_used(&mut prog, tuner.names_at_run_time());
            let checked = spec.tune.map_or(Ok(()), |tune| tune.check(tuner));
            checked.map_err(|error| LibraryError::Compile(CompileError::Tune(error)))?;
            let library = of_program(&prog, &sources, &tunables, spec).map_err(LibraryError::Type)?;
            Ok(make(library, &prog))
        }
        Err(said) => rejected(sources, said),
    }
}

fn compiled(
    program: &norn_check::typed::Program,
    sources: &SourceMap,
    target: Target,
    tuner: &mut Tuner,
) -> Result<Prog, Diagnostics> {
    let mut prog = crate::pipeline::compile(program)?;
    crate::pipeline::mark_library(&mut prog, sources);
    prog.forget_observers();
    match target {
        Target::Cpu => crate::pipeline::to_imp(prog),
        Target::OpenCl | Target::Cuda => crate::pipeline::to_device_imp(prog, false, tuner),
    }
}

/// The library of a program that has been checked, and behind it a function `main` that reads arguments and writes results
/// (rts/library/main.h): the text of an executable.
pub fn executable(outcome: Outcome, spec: LibrarySpec) -> Result<String, LibraryError> {
    made(outcome, spec, |library, prog| {
        let types = Types::new(prog);
        [library.whole(spec.name), header::MAIN.to_string(), tables::signatures(prog, &types)].concat()
    })
}

/// A program as a Python module on top of a shared library.
pub struct PythonModule {
    /// The C text of the library.
    pub code: String,
    /// The text in Python.
    pub module: String,
}

/// The Python module of a program that has been checked. Its library will be called so, and be beside it.
pub fn python_module(
    outcome: Outcome,
    spec: LibrarySpec,
    file_name: &str,
) -> Result<PythonModule, LibraryError> {
    made(outcome, spec, |library, prog| PythonModule {
        code: library.whole(spec.name),
        module: module::module(prog, spec.name, file_name, &library.manifest),
    })
}

impl Library {
    /// The code with its header.
    pub fn whole(&self, name: &str) -> String {
        self.code.replacen(&format!("#include \"{name}.h\"\n"), &self.header, 1)
    }
}

/// The error is a sentence.
fn of_program(
    prog: &Prog,
    sources: &SourceMap,
    tunables: &[String],
    LibrarySpec { name, target, .. }: LibrarySpec,
) -> Result<Library, String> {
    for entry in &prog.entries {
        let mut types = entry.params.iter().map(|param| param.ty).chain([entry.result]);
        if let Some(why) = types.find_map(|ty| why_not(prog, ty)) {
            return Err(format!("The entry point `{}` cannot be part of a library: {why}.", entry.name));
        }
    }
    let types = Types::new(prog);
    let functions = functions(prog, &types, target);
    let header = header::header(name, &types, &functions, target);
    let device = device::device_parts(prog, target);
    let [memory, threads @ ..] = header::RUNTIME;
    let code = [
        header::before_program(name),
        // Several libraries may be linked into one program.
        norn_emit::emit_c(prog)
            .replace("\nint norn_entry_", "\nstatic int norn_entry_")
            .replace("\nconst int64_t norn_globals", "\nstatic const int64_t norn_globals"),
        tables::constants(tunables, target),
        header::AFTER_PROGRAM.to_string(),
        tables::sites(prog, sources, target),
        header::PROFILE.to_string(),
        device.before_memory,
        memory.to_string(),
        device.after_memory.to_string(),
        threads.concat(),
        tables::types(&prog.datas, &types),
        tables::entries(prog),
        header::INTERFACE.to_string(),
        device.interface.to_string(),
        functions.definitions,
    ]
    .concat();
    Ok(Library { header, code, manifest: manifest::manifest(prog, &types, tunables, target) })
}

/// Why values of a type cannot go in and out, if so.
fn why_not(prog: &Prog, ty: IfaceId) -> Option<String> {
    let iface = &prog.ifaces[ty.0 as usize];
    let has_cells = iface.columns.iter().any(|column| matches!(column.elem, Elem::Ref(..)));
    // Whatever cells it leads to, none has deeper arrays than the program has.
    let constrs = prog.datas.iter().filter(|_| has_cells).flat_map(|data| &data.constrs);
    let ranks = constrs.flat_map(|constr| &constr.columns).map(|column| column.dims().len());
    let rank = iface.columns.iter().map(|column| column.irregular.len()).chain(ranks).max().unwrap_or(0);
    let is_deep = rank > MOST_DIMENSIONS;
    is_deep.then(|| format!("values of the type {} have arrays of {rank} dimensions", iface.name))
}

/// The types that have functions in the interface: all but scalars.
fn is_value(shape: &IfaceShape) -> bool {
    !matches!(shape, IfaceShape::Scalar(_))
}

impl LibraryError {
    /// What the user should see. Ends in a line break.
    pub fn render(&self, paint: crate::Paint) -> String {
        match self {
            LibraryError::Compile(error) => error.render(paint),
            LibraryError::Type(message) => format!("error: {message}\n"),
        }
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LibraryError::Compile(error) => error.fmt(f),
            LibraryError::Type(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for LibraryError {}

//! A program as Python sees it: its entry points are attributes.

use crate::array::Array;
use crate::entry::Entry;
use crate::incoming::{Incoming, Place};
use crate::interrupt::Length;
use crate::{errors, types};
use norn::engine::{Choice, Context as EngineContext, ContextOptions, Options, UnknownBackend, Which};
use norn_ir::nest::{IfaceId, IfaceShape};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What a program is, for itself, its entry points and its values.
pub struct Shared {
    pub program: norn::Program,
    /// Of each type, whether there are sums in it, or what only the program can take apart.
    has_cases: Vec<bool>,
    /// Of each entry point, whether its last call was short.
    lengths: Vec<Length>,
    /// The classes that records become, by the names of their types.
    classes: Mutex<HashMap<String, Py<PyAny>>>,
}

impl Shared {
    fn new(program: norn::Program) -> Shared {
        let ifaces = &program.engine().prog().ifaces;
        let mut has_cases = vec![false; ifaces.len()];
        // Parts of types may come later in the list.
        loop {
            let before = has_cases.clone();
            for (at, iface) in ifaces.iter().enumerate() {
                has_cases[at] |= match &iface.shape {
                    IfaceShape::Scalar(_) | IfaceShape::Array(..) => false,
                    IfaceShape::OpaqueArray(elem, _) => has_cases[elem.0 as usize],
                    IfaceShape::Record(fields) => fields.iter().any(|(_, id)| has_cases[id.0 as usize]),
                    IfaceShape::Sum(_) | IfaceShape::Recursive(_) | IfaceShape::Opaque => true,
                };
            }
            if before == has_cases {
                break;
            }
        }
        let lengths = program.entries().map(|_| Length::default()).collect();
        Shared { program, has_cases, lengths, classes: Mutex::default() }
    }

    pub fn has_cases(&self, id: IfaceId) -> bool {
        self.has_cases[id.0 as usize]
    }

    pub fn length(&self, entry: usize) -> &Length {
        &self.lengths[entry]
    }

    /// What records of this type become, if not dictionaries.
    pub fn class(&self, py: Python<'_>, name: &str) -> Option<Py<PyAny>> {
        self.classes().get(name).map(|class| class.clone_ref(py))
    }

    fn classes(&self) -> MutexGuard<'_, HashMap<String, Py<PyAny>>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For programs that are given none: so that what one yields on a GPU is found there by another.
static USUAL: OnceLock<EngineContext> = OnceLock::new();

/// What programs run on: devices, threads, memory, and the folder for compiled programs. Programs with one context share its devices.
#[pyclass(frozen, module = "norn")]
pub struct Context(EngineContext);

#[pymethods]
impl Context {
    /// `threads`: of the processor; all if not given. `memory_limit`: bytes on each device. `device`: a GPU, as `norn devices` names it, such as "cuda:1".
    #[new]
    #[pyo3(signature = (*, threads=None, memory_limit=None, device=None, cache=None))]
    fn new(
        threads: Option<usize>,
        memory_limit: Option<u64>,
        device: Option<&str>,
        cache: Option<PathBuf>,
    ) -> PyResult<Context> {
        let gpu = device
            .map(|name| name.parse::<Which>())
            .transpose()
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        let threads = threads
            .map(|count| {
                NonZero::new(count).ok_or_else(|| PyValueError::new_err("threads must be at least 1"))
            })
            .transpose()?;
        let options = ContextOptions { threads, memory_limit, gpu, cache, ..ContextOptions::default() };
        Ok(Context(EngineContext::new(options)))
    }
}

/// A compiled program. Its entry points are attributes: `program.main(xs)`.
#[pyclass(frozen, module = "norn")]
pub struct Program(pub Arc<Shared>);

impl Program {
    fn shared(&self) -> &Shared {
        &self.0
    }

    fn names(&self) -> Vec<String> {
        self.0.program.entries().map(|entry| entry.name().to_string()).collect()
    }
}

#[pymethods]
impl Program {
    /// Compiles the file at `path`, or else the text, which diagnostics call `name`.
    #[new]
    #[pyo3(signature = (path, text=None, *, backend="auto", context=None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        text: Option<String>,
        backend: &str,
        context: Option<&Context>,
    ) -> PyResult<Program> {
        let choice: Choice =
            backend.parse().map_err(|e: UnknownBackend| PyValueError::new_err(e.to_string()))?;
        let context = context
            .map_or_else(|| USUAL.get_or_init(EngineContext::default).clone(), |context| context.0.clone());
        let compiled = py.detach(|| {
            let options = match choice {
                Choice::Auto => Options::from(&context),
                Choice::This(backend) => {
                    Options { context: context.clone(), reuse: true, ..Options::from(backend) }
                }
            };
            match text {
                Some(text) => norn::Program::from_source(&path.to_string_lossy(), &text, options),
                None => norn::Program::load(&path, options),
            }
        });
        match compiled {
            Ok(program) => Ok(Program(Arc::new(Shared::new(program)))),
            Err(error) => Err(errors::compile(py, error)),
        }
    }

    /// The entry point with this name.
    fn __getattr__(&self, name: &str) -> PyResult<Entry> {
        let entry = self.0.program.entries().enumerate().find(|(_, entry)| entry.name() == name);
        entry.map(|(number, entry)| Entry::new(self.0.clone(), number, entry)).ok_or_else(|| {
            let names = self.names().join("`, `");
            PyAttributeError::new_err(format!("the program has no entry point `{name}`, only `{names}`"))
        })
    }

    fn __dir__(&self) -> Vec<String> {
        let own = ["entries", "backend", "warnings", "use", "array", "stubs"];
        own.into_iter().map(String::from).chain(self.names()).collect()
    }

    /// The names of its entry points.
    #[getter]
    fn entries(&self) -> Vec<String> {
        self.names()
    }

    /// What runs it: "cpu", "cuda", "opencl" or "interp".
    #[getter]
    fn backend(&self) -> &'static str {
        self.0.program.engine().backend().name()
    }

    /// The output of the compiler.
    #[getter]
    fn warnings(&self) -> &str {
        self.0.program.warnings()
    }

    /// Records of a type come out as instances of a class, such as a dataclass: `program.use(point=Point)`.
    #[pyo3(name = "use", signature = (**classes))]
    fn use_classes(&self, classes: Option<HashMap<String, Py<PyAny>>>) -> PyResult<()> {
        let engine = self.0.program.engine();
        for (name, class) in classes.unwrap_or_default() {
            let id = engine.iface_by_name(&name);
            if !id.is_some_and(|id| matches!(engine.iface(id).shape, IfaceShape::Record(_))) {
                return Err(PyKeyError::new_err(format!("the entry points have no record type `{name}`")));
            }
            self.shared().classes().insert(name, class);
        }
        Ok(())
    }

    /// An array that stays where the program works: on its GPU, or where it is already. Calls take it without moving it.
    fn array(&self, py: Python<'_>, xs: &Bound<'_, PyAny>) -> PyResult<Array> {
        let incoming = Incoming::new(py, &self.0);
        let held = incoming.any_array(xs, &Place::Array)?;
        incoming.follow();
        Ok(Array::new(Array::on_device(py, &self.0.program, held)?))
    }

    /// The text of type stubs for its entry points.
    fn stubs(&self) -> String {
        types::stubs(&self.0.program)
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<norn.Program ({})", self.backend());
        for entry in self.0.program.entries() {
            text += "\n  ";
            text += &types::signature(&entry);
        }
        text + ">"
    }

    fn _repr_html_(&self) -> String {
        types::html(&self.0.program)
    }
}

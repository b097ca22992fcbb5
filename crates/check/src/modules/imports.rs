//! Files: reading, importing, the prelude.
//!
//! Decides which text an import means: `import "physics/forces"` in `lib/main.fut` is `lib/physics/forces.fut`, and `/norn/NAME` a module of the library, which ships with the compiler. Each file is
//! read once, in a scope of its own over the prelude's, however many others import it; what it exports is an environment. The prelude and the library are checked as far as
//! a program reaches them, and without warnings.
//!
//! Refuses: files that cannot be read, modules that the library does not have, and circles of imports, which are reported at the first import of the circle, once.

use super::Checker;
use super::deferred::Deferred;
use super::shipped::{LIBRARY, library_names, outside, shipped_file};
use crate::cx::Cx;
use crate::env::{Env, Mod};
use crate::intrinsics;
use crate::scope::Place;
use crate::typed;
use crate::{Checked, LoadError, Loader, Options};
use norn_base::{Diagnostic, FileId, SourceMap, Span, Symbol, codes};
use norn_syntax::ast::{DecKind, NodeIds, Prog, StrLit};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What checking needed beside what it yields.
pub struct Rest {
    _trees: Vec<(FileId, Rc<Prog>)>,
    _cx: Cx,
    _deferred: Deferred,
}

pub fn check_program(
    sources: &mut SourceMap,
    root: FileId,
    root_path: &str,
    loader: &mut dyn Loader,
    options: Options,
) -> Checked {
    let mut checker = Checker::new(sources, loader);
    checker.main_file = root;
    checker.more_entries = options.entries;
    checker.cx.optional_warnings = options.warnings;
    checker.read_prelude();
    let root_path = outside(root_path);
    checker.files.insert(root_path.clone(), None);
    checker.read(root, &root_path, None);
    checker.check_reached(options.whole_prelude);
    let mut program = checker.program;
    program.names = std::mem::take(&mut checker.cx.names);
    let mut diagnostics = std::mem::take(&mut checker.cx.diagnostics);
    diagnostics.sort();
    let rest = Rest { _trees: checker.trees, _cx: checker.cx, _deferred: checker.deferred };
    Checked { diagnostics, program, rest }
}

impl<'a> Checker<'a> {
    /// One that knows what is built in, and nothing else.
    pub(super) fn new(sources: &'a mut SourceMap, loader: &'a mut dyn Loader) -> Checker<'a> {
        let nowhere = Span::new(sources.add("intrinsics", ""), 0, 0);
        let mut cx = Cx::default();
        let builtins = intrinsics::builtins(&mut cx, nowhere);
        let mut checker = Checker {
            cx,
            sources,
            loader,
            ids: NodeIds::default(),
            files: FxHashMap::default(),
            trees: Vec::new(),
            reading: Vec::new(),
            depth: 0,
            created: Vec::new(),
            created_sizes: Vec::new(),
            intrinsics: Rc::default(),
            top: Place::default(),
            deferred: Deferred::default(),
            program: typed::Program::default(),
            main_file: nowhere.file,
            more_entries: BTreeSet::new(),
        };
        checker.cx.scope.declare(&builtins.global, false);
        checker.add_intrinsics(builtins.module, nowhere);
        checker
    }

    /// The module `intrinsics`: overloaded values, and the polymorphic ones that a module type of
    /// the prelude lists.
    fn add_intrinsics(&mut self, mut module: Env, span: Span) {
        let path = "/prelude/intrinsics.fut";
        let text = shipped_file(path).unwrap_or_default();
        let file = self.sources.add(path, text);
        let parsed = norn_syntax::parse(file, text, &mut self.ids);
        self.cx.diagnostics.extend(parsed.diagnostics);
        for d in &parsed.prog.decs {
            if let DecKind::ModType(mt) = &d.kind
                && let Some(ty) = self.mod_type_exp(&mt.body)
                && let Mod::Env(env) = ty.module
            {
                module.extend(&env);
            }
        }
        self.trees.push((file, Rc::new(parsed.prog)));
        let var = self.cx.new_var(Symbol::new("intrinsics"), span);
        let mut builtin = Env::default();
        for (name, param) in intrinsics::ON_PRIMITIVES {
            let name = Symbol::new(name);
            if let Some(value) = module.vals.get(&name) {
                intrinsics::restrict_to_primitives(&mut self.cx, *value, param);
                builtin.add_val(name, *value);
            }
        }
        self.intrinsics = Rc::new(module);
        builtin.add_mod(Symbol::new("intrinsics"), var, Mod::Env(self.intrinsics.clone()));
        self.cx.scope.declare(&builtin, false);
        self.top = self.cx.scope.here();
    }

    pub(super) fn read_prelude(&mut self) {
        self.program.first = self.cx.names.next_var();
        self.deferred.reading_prelude = true;
        if let Some(prelude) = self.read_path("/prelude/prelude.fut", None) {
            self.cx.scope.declare(&prelude, false);
            self.top = self.cx.scope.here();
        }
        self.deferred.reading_prelude = false;
        self.cx.warn = true;
    }

    /// Import a file named in the file being read.
    pub(super) fn import(&mut self, lit: &StrLit) -> Option<(Rc<Env>, String)> {
        let here = self.reading.last().map(|(path, _)| path.clone()).unwrap_or_default();
        let path = resolve(&here, &lit.text);
        // What the library imports is of the library, too.
        let library = self.deferred.reading_prelude || lit.text.starts_with(LIBRARY);
        let path = if library { path } else { outside(&path) };
        match self.files.get(&path) {
            Some(Some(env)) => {
                let env = env.clone();
                return Some((self.with_all_modules(env), path));
            }
            Some(None) if self.reading.iter().any(|(reading, _)| *reading == path) => {
                self.report_cycle(&path, lit.span);
                return None;
            }
            Some(None) => return None,
            None => {}
        }
        let env = if library {
            self.read_library(&path, Some(lit.span))
        } else {
            self.read_path(&path, Some(lit.span))
        }?;
        Some((env, path))
    }

    /// As the prelude, the library is checked as far as a program reaches it, and without warnings.
    pub(super) fn read_library(&mut self, path: &str, from: Option<Span>) -> Option<Rc<Env>> {
        let reading_prelude = std::mem::replace(&mut self.deferred.reading_prelude, true);
        let warn = std::mem::replace(&mut self.cx.warn, false);
        let env = self.read_path(path, from);
        self.cx.warn = warn;
        self.deferred.reading_prelude = reading_prelude;
        Some(self.with_all_modules(env?))
    }

    /// The last import of the circle is at `last`. The first one is reported: an editor shows it in the file that is open.
    fn report_cycle(&mut self, path: &str, last: Span) {
        let start = self.reading.iter().position(|(p, _)| p == path).unwrap_or(0);
        let span = self.reading.get(start + 1).and_then(|(_, import)| *import).unwrap_or(last);
        let mut circle: Vec<String> = self.reading[start..].iter().map(|(p, _)| format!("`{p}`")).collect();
        circle.push(format!("`{path}`"));
        self.cx.report(
            Diagnostic::error(codes::IMPORT_CYCLE, span, "This import leads back to its own file.")
                .note(format!("{} ", circle.join(" imports ")).trim_end().to_string()),
        );
    }

    pub(super) fn read_path(&mut self, path: &str, from: Option<Span>) -> Option<Rc<Env>> {
        let text = if self.deferred.reading_prelude {
            shipped_file(path).map(Arc::from).ok_or(LoadError::NotFound)
        } else {
            self.loader.load(path).map(Arc::from)
        };
        match text {
            Ok(text) => {
                let file = self.sources.add(path, text);
                self.files.insert(path.to_string(), None);
                Some(self.read(file, path, from))
            }
            Err(e) => {
                self.files.insert(path.to_string(), None);
                let span = from?;
                let why = match e {
                    LoadError::NotFound if path.starts_with(LIBRARY) => {
                        let names: Vec<String> = library_names().map(|name| format!("`{name}`")).collect();
                        format!("the library has {}", names.join(", "))
                    }
                    LoadError::NotFound => format!("there is no file `{path}`"),
                    LoadError::IsDirectory => format!("`{path}` is a directory"),
                    LoadError::NotAFile => format!("`{path}` is a pipe or a device, not a file"),
                    LoadError::TooLarge { limit } => format!("`{path}` has more than {limit} bytes"),
                    LoadError::NotUtf8 { valid_up_to } => {
                        format!("`{path}` is not text: byte {valid_up_to} does not fit UTF-8")
                    }
                    LoadError::Other(text) => format!("`{path}` cannot be read: {text}"),
                };
                self.cx.report(
                    Diagnostic::error(codes::CANNOT_IMPORT, span, "This file cannot be imported.").note(why),
                );
                None
            }
        }
    }

    /// Read a file in a scope of its own; what it exports. `from` is the import that leads to it.
    pub(super) fn read(&mut self, file: FileId, path: &str, from: Option<Span>) -> Rc<Env> {
        let text = self.sources.file(file).text.clone();
        let parsed = norn_syntax::parse(file, &text, &mut self.ids);
        self.cx.set_text(file, text);
        self.cx.diagnostics.extend(parsed.diagnostics);
        let outer_scope = self.cx.scope.visit(self.top);
        let outer_depth = std::mem::replace(&mut self.depth, 0);
        self.reading.push((path.to_string(), from));

        let (env, decs) = self.block(&parsed.prog.decs);
        self.trees.push((file, Rc::new(parsed.prog)));

        self.reading.pop();
        self.depth = outer_depth;
        self.cx.scope.leave(outer_scope);
        let env = Rc::new(env);
        self.files.insert(path.to_string(), Some(env.clone()));
        self.program.files.push(typed::File { path: path.to_string(), decs });
        env
    }
}

/// The path of an import, relative to the file that has it.
pub fn resolve(here: &str, import: &str) -> String {
    let mut parts: Vec<&str> = if import.starts_with('/') {
        vec![""]
    } else {
        let mut parts: Vec<&str> = here.split('/').collect();
        parts.pop();
        parts
    };
    for part in import.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&"") | Some(&"..") | None => parts.push(".."),
                Some(_) => {
                    parts.pop();
                }
            },
            part => parts.push(part),
        }
    }
    format!("{}.fut", parts.join("/"))
}

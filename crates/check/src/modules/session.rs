//! Checking again and again, as editors do: what has not changed is not read again.
//!
//! The state of the checker after the prelude is kept, and after each file and each module of the library that was imported. To check a file is to copy the
//! state after the last of its imports, and to read the file in it. A state is copied by sharing types and trees, so that costs a fraction of what it saves.
//!
//! No typed program is made, and what is deferred of the prelude is not checked: it has no errors. What is known of
//! places (`places`) is that of the file itself.

use super::Checker;
use super::deferred::Deferred;
use super::imports::resolve;
use super::shipped::{LIBRARY, outside, shipped_file};
use crate::cx::{Cx, Tables};
use crate::env::{Env, Mod, Value};
use crate::places::{Meant, Places};
use crate::print::{show_scheme, show_ty};
use crate::scope::{Meaning, Place, Term};
use crate::types::{Names, Ty, TyKind, VarId, plain};
use crate::{Loader, Options};
use norn_base::{Code, Diagnostics, FileId, SourceMap, Span, Symbol};
use norn_syntax::ast::{NodeIds, Prog};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Checks files one after the other, and keeps what they have in common.
pub struct Session {
    warnings: Vec<Code>,
    prelude: Option<State>,
    /// The states after imports; those used last come last.
    kept: Vec<Kept>,
    /// What files import, as `paths_of_imports`, by their paths.
    imports: FxHashMap<String, (Arc<str>, Vec<String>)>,
}

/// How many states are kept. Each has a few megabytes of its own.
const MOST_KEPT: usize = 16;

/// The state after these files, in this order.
struct Kept {
    files: Vec<(String, Arc<str>)>,
    state: State,
}

/// All that a checker knows when a file has been read.
struct State {
    cx: Cx,
    sources: SourceMap,
    ids: NodeIds,
    files: FxHashMap<String, Option<Rc<Env>>>,
    trees: Vec<(FileId, Rc<Prog>)>,
    intrinsics: Rc<Env>,
    top: Place,
    deferred: Deferred,
}

/// What is known of a file that was checked.
pub struct Analysis {
    state: State,
    pub file: FileId,
    /// The files that it imports, and those that they import, as far as they exist.
    pub imports: Vec<String>,
    /// Those of the file and of its imports, by place.
    pub diagnostics: Diagnostics,
}

impl Session {
    /// `warnings`: as in `Options`.
    pub fn new(warnings: Vec<Code>) -> Session {
        Session { warnings, prelude: None, kept: Vec::new(), imports: FxHashMap::default() }
    }

    /// Check a text that is the file at `path`.
    pub fn check(&mut self, path: &str, text: &str, loader: &mut dyn Loader) -> Analysis {
        let imports = self.imports_in_order(path, text, loader);
        let mut state = self.state_after(imports.as_deref().unwrap_or_default(), loader);
        let file = state.sources.add(path, text);
        if let Some(places) = &mut state.cx.places {
            places.clear();
        }
        state.read_with(loader, |checker| {
            checker.files.insert(path.to_string(), None);
            checker.main_file = file;
            checker.read(file, path, None);
        });
        state.cx.places.get_or_insert_default().finish();
        let mut diagnostics = std::mem::take(&mut state.cx.diagnostics);
        diagnostics.sort();
        let is_import = |p: &&String| !p.starts_with("/prelude/") && *p != path;
        let mut imports: Vec<String> = state.files.keys().filter(is_import).cloned().collect();
        imports.sort();
        Analysis { state, file, imports, diagnostics }
    }

    /// The files that a file imports, each after those that it imports. None if they are not to be read in advance: some cannot be read, or they
    /// import each other in a circle, which is to be reported where it is met.
    fn imports_in_order(
        &mut self,
        path: &str,
        text: &str,
        loader: &mut dyn Loader,
    ) -> Option<Vec<(String, Arc<str>)>> {
        let mut done: Vec<(String, Arc<str>)> = Vec::new();
        let mut open = vec![(path.to_string(), Arc::from(text), paths_of_imports(path, text), 0)];
        while let Some((_, _, imports, next)) = open.last_mut() {
            let Some(import) = imports.get(*next).cloned() else {
                let (path, text, ..) = open.pop()?;
                done.push((path, text));
                continue;
            };
            *next += 1;
            if done.iter().any(|(path, _)| *path == import) {
                continue;
            }
            if open.iter().any(|(path, ..)| *path == import) {
                return None;
            }
            if import.starts_with(LIBRARY) {
                // It is the same as long as the compiler runs, and reads what it imports itself.
                done.push((import.clone(), Arc::from(shipped_file(&import)?)));
                continue;
            }
            let text: Arc<str> = Arc::from(loader.load(&import).ok()?);
            let known = self.imports.get(&import).filter(|(known, _)| *known == text);
            let imports = match known {
                Some((_, imports)) => imports.clone(),
                None => {
                    let imports = paths_of_imports(&import, &text);
                    self.imports.insert(import.clone(), (text.clone(), imports.clone()));
                    imports
                }
            };
            open.push((import, text, imports, 0));
        }
        // The file itself is the last.
        done.pop();
        Some(done)
    }

    /// A copy of the state after these files.
    fn state_after(&mut self, files: &[(String, Arc<str>)], loader: &mut dyn Loader) -> State {
        let fits = |kept: &Kept| files.starts_with(&kept.files);
        let best =
            (0..self.kept.len()).filter(|i| fits(&self.kept[*i])).max_by_key(|i| self.kept[*i].files.len());
        let (mut state, read) = match best {
            Some(i) => {
                let kept = self.kept.remove(i);
                let start = (kept.state.copy(), kept.files.len());
                self.kept.push(kept);
                start
            }
            None => {
                let warnings = &self.warnings;
                (self.prelude.get_or_insert_with(|| State::after_prelude(warnings, loader)).copy(), 0)
            }
        };
        for (i, (path, _)) in files.iter().enumerate().skip(read) {
            state.read_with(loader, |checker| {
                if !path.starts_with(LIBRARY) {
                    checker.read_path(path, None);
                } else if !checker.files.contains_key(path) {
                    checker.read_library(path, None);
                }
            });
            state.forget_nodes();
            if self.kept.len() == MOST_KEPT {
                self.kept.remove(0);
            }
            self.kept.push(Kept { files: files[..=i].to_vec(), state: state.copy() });
        }
        state
    }
}

impl State {
    fn after_prelude(warnings: &[Code], loader: &mut dyn Loader) -> State {
        let mut sources = SourceMap::default();
        let mut checker = Checker::new(&mut sources, loader);
        checker.cx.optional_warnings = warnings.to_vec();
        checker.read_prelude();
        checker.cx.places = Some(Places::default());
        let Checker { cx, ids, files, trees, intrinsics, top, deferred, .. } = checker;
        let mut state = State { cx, sources, ids, files, trees, intrinsics, top, deferred };
        state.forget_nodes();
        state
    }

    fn copy(&self) -> State {
        State {
            cx: self.cx.clone(),
            sources: self.sources.clone(),
            ids: self.ids.clone(),
            files: self.files.clone(),
            trees: self.trees.clone(),
            intrinsics: self.intrinsics.clone(),
            top: self.top,
            deferred: self.deferred.copy(),
        }
    }

    /// Let a checker that is in this state read something.
    fn read_with(&mut self, loader: &mut dyn Loader, read: impl FnOnce(&mut Checker)) {
        let mut checker = Checker {
            cx: std::mem::take(&mut self.cx),
            sources: &mut self.sources,
            loader,
            ids: std::mem::take(&mut self.ids),
            files: std::mem::take(&mut self.files),
            trees: std::mem::take(&mut self.trees),
            reading: Vec::new(),
            depth: 0,
            created: Vec::new(),
            created_sizes: Vec::new(),
            intrinsics: self.intrinsics.clone(),
            top: self.top,
            deferred: std::mem::take(&mut self.deferred),
            program: Default::default(),
            main_file: FileId(u32::MAX),
            more_entries: Options::default().entries,
        };
        read(&mut checker);
        self.cx = checker.cx;
        self.ids = checker.ids;
        self.files = checker.files;
        self.trees = checker.trees;
        self.deferred = checker.deferred;
    }

    /// What was found out about nodes is of use only while their definition is checked, or to tools that ask about their file.
    fn forget_nodes(&mut self) {
        self.cx.tables = Tables::default();
        if let Some(places) = &mut self.cx.places {
            places.clear();
        }
    }
}

impl Analysis {
    pub fn sources(&self) -> &SourceMap {
        &self.state.sources
    }

    pub fn names(&self) -> &Names {
        &self.state.cx.names
    }

    /// What is known of places of the file.
    pub fn places(&self) -> &Places {
        self.state.cx.places.as_ref().expect("analysis: the places are kept")
    }

    /// A file that was read, as it was parsed.
    pub fn tree(&self, file: FileId) -> Option<&Prog> {
        self.state.trees.iter().find(|(f, _)| *f == file).map(|(_, tree)| &**tree)
    }

    pub fn show_type(&self, t: &Ty) -> String {
        show_ty(self.names(), t)
    }

    /// The type of a value, if it was declared outside of expressions: `[n] 'a. [n]a -> i64`.
    pub fn value_type(&self, var: VarId) -> Option<String> {
        match self.state.cx.value(var)? {
            Value::Scheme(scheme) | Value::Primitive { scheme, .. } => {
                (!matches!(&*scheme.ty, TyKind::Error)).then(|| show_scheme(self.names(), scheme))
            }
            Value::Overloaded { prims, params, ret } => {
                let show = |p: &Option<crate::types::Prim>| p.map_or("t", |p| p.name()).to_string();
                let all: Vec<String> = params.iter().chain([ret]).map(show).collect();
                let prims: Vec<&str> = prims.iter().map(|p| p.name()).collect();
                Some(format!("{}, for t one of {}", all.join(" -> "), prims.join(", ")))
            }
            Value::Equality => Some("t -> t -> bool".into()),
            Value::Recursive => None,
        }
    }

    /// The type of a value without what it is polymorphic in.
    pub fn plain_value_type(&self, var: VarId) -> Option<&Ty> {
        match self.state.cx.value(var)? {
            Value::Scheme(scheme) | Value::Primitive { scheme, .. } => Some(&scheme.ty),
            Value::Overloaded { .. } | Value::Equality | Value::Recursive => None,
        }
    }

    /// What a value of a function type yields when it is given so many arguments.
    pub fn result_type(&self, var: VarId, arguments: usize) -> Option<Ty> {
        let mut t = self.plain_value_type(var)?.clone();
        for _ in 0..arguments {
            let TyKind::Arrow(arrow) = &*t.clone() else { return None };
            t = arrow.ret.ty.clone();
        }
        Some(plain(&t))
    }

    /// What is declared at a place, other than inside the definition there: names, and what they mean. The innermost comes first.
    pub fn declared_at(&self, at: Span) -> Vec<(Symbol, Meant)> {
        let place = self.places().scope_at(at).unwrap_or(self.state.top);
        self.state.cx.scope.declared_at(place).map(|(name, meaning)| (name, meant(meaning))).collect()
    }

    /// What the module has that a path leads to from a place.
    pub fn members(&self, at: Span, path: &[Symbol]) -> Option<Vec<(Symbol, Meant)>> {
        let place = self.places().scope_at(at).unwrap_or(self.state.top);
        let (first, rest) = path.split_first()?;
        let mut declared = self.state.cx.scope.declared_at(place);
        let mut module = declared.find_map(|(name, meaning)| match meaning {
            Meaning::Term(Term::Mod(var, module)) if name == *first => Some(self.read(*var, module)),
            _ => None,
        })?;
        for name in rest {
            let Mod::Env(env) = module else { return None };
            let (var, inner) = env.mods.get(name)?;
            module = self.read(*var, inner);
        }
        let Mod::Env(env) = module else { return None };
        let mut members: Vec<(Symbol, Meant)> =
            env.vals.iter().map(|(name, var)| (*name, Meant::Value(*var))).collect();
        members.extend(env.types.keys().map(|name| (*name, Meant::Type)));
        members.extend(env.mods.iter().map(|(name, (var, _))| (*name, Meant::Module(*var))));
        members.extend(env.mod_types.keys().map(|name| (*name, Meant::ModuleType)));
        Some(members)
    }

    fn read<'a>(&'a self, var: VarId, module: &'a Mod) -> &'a Mod {
        match module {
            Mod::Unread => self.state.cx.modules.get(&var).unwrap_or(module),
            Mod::Env(_) | Mod::Fun(_) | Mod::Error => module,
        }
    }
}

fn meant(meaning: &Meaning) -> Meant {
    match meaning {
        Meaning::Term(Term::Val(var)) => Meant::Value(*var),
        Meaning::Term(Term::Mod(var, _)) => Meant::Module(*var),
        Meaning::Type(_) => Meant::Type,
        Meaning::ModType(_) => Meant::ModuleType,
    }
}

/// The paths of the files that a file imports, in the order of the text; what ships with the compiler is no file of its own.
pub fn imports_of(path: &str, text: &str) -> Vec<String> {
    paths_of_imports(path, text).into_iter().filter(|import| !import.starts_with(LIBRARY)).collect()
}

/// The same with the modules of the library, as the text has them: no other way to write them leads to the library here.
fn paths_of_imports(path: &str, text: &str) -> Vec<String> {
    // Most files have no imports, and need not be parsed to see that.
    if !text.contains("import") {
        return Vec::new();
    }
    let parsed = norn_syntax::parse(FileId(0), text, &mut NodeIds::default());
    let mut imports = Vec::new();
    parsed.prog.each_import(&mut |import| {
        let of_library = import.text.starts_with(LIBRARY);
        imports.push(match of_library {
            true => format!("{}.fut", import.text),
            false => outside(&resolve(path, &import.text)),
        });
    });
    imports
}

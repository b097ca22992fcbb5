//! Declarations, modules and files.
//!
//! A `Checker` reads a file's declarations in order, each in the scope of those before it. Module
//! types classify modules; sealing a module with one hides everything else and makes its abstract
//! types new. A parametric module is checked once, against its parameter's module type; applying
//! it puts the argument's types in place of the parameter's and makes the types that its body
//! creates new.

mod decs;
mod deferred;
mod entry;
mod imports;
mod matching;
mod mod_exp;
mod mod_type;
mod rename;
mod session;
mod shipped;
mod type_decs;

pub use imports::{Rest, check_program, resolve};
pub use session::{Analysis, Session, imports_of};
pub use shipped::{FILES as SHIPPED_FILES, library_names, shipped_file};

use crate::Loader;
use crate::cx::Cx;
use crate::env::Env;
use crate::infer::Infer;
use crate::scope::Place;
use crate::sizes::{Evaluated, Sizer};
use crate::typed;
use deferred::Deferred;
use norn_base::{FileId, SourceMap, Span};
use norn_syntax::ast::{NodeIds, Prog, TypeExp, TypeParam};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

pub struct Checker<'a> {
    pub cx: Cx,
    sources: &'a mut SourceMap,
    loader: &'a mut dyn Loader,
    ids: NodeIds,
    /// Files read so far by path; `None` while a file is being read.
    files: FxHashMap<String, Option<Rc<Env>>>,
    /// What the files are that have been read.
    trees: Vec<(FileId, Rc<Prog>)>,
    /// The files being read, the innermost last, with the imports that lead to them.
    reading: Vec<(String, Option<Span>)>,
    /// How many module bodies around what is being read.
    depth: usize,
    /// Abstract and recursive types made so far by the module bodies being read.
    created: Vec<crate::types::TyId>,
    /// The existential sizes of constants defined so far by them.
    created_sizes: Vec<crate::types::VarId>,
    /// The module `intrinsics`.
    intrinsics: Rc<Env>,
    /// Where what every file sees has been declared.
    top: Place,
    deferred: Deferred,
    program: typed::Program,
    pub main_file: FileId,
    /// Definitions of the main file that are entry points without saying so, if they can be.
    more_entries: BTreeSet<String>,
}

impl Checker<'_> {
    /// Read a type expression at the level of declarations, with parameters of its own. `None` if
    /// there were errors.
    fn declared_type(
        &mut self,
        tparams: &[TypeParam],
        te: &TypeExp,
        place: crate::infer::TypePlace,
    ) -> Option<(Vec<crate::types::TParam>, Evaluated)> {
        let metas = self.with_modules(|this| {
            let mark = this.cx.scope.mark();
            let mut infer = Infer::new(&mut this.cx);
            infer.bind_tparams(tparams);
            let ok = infer.infer_type_exp(te, place);
            let metas = infer.metas;
            this.cx.scope.reset(mark);
            ok.then_some(metas)
        })?;
        let mut sizer = Sizer::new(&mut self.cx, metas);
        let params = sizer.declared_tparams(tparams);
        let ev = sizer.eval_type(te);
        (!sizer.failed()).then_some((params, ev))
    }
}

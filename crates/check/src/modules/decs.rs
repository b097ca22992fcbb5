//! Blocks of declarations.

use super::Checker;
use crate::cx::Block;
use crate::env::{Env, Mod, ModTy, NamedModTy, Value};
use crate::infer::Infer;
use crate::intrinsics::SHORT_CIRCUIT;
use crate::places::Meant;
use crate::sizes;
use crate::typed::{self, ValDef};
use crate::types::VarId;
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{Attr, Dec, DecKind, Doc, ValBind, ValKeyword};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The name spaces of declarations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Term,
    Type,
    ModType,
}

impl Checker<'_> {
    /// Read a block; its names are in scope of the rest of it. What it exports, and the typed
    /// declarations.
    pub(super) fn block(&mut self, decs: &[Dec]) -> (Env, Vec<typed::Dec>) {
        self.no_duplicates(decs);
        self.cx.scope.push_frame();
        self.cx.blocks.push(declared_in(decs));
        let mut out = Vec::new();
        for d in decs {
            self.cx.note_scope(d.span.at_start());
            self.dec(d, true, &mut out);
            self.cx.note_scope(d.span.at_end());
        }
        self.cx.blocks.pop();
        (self.cx.scope.pop_frame(), out)
    }

    fn dec(&mut self, d: &Dec, export: bool, out: &mut Vec<typed::Dec>) {
        match &d.kind {
            DecKind::Vals(group) => {
                let (env, dec) = self.val_group(group, d);
                self.cx.scope.declare(&env, export);
                out.push(dec);
            }
            DecKind::Types(group) => {
                let (env, dec) = self.type_group(group);
                self.cx.scope.declare(&env, export);
                out.push(dec);
            }
            DecKind::Mod(mb) => {
                let (env, dec) = self.mod_bind(mb);
                self.cx.scope.declare(&env, export);
                out.push(dec);
            }
            DecKind::ModType(mt) => {
                let mut env = Env::default();
                let ty = self.mod_type_exp(&mt.body);
                let ty = ty.unwrap_or(ModTy { abs: Vec::new(), module: Mod::Error });
                let span = mt.name.span;
                self.cx.note(span, span, Meant::ModuleType);
                env.mod_types.insert(mt.name.name, Rc::new(NamedModTy { ty, span }));
                self.cx.scope.declare(&env, export);
                out.push(typed::Dec::ModType(mt.name.name, mt.span));
            }
            DecKind::Open(me) => {
                let (ty, me_typed) = self.mod_exp(me);
                match ty.module {
                    Mod::Env(env) => self.cx.scope.declare(&env, export),
                    Mod::Fun(_) => self.cx.report(
                        Diagnostic::error(
                            codes::MODULE_KIND_MISMATCH,
                            me.span,
                            "A parametric module cannot be opened.",
                        )
                        .help("apply it to a module first"),
                    ),
                    Mod::Unread | Mod::Error => {}
                }
                out.push(typed::Dec::Open(me_typed));
            }
            DecKind::Import(path) => {
                if let Some((env, path)) = self.import(path) {
                    self.cx.scope.declare(&env, false);
                    out.push(typed::Dec::Import(path));
                }
            }
            DecKind::Local(inner) => {
                let mut inner_out = Vec::new();
                self.dec(inner, false, &mut inner_out);
                out.extend(inner_out.into_iter().map(|d| typed::Dec::Local(Box::new(d))));
            }
            DecKind::Error => {}
        }
    }

    fn val_group(&mut self, group: &Rc<[ValBind]>, dec: &Dec) -> (Env, typed::Dec) {
        let vars: Vec<VarId> = group.iter().map(|vb| self.cx.new_var(vb.name.name, vb.name.span)).collect();
        for vb in group.iter() {
            self.name_allowed(vb.name.name, vb.name.span);
            if vb.keyword == ValKeyword::Entry && self.depth > 0 {
                self.cx.error(
                    codes::BAD_ENTRY_POINT,
                    vb.name.span,
                    "An entry point cannot stand inside a module.",
                );
            }
        }
        let mut env = Env::default();
        for (vb, var) in group.iter().zip(&vars) {
            self.cx.note(vb.name.span, vb.name.span, Meant::Value(*var));
            env.add_val(vb.name.name, *var);
        }
        let typed = match self.defer(group, &vars, dec) {
            Some(unreached) => unreached,
            None => typed::Dec::Vals(self.define(group, &vars, &dec.attrs, dec.doc.as_ref())),
        };
        (env, typed)
    }

    /// Check definitions, whose variables are `vars`. Those with errors are left out.
    pub(super) fn define(
        &mut self,
        group: &[ValBind],
        vars: &[VarId],
        attrs: &[Attr],
        doc: Option<&Doc>,
    ) -> Vec<ValDef> {
        let refs: Vec<&ValBind> = group.iter().collect();
        let (inferred, metas) = self.with_modules(|this| {
            let mark = this.cx.scope.mark();
            let mut infer = Infer::new(&mut this.cx);
            let inferred = infer.infer_group(&refs, vars);
            let metas = infer.metas;
            this.cx.scope.reset(mark);
            (inferred, metas)
        });
        let unsized_types = self.cx.places.is_some().then(|| metas.clone());
        let funs = match inferred {
            Some(inferred) => sizes::check_group(&mut self.cx, metas, &refs, vars, inferred),
            None => {
                let mut metas = metas;
                for (vb, v) in group.iter().zip(vars) {
                    let scheme;
                    (metas, scheme) = sizes::declared_scheme(&mut self.cx, metas, vb);
                    self.cx.set_value(*v, Value::Scheme(Rc::new(scheme)));
                }
                group.iter().map(|_| None).collect()
            }
        };
        let mut defs = Vec::new();
        for ((vb, var), fun) in group.iter().zip(vars).zip(funs) {
            if let Some(metas) = &unsized_types {
                self.cx.note_types(vb, fun.as_ref(), metas);
            }
            let Some(fun) = fun else { continue };
            let in_main_file = vb.name.span.file == self.main_file && self.depth == 0;
            let declared =
                vb.keyword == ValKeyword::Entry || (in_main_file && vb.name.name.as_str() == "main");
            let requested = in_main_file && self.more_entries.contains(vb.name.name.as_str());
            let errors = if declared || requested { self.entry_errors(vb, &fun) } else { Vec::new() };
            let entry = declared || (requested && errors.is_empty());
            if declared {
                errors.into_iter().for_each(|error| self.cx.report(error));
            }
            self.cx.set_value(*var, Value::Scheme(Rc::new(sizes::scheme_of(&fun))));
            if fun.params.is_empty() {
                self.created_sizes.extend(&fun.ret.exts);
            }
            let entry = entry.then(|| super::entry::entry_names(vb, doc));
            defs.push(ValDef { var: *var, entry, fun, attrs: attrs.to_vec(), span: vb.span });
        }
        defs
    }

    /// `&&` and `||` do not evaluate both operands, which no function can do.
    pub(super) fn name_allowed(&mut self, name: Symbol, span: Span) {
        if SHORT_CIRCUIT.contains(&name.as_str()) {
            self.cx.report(Diagnostic::error(
                codes::RESERVED_NAME,
                span,
                format!("The operator `{name}` cannot be redefined: it does not always evaluate its right operand."),
            ));
        }
    }

    fn no_duplicates(&mut self, decs: &[Dec]) {
        let mut seen: FxHashMap<(Space, Symbol), Span> = FxHashMap::default();
        for d in decs {
            let names: Vec<(Space, Symbol, Span)> = match &d.kind {
                DecKind::Vals(vs) => vs.iter().map(|v| (Space::Term, v.name.name, v.name.span)).collect(),
                DecKind::Types(ts) => ts.iter().map(|t| (Space::Type, t.name.name, t.name.span)).collect(),
                DecKind::Mod(m) => vec![(Space::Term, m.name.name, m.name.span)],
                DecKind::ModType(m) => vec![(Space::ModType, m.name.name, m.name.span)],
                DecKind::Open(_) | DecKind::Import(_) | DecKind::Local(_) | DecKind::Error => continue,
            };
            for (space, name, span) in names {
                if let Some(first) = seen.insert((space, name), span) {
                    self.cx.report(
                        Diagnostic::error(
                            codes::DUPLICATE_NAME,
                            span,
                            format!("`{name}` is defined twice here."),
                        )
                        .label("defined again")
                        .secondary(first, "first defined here"),
                    );
                }
            }
        }
    }
}

/// What a block declares.
fn declared_in(decs: &[Dec]) -> Block {
    let mut block = Block::default();
    for d in decs {
        match &d.kind {
            DecKind::Vals(group) => {
                block.values.extend(group.iter().map(|vb| (vb.name.name, (vb.name.span, vb.span))));
            }
            DecKind::Types(group) => {
                block.types.extend(group.iter().map(|tb| (tb.name.name, (tb.name.span, tb.span))));
            }
            DecKind::Mod(_)
            | DecKind::ModType(_)
            | DecKind::Open(_)
            | DecKind::Import(_)
            | DecKind::Local(_)
            | DecKind::Error => {}
        }
    }
    block
}

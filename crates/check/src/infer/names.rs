//! Resolution of names in expressions and types.
//!
//! `a.b.c` is read from the left: modules as long as there are modules, then a value, and what is left are fields of it. A module and a value live in one name space, so
//! which of them a dot means is decided by what the name before it stands for, and not by the syntax. Types have a name space of their own.
//!
//! A name that is not found becomes the type `Error`, which fits everywhere, so that the mistake is reported once. Most of the file is about that
//! report: the nearest name in scope, a type that is declared further down or mentions itself without `rec`, types as other languages call them. Where a
//! better explanation may still turn up in the expression around the name, the report is noticed (`notice`) and decided at the end of the
//! definition; a name in a module, where there is nothing to explain, is reported at once.

use super::Infer;
use super::report::Noticed;
use crate::cx::{Declaring, Ref, suggest};
use crate::env::{Env, Mod, TypeBinding, Value};
use crate::places::Meant;
use crate::scope::{Term, term_in};
use crate::types::{self, Ty};
use norn_base::{Diagnostic, Span, codes};
use norn_syntax::ast::{Ident, NodeId, QualName};
use std::rc::Rc;

impl Infer<'_> {
    /// The type of a dotted name: modules, then a variable, then fields of it.
    pub(super) fn qual_name(&mut self, name: &QualName, id: NodeId) -> Ty {
        let Some(r) = self.resolve_value(name) else {
            self.failed = true;
            return types::error();
        };
        let mut t = self.var_type(r.var, id, name.span());
        let fields = r.fields.clone();
        self.cx.tables.refs.set(id, r);
        for f in fields {
            t = self.project(&t, &f);
        }
        t
    }

    /// A name is bound where another variable of this name is used: one text stands for both.
    pub(super) fn share_with_source(&mut self, source: NodeId, bound: Span) {
        if let Some(r) = self.cx.tables.refs.get(source) {
            self.cx.note_shared(self.cx.names.var(r.var).span, bound);
        }
    }

    /// The type of a variable at one use.
    pub(super) fn var_type(&mut self, var: crate::types::VarId, id: NodeId, span: Span) -> Ty {
        self.cx.mark_used(var);
        let t = match self.cx.value(var).cloned() {
            Some(Value::Scheme(scheme)) => {
                self.instantiate(&scheme, span, self.group.contains(&var), &|_| None)
            }
            Some(Value::Primitive { scheme, param, prims }) => {
                let set = super::meta::PrimSet::new(prims);
                self.instantiate(&scheme, span, false, &|id| (id == param).then_some(set))
            }
            Some(Value::Recursive) => types::error(),
            Some(Value::Equality) => {
                let t = self.fresh(span);
                types::fun(t.clone(), types::fun(t, types::prim(types::Prim::Bool)))
            }
            Some(Value::Overloaded { prims, params, ret }) => {
                let t = self.fresh_prim(super::meta::PrimSet::new(prims), span);
                let pick = |p: Option<types::Prim>| p.map_or_else(|| t.clone(), types::prim);
                params.iter().rev().fold(pick(ret), |r, p| types::fun(pick(*p), r))
            }
            None => types::error(),
        };
        self.set_type(id, &t);
        t
    }

    pub(super) fn resolve_value(&mut self, name: &QualName) -> Option<Ref> {
        let path: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let mut found = self.cx.term(path[0].name);
        let mut env: Option<Rc<Env>> = None;
        for (i, ident) in path.iter().enumerate() {
            match found {
                Some(Term::Val(var)) => {
                    self.cx.note(ident.span, self.cx.names.var(var).span, Meant::Value(var));
                    if ident.name.as_str().starts_with('_') {
                        self.declared_unused(*ident, var);
                    }
                    return Some(Ref { var, fields: path[i + 1..].to_vec() });
                }
                Some(Term::Mod(_, Mod::Unread | Mod::Error)) => return None,
                Some(Term::Mod(var, module)) => {
                    self.cx.note(ident.span, self.cx.names.var(var).span, Meant::Module(var));
                    self.cx.mark_used(var);
                    let Some(next) = path.get(i + 1) else {
                        self.notice(Noticed::ModuleAsValue(Diagnostic::error(
                            codes::NOT_A_MODULE,
                            ident.span,
                            format!("`{}` is a module, but a value is needed here.", ident.name),
                        )));
                        return None;
                    };
                    let Mod::Env(inner) = module else {
                        self.parametric(*ident);
                        return None;
                    };
                    found = term_in(&inner, next.name);
                    env = Some(inner);
                }
                None => {
                    self.unknown_value(*ident, i.checked_sub(1).map(|j| path[j]), env.as_deref());
                    return None;
                }
            }
        }
        None
    }

    fn declared_unused(&mut self, ident: Ident, var: crate::types::VarId) {
        let bound = self.cx.names.var(var).span;
        self.fail(
            Diagnostic::error(
                codes::RESERVED_NAME,
                ident.span,
                format!("The name `{}` starts with `_`, so it cannot be used.", ident.name),
            )
            .secondary(bound, "bound here")
            .help("rename it without the underscore"),
        );
    }

    fn parametric(&mut self, ident: Ident) {
        self.fail(
            Diagnostic::error(
                codes::NOT_A_MODULE,
                ident.span,
                format!("`{}` is a parametric module; it has no members of its own.", ident.name),
            )
            .help("apply it to a module first"),
        );
    }

    fn unknown_value(&mut self, ident: Ident, module: Option<Ident>, env: Option<&Env>) {
        let name = ident.name;
        let d = match module {
            Some(m) => Diagnostic::error(
                codes::UNKNOWN_NAME,
                ident.span,
                format!("The module `{}` has no value `{name}`.", m.name),
            ),
            None => {
                let what = if name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    "name"
                } else {
                    "operator"
                };
                Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    ident.span,
                    format!("The {what} `{name}` is not in scope."),
                )
            }
        };
        let candidates = match env {
            Some(env) => env.vals.keys().chain(env.mods.keys()).copied().collect(),
            None => self.cx.scope.term_names(),
        };
        let better = suggest(name, candidates);
        match (module, better) {
            (None, better) => self.notice(Noticed::UnknownName(d, name, better)),
            (Some(_), Some(better)) => {
                self.fail(d.help(format!("did you mean `{better}`?")).fix(ident.span, better.as_str()));
            }
            (Some(_), None) => self.fail(d),
        }
    }

    /// The module that a name stands for.
    pub(crate) fn resolve_module(&mut self, name: &QualName) -> Option<(crate::types::VarId, Mod)> {
        let path: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let mut found = self.cx.term(path[0].name);
        let mut env: Option<Rc<Env>> = None;
        for (i, ident) in path.iter().enumerate() {
            match found {
                Some(Term::Mod(var, module)) => {
                    self.cx.note(ident.span, self.cx.names.var(var).span, Meant::Module(var));
                    self.cx.mark_used(var);
                    let Some(next) = path.get(i + 1) else { return Some((var, module)) };
                    match module {
                        Mod::Env(inner) => {
                            found = term_in(&inner, next.name);
                            env = Some(inner);
                        }
                        Mod::Unread | Mod::Error => return Some((var, Mod::Error)),
                        Mod::Fun(_) => {
                            self.parametric(*ident);
                            return None;
                        }
                    }
                }
                Some(Term::Val(_)) => {
                    self.fail(Diagnostic::error(
                        codes::NOT_A_MODULE,
                        ident.span,
                        format!("`{}` is a value, not a module.", ident.name),
                    ));
                    return None;
                }
                None => {
                    let candidates: Vec<_> = match &env {
                        Some(env) => env.mods.keys().copied().collect(),
                        None => self.cx.scope.term_names(),
                    };
                    let mut d = Diagnostic::error(
                        codes::UNKNOWN_MODULE,
                        ident.span,
                        format!("The module `{}` is not in scope.", ident.name),
                    );
                    if let Some(better) = suggest(ident.name, candidates) {
                        d = d.help(format!("did you mean `{better}`?")).fix(ident.span, better.as_str());
                    }
                    self.fail(d);
                    return None;
                }
            }
        }
        None
    }

    pub(super) fn resolve_type(&mut self, name: &QualName) -> Option<Rc<TypeBinding>> {
        if name.quals.is_empty() {
            if let Some(binding) = self.cx.scope.type_binding(name.name.name) {
                self.cx.note(name.name.span, binding.span, Meant::Type);
                return Some(binding);
            }
            let candidates = self.cx.scope.type_names();
            self.unknown_type(name, candidates);
            return None;
        }
        let (last, front) = name.quals.split_last()?;
        let module = QualName { quals: front.to_vec(), name: *last };
        match self.resolve_module(&module)? {
            (_, Mod::Env(env)) => {
                if let Some(binding) = env.types.get(&name.name.name) {
                    self.cx.note(name.name.span, binding.span, Meant::Type);
                    return Some(binding.clone());
                }
                self.unknown_type(name, env.types.keys().copied().collect());
                None
            }
            (_, Mod::Unread | Mod::Error) => {
                self.failed = true;
                None
            }
            (_, Mod::Fun(_)) => {
                self.parametric(*last);
                None
            }
        }
    }

    fn unknown_type(&mut self, name: &QualName, candidates: Vec<norn_base::Symbol>) {
        if name.quals.is_empty() && self.type_not_yet_declared(name.name) {
            return;
        }
        let what = match name.quals.last() {
            Some(m) => format!("The module `{}` has no type `{}`.", m.name, name.name.name),
            None => format!("The type `{}` is not in scope.", name.name.name),
        };
        let mut d = Diagnostic::error(codes::UNKNOWN_TYPE, name.name.span, what);
        if let Some(better) = suggest(name.name.name, candidates) {
            d = d.help(format!("did you mean `{better}`?")).fix(name.name.span, better.as_str());
        } else if let Some(better) = known_elsewhere(name.name.name.as_str()) {
            d = d.help(format!("the type is called `{better}` here")).fix(name.name.span, better);
        } else if ["Maybe", "Option", "option"].contains(&name.name.name.as_str()) {
            d = d.help("a sum type says that a value may be missing: `#none | #some i64`");
        } else if name.quals.is_empty() && self.cx.scope.term(name.name.name).is_some() {
            d = d.help("`:` stands before a type; to put an element in front of an array: `[x] ++ xs`");
        }
        self.notice(Noticed::UnknownType(d));
    }
}

impl Infer<'_> {
    /// A type that is being declared, or is declared further down. Whether it is.
    fn type_not_yet_declared(&mut self, ident: Ident) -> bool {
        let name = ident.name;
        if let Some(declaring) = self.cx.declaring.clone().filter(|d| d.name.name == name) {
            self.failed = true;
            // One mistake, however often it mentions itself.
            if self.cx.declaring.take().is_some_and(|d| !d.is_reported) {
                let message = format!("The type `{name}` mentions itself.");
                let d = Diagnostic::error(codes::UNKNOWN_TYPE, ident.span, message)
                    .secondary(declaring.name.span, "this declaration is not recursive");
                let help = format!("declare it with `type rec {name}`");
                let rec = declaring.name.span.at_start();
                self.cx.report(if declaring.is_sum {
                    d.help(help).fix(rec, "rec ")
                } else {
                    d.help(
                        "a recursive type is declared with `type rec`, and is a sum type: `#leaf | #node ..`",
                    )
                });
            }
            self.cx.declaring = Some(Declaring { is_reported: true, ..declaring });
            return true;
        }
        let Some((at, whole)) = self.cx.later_type(name, ident.span) else { return false };
        self.failed = true;
        // One mistake, however many declarations need it.
        if self.cx.deferred_reports.contains(&at) {
            return true;
        }
        self.cx.deferred_reports.push(at);
        let d = Diagnostic::error(
            codes::UNKNOWN_TYPE,
            ident.span,
            format!("The type `{name}` is not yet in scope."),
        )
        .secondary(at, "declared further down");
        let user = self.cx.declaring.as_ref().map(|d| d.name.name);
        let mutual = user.filter(|user| {
            let text = self.cx.text(whole).unwrap_or_default();
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == user.as_str())
        });
        self.fail(match mutual {
            Some(user) => d.help(format!(
                "types that mention each other are declared together: `type rec {user} = .. with type {name} = ..`"
            )),
            None => d.help(format!("move the declaration of `{name}` up")),
        });
        true
    }
}

/// Types as other languages call them.
fn known_elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "Int" | "integer" | "int32" => "i32",
        "long" | "int64" | "isize" | "usize" => "i64",
        "float" | "float32" | "real" => "f32",
        "double" | "float64" | "Double" => "f64",
        "char" | "byte" | "uint8" => "u8",
        "uint32" | "uint" => "u32",
        "boolean" | "Bool" => "bool",
        "half" | "float16" => "f16",
        _ => return None,
    })
}

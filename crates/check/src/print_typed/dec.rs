//! Declarations and modules.

use super::Printer;
use super::pat::written;
use crate::print::lifted_mark;
use crate::typed::{Dec, Fun, ModExp, Substitution, TypeDef, ValDef};
use crate::types::{RetTy, TyKind};
use norn_syntax::ast::Liftedness;

impl Printer<'_> {
    /// Declarations with an empty line between those of several lines.
    pub(super) fn decs(&mut self, decs: &[Dec]) {
        let mut before: Option<&Dec> = None;
        for dec in decs.iter().filter(|dec| is_printed(dec)) {
            if let Some(before) = before {
                self.out.hard();
                if !(is_short(before) && is_short(dec)) {
                    self.out.hard();
                }
            }
            self.dec(dec);
            before = Some(dec);
        }
    }

    fn dec(&mut self, dec: &Dec) {
        match dec {
            Dec::Vals(defs) => {
                for (i, def) in defs.iter().enumerate() {
                    if i > 0 {
                        self.out.hard();
                        self.out.text("with ");
                    }
                    self.val_def(def);
                }
            }
            Dec::Unreached(..) => {}
            Dec::Types(defs) => {
                for (i, def) in defs.iter().enumerate() {
                    if i > 0 {
                        self.out.hard();
                        self.out.text("with ");
                    }
                    self.type_def(def);
                }
            }
            Dec::Mod(def) => {
                let name = self.shower.var(def.id);
                self.out.text(format!("module {name} = "));
                self.mod_exp(&def.body);
            }
            Dec::ModType(name, _) => self.out.text(format!("module type {name}")),
            Dec::Open(body) => {
                self.out.text("open ");
                self.mod_exp(body);
            }
            Dec::Import(path) => self.out.text(format!("import \"{path}\"")),
            Dec::Local(dec) => {
                self.out.text("local ");
                self.dec(dec);
            }
        }
    }

    fn val_def(&mut self, def: &ValDef) {
        self.attrs(&def.attrs);
        self.out.open();
        self.out.text(if def.entry.is_some() { "entry " } else { "def " });
        let name = self.shower.var(def.var);
        self.out.text(written(&name));
        self.fun_head(&def.fun);
        self.out.close();
        self.out.indent();
        self.out.hard();
        self.exp(&def.fun.body);
        self.out.dedent();
    }

    /// The parameters and the result of a function, up to the body.
    pub(super) fn fun_head(&mut self, fun: &Fun) {
        self.out.open();
        self.out.indent();
        let tparams = self.shower.tparams(&fun.tparams);
        if !tparams.is_empty() {
            self.out.text(format!(" {tparams}"));
        }
        for p in &fun.params {
            self.out.line();
            self.param(p);
        }
        let ret = self.shower.ret(&fun.ret);
        self.out.line();
        self.out.text(format!(": {ret} ="));
        self.out.dedent();
        self.out.close();
    }

    fn type_def(&mut self, def: &TypeDef) {
        let recursive = if def.id.is_some() { " rec" } else { "" };
        let name = match def.id {
            Some(id) => self.shower.ty_name(id),
            None => def.name.to_string(),
        };
        let mark = lifted_mark(hidden_liftedness(&def.ty));
        self.out.text(format!("type{mark}{recursive} {name}"));
        let tparams = self.shower.tparams(&def.tparams);
        if !tparams.is_empty() {
            self.out.text(format!(" {tparams}"));
        }
        let ty = self.shower.ret(&def.ty);
        self.out.text(" =");
        self.behind(|this| this.out.text(ty));
    }

    fn mod_exp(&mut self, body: &ModExp) {
        match body {
            ModExp::Var(v) => {
                let name = self.shower.var(*v);
                self.out.text(name);
            }
            ModExp::Import(path) => self.out.text(format!("import \"{path}\"")),
            ModExp::Decs(decs) if decs.is_empty() => self.out.text("{}"),
            ModExp::Decs(decs) => {
                self.out.text("{");
                self.out.indent();
                self.out.hard();
                self.decs(decs);
                self.out.dedent();
                self.out.hard();
                self.out.text("}");
            }
            ModExp::Apply(function, argument, parameter, renamed) => {
                self.mod_exp(function);
                self.out.text(" (");
                self.mod_exp(argument);
                self.out.text(")");
                self.substitution("where", parameter);
                self.substitution("giving", renamed);
            }
            ModExp::Ascript(body, names) => {
                self.mod_exp(body);
                self.substitution("sealed", names);
            }
            ModExp::Lambda(param, body) => {
                let name = self.shower.var(*param);
                self.out.text(format!("\\{name} -> "));
                self.mod_exp(body);
            }
            ModExp::Unread => self.out.text("{..}"),
            ModExp::Error => self.out.text("{error}"),
        }
    }

    /// ` word {type t ↦ u, x ↦ y}`, by name.
    fn substitution(&mut self, word: &str, names: &Substitution) {
        let table = self.names;
        let mut vars: Vec<_> = names.vars.iter().collect();
        vars.sort_by_key(|(v, _)| (table.var(**v).name, **v));
        let mut types: Vec<_> = names.types.iter().collect();
        types.sort_by_key(|(id, _)| (table.ty(**id).name, **id));
        let mut parts = Vec::new();
        for (id, (tparams, ty)) in types {
            let name = self.shower.ty_name(*id);
            let tparams = self.shower.tparams(tparams);
            let blank = if tparams.is_empty() { "" } else { " " };
            let ty = self.shower.ret(ty);
            parts.push(format!("type {name}{blank}{tparams} ↦ {ty}"));
        }
        for (from, to) in vars {
            let from = self.shower.var(*from);
            let to = self.shower.var(*to);
            parts.push(format!("{} ↦ {}", written(&from), written(&to)));
        }
        self.out.text(format!(" {word} "));
        self.enclosed("{", "}", |this| this.separated(&parts, |this, part| this.out.text(part.clone())));
    }
}

/// A definition with errors has left nothing behind, and nobody asks for one that is not reached.
fn is_printed(dec: &Dec) -> bool {
    match dec {
        Dec::Vals(defs) => !defs.is_empty(),
        Dec::Unreached(..) => false,
        Dec::Local(dec) => is_printed(dec),
        Dec::Types(_) | Dec::Mod(_) | Dec::ModType(..) | Dec::Open(_) | Dec::Import(_) => true,
    }
}

/// Whether a declaration is printed on one line, in most cases.
fn is_short(dec: &Dec) -> bool {
    match dec {
        Dec::Types(defs) => defs.len() == 1,
        Dec::ModType(..) | Dec::Import(_) => true,
        Dec::Local(dec) => is_short(dec),
        Dec::Open(body) => matches!(body, ModExp::Var(_) | ModExp::Import(_)),
        Dec::Mod(def) => matches!(def.body, ModExp::Var(_) | ModExp::Import(_)),
        Dec::Vals(_) | Dec::Unreached(..) => false,
    }
}

/// What the declaration of an abbreviation has to say of it at least.
fn hidden_liftedness(ty: &RetTy) -> Liftedness {
    match &*ty.ty {
        TyKind::Arrow(_) => Liftedness::Lifted,
        _ if !ty.exts.is_empty() => Liftedness::SizeLifted,
        _ => Liftedness::Unlifted,
    }
}

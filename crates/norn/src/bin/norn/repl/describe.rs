//! What the checker found out about an input.

use norn_check::print::Shower;
use norn_check::typed::{Dec, Program, ValDef};
use norn_check::types::{TParam, Ty, TyArg, TyKind};

/// What can be done with the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// It can be computed and shown.
    Value,
    Function,
    /// A value of many types, of which none was chosen.
    Polymorphic,
    /// Functions are somewhere inside.
    ContainsFunction,
}

impl Form {
    /// What stands for a value that cannot be shown.
    pub fn stand_in(self) -> Option<&'static str> {
        match self {
            Form::Value => None,
            Form::Function => Some("<function>"),
            Form::Polymorphic => Some("<polymorphic>"),
            Form::ContainsFunction => Some("<contains functions>"),
        }
    }
}

/// The values that the main file of a program defines.
pub fn defined_values(program: &Program) -> impl Iterator<Item = &ValDef> {
    program.files.last().into_iter().flat_map(|file| &file.decs).flat_map(|dec| match dec {
        Dec::Vals(values) => &values[..],
        Dec::Unreached(..)
        | Dec::Types(_)
        | Dec::Mod(_)
        | Dec::ModType(..)
        | Dec::Open(_)
        | Dec::Import(_)
        | Dec::Local(_) => &[],
    })
}

/// The type of a definition, as one would declare it.
pub fn type_text(program: &Program, def: &ValDef) -> String {
    let mut shower = Shower::new(&program.names);
    let fun = &def.fun;
    let mut out = shower.tparams(&fun.tparams);
    if !out.is_empty() {
        out += ". ";
    }
    for param in &fun.params {
        out += &shower.operand_ty(&param.ty);
        out += " -> ";
    }
    out + &shower.ret(&fun.ret)
}

pub fn form(def: &ValDef) -> Form {
    let fun = &def.fun;
    if !fun.params.is_empty() || matches!(&*fun.ret.ty, TyKind::Arrow(_)) {
        Form::Function
    } else if fun.tparams.iter().any(|param| matches!(param, TParam::Type(..))) {
        Form::Polymorphic
    } else if has_function(&fun.ret.ty) {
        Form::ContainsFunction
    } else {
        Form::Value
    }
}

fn has_function(ty: &Ty) -> bool {
    match &**ty {
        TyKind::Arrow(_) => true,
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => false,
        TyKind::Array(_, ty) | TyKind::Unique(ty) => has_function(ty),
        TyKind::Record(fields) => fields.iter().any(|(_, ty)| has_function(ty)),
        TyKind::Sum(constructors) => constructors.iter().any(|(_, tys)| tys.iter().any(has_function)),
        TyKind::Con(_, args) => args.iter().any(|arg| matches!(arg, TyArg::Type(ty) if has_function(ty))),
    }
}

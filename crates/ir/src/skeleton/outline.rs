//! A program without the bodies of its functions: all that names and types refer to.
//!
//! Printing and verifying ask it about functions and data, and so need no type parameter but where they go through bodies.

use super::{Atom, Const, Data, Dim, Entry, Fun, Iface, Param, Prog, Ret, Type, Var, VarInfo};

pub struct Outline<'a> {
    pub datas: &'a [Data],
    pub consts: &'a [Const],
    pub funs: Vec<Head<'a>>,
    pub entries: &'a [Entry],
    pub ifaces: &'a [Iface],
}

/// A function without its body.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    pub name: &'a str,
    pub params: &'a [Param],
    pub ret: &'a [Ret],
    pub vars: &'a [VarInfo],
}

impl<O> Prog<O> {
    pub fn outline(&self) -> Outline<'_> {
        Outline {
            datas: &self.datas,
            consts: &self.consts,
            funs: self.funs.iter().map(Fun::head).collect(),
            entries: &self.entries,
            ifaces: &self.ifaces,
        }
    }
}

impl Head<'_> {
    pub fn is_descriptor(&self, var: Var) -> bool {
        self.vars.get(var.0 as usize).is_some_and(|info| matches!(info.ty, Type::Seg { .. }))
    }

    /// The type with `?` for each dimension that is a descriptor: rows whose lengths differ, whatever says where they are.
    pub fn irregular(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        if matches!(ty, Type::Seg { .. }) {
            return ty;
        }
        ty.for_each_dim(&mut |dim| {
            let descriptor = match *dim {
                Dim::Size(Atom::Var(var)) => self.is_descriptor(var),
                Dim::Result(i) => self.ret.get(i).is_some_and(|ret| matches!(ret.ty, Type::Seg { .. })),
                Dim::Size(Atom::Const(_)) | Dim::Irregular => false,
            };
            if descriptor {
                *dim = Dim::Irregular;
            }
        });
        ty
    }
}

impl<O> Fun<O> {
    pub fn head(&self) -> Head<'_> {
        Head { name: &self.name, params: &self.params, ret: &self.ret, vars: &self.vars }
    }
}

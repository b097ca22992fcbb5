//! A program without the bodies of its functions: all that names and types refer to.
//!
//! Printing and verifying ask it about functions and data, and so need no type parameter but where they go through bodies.

use super::{Const, Data, Entry, Fun, Iface, Param, Prog, Ret, VarInfo};

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

impl<O> Fun<O> {
    pub fn head(&self) -> Head<'_> {
        Head { name: &self.name, params: &self.params, ret: &self.ret, vars: &self.vars }
    }
}

//! The printer of one function or kernel: its variables, and the text as it grows.

use crate::dialect::{Dialect, Needs};
use crate::leave::Guards;
use crate::mask::Masks;
use crate::names::Names;
use crate::own::own_blocks;
use crate::program::Globals;
use crate::scope::Scopes;
use norn_ir::imp::{Block, Exp, Prim, Type, Var, VarInfo};
use std::collections::HashMap;
use std::fmt::Write;

pub(crate) struct Code<'a> {
    pub globals: &'a Globals<'a>,
    pub dialect: &'a dyn Dialect,
    pub needs: &'a mut Needs,
    pub vars: &'a [VarInfo],
    pub scopes: Scopes,
    pub masks: Masks,
    names: Vec<String>,
    depth: usize,
    out: String,
    /// How many chunks a launch has: a few for each thread.
    pub chunks: Vec<Var>,
    /// Somewhere it is tested whether the run has stopped.
    pub tests_stop: bool,
    /// Of a group kernel.
    pub guards: Option<Guards>,
    /// The arrays of a group kernel that all threads of the group share.
    pub shared: Vec<Var>,
    /// The parameters of a group kernel that come with a factor to divide by.
    pub divisors: Vec<Var>,
    /// Whether the innermost loop counts.
    pub counting: bool,
    /// Blocks that are arrays of a thread, by their bytes.
    pub own: HashMap<Var, i64>,
    /// The bytes of all other blocks of a group kernel, if they are the same (`recycled`).
    pub recycled: Option<i64>,
}

impl<'a> Code<'a> {
    /// For a body with these variables, of which some are given.
    pub fn new(
        globals: &'a Globals<'a>,
        dialect: &'a dyn Dialect,
        needs: &'a mut Needs,
        vars: &'a [VarInfo],
        (body, results): (&Block, &[Exp]),
        given: &[Var],
    ) -> Code<'a> {
        let mut names = Names::inside(&globals.names);
        Code {
            globals,
            dialect,
            needs,
            vars,
            scopes: Scopes::of(body, results, vars.len(), given),
            masks: Masks::of(body, vars, given),
            names: vars.iter().map(|info| names.give("", &info.name)).collect(),
            depth: 1,
            out: String::new(),
            chunks: Vec::new(),
            tests_stop: false,
            guards: None,
            shared: Vec::new(),
            divisors: Vec::new(),
            counting: false,
            own: if dialect.has_own_blocks() { own_blocks(body, results) } else { HashMap::new() },
            recycled: None,
        }
    }

    pub fn finish(self) -> String {
        self.out
    }

    // # Lines

    pub fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.out, "{:indent$}{}", "", text.as_ref(), indent = 2 * self.depth)
            .expect("writing to a string");
    }

    /// A line that opens a block.
    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    /// The next line closes a block, and opens another.
    pub fn outdent(&mut self) {
        self.depth -= 1;
    }

    pub fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    // # Variables

    pub fn name(&self, var: Var) -> &str {
        &self.names[var.0 as usize]
    }

    pub fn var_ty(&self, var: Var) -> Type {
        self.vars[var.0 as usize].ty
    }

    /// A type and a name: what stands before the `;` or `=` of a declaration.
    pub fn declaration(&mut self, var: Var) -> String {
        let ty = self.c_type(self.var_ty(var), self.masks.of_var(var));
        join(&ty, self.name(var))
    }

    /// The type in C; a mask is as wide as given.
    pub fn c_type(&mut self, ty: Type, mask: Option<Prim>) -> String {
        c_type(self.dialect, self.needs, ty, mask)
    }

    pub fn lanes(&self, exp: &Exp) -> Option<u16> {
        exp.ty(self.vars).lanes()
    }
}

/// The type in C. A mask has the usual width if none is given.
pub(crate) fn c_type(dialect: &dyn Dialect, needs: &mut Needs, ty: Type, mask: Option<Prim>) -> String {
    needs.value(ty);
    match ty {
        Type::Vector(Prim::Bool, lanes) => {
            needs.vectors.ty(mask.unwrap_or(crate::mask::usual_width(lanes)), lanes)
        }
        Type::Vector(prim, lanes) => needs.vectors.ty(prim, lanes),
        Type::Scalar(_) | Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => {
            dialect.ty(ty).expect("only vectors are left to the printer")
        }
    }
}

/// A condition that hardly ever holds.
pub(crate) fn unlikely(condition: &str) -> String {
    format!("NORN_UNLIKELY({condition})")
}

/// A type and a name.
pub(crate) fn join(ty: &str, name: &str) -> String {
    if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

//! Building functions and kernels statement by statement, with blocks inside blocks.
//!
//! A `CodeBuilder` is the code of one function or kernel in the making: its table of variables and a stack of open
//! blocks. Statements go into the innermost open block. `open` begins a block inside it, `close` takes the block off
//! again, for the statement that owns it. `finish_fun` and `finish_kernel` close the outermost. Expressions are made
//! by the constructors in `exp`.
//!
//! ```text
//! let mut b = CodeBuilder::new();
//! let (xs, n) = (b.new_var("xs", Type::ptr(Prim::F32)), b.new_i64("n"));
//! let sum = b.new_var("sum", Type::Scalar(Prim::F32));
//! b.set(sum, Scalar::zero(Prim::F32));
//! let i = b.new_i64("i");
//! b.open();
//! b.set(sum, Exp::bin(BinOp::Add, Prim::F32, sum, Exp::load(Elem::Prim(Prim::F32), xs, i)));
//! let body = b.close();
//! b.for_(i, 0, n, LoopForm::Plain, body);
//! let fun = b.finish_fun("sum", vec![xs, n], vec![sum.into()], false, span);
//! ```

use super::{Block, Elem, Exp, Fun, Kernel, LoopForm, Site, SiteId, SiteKind, Stmt, Type, Var, VarInfo};
use norn_base::Span;
use std::collections::HashMap;

pub struct CodeBuilder {
    vars: Vec<VarInfo>,
    open: Vec<Block>,
}

/// The variables that every kernel begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelVars {
    pub chunk: Var,
    pub from: Var,
    pub to: Var,
}

impl CodeBuilder {
    /// Code whose outermost block is open and empty.
    pub fn new() -> CodeBuilder {
        CodeBuilder { vars: Vec::new(), open: vec![Block::new()] }
    }

    /// More code for a function that exists: its table, and an empty block. What was its body is not in it.
    pub fn with_vars(vars: Vec<VarInfo>) -> CodeBuilder {
        CodeBuilder { vars, open: vec![Block::new()] }
    }

    // # Variables

    pub fn new_var(&mut self, name: impl Into<String>, ty: Type) -> Var {
        self.vars.push(VarInfo { name: name.into(), ty });
        Var(self.vars.len() as u32 - 1)
    }

    pub fn new_i64(&mut self, name: impl Into<String>) -> Var {
        self.new_var(name, Type::I64)
    }

    /// The first variables of a kernel.
    pub fn kernel_vars(&mut self) -> KernelVars {
        KernelVars { chunk: self.new_i64("chunk"), from: self.new_i64("from"), to: self.new_i64("to") }
    }

    pub fn var_ty(&self, var: Var) -> Type {
        self.vars[var.0 as usize].ty
    }

    pub fn name(&self, var: Var) -> &str {
        &self.vars[var.0 as usize].name
    }

    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    pub fn ty(&self, exp: &Exp) -> Type {
        exp.ty(&self.vars)
    }

    // # Statements

    pub fn push(&mut self, stmt: Stmt) {
        self.open_block().push(stmt);
    }

    /// The statements of the open block so far.
    pub fn open_block(&mut self) -> &mut Block {
        self.open.last_mut().expect("builder: no block is open")
    }

    pub fn append(&mut self, block: Block) {
        self.open_block().extend(block);
    }

    pub fn set(&mut self, var: Var, exp: impl Into<Exp>) {
        self.push(Stmt::Set(var, exp.into()));
    }

    /// A new variable of the expression's type, which is assigned.
    pub fn bind(&mut self, name: &str, exp: impl Into<Exp>) -> Var {
        let exp = exp.into();
        let var = self.new_var(name, self.ty(&exp));
        self.set(var, exp);
        var
    }

    /// The expression itself if it is a constant or a variable, otherwise a new variable with its value: for what is
    /// used more than once. A variable must not be assigned again before the use.
    pub fn atom(&mut self, name: &str, exp: impl Into<Exp>) -> Exp {
        let exp = exp.into();
        if exp.is_atom() { exp } else { self.bind(name, exp).into() }
    }

    pub fn store(&mut self, elem: Elem, ptr: impl Into<Exp>, index: impl Into<Exp>, value: impl Into<Exp>) {
        self.push(Stmt::Store { elem, ptr: ptr.into(), index: index.into(), value: value.into() });
    }

    pub fn copy(&mut self, elem: Elem, to: impl Into<Exp>, from: impl Into<Exp>, count: impl Into<Exp>) {
        self.push(Stmt::Copy { elem, to: to.into(), from: from.into(), count: count.into() });
    }

    /// A new block for so many elements.
    pub fn alloc(&mut self, name: &str, elem: Elem, count: impl Into<Exp>, site: SiteId) -> Var {
        let block = self.new_var(name, Type::Block);
        self.push(Stmt::Alloc { block, bytes: Exp::bytes(elem, count), site });
        block
    }

    pub fn retain(&mut self, block: impl Into<Exp>) {
        self.push(Stmt::Retain(block.into()));
    }

    pub fn release(&mut self, block: impl Into<Exp>) {
        self.push(Stmt::Release(block.into()));
    }

    /// Nothing but the branch where the condition is a constant, nothing at all where both branches are empty.
    pub fn if_(&mut self, cond: impl Into<Exp>, then: Block, els: Block) {
        let cond = cond.into();
        match cond.as_bool() {
            Some(true) => self.append(then),
            Some(false) => self.append(els),
            None if then.is_empty() && els.is_empty() => {}
            None if then.is_empty() => self.push(Stmt::If { cond: cond.not(), then: els, els: then }),
            None => self.push(Stmt::If { cond, then, els }),
        }
    }

    pub fn when(&mut self, cond: impl Into<Exp>, then: Block) {
        self.if_(cond, then, Block::new());
    }

    /// Fail unless the condition holds.
    pub fn check(&mut self, cond: Exp, site: SiteId, operands: Vec<Exp>) {
        self.when(cond.not(), vec![Stmt::Fail { site, operands }]);
    }

    pub fn for_(&mut self, var: Var, from: impl Into<Exp>, to: impl Into<Exp>, form: LoopForm, body: Block) {
        self.push(Stmt::For { var, from: from.into(), to: to.into(), form, body });
    }

    pub fn while_(&mut self, before: Block, cond: impl Into<Exp>, body: Block) {
        self.push(Stmt::While { before, cond: cond.into(), body });
    }

    // # Blocks

    pub fn open(&mut self) {
        self.open.push(Block::new());
    }

    pub fn close(&mut self) -> Block {
        assert!(self.open.len() > 1, "builder: close would end the function; that is `finish`");
        self.open.pop().expect("builder: no block is open")
    }

    /// What is done before what comes next, whatever way leads there: the statements of all open blocks, the last first.
    pub fn before(&self) -> impl Iterator<Item = &Stmt> {
        self.open.iter().rev().flat_map(|block| block.iter().rev())
    }

    /// How many blocks are open, the outermost included.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    // # The end

    /// The types of the results are those of the expressions.
    pub fn finish_fun(
        self,
        name: impl Into<String>,
        params: Vec<Var>,
        results: Vec<Exp>,
        recursive: bool,
        span: Span,
    ) -> Fun {
        let ret = results.iter().map(|exp| self.ty(exp)).collect();
        let (vars, body) = self.finish();
        Fun { name: name.into(), params, arrays: Vec::new(), vars, body, results, ret, recursive, span }
    }

    pub fn finish_kernel(
        self,
        name: impl Into<String>,
        kernel: KernelVars,
        params: Vec<Var>,
        span: Span,
    ) -> Kernel {
        let (vars, body) = self.finish();
        let KernelVars { chunk, from, to } = kernel;
        Kernel { name: name.into(), chunk, from, to, params, vars, body, span }
    }

    /// The table of variables and the outermost block.
    pub fn finish(mut self) -> (Vec<VarInfo>, Block) {
        assert!(self.open.len() == 1, "builder: finish with {} blocks open inside", self.open.len() - 1);
        let body = self.open.pop().expect("builder: no block is open");
        (self.vars, body)
    }
}

impl Default for CodeBuilder {
    fn default() -> CodeBuilder {
        CodeBuilder::new()
    }
}

/// The sites of a program in the making; equal ones are one.
#[derive(Default)]
pub struct Sites {
    sites: Vec<Site>,
    ids: HashMap<Site, SiteId>,
}

impl Sites {
    pub fn add(&mut self, what: SiteKind, span: Span) -> SiteId {
        let site = Site { what, span };
        if let Some(id) = self.ids.get(&site) {
            return *id;
        }
        let id = SiteId(self.sites.len() as u32);
        self.sites.push(site.clone());
        self.ids.insert(site, id);
        id
    }

    pub fn finish(self) -> Vec<Site> {
        self.sites
    }
}

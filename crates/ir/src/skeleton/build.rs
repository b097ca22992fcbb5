//! Building functions statement by statement, with bodies inside bodies.
//!
//! A `FunBuilder` is one function in the making: its table of variables and a stack of open bodies.
//! Statements go into the innermost open body. A lambda is made by `begin_body`, statements, and
//! `end_body` with the results; `finish` closes the body of the function itself.
//!
//! Certificates are attached by scope: `rely` holds for the next statement of the innermost body,
//! `begin_certs` for all statements of it up to `end_certs`. Neither reaches into bodies opened
//! later, since the statement that owns such a body carries the certificates already. Checks
//! carry none: what they ask for holds or fails by itself.
//!
//! ```text
//! let mut b = FunBuilder::new();
//! let n = b.new_var("n", Type::i64());
//! let xs = b.new_var("xs", Type::array(Prim::F32, vec![Dim::size(n)]));
//! b.begin_body();
//! let x = b.new_var("x", Type::scalar(Prim::F32));
//! let y = b.bin("y", BinOp::Mul, Prim::F32, x.into(), x.into(), span);
//! let square = Lambda::new(vec![x], b.end_body(vec![y]));
//! let map = Exp::map(n.into(), vec![xs], square);
//! let ys = b.emit1("ys", b.ty(xs).clone(), map, span);
//! ```

use super::{Atom, Body, Check, ControlExp, Exp, Fun, Param, Ret, ScalarExp, Stm, Type, Var, VarInfo};
use crate::scalar::{BinOp, Prim, TriOp, UnOp};
use norn_base::Span;

pub struct FunBuilder<O> {
    vars: Vec<VarInfo>,
    /// The body that was innermost when each variable was made.
    owners: Vec<u32>,
    open: Vec<OpenBody<O>>,
    /// How many bodies there have been.
    bodies: u32,
}

/// A body in the making. Opaque outside: see `FunBuilder::suspend`.
pub struct OpenBody<O> {
    serial: u32,
    stms: Vec<Stm<O>>,
    /// For the next statement only.
    next_certs: Vec<Var>,
    next_attrs: Vec<String>,
    /// For all statements, innermost scope last.
    certs: Vec<Vec<Var>>,
}

impl<O> FunBuilder<O> {
    /// A function whose body is open and empty.
    pub fn new() -> FunBuilder<O> {
        FunBuilder { vars: Vec::new(), owners: Vec::new(), open: vec![OpenBody::default()], bodies: 1 }
    }

    // # Variables

    pub fn new_var(&mut self, name: impl Into<String>, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        self.owners.push(self.open.last().map_or(0, |body| body.serial));
        Var(self.vars.len() as u32 - 1)
    }

    pub fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    /// All variables that there are by now.
    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    /// Whether it was made in a body that is still open, the innermost `inner` ones aside.
    pub fn is_visible(&self, var: Var, inner: usize) -> bool {
        let owner = self.owners[var.0 as usize];
        self.open.iter().rev().skip(inner).any(|body| body.serial == owner)
    }

    pub fn name(&self, var: Var) -> &str {
        &self.vars[var.0 as usize].name
    }

    pub fn atom_ty(&self, atom: Atom) -> Type {
        match atom {
            Atom::Var(var) => self.ty(var).clone(),
            Atom::Const(scalar) => Type::scalar(scalar.prim()),
        }
    }

    // # Statements

    /// Bind variables that exist already: needed where the type of one mentions another.
    pub fn bind(&mut self, vars: Vec<Var>, exp: Exp<O>, span: Span) {
        let body = self.body();
        let certs =
            if matches!(exp, Exp::Control(ControlExp::Check(_))) { Vec::new() } else { body.take_certs() };
        let attrs = std::mem::take(&mut body.next_attrs);
        body.stms.push(Stm { certs, attrs, ..Stm::new(vars, exp, span) });
    }

    /// Bind one new variable of each type. Several get one name, which the printer makes distinct.
    pub fn emit(&mut self, name: &str, types: Vec<Type>, exp: Exp<O>, span: Span) -> Vec<Var> {
        let vars: Vec<Var> = types.into_iter().map(|ty| self.new_var(name, ty)).collect();
        self.bind(vars.clone(), exp, span);
        vars
    }

    pub fn emit1(&mut self, name: &str, ty: Type, exp: Exp<O>, span: Span) -> Var {
        let var = self.new_var(name, ty);
        self.bind(vec![var], exp, span);
        var
    }

    pub fn un(&mut self, name: &str, op: UnOp, prim: Prim, x: Atom, span: Span) -> Atom {
        let result = exists(op.result(prim), op.name(), prim);
        self.emit1(name, Type::scalar(result), Exp::Scalar(ScalarExp::Un(op, prim, x)), span).into()
    }

    pub fn bin(&mut self, name: &str, op: BinOp, prim: Prim, x: Atom, y: Atom, span: Span) -> Atom {
        let result = exists(op.result(prim), op.name(), prim);
        self.emit1(name, Type::scalar(result), Exp::Scalar(ScalarExp::Bin(op, prim, x, y)), span).into()
    }

    pub fn tri(&mut self, name: &str, op: TriOp, prim: Prim, operands: [Atom; 3], span: Span) -> Atom {
        let result = exists(op.result(prim), op.name(), prim);
        let [x, y, z] = operands;
        self.emit1(name, Type::scalar(result), Exp::Scalar(ScalarExp::Tri(op, prim, x, y, z)), span).into()
    }

    /// The value in another primitive type; nothing is emitted if it has that type already.
    pub fn convert(&mut self, name: &str, from: Prim, to: Prim, value: Atom, span: Span) -> Atom {
        if from == to {
            return value;
        }
        self.emit1(name, Type::scalar(to), Exp::Scalar(ScalarExp::Convert { from, to, value }), span).into()
    }

    // # Checks and what relies on them

    pub fn check(&mut self, check: Check, span: Span) -> Var {
        self.emit1("ok", Type::Cert, Exp::Control(ControlExp::Check(check)), span)
    }

    /// A check on which the next statement relies.
    pub fn check_next(&mut self, check: Check, span: Span) {
        let cert = self.check(check, span);
        self.rely(cert);
    }

    pub fn rely(&mut self, cert: Var) {
        self.body().next_certs.push(cert);
    }

    pub fn begin_certs(&mut self, certs: Vec<Var>) {
        self.body().certs.push(certs);
    }

    pub fn end_certs(&mut self) {
        let closed = self.body().certs.pop();
        assert!(closed.is_some(), "builder: end_certs without begin_certs in this body");
    }

    /// Attributes of the next statement.
    pub fn attrs(&mut self, attrs: Vec<String>) {
        self.body().next_attrs.extend(attrs);
    }

    /// An attribute of the statement that was emitted last into the innermost body, if there is one.
    pub fn mark_last(&mut self, attr: String) {
        if let Some(stm) = self.body().stms.last_mut() {
            stm.attrs.push(attr);
        }
    }

    // # Bodies

    pub fn begin_body(&mut self) {
        self.open.push(OpenBody { serial: self.bodies, ..OpenBody::default() });
        self.bodies += 1;
    }

    /// Lay the innermost body aside, to be taken up again by `resume`: what one branch must
    /// yield may depend on the other.
    pub fn suspend(&mut self) -> OpenBody<O> {
        assert!(self.open.len() > 1, "builder: the body of the function cannot be suspended");
        self.open.pop().expect("builder: no body is open")
    }

    pub fn resume(&mut self, body: OpenBody<O>) {
        self.open.push(body);
    }

    pub fn end_body(&mut self, result: Vec<Atom>) -> Body<O> {
        assert!(self.open.len() > 1, "builder: end_body would close the function; that is `finish`");
        self.close(result)
    }

    /// How many bodies are open, that of the function included.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn finish(
        mut self,
        name: impl Into<String>,
        params: Vec<Param>,
        ret: Vec<Ret>,
        result: Vec<Atom>,
        span: Span,
    ) -> Fun<O> {
        assert!(self.open.len() == 1, "builder: finish with {} bodies open inside", self.open.len() - 1);
        let body = self.close(result);
        Fun { name: name.into(), params, ret, body, vars: self.vars, attrs: Vec::new(), span }
    }

    fn close(&mut self, result: Vec<Atom>) -> Body<O> {
        let body = self.open.pop().expect("builder: no body is open");
        assert!(body.certs.is_empty(), "builder: a body ends inside begin_certs");
        Body { stms: body.stms, result }
    }

    fn body(&mut self) -> &mut OpenBody<O> {
        self.open.last_mut().expect("builder: no body is open")
    }
}

impl<O> Default for OpenBody<O> {
    fn default() -> OpenBody<O> {
        let (next_certs, next_attrs, certs) = (Vec::new(), Vec::new(), Vec::new());
        OpenBody { serial: 0, stms: Vec::new(), next_certs, next_attrs, certs }
    }
}

impl<O> Default for FunBuilder<O> {
    fn default() -> FunBuilder<O> {
        FunBuilder::new()
    }
}

impl<O> OpenBody<O> {
    fn take_certs(&mut self) -> Vec<Var> {
        let mut certs: Vec<Var> = self.certs.iter().flatten().copied().collect();
        certs.append(&mut self.next_certs);
        certs.sort_unstable();
        certs.dedup();
        certs
    }
}

fn exists(result: Option<Prim>, op: &str, prim: Prim) -> Prim {
    result.unwrap_or_else(|| panic!("builder: {op} does not exist at {}", prim.name()))
}

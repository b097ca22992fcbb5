//! A flat program as nest (K15): what it means.
//!
//! A descriptor becomes the array of its lengths, and a dimension that names one becomes `?`. Sides, `how`, `read` and copies to a side
//! disappear; `choose` becomes branches. A kernel becomes maps over its points; in these, maps over what it goes through compute the
//! results of the body, and each out becomes an operator over these values in one row (`kernel`, `outs`). Nothing is done for speed.
//!
//! Variables keep their numbers. Needs a program that obeys the rules; gives one that obeys those of nest.

mod accs;
mod entries;
mod kernel;
mod outs;
mod rename;
mod segments;

use super::{Body, Dim, Exp, Lambda, Operator, Prog, Reduction, Stm, Type, Var, VarInfo};
use crate::nest;
use crate::skeleton::outline::Head;
use crate::skeleton::{ArrayExp, Atom, Check, ControlExp, Fun, LoopForm, Prim, Ret, ScalarExp};
use norn_base::Span;
use std::collections::BTreeSet;

pub fn unflatten(prog: &Prog) -> nest::Prog {
    let mut flat = nest::Prog {
        datas: prog.datas.clone(),
        consts: prog.consts.clone(),
        funs: prog.funs.iter().map(unflatten_fun).collect(),
        entries: prog.entries.clone(),
        ifaces: prog.ifaces.clone(),
    };
    for entry in 0..prog.entries.len() {
        entries::without_descriptors(prog, &mut flat, entry);
    }
    crate::nest::normalise::normalise(&mut flat);
    flat
}

fn unflatten_fun(fun: &Fun<Operator>) -> nest::Fun {
    let head = fun.head();
    let info = |info: &VarInfo| VarInfo::new(&info.name, nest_type(&head, &info.ty));
    let mut unflatten = Unflatten { head, vars: fun.vars.iter().map(info).collect(), certs: BTreeSet::new() };
    let body = unflatten.body(&fun.body);
    let attrs =
        fun.attrs.iter().filter(|attr| ![super::HOST, super::THREAD, super::CPU].contains(&attr.as_str()));
    nest::Fun {
        name: fun.name.clone(),
        params: fun.params.clone(),
        ret: fun.ret.iter().map(|ret| Ret { ty: nest_type(&head, &ret.ty), unique: ret.unique }).collect(),
        body,
        vars: unflatten.vars,
        attrs: attrs.cloned().collect(),
        span: fun.span,
    }
}

/// A descriptor is its lengths, and rows that it describes are irregular.
fn nest_type(head: &Head, ty: &Type) -> Type {
    match ty {
        Type::Seg { count, total: _ } => Type::array(Prim::I64, vec![*count]),
        Type::Value(..) | Type::Acc(_) | Type::Region | Type::Cert => head.irregular(ty),
    }
}

/// One function being translated.
struct Unflatten<'a> {
    head: Head<'a>,
    vars: Vec<VarInfo>,
    /// Certificates that kernels yield. In nest there are none.
    certs: BTreeSet<Var>,
}

/// A nest body in the making.
struct Code {
    stms: Vec<nest::Stm>,
    /// What all its statements rely on, and where they come from.
    certs: Vec<Var>,
    span: Span,
}

impl Code {
    /// The body of a lambda or branch in this one, whose owner relies on the same.
    fn inner(&self) -> Code {
        Code { stms: Vec::new(), certs: Vec::new(), span: self.span }
    }

    fn bind(&mut self, vars: Vec<Var>, exp: nest::Exp) {
        let certs = self.certs.clone();
        self.stms.push(nest::Stm { certs, ..nest::Stm::new(vars, exp, self.span) });
    }

    fn end(self, result: Vec<Atom>) -> nest::Body {
        nest::Body { stms: self.stms, result }
    }
}

impl Unflatten<'_> {
    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    fn ty(&self, var: Var) -> Type {
        self.vars[var.0 as usize].ty.clone()
    }

    fn atom_ty(&self, atom: Atom) -> Type {
        match atom {
            Atom::Var(var) => self.ty(var),
            Atom::Const(scalar) => Type::scalar(scalar.prim()),
        }
    }

    fn emit(&mut self, name: &str, ty: Type, exp: nest::Exp, code: &mut Code) -> Var {
        let var = self.new_var(name, ty);
        code.bind(vec![var], exp);
        var
    }

    fn array_exp(&mut self, name: &str, ty: Type, exp: ArrayExp, code: &mut Code) -> Var {
        self.emit(name, ty, nest::Exp::Array(exp), code)
    }

    /// A variable for an operand that has to be one.
    fn as_var(&mut self, atom: Atom, code: &mut Code) -> Var {
        match atom {
            Atom::Var(var) => var,
            Atom::Const(_) => {
                let ty = self.atom_ty(atom);
                self.emit("x", ty, nest::Exp::Scalar(ScalarExp::Atom(atom)), code)
            }
        }
    }

    fn dims(&self, dims: &[Dim]) -> Vec<Dim> {
        self.head.irregular(&Type::array(Prim::Bool, dims.to_vec())).dims().to_vec()
    }

    fn body(&mut self, body: &Body) -> nest::Body {
        let mut stms = Vec::new();
        body.stms.iter().for_each(|stm| stms.extend(self.stm(stm)));
        nest::Body { stms, result: body.result.clone() }
    }

    fn lambda(&mut self, lambda: &Lambda) -> nest::Lambda {
        nest::Lambda { params: lambda.params.clone(), body: self.body(&lambda.body) }
    }

    fn reduction(&mut self, op: &Reduction) -> nest::Reduction {
        let lambda = self.lambda(&op.lambda);
        nest::Reduction { lambda, neutral: op.neutral.clone(), commutative: op.commutative }
    }

    fn stm(&mut self, stm: &Stm) -> Vec<nest::Stm> {
        let exp = match &stm.exp {
            Exp::Scalar(exp) => nest::Exp::Scalar(exp.clone()),
            Exp::Cell(exp) => nest::Exp::Cell(exp.clone()),
            Exp::Array(ArrayExp::Coerce { array, dims }) => {
                nest::Exp::Array(ArrayExp::Coerce { array: *array, dims: self.dims(dims) })
            }
            Exp::Array(exp) => nest::Exp::Array(exp.clone()),
            Exp::Control(exp) => nest::Exp::Control(self.control(exp)),
            Exp::Op(op) => {
                let mut code = Code { stms: Vec::new(), certs: self.certs_of(stm), span: stm.span };
                self.operator(op, &stm.vars, &mut code);
                return code.stms;
            }
        };
        let (certs, attrs) = (self.certs_of(stm), stm.attrs.clone());
        vec![nest::Stm { certs, attrs, ..nest::Stm::new(stm.vars.clone(), exp, stm.span) }]
    }

    fn certs_of(&self, stm: &Stm) -> Vec<Var> {
        stm.certs.iter().copied().filter(|cert| !self.certs.contains(cert)).collect()
    }

    fn control(&mut self, exp: &super::ControlExp) -> nest::ControlExp {
        match exp {
            ControlExp::If { cond, then, els } => {
                ControlExp::If { cond: *cond, then: self.body(then), els: self.body(els) }
            }
            ControlExp::Switch { scrutinee, cases, default } => ControlExp::Switch {
                scrutinee: *scrutinee,
                cases: cases.iter().map(|(number, body)| (*number, self.body(body))).collect(),
                default: self.body(default),
            },
            ControlExp::Loop { params, form, body } => {
                let form = match form {
                    LoopForm::For(var, bound) => LoopForm::For(*var, *bound),
                    LoopForm::While(cond) => LoopForm::While(self.body(cond)),
                };
                ControlExp::Loop { params: params.clone(), form, body: self.body(body) }
            }
            ControlExp::Call { fun, args } => ControlExp::Call { fun: *fun, args: args.clone() },
            ControlExp::Const(id) => ControlExp::Const(*id),
            ControlExp::Check(Check::Shape { array, dims }) => {
                ControlExp::Check(Check::Shape { array: *array, dims: self.dims(dims) })
            }
            ControlExp::Check(check) => ControlExp::Check(check.clone()),
        }
    }

    fn operator(&mut self, op: &Operator, vars: &[Var], code: &mut Code) {
        match op {
            Operator::Kernel(kernel) => self.kernel(kernel, vars, code),
            Operator::Describe { lengths } => self.describe(*lengths, vars, code),
            Operator::Rows { array, starts, descriptor } => {
                self.rows(*array, *starts, *descriptor, vars, code)
            }
            Operator::Read(scalars) => {
                for (var, scalar) in vars.iter().zip(scalars) {
                    code.bind(vec![*var], nest::Exp::Scalar(ScalarExp::Atom(*scalar)));
                }
            }
            Operator::CopyTo { array, side: _ } => {
                let exp = if self.ty(*array).is_array() {
                    nest::Exp::Array(ArrayExp::Copy(*array))
                } else {
                    nest::Exp::Scalar(ScalarExp::Atom((*array).into()))
                };
                code.bind(vars.to_vec(), exp);
            }
            Operator::Choose { cases, otherwise } => self.choose(cases, otherwise, vars, code),
            Operator::Fact { fact, descriptor } => self.fact(*fact, *descriptor, vars, code),
            Operator::Owner { descriptor, element } => self.owner(*descriptor, *element, vars, code),
            Operator::Offset { descriptor, row } => self.offset(*descriptor, *row, vars, code),
        }
    }

    fn choose(&mut self, cases: &[(Atom, Body)], otherwise: &Body, vars: &[Var], code: &mut Code) {
        let Some(((cond, then), rest)) = cases.split_first() else {
            let body = self.body(otherwise);
            code.stms.extend(body.stms);
            for (var, result) in vars.iter().zip(body.result) {
                code.bind(vec![*var], nest::Exp::Scalar(ScalarExp::Atom(result)));
            }
            return;
        };
        let then = self.body(then);
        let mut inner = code.inner();
        let results = self.copies(vars);
        self.choose(rest, otherwise, &results, &mut inner);
        let els = inner.end(results.iter().map(|var| (*var).into()).collect());
        code.bind(vars.to_vec(), nest::Exp::Control(ControlExp::If { cond: *cond, then, els }));
    }

    /// Variables like these. A type may mention variables before it, which have other names in the copies.
    fn copies(&mut self, vars: &[Var]) -> Vec<Var> {
        let start = self.vars.len() as u32;
        let new = |at: usize| Var(start + at as u32);
        for var in vars {
            let mut info = self.vars[var.0 as usize].clone();
            info.for_each_var_mut(&mut |mentioned| {
                if let Some(at) = vars.iter().position(|var| var == mentioned) {
                    *mentioned = new(at);
                }
            });
            self.vars.push(info);
        }
        (0..vars.len()).map(new).collect()
    }
}

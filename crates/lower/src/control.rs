//! Branches, cases and loops.

use crate::classes::Place;
use crate::lower::{Lower, Scope};
use crate::mono::MonoSize;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_check::typed::{Case, Exp as TExp, Loop, LoopForm as TLoopForm};
use norn_ir::nest::build::OpenBody;
use norn_ir::nest::{Atom, Body, Check, ControlExp, Exp, LoopForm, Param, Type, Var};

impl<'a> Lower<'a> {
    pub fn branch(
        &mut self,
        cond: Atom,
        place: &Place,
        span: Span,
        then: impl FnOnce(&mut Self) -> Value,
        els: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.b.begin_body();
        let v = then(self);
        let first = (self.b.suspend(), v);
        self.b.begin_body();
        let v = els(self);
        let second = (self.b.suspend(), v);
        self.merge(vec![first, second], place, span, |bodies| {
            let mut bodies = bodies.into_iter();
            let (then, els) = (bodies.next().unwrap_or_default(), bodies.next().unwrap_or_default());
            Exp::if_(cond, then, els)
        })
    }

    /// Bodies of which one runs: what they yield is made the same, sizes that differ are results.
    pub fn merge(
        &mut self,
        bodies: Vec<(OpenBody, Value)>,
        place: &Place,
        span: Span,
        exp: impl FnOnce(Vec<Body>) -> Exp,
    ) -> Value {
        let mut rep = bodies[0].1.rep.clone();
        for (_, v) in &bodies[1..] {
            rep = self.join(&rep, &v.rep, place, &mut 0);
        }
        let mut done: Vec<(OpenBody, Value, Vec<Atom>)> = Vec::new();
        for (body, v) in bodies {
            self.b.resume(body);
            let v = self.coerce(v, &rep, span);
            let dims = self.dims(&v);
            done.push((self.b.suspend(), v, dims));
        }
        let count = done[0].2.len();
        // Which dimensions all agree in, under a name that exists outside.
        let same: Vec<bool> = (0..count)
            .map(|i| {
                let first = done[0].2[i];
                done.iter().all(|(_, _, dims)| dims[i] == first)
                    && first.var().is_none_or(|v| self.b.is_visible(v, 0))
            })
            .collect();
        let known: Vec<Atom> = done[0].2.clone();
        let mut closed = Vec::new();
        for (body, v, dims) in done {
            self.b.resume(body);
            let mut result: Vec<Atom> =
                dims.iter().zip(&same).filter(|(_, same)| !**same).map(|(d, _)| *d).collect();
            result.extend(v.cols);
            closed.push(self.b.end_body(result));
        }
        let mut vars: Vec<Var> = Vec::new();
        let mut dims = Vec::new();
        for (atom, same) in known.into_iter().zip(same) {
            if same {
                dims.push(atom);
            } else {
                let k = self.b.new_var("k", Type::i64());
                vars.push(k);
                dims.push(k.into());
            }
        }
        let types = self.types_of_sizes(&rep, &dims);
        let cols: Vec<Var> = types.into_iter().map(|t| self.b.new_var("r", t)).collect();
        vars.extend(&cols);
        if !vars.is_empty() {
            self.b.bind(vars, exp(closed), span);
        }
        Value { rep, cols: cols.into_iter().map(Atom::Var).collect() }
    }

    /// The first case that matches.
    pub fn cases(
        &mut self,
        s: &mut Scope,
        v: &Value,
        cases: &'a [Case],
        place: &Place,
        whole: &'a TExp,
    ) -> Value {
        let Some((case, rest)) = cases.split_first() else {
            self.b.check(Check::Fail { text: "No case matches the value.".into() }, whole.span);
            return self.blank_of_type(s, whole, &whole.ty);
        };
        let mut inner = s.clone();
        match self.test(&case.pat, v) {
            None => {
                self.bind_pat(&mut inner, &case.pat, v.clone());
                self.exp(&mut inner, &case.body)
            }
            // The checker has seen that the cases cover everything, in all but very large matches.
            Some(_) if rest.is_empty() && matches!(v.rep, crate::rep::Rep::Sum(_)) && cases.len() == 1 => {
                self.bind_pat(&mut inner, &case.pat, v.clone());
                self.exp(&mut inner, &case.body)
            }
            Some(cond) => self.branch(
                cond,
                place,
                case.span,
                |l| {
                    l.bind_pat(&mut inner, &case.pat, v.clone());
                    l.exp(&mut inner, &case.body)
                },
                |l| l.cases(s, v, rest, place, whole),
            ),
        }
    }

    pub fn lower_loop(&mut self, s: &mut Scope, l: &'a Loop, e: &'a TExp) -> Value {
        let span = e.span;
        let init = self.exp(s, &l.init);
        let mut s = s.clone();
        let form = match &l.form {
            TLoopForm::For(_, bound) => Some(self.exp(&mut s, bound)),
            TLoopForm::ForIn(_, array) => Some(self.exp(&mut s, array)),
            TLoopForm::While(_) => None,
        };
        let place = s.place(e);
        // Sizes that change have no value yet.
        for v in &l.sizes {
            s.vars.remove(v);
        }
        let m = self.mono_in(&mut s, &l.pat.ty);
        let rep = self.dynamic(&init.rep, &place, &mut 0);
        let rep = self.irregular_as(&rep, &m);
        let init = self.coerce(init, &rep, span);
        let known = self.known_dims(Some(&m), &rep);
        let first = self.dims(&init);
        let fixed: Vec<bool> = known.iter().map(|k| matches!(k, MonoSize::Atom(_))).collect();

        self.b.begin_body();
        let mut params: Vec<(Param, Atom)> = Vec::new();
        let mut dims = Vec::new();
        for (atom, fixed) in first.iter().zip(&fixed) {
            if *fixed {
                dims.push(*atom);
            } else {
                let n = self.b.new_var("n", Type::i64());
                params.push((Param::plain(n), *atom));
                dims.push(n.into());
            }
        }
        let unique = self.unique_columns(&l.pat.ty, &rep);
        let types = self.types_of_sizes(&rep, &dims);
        let mut cols = Vec::new();
        for ((ty, unique), init) in types.into_iter().zip(unique).zip(&init.cols) {
            let var = self.b.new_var("x", ty);
            params.push((Param { var, unique }, *init));
            cols.push(Atom::Var(var));
        }
        let state = Value { rep: rep.clone(), cols };
        self.bind_sizes(&mut s, &l.sizes, &l.pat.ty, &state);
        let mut inner = s.clone();
        self.bind_pat(&mut inner, &l.pat, state.clone());
        let nest_form = match (&l.form, form) {
            (TLoopForm::For(var, _), Some(bound)) => {
                let p = bound.rep.prim().unwrap_or(Prim::I64);
                let i = self.b.new_var(self.name_of(*var), Type::i64());
                // The bound is converted outside of the loop's body.
                let counted = self.convert(Prim::I64, p, i.into(), span);
                inner.vars.insert(*var, Value::scalar(p, counted));
                LoopForm::For(i, bound.atom())
            }
            (TLoopForm::ForIn(pat, _), Some(array)) => {
                let i = self.b.new_var("i", Type::i64());
                let n = self.dims(&array)[0];
                let elem = self.element_unchecked(array, i.into(), span);
                self.bind_open_sizes(&mut inner, &pat.ty, &elem);
                self.bind_pat(&mut inner, pat, elem);
                LoopForm::For(i, n)
            }
            (TLoopForm::While(cond), _) => {
                self.b.begin_body();
                let mut scope = inner.clone();
                let c = self.exp(&mut scope, cond).atom();
                LoopForm::While(self.b.end_body(vec![c]))
            }
            (TLoopForm::For(..) | TLoopForm::ForIn(..), None) => panic!("lower: a loop without bound"),
        };
        let next = self.exp(&mut inner, &l.body);
        let next = self.regular_as(next, &m, span);
        let next = self.coerce(next, &rep, span);
        let next_dims = self.dims(&next);
        let mut result: Vec<Atom> =
            next_dims.iter().zip(&fixed).filter(|(_, fixed)| !**fixed).map(|(d, _)| *d).collect();
        result.extend(next.cols);
        let body = self.b.end_body(result);
        let form = self.loop_bound(nest_form, span);
        let mut vars: Vec<Var> = Vec::new();
        let mut dims = Vec::new();
        for (atom, fixed) in first.iter().zip(&fixed) {
            if *fixed {
                dims.push(*atom);
            } else {
                let n = self.b.new_var("n", Type::i64());
                vars.push(n);
                dims.push(n.into());
            }
        }
        let types = self.types_of_sizes(&rep, &dims);
        let cols: Vec<Var> = types.into_iter().map(|t| self.b.new_var("r", t)).collect();
        vars.extend(&cols);
        self.b.bind(vars, Exp::Control(ControlExp::Loop { params, form, body }), span);
        Value { rep, cols: cols.into_iter().map(Atom::Var).collect() }
    }

    /// The bound of a loop as an `i64`.
    fn loop_bound(&mut self, form: LoopForm, span: Span) -> LoopForm {
        match form {
            LoopForm::For(i, bound) => {
                let p = self.b.atom_ty(bound).prim().unwrap_or(Prim::I64);
                LoopForm::For(i, self.convert(p, Prim::I64, bound, span))
            }
            LoopForm::While(cond) => LoopForm::While(cond),
        }
    }
}

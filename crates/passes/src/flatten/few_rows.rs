//! Maps over a few rows that are written one by one become their bodies one after the other, where a thread would have to make an array of these rows.
//!
//! ```text
//! let rows: [2][?]i32 = array (xs, ys)                                        let a: &r tree = call f (r, n, xs)
//! let ts: [2]&r tree = map 2 (rows) \(k: i64, row: [k]i32) {           ==>    let b: &r tree = call f (r, m, ys)
//!   let t: &r tree = call f (r, k, row) in t                                  let ts: [2]&r tree = array (a, b)
//! }
//! ```
//!
//! No thread makes rows of different lengths. In a function in which nothing is worth being done by many threads (`worth`), as in one that builds a tree from the two halves of an array, the map is only a way to write
//! two calls. Where something is worth it, the map stays: `lift` makes one call of it, as `sibling_calls` makes a map of two calls.

use super::worth::{NARROW, worth};
use crate::nest::memory::signatures;
use crate::nest::subst::{Names, Subst};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, FunId, Operator, Prog, Stm, Var};
use std::collections::HashMap;

pub fn few_rows(prog: &mut Prog) -> bool {
    let (worth, signatures) = (worth(prog), signatures(prog));
    let mut changed = false;
    for (id, fun) in prog.funs.iter_mut().enumerate() {
        if worth.in_fun(FunId(id as u32)) {
            continue;
        }
        let names = Names::of(&signatures, fun);
        let mut writer = Writer { names, literals: HashMap::new(), changed: false };
        writer.body(&mut fun.body);
        fun.vars = writer.names.vars;
        if writer.changed {
            normalise_fun(fun);
            changed = true;
        }
    }
    changed
}

struct Writer {
    names: Names,
    /// The rows of array literals whose rows have different lengths.
    literals: HashMap<Var, Vec<Atom>>,
    changed: bool,
}

impl Writer {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            if let Exp::Array(ArrayExp::ArrayLit(rows)) = &stm.exp
                && self.names.ty(stm.vars[0]).has_irregular_rows()
            {
                self.literals.insert(stm.vars[0], rows.clone());
            }
            if !self.written_out(&stm, &mut body.stms) {
                body.stms.push(stm);
            }
        }
    }

    /// Whether the statement is a map over such a literal; its body for each row.
    fn written_out(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let Some(rows) =
            inputs.iter().map(|input| self.literals.get(input).cloned()).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let count = rows.first().map_or(0, Vec::len);
        let is_plain = |var: &Var| !self.names.ty(*var).dims().contains(&Dim::Irregular);
        let few = count > 0 && (count as i64) < NARROW && *width == Atom::i64(count as i64);
        if !few || stm.grid.is_some() || !stm.vars.iter().all(is_plain) {
            return false;
        }
        let mut results: Vec<Vec<Atom>> = vec![Vec::new(); stm.vars.len()];
        for number in 0..count {
            let mut subst = Subst::default();
            for (rows, params) in rows.iter().zip(lambda.params.chunks_exact(2)) {
                let length = match rows[number] {
                    Atom::Var(row) => self.names.ty(row).dims().first().and_then(|dim| dim.atom()),
                    Atom::Const(_) => None,
                };
                let Some(length) = length else { panic!("few_rows: a row is an array of known length") };
                subst.set(params[0], length);
                subst.set(params[1], rows[number]);
            }
            for inner in &lambda.body.stms {
                let mut copy = self.names.copy_stm(&mut subst, inner);
                copy.certs.extend(stm.certs.iter().filter(|cert| !inner.certs.contains(cert)));
                out.push(copy);
            }
            for (list, result) in results.iter_mut().zip(&lambda.body.result) {
                list.push(subst.atom(*result));
            }
        }
        for (var, list) in stm.vars.iter().zip(results) {
            let literal = Stm::new(vec![*var], Exp::array(list), stm.span);
            out.push(Stm { certs: stm.certs.clone(), ..literal });
        }
        self.changed = true;
        true
    }
}

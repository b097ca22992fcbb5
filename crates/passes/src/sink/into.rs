//! Rematerialisation: statements of the host go into the lambdas of the kernels that need them.

use super::plan::{Found, Source};
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use crate::place::able::{Able, RunsOn};
use norn_base::Span;
use norn_ir::nest::grids::needs::{Plan as PlansBy, kernel_needs};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Exp, Lambda, Operator, Stm, Var};
use std::collections::HashMap;

/// In all bodies of the host. Statements that stay on the device are there no more.
pub fn sink(names: &mut Names, found: &Found, able: &Able, body: &mut Body) {
    let mut sinker = Sinker { names, found, able, numbers: HashMap::new(), stms: Vec::new() };
    sinker.host_body(body);
}

struct Sinker<'a> {
    names: &'a mut Names,
    found: &'a Found,
    able: &'a Able,
    /// Of a variable, the number of its statement.
    numbers: HashMap<Var, usize>,
    /// The statements that go into lambdas, in their order.
    stms: Vec<Stm>,
}

impl Sinker<'_> {
    fn host_body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            let stays = stm.vars.iter().any(|var| self.found.stays(*var));
            if stays && stm.vars.iter().all(|var| self.found.source(*var) == Source::Computed) {
                stm.vars.iter().for_each(|var| _ = self.numbers.insert(*var, self.stms.len()));
                self.stms.push(stm);
                continue;
            }
            if stm.exp.op().is_some() && self.able.runs_on(&self.names.vars, &stm) == RunsOn::Device {
                self.kernel(&mut stm);
            } else {
                stm.for_each_part_mut(&mut |part| {
                    if let PartMut::Body(body) = part {
                        self.host_body(body);
                    }
                });
            }
            body.stms.push(stm);
        }
    }

    fn kernel(&mut self, stm: &mut Stm) {
        self.lambdas(stm, &[]);
        // What decides where threads read would have to be known to the host, unless the kernel binds it.
        let mut bound_inside = Vec::new();
        kernel_needs(&self.names.vars, stm, PlansBy::Views, &mut |var| {
            if self.found.source(var) == Source::Reduced && self.found.stays(var) {
                bound_inside.push(var);
            }
        });
        self.lambdas(stm, &bound_inside);
    }

    fn lambdas(&mut self, stm: &mut Stm, bound_inside: &[Var]) {
        let span = stm.span;
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Lambda(lambda) = part {
                self.lambda(lambda, bound_inside, span);
            }
        });
    }

    fn lambda(&mut self, lambda: &mut Lambda, bound_inside: &[Var], span: Span) {
        let mut mentioned = Vec::new();
        mentions::in_lambda(&self.names.vars, lambda, &mut mentioned);
        let mut copied: Vec<Var> =
            bound_inside.iter().copied().filter(|var| mentioned.contains(var)).collect();
        let mut needed_stms: Vec<usize> = Vec::new();
        while let Some(var) = mentioned.pop() {
            let Some(number) = self.numbers.get(&var) else { continue };
            if !needed_stms.contains(number) {
                needed_stms.push(*number);
                mentions::in_stm(&self.names.vars, &self.stms[*number], &mut mentioned);
            }
        }
        if needed_stms.is_empty() && copied.is_empty() {
            return;
        }
        needed_stms.sort_unstable();
        copied.sort_unstable();
        copied.dedup();
        let mut vars: Vec<Var> =
            needed_stms.iter().flat_map(|number| self.stms[*number].vars.clone()).collect();
        vars.extend(&copied);
        let (body, at) = place_for(self.names, &mut lambda.body, &vars);
        let mut subst = Subst::default();
        let mut made = Vec::with_capacity(vars.len());
        for var in copied {
            let own = self.names.fresh(&self.names.name(var), self.names.ty(var).clone());
            made.push(Stm::new(vec![own], Exp::atom(Atom::Var(var)), span));
            subst.set(var, own);
        }
        for number in needed_stms {
            made.push(self.names.copy_stm(&mut subst, &self.stms[number]));
        }
        subst.body_and_types(&mut self.names.vars, body);
        body.stms.splice(at..at, made);
    }
}

/// In which body, and before which of its statements, all that mentions the variables is: as far inside maps as possible, so that what is one nest of
/// maps stays one.
fn place_for<'a>(names: &Names, body: &'a mut Body, vars: &[Var]) -> (&'a mut Body, usize) {
    let mentions_some = |stm: &Stm| {
        let mut mentioned = Vec::new();
        mentions::in_stm(&names.vars, stm, &mut mentioned);
        mentioned.iter().any(|var| vars.contains(var))
    };
    let users: Vec<usize> =
        body.stms.iter().enumerate().filter(|(_, stm)| mentions_some(stm)).map(|(at, _)| at).collect();
    let in_result = body.result.iter().any(|atom| atom.var().is_some_and(|var| vars.contains(&var)));
    let first = users.first().copied().unwrap_or(body.stms.len());
    let is_map = |stm: &Stm| matches!(&stm.exp, Exp::Op(Operator::Map { .. }));
    if in_result || users.len() != 1 || !is_map(&body.stms[first]) {
        return (body, first);
    }
    match &mut body.stms[first].exp {
        Exp::Op(Operator::Map { lambda, .. }) => place_for(names, &mut lambda.body, vars),
        _ => unreachable!("sink: a map that is none"),
    }
}

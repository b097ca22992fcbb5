//! The variables that an expression mentions and binds, in all bodies inside of it.

use crate::flat::{Body, Operator, Part, Var};
use crate::skeleton::{Atom, Operators};
use std::collections::BTreeSet;

impl Operator {
    /// What it binds for its bodies, and what these bind.
    pub fn bound_inside(&self) -> Vec<Var> {
        let mut bound = Vec::new();
        self.for_each_part(&mut |part| bound_in(part, &mut bound));
        bound
    }

    /// What it mentions that is bound outside.
    pub fn free(&self) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        self.for_each_part(&mut |part| mentioned_in(part, &mut found));
        self.bound_inside().iter().for_each(|var| {
            found.remove(var);
        });
        found
    }
}

fn bound_in(part: Part, bound: &mut Vec<Var>) {
    match part {
        Part::Atom(_) | Part::Var(_) => {}
        Part::Binder(var) => bound.push(*var),
        Part::Body(body) => bound_in_body(body, bound),
        Part::Lambda(lambda) => {
            bound.extend(&lambda.params);
            bound_in_body(&lambda.body, bound);
        }
    }
}

fn bound_in_body(body: &Body, bound: &mut Vec<Var>) {
    for stm in &body.stms {
        bound.extend(&stm.vars);
        stm.for_each_part(&mut |part| bound_in(part, bound));
    }
}

fn mentioned_in(part: Part, found: &mut BTreeSet<Var>) {
    match part {
        Part::Atom(Atom::Var(var)) | Part::Var(var) => {
            found.insert(*var);
        }
        Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        Part::Body(body) => mentioned_in_body(body, found),
        Part::Lambda(lambda) => mentioned_in_body(&lambda.body, found),
    }
}

fn mentioned_in_body(body: &Body, found: &mut BTreeSet<Var>) {
    body.stms.iter().for_each(|stm| stm.for_each_part(&mut |part| mentioned_in(part, found)));
    found.extend(body.result.iter().filter_map(|atom| atom.var()));
}

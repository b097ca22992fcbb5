//! One lambda out of many: the bodies of a cluster's kernels one after the other, for one element.
//!
//! Each array that is read becomes an input once; each array that a member makes stands for the atoms that
//! are its element. What a filter keeps lies in a *domain* of its own: the statements of guarded kernels are
//! collected there, and become a branch that is taken if the filter's predicate holds.

use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::{Atom, Body, Dim, Exp, Lambda, Stm, Type, Var};
use std::collections::HashMap;

pub struct Compose<'a> {
    pub names: &'a mut Names,
    pub inputs: Vec<Var>,
    pub params: Vec<Var>,
    pub span: Span,
    elements: HashMap<Var, Element>,
    pub domains: Vec<Domain>,
}

#[derive(Clone)]
struct Element {
    /// The row, or its length and the row.
    columns: Vec<Atom>,
    domain: usize,
}

/// Where statements run: for every element, or for those that satisfy the condition in the domain around.
#[derive(Default)]
pub struct Domain {
    pub stms: Vec<Stm>,
    pub parent: usize,
    pub condition: Option<Atom>,
}

impl Compose<'_> {
    pub fn new(names: &mut Names, span: Span) -> Compose<'_> {
        Compose {
            names,
            inputs: Vec::new(),
            params: Vec::new(),
            span,
            elements: HashMap::new(),
            domains: vec![Domain::default()],
        }
    }

    /// Run the lambda on elements of the inputs, after `first` for what its first parameters are. Yields its
    /// results, and where they are known.
    pub fn apply(&mut self, first: &[Atom], inputs: &[Var], lambda: Lambda) -> (Vec<Atom>, usize) {
        let Lambda { params, mut body } = lambda;
        let mut subst = Subst::of(&params, first.iter().copied());
        let mut rest = &params[first.len()..];
        let mut domain = 0;
        for input in inputs {
            let (own, others) = rest.split_at(self.columns(*input));
            rest = others;
            match self.elements.get(input) {
                Some(element) => {
                    domain = domain.max(element.domain);
                    own.iter().zip(&element.columns).for_each(|(var, column)| subst.set(*var, *column));
                }
                None => self.read(*input, own.to_vec()),
            }
        }
        subst.body_and_types(&mut self.names.vars, &mut body);
        self.domains[domain].stms.append(&mut body.stms);
        (body.result, domain)
    }

    /// The elements of arrays as they are.
    pub fn elements(&mut self, inputs: &[Var]) -> (Vec<Atom>, usize) {
        let mut columns = Vec::new();
        let mut domain = 0;
        for input in inputs {
            if !self.elements.contains_key(input) {
                let params = self.row_params(*input);
                self.read(*input, params);
            }
            let element = &self.elements[input];
            columns.extend(&element.columns);
            domain = domain.max(element.domain);
        }
        (columns, domain)
    }

    /// That this atom is the element of an array that a member makes.
    pub fn define(&mut self, array: Var, row: Atom, domain: usize) {
        let ty = self.names.ty(array).clone();
        let columns = match row {
            Atom::Const(_) => vec![row],
            Atom::Var(var) => self.columns_of(var, &ty, domain),
        };
        self.elements.insert(array, Element { columns, domain });
    }

    /// Whether a statement of the domain binds it.
    pub fn binds(&self, domain: usize, var: Var) -> bool {
        self.domains[domain].stms.iter().any(|stm| stm.vars.contains(&var))
    }

    pub fn new_domain(&mut self, parent: usize, condition: Atom) -> usize {
        self.domains.push(Domain { stms: Vec::new(), parent, condition: Some(condition) });
        self.domains.len() - 1
    }

    /// Ends the last domain: results that are these if its condition holds, and otherwise those.
    pub fn close(&mut self, types: Vec<Type>, then: Vec<Atom>, els: Vec<Atom>) -> Vec<Atom> {
        let Some(Domain { stms, parent, condition: Some(cond) }) = self.domains.pop() else {
            return then;
        };
        let vars: Vec<Var> = types.into_iter().map(|ty| self.names.fresh("chosen", ty)).collect();
        let exp = Exp::if_(cond, Body { stms, result: then }, Body { stms: Vec::new(), result: els });
        self.push(parent, vars.clone(), exp);
        vars.into_iter().map(Atom::Var).collect()
    }

    pub fn push(&mut self, domain: usize, vars: Vec<Var>, exp: Exp) {
        let stm = Stm::new(vars, exp, self.span);
        self.domains[domain].stms.push(stm);
    }

    /// All that is left is the outermost domain: the lambda of the cluster.
    pub fn finish(mut self, result: Vec<Atom>) -> (Vec<Var>, Lambda) {
        let stms = std::mem::take(&mut self.domains[0].stms);
        (self.inputs, Lambda::new(self.params, Body { stms, result }))
    }

    fn read(&mut self, array: Var, params: Vec<Var>) {
        let columns = params.iter().map(|var| Atom::Var(*var)).collect();
        self.elements.insert(array, Element { columns, domain: 0 });
        self.inputs.push(array);
        self.params.extend(params);
    }

    /// How many parameters a lambda has for an input.
    pub fn columns(&self, array: Var) -> usize {
        if self.names.ty(array).has_irregular_rows() { 2 } else { 1 }
    }

    pub fn row_params(&mut self, array: Var) -> Vec<Var> {
        let name = self.names.name(array);
        let Some(row) = self.names.ty(array).row() else { return vec![array] };
        if row.dims().first() != Some(&Dim::Irregular) {
            return vec![self.names.fresh(&name, row)];
        }
        let length = self.names.fresh("length", Type::i64());
        let mut dims = row.dims().to_vec();
        dims[0] = Dim::size(length);
        vec![length, self.names.fresh(&name, row.with_dims(dims))]
    }

    /// A row as the lambda of a consumer takes it: with its length in front if rows differ, and without sizes
    /// where rows of rows do.
    fn columns_of(&mut self, row: Var, array: &Type, domain: usize) -> Vec<Atom> {
        let own = self.names.ty(row).clone();
        let row_dims = &array.dims()[1..];
        let mut dims = own.dims().to_vec();
        let differ = |(own, dim): (&mut Dim, &Dim)| {
            let differs = *dim == Dim::Irregular && *own != Dim::Irregular;
            if differs {
                *own = Dim::Irregular;
            }
            differs
        };
        let coerced = dims.iter_mut().zip(row_dims).skip(1).map(differ).fold(false, |any, this| any | this);
        let mut atom = Atom::Var(row);
        if coerced {
            let name = self.names.name(row);
            let var = self.names.fresh(&name, own.with_dims(dims.clone()));
            self.push(domain, vec![var], Exp::coerce(row, dims));
            atom = var.into();
        }
        match (row_dims.first(), own.dims().first().and_then(|dim| dim.atom())) {
            (Some(Dim::Irregular), Some(length)) => vec![length, atom],
            _ => vec![atom],
        }
    }
}

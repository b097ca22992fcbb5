//! Reductions whose operator yields one of its operands: of their numbers, and then one row is copied, which the device knows and the host need not.
//!
//! ```text
//! let best: [m]f32 = reduce n (xss) neutral (none)    let numbers: [n]i64 = range.i64 n 0i64 1i64
//!   \(a: [m]f32, b: [m]f32) {                         let number: i64 = reduce n (numbers) neutral (-1i64) \(i: i64, j: i64) {
//!     let x: f32 = index a [0i64]                       let x: f32 = if i < 0 { index none [0i64] } else { index xss [i, 0i64] }
//!     let y: f32 = index b [0i64]               ==>     let y: f32 = if j < 0 { .. } else { index xss [j, 0i64] }
//!     let c: bool = le.f32 x y                          let c: bool = le.f32 x y
//!     let r: [m]f32 = if c { in a } else { in b }       let r: i64 = if c { in i } else { in j }
//!     in r                                              in r
//!   }                                                 }
//!                                                     let best: [m]f32 = map m (places) \(k: i64) {
//!                                                       let e: f32 = if number < 0 { index none [k] } else { index xss [number, k] }
//!                                                       in e
//!                                                     }
//! ```
//!
//! Scalars that are combined beside the rows stay. All rows of an element have one number, so an operator that takes one row from here and another from
//! there is none of these, nor is one that asks for more than elements of its operands, or for elements of what it chose.

use super::Distributor;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, Operator, Prim, Reduction, Stm,
    Type, Var,
};
use std::collections::HashMap;

/// A row that is combined: which operand it is a part of, and its column.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Operand {
    second: bool,
    column: usize,
}

impl Distributor<'_, '_> {
    /// The statements that do the same; none if it is another operator.
    pub fn selected(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Reduce { width, op, inputs }) = &stm.exp else { return None };
        let count = op.neutral.len();
        let is_row = |at: usize| self.names.ty(op.lambda.params[at]).is_array();
        let rows: Vec<usize> = (0..count).filter(|at| is_row(*at)).collect();
        if rows.is_empty() || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return None;
        }
        let mut operands: HashMap<Var, Operand> = HashMap::new();
        for column in &rows {
            operands.insert(op.lambda.params[*column], Operand { second: false, column: *column });
            operands.insert(op.lambda.params[count + column], Operand { second: true, column: *column });
        }
        let choices = self.choices(op, &operands)?;
        let choice_of = |column: &usize| {
            let var = op.lambda.body.result[*column].var()?;
            choices.iter().find(|choice| choice.rows.iter().any(|(own, of)| *own == var && *of == *column))
        };
        let first = choice_of(rows.first()?)?;
        if !rows.iter().all(|column| choice_of(column).is_some_and(|choice| choice.at == first.at)) {
            return None;
        }
        let at = first.at;

        // The operator on numbers, with the scalars.
        let (width, op, inputs) = (*width, op.clone(), inputs.clone());
        let numbers = [self.names.fresh("number", Type::i64()), self.names.fresh("number", Type::i64())];
        let scalars: Vec<usize> = (0..count).filter(|at| !rows.contains(at)).collect();
        let side = |second: bool| -> Vec<Var> {
            let from = if second { count } else { 0 };
            let own = scalars.iter().map(|at| op.lambda.params[from + at]);
            [numbers[usize::from(second)]].into_iter().chain(own).collect()
        };
        let params = [side(false), side(true)].concat();
        let chosen = self.names.fresh("number", Type::i64());
        let nones = [self.names.fresh("none", Type::bool()), self.names.fresh("none", Type::bool())];
        let mut body = Body::default();
        for (none, number) in nones.iter().zip(numbers) {
            let exp = Exp::bin(BinOp::Lt, Prim::I64, number.into(), Atom::i64(0));
            body.stms.push(Stm::new(vec![*none], exp, stm.span));
        }
        for (number, own) in op.lambda.body.stms.iter().enumerate() {
            body.stms.push(match &own.exp {
                _ if number == at => choice_of_numbers(own, &operands, numbers, chosen),
                Exp::Array(ArrayExp::Index { array, slice }) if operands.contains_key(array) => {
                    let Operand { second, column } = operands[array];
                    let of = usize::from(second);
                    let place = RowPlace { number: numbers[of], none: nones[of], rows: inputs[column] };
                    self.element_at(own, slice, op.neutral[column], &place)
                }
                _ => own.clone(),
            });
        }
        body.result =
            [chosen.into()].into_iter().chain(scalars.iter().map(|at| op.lambda.body.result[*at])).collect();
        let neutral = [Atom::i64(-1)].into_iter().chain(scalars.iter().map(|at| op.neutral[*at])).collect();
        let lambda = self.names.copy_lambda(&Lambda::new(params, body));
        let on_numbers = Reduction { lambda, neutral, commutative: op.commutative };

        let all = self.names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(width)]));
        let best = self.names.fresh("number", Type::i64());
        let place = |vars: Vec<Var>, exp: Exp| Stm { vars, exp, ..stm.clone() };
        let combined: Vec<Var> = [all].into_iter().chain(scalars.iter().map(|at| inputs[*at])).collect();
        let vars = [best].into_iter().chain(scalars.iter().map(|at| stm.vars[*at])).collect();
        let mut list =
            vec![place(vec![all], Exp::iota(width)), place(vars, Exp::reduce(width, on_numbers, combined))];
        let none = self.names.fresh("none", Type::bool());
        list.push(place(vec![none], Exp::bin(BinOp::Lt, Prim::I64, best.into(), Atom::i64(0))));
        for column in rows {
            let chosen = RowPlace { number: best, none, rows: inputs[column] };
            let ty = self.names.ty(stm.vars[column]).clone();
            let row = self.row_at(stm, ty, op.neutral[column], &chosen, Vec::new(), &mut list);
            list.push(place(vec![stm.vars[column]], row));
        }
        Some(list)
    }

    /// A row element by element: what decides which it is stays on the device.
    fn row_at(
        &mut self,
        stm: &Stm,
        ty: Type,
        neutral: Atom,
        place: &RowPlace,
        at: Vec<DimIndex>,
        before: &mut Vec<Stm>,
    ) -> Exp {
        let (size, row) = match (ty.dims().first().and_then(|dim| dim.atom()), ty.row()) {
            (Some(size), Some(row)) => (size, row),
            (_, _) => panic!("distribute: a row without a size"),
        };
        let numbers = self.names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(size)]));
        before.push(Stm { vars: vec![numbers], exp: Exp::iota(size), ..stm.clone() });
        let number = self.names.fresh("number", Type::i64());
        let at: Vec<DimIndex> = at.into_iter().chain([DimIndex::Fix(number.into())]).collect();
        let element = self.names.fresh("element", row.clone());
        let like = Stm { vars: vec![element], ..stm.clone() };
        let inner = match row.is_scalar() {
            true => self.element_at(&like, &at, neutral, place),
            false => Stm { exp: self.row_at(stm, row, neutral, place, at, before), ..like },
        };
        let body = Body { stms: vec![inner], result: vec![element.into()] };
        Exp::map(size, vec![numbers], Lambda::new(vec![number], body))
    }

    /// The statements that choose between the rows of both operands, if nothing else is done with rows than that and to ask for elements.
    fn choices(&self, op: &Reduction, operands: &HashMap<Var, Operand>) -> Option<Vec<Selection>> {
        let mut choices: Vec<Selection> = Vec::new();
        for (at, stm) in op.lambda.body.stms.iter().enumerate() {
            match &stm.exp {
                Exp::Array(ArrayExp::Index { array, slice }) if operands.contains_key(array) => {
                    let fixed = slice.iter().all(|index| matches!(index, DimIndex::Fix(_)));
                    if !fixed || !self.names.ty(stm.vars[0]).is_scalar() {
                        return None;
                    }
                }
                Exp::Control(ControlExp::If { cond: _, then, els })
                    if stm.vars.iter().any(|var| self.names.ty(*var).is_array()) =>
                {
                    choices.push(Selection { at, rows: chosen_rows(stm, then, els, operands)? });
                }
                _ => {
                    let mut used = Vec::new();
                    crate::nest::mentions::in_stm(&self.names.vars, stm, &mut used);
                    // Which row was chosen is known only as a number.
                    let is_chosen = |var: &Var| {
                        choices.iter().any(|choice| choice.rows.iter().any(|(row, _)| row == var))
                    };
                    if used.iter().any(|var| operands.contains_key(var) || is_chosen(var))
                        || stm.vars.iter().any(|var| self.names.ty(*var).is_array())
                    {
                        return None;
                    }
                }
            }
        }
        Some(choices)
    }

    /// An element of a row as one of the array of all, or of the neutral element.
    fn element_at(&mut self, stm: &Stm, slice: &[DimIndex], neutral: Atom, place: &RowPlace) -> Stm {
        let ty = self.names.ty(stm.vars[0]).clone();
        let body = |this: &mut Self, exp: Exp| {
            let element = this.names.fresh("element", ty.clone());
            Body { stms: vec![Stm::new(vec![element], exp, stm.span)], result: vec![element.into()] }
        };
        let neutral = match neutral {
            Atom::Var(neutral) => match self.replicated.get(&neutral).filter(|_| slice.len() == 1) {
                Some(value) => Exp::atom(*value),
                None => Exp::index(neutral, slice.to_vec()),
            },
            value => Exp::atom(value),
        };
        let then = body(self, neutral);
        let whole = [DimIndex::Fix(place.number.into())].into_iter().chain(slice.iter().cloned()).collect();
        let els = body(self, Exp::index(place.rows, whole));
        Stm { exp: Exp::if_(place.none.into(), then, els), ..stm.clone() }
    }
}

/// Where a row is: its number, whether it is the neutral element, and the array that has it.
struct RowPlace {
    number: Var,
    none: Var,
    rows: Var,
}

/// The choice between rows as one between their numbers; scalars are chosen beside.
fn choice_of_numbers(stm: &Stm, operands: &HashMap<Var, Operand>, numbers: [Var; 2], chosen: Var) -> Stm {
    let Exp::Control(ControlExp::If { cond, then, els }) = &stm.exp else {
        panic!("distribute: a choice that is none")
    };
    let row = |atom: &Atom| atom.var().and_then(|var| operands.get(&var));
    let takes_second = then.result.iter().find_map(row).is_some_and(|operand| operand.second);
    let yields = |body: &Body, second: bool| {
        let scalars = body.result.iter().filter(|atom| row(atom).is_none()).copied();
        let number = Atom::Var(numbers[usize::from(second)]);
        Body { stms: Vec::new(), result: [number].into_iter().chain(scalars).collect() }
    };
    let kept = stm.vars.iter().zip(&then.result).filter(|(_, atom)| row(atom).is_none()).map(|(var, _)| *var);
    let vars = [chosen].into_iter().chain(kept).collect();
    let exp = Exp::if_(*cond, yields(then, takes_second), yields(els, !takes_second));
    Stm { vars, exp, ..stm.clone() }
}

/// A statement of an operator that yields, for each of these columns, the row of one operand or the other.
struct Selection {
    at: usize,
    rows: Vec<(Var, usize)>,
}

fn chosen_rows(
    stm: &Stm,
    then: &Body,
    els: &Body,
    operands: &HashMap<Var, Operand>,
) -> Option<Vec<(Var, usize)>> {
    if !then.stms.is_empty() || !els.stms.is_empty() {
        return None;
    }
    let mut rows = Vec::with_capacity(stm.vars.len());
    let mut taken = None;
    for ((var, one), other) in stm.vars.iter().zip(&then.result).zip(&els.result) {
        let of = |atom: &Atom| atom.var().and_then(|var| operands.get(&var));
        let (one, other) = match (of(one), of(other)) {
            (Some(one), Some(other)) => (one, other),
            // Scalars beside the rows.
            (None, None) => continue,
            _ => return None,
        };
        if one.column != other.column
            || one.second == other.second
            || taken.is_some_and(|own| own != one.second)
        {
            return None;
        }
        taken = Some(one.second);
        rows.push((*var, one.column));
    }
    (!rows.is_empty()).then_some(rows)
}

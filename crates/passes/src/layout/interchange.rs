//! Loop interchange in a nest of maps: the maps over points become the innermost.
//!
//! ```text
//! let y: [n][m][9]f32 = grid map n (xss) \xs { map m (xs) \x { .. map 9 (ks) \k { .. in v } } }
//!
//! let y.t: [9][n][m]f32 = grid map 9 (is) \i { map n (js) \j { map m (ls) \l { let xs = index xss [j]  let x = index xs [l]  ..  let k = index ks [i]  .. in v } } }
//! ```
//!
//! A thread for each element computes the same in any order. The last map decides which elements are neighbours in memory, and which threads.

use norn_ir::nest::{
    ArrayExp, Atom, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Stm, Type, Var, VarInfo,
};

/// One of the maps: its width, the elements that it is handed, and what is done before the next.
pub struct Level {
    width: Atom,
    pub inputs: Vec<Var>,
    pub params: Vec<Var>,
    pub before: Vec<Stm>,
}

/// So many maps in each other, and the body of the innermost.
pub fn levels(exp: &Exp, count: usize) -> Option<(Vec<Level>, &Body)> {
    let mut found = Vec::new();
    let mut exp = exp;
    loop {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = exp else { return None };
        let level = |before: &[Stm]| Level {
            width: *width,
            inputs: inputs.clone(),
            params: lambda.params.clone(),
            before: before.to_vec(),
        };
        if found.len() + 1 == count {
            found.push(level(&[]));
            return Some((found, &lambda.body));
        }
        let (last, before) = lambda.body.stms.split_last()?;
        let yields = lambda.body.result.iter().map(|atom| atom.var()).eq(last.vars.iter().copied().map(Some));
        if !yields || last.grid.is_some() {
            return None;
        }
        found.push(level(before));
        exp = &last.exp;
    }
}

/// Whether these are maps in each other, as many as their results have dimensions, whose order does not matter.
pub fn is_interchangeable(vars: &[VarInfo], stm: &Stm) -> bool {
    let rank = |var: &Var| vars[var.0 as usize].ty.rank();
    let count = stm.vars.first().map_or(0, rank);
    count > 1
        && stm.vars.iter().all(|var| rank(var) == count)
        && levels(&stm.exp, count).is_some_and(|(levels, _)| {
            let is_bound = |var: Var| levels.iter().any(|level| level.binds(var));
            levels.iter().all(|level| level.width.var().is_none_or(|var| !is_bound(var)))
        })
}

impl Level {
    fn binds(&self, var: Var) -> bool {
        self.params.contains(&var) || self.before.iter().any(|stm| stm.vars.contains(&var))
    }
}

/// The same with the first maps, so many, last; what stands before it. It binds variables of the transposed types.
pub fn interchanged(
    vars: &mut Vec<VarInfo>,
    stm: Stm,
    points: usize,
    transposed: Vec<Var>,
) -> (Vec<Stm>, Stm) {
    let count = vars[stm.vars[0].0 as usize].ty.rank();
    let (levels, bottom) = levels(&stm.exp, count).expect("layout: maps that are not in each other");
    let (mut ranges, mut stms) = (Vec::new(), Vec::new());
    let mut maps: Vec<(Atom, Var, Var)> = Vec::with_capacity(count);
    for level in levels {
        let (range, at) = (
            new_var(vars, "range", Type::i64().array_of(Dim::Size(level.width))),
            new_var(vars, "i", Type::i64()),
        );
        let (start, step) = (Atom::i64(0), Atom::i64(1));
        let exp = Exp::Array(ArrayExp::Range { prim: Prim::I64, count: level.width, start, step });
        ranges.push(Stm::new(vec![range], exp, stm.span));
        let mut params = &level.params[..];
        for input in &level.inputs {
            // A row of its own length comes with it.
            let columns = 1 + usize::from(vars[input.0 as usize].ty.has_irregular_rows());
            let (own, rest) = params.split_at(columns);
            params = rest;
            let exp = Exp::index(*input, vec![DimIndex::Fix(at.into())]);
            stms.push(Stm::new(own.to_vec(), exp, stm.span));
        }
        stms.extend(level.before);
        maps.push((level.width, range, at));
    }
    stms.extend(bottom.stms.iter().cloned());
    let mut body = Body { stms, result: bottom.result.clone() };
    maps.rotate_left(points);
    let elems: Vec<_> = transposed
        .iter()
        .map(|var| vars[var.0 as usize].ty.elem().expect("layout: an array of no values"))
        .collect();
    let mut dims = Vec::new();
    while let Some((width, range, at)) = maps.pop() {
        let lambda = Lambda::new(vec![at], body);
        let exp = Exp::Op(Operator::Map { width, inputs: vec![range], lambda });
        if maps.is_empty() {
            return (ranges, Stm { vars: transposed, exp, ..stm });
        }
        dims.insert(0, Dim::Size(width));
        let results: Vec<Var> =
            elems.iter().map(|elem| new_var(vars, "row", Type::Value(*elem, dims.clone()))).collect();
        let result = results.iter().map(|var| Atom::Var(*var)).collect();
        body = Body { stms: vec![Stm::new(results, exp, stm.span)], result };
    }
    unreachable!("layout: no maps")
}

fn new_var(vars: &mut Vec<VarInfo>, name: &str, ty: Type) -> Var {
    vars.push(VarInfo::new(name, ty));
    Var(vars.len() as u32 - 1)
}

//! Calls from outside: columns become arguments, with the sizes and regions that the function wants.

use crate::Interp;
use crate::code::Place;
use crate::data::Kind;
use crate::exec::{Machine, Stack, Value as Local, read, write};
use crate::failure::{Outcome, fail};
use crate::irregular::fit;
use crate::locals::{Locals, Object};
use crate::region::{Region, copy_cells, for_each_ref_in, move_refs, moved};
use crate::value::{Ref, Value};
use crate::view::View;
use norn_ir::nest::{Atom, Dim, Elem, Entry, Fun, Prog, Scalar, Type, Var};
use std::collections::HashMap;

pub(crate) fn call(interp: &mut Interp, entry: &Entry, columns: Vec<Value>) -> Outcome<Vec<Value>> {
    let prog = interp.prog.clone();
    let code = interp.code.clone();
    let fun = &prog.funs[entry.fun.0 as usize];
    let fun_code = &code.funs[entry.fun.0 as usize];
    let args = bind(&prog, entry, fun, columns, &interp.everywhere)?;
    let mut machine = Machine {
        code: &code,
        pools: &mut interp.pools,
        consts: &mut interp.consts,
        everywhere: interp.everywhere.clone(),
        depth: 0,
        stack: Stack::new(interp.stack_budget),
        cancel: &interp.cancel,
        observer: interp.observer.as_mut(),
        calls: Vec::new(),
        cuts: &mut interp.cuts,
        freedom: interp.freedom.as_mut(),
    };
    let mut locals = machine.enter(entry.fun.0)?;
    for (place, arg) in fun_code.params.iter().zip(args) {
        write(&mut locals, *place, arg);
    }
    machine.run(&mut locals, &fun_code.body)?;
    let region_of = |elem: Elem, locals: &Locals| match elem {
        Elem::Prim(_) => None,
        Elem::Ref(_, None) => Some(interp.everywhere.clone()),
        Elem::Ref(_, Some(region)) => {
            let param = fun.params.iter().position(|param| param.var == region);
            param.and_then(|i| match fun_code.params[i] {
                Place::Object(place) => Some(locals.region(place).clone()),
                Place::Word(_) | Place::Nothing => None,
            })
        }
    };
    let expected = prog.ifaces[entry.result.0 as usize].columns.len();
    let first = fun.ret.len() - expected;
    let mut results = Vec::with_capacity(expected);
    for (ret, operand) in fun.ret.iter().zip(&fun_code.results).skip(first) {
        let region = ret.ty.elem().and_then(|elem| region_of(elem, &locals));
        results.push(to_value(&ret.ty, read(&mut locals, *operand), region)?);
    }
    machine.exit(entry.fun.0, locals);
    Ok(results)
}

pub(crate) fn to_value(ty: &Type, local: Local, region: Option<Region>) -> Outcome<Value> {
    Ok(match (local, ty.elem()) {
        (Local::Word(word), Some(Elem::Prim(prim))) => {
            Scalar::from_bits(prim, word).map_or(Value::Cert, Value::Scalar)
        }
        (Local::Word(word), Some(Elem::Ref(..))) => match region {
            Some(region) => Value::Ref(Ref { region, cell: word as u32 }),
            None => return fail("The result leads into a region that is not a parameter."),
        },
        (Local::Object(Object::Array(view)), _) => Value::from_view(view, region),
        (Local::Object(Object::Region(region)), _) => Value::Region(region),
        (Local::Object(Object::Acc(acc)), _) => Value::Acc(acc),
        (Local::Word(_) | Local::Object(Object::Empty) | Local::Nothing, _) => Value::Cert,
    })
}

/// The arguments of the function: regions and sizes first, as the columns have them.
fn bind(
    prog: &Prog,
    entry: &Entry,
    fun: &Fun,
    columns: Vec<Value>,
    everywhere: &Region,
) -> Outcome<Vec<Local>> {
    let counts = entry.params.iter().map(|param| (param, prog.ifaces[param.ty.0 as usize].columns.len()));
    let names: Vec<&str> =
        counts.flat_map(|(param, count)| std::iter::repeat_n(param.name.as_str(), count)).collect();
    if columns.len() != names.len() {
        return fail(format!("{} takes {} columns, not {}.", entry.name, names.len(), columns.len()));
    }
    let (before, params) = fun.params.split_at(fun.params.len() - names.len());
    let mut known = Known { prog, sizes: HashMap::new(), regions: HashMap::new(), everywhere };
    let mut args = Vec::new();
    for ((column, param), name) in columns.into_iter().zip(params).zip(names) {
        args.push(known.column(fun, param.var, column, name)?);
    }
    let mut all = Vec::with_capacity(fun.params.len());
    for param in before {
        all.push(match fun.vars[param.var.0 as usize].ty {
            Type::Region => {
                Local::Object(Object::Region(known.regions.remove(&param.var).unwrap_or_default()))
            }
            // What occurs only in rows that are not there can have any size.
            Type::Value(..) => Local::Word(known.sizes.get(&param.var).copied().unwrap_or(0) as u64),
            Type::Acc(_) | Type::Seg { .. } | Type::Cert => Local::Nothing,
        });
    }
    all.extend(args);
    Ok(all)
}

/// What the columns seen so far say about the parameters before them.
struct Known<'a> {
    prog: &'a Prog,
    sizes: HashMap<Var, i64>,
    regions: HashMap<Var, Region>,
    everywhere: &'a Region,
}

impl Known<'_> {
    fn column(&mut self, fun: &Fun, var: Var, column: Value, name: &str) -> Outcome<Local> {
        let ty = &fun.vars[var.0 as usize].ty;
        let Type::Value(elem, dims) = ty else {
            return fail(format!("The parameter {name} cannot be given from outside."));
        };
        match (column, elem) {
            (Value::Scalar(scalar), Elem::Prim(prim)) if dims.is_empty() && scalar.prim() == *prim => {
                // An argument may itself be the size of arrays after it.
                if let Scalar::I64(size) = scalar {
                    self.sizes.insert(var, size);
                }
                Ok(Local::Word(scalar.bits()))
            }
            (Value::Ref(place), Elem::Ref(..)) if dims.is_empty() && place.is_null() => {
                Ok(Local::Word(place.cell as u64))
            }
            (Value::Ref(Ref { region, cell }), Elem::Ref(_, expected)) if dims.is_empty() => {
                let places = self.bring(*expected, &region, &mut [cell].into_iter());
                Ok(Local::Word(places.map_or(cell, |places| moved(&places, cell)) as u64))
            }
            (Value::Array(array), _) if !dims.is_empty() => {
                let pattern: Vec<Option<usize>> = dims.iter().map(|dim| dim.atom().map(|_| 0)).collect();
                let kind = match elem {
                    Elem::Prim(prim) => Kind::Prim(*prim),
                    Elem::Ref(..) => Kind::Ref,
                };
                if !has_type(&array.view, dims.len(), kind) {
                    return fail(format!("The argument {name} has not the type of its parameter."));
                }
                let mut view = fit(&array.view, &pattern, kind)?;
                if let (Some(region), Elem::Ref(_, expected)) = (&array.region, elem) {
                    let mut roots = Vec::new();
                    for_each_ref_in(&view, &mut |place| roots.push(place));
                    if let Some(places) = self.bring(*expected, region, &mut roots.into_iter()) {
                        view = move_refs(&view, &places);
                    }
                }
                self.sizes(&view, dims, name)?;
                Ok(Local::Object(Object::Array(view)))
            }
            (
                Value::Scalar(_)
                | Value::Ref(_)
                | Value::Array(_)
                | Value::Region(_)
                | Value::Acc(_)
                | Value::Cert,
                _,
            ) => fail(format!("The argument {name} has not the type of its parameter.")),
        }
    }

    /// Makes cells part of the region that is required. If they had to be copied, where they are now.
    fn bring(
        &mut self,
        expected: Option<Var>,
        region: &Region,
        roots: &mut dyn Iterator<Item = u32>,
    ) -> Option<HashMap<u32, u32>> {
        let to = match expected {
            Some(var) => self.regions.entry(var).or_insert_with(|| region.clone()),
            None => self.everywhere,
        };
        (!to.same(region)).then(|| copy_cells(&self.prog.datas, region, to, roots))
    }

    /// The sizes that an array determines, which others must not contradict.
    fn sizes(&mut self, view: &View, dims: &[Dim], name: &str) -> Outcome {
        for (dim, found) in dims.iter().zip(view.shape.iter()) {
            let found = *found as i64;
            let expected = match dim {
                Dim::Size(Atom::Var(var)) => *self.sizes.entry(*var).or_insert(found),
                Dim::Size(Atom::Const(scalar)) => scalar.bits() as i64,
                Dim::Irregular | Dim::Result(_) => continue,
            };
            if expected != found {
                return fail(format!(
                    "The argument {name} has a dimension of size {found}, but {expected} was expected."
                ));
            }
        }
        let inner = &dims[view.shape.len()..];
        match view.kind() {
            Kind::Rows => view.entries().iter().try_for_each(|row| self.sizes(row, inner, name)),
            Kind::Prim(_) | Kind::Ref => Ok(()),
        }
    }
}

/// Whether an array has so many dimensions, and these elements.
pub(crate) fn has_type(view: &View, rank: usize, elem: Kind) -> bool {
    match view.kind() {
        Kind::Rows => {
            let inner = rank.checked_sub(view.shape.len()).filter(|inner| *inner > 0);
            inner.is_some_and(|inner| view.entries().iter().all(|row| has_type(row, inner, elem)))
        }
        kind @ (Kind::Prim(_) | Kind::Ref) => kind == elem && view.shape.len() == rank,
    }
}

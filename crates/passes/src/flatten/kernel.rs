//! Makes a nest of the statements of a context that belong together, in maps over all that they need (rules G1 and G3).
//!
//! ```text
//! levels: map n (xss) \xs, map m (xs) \x          let rs: [n][m]f32 = map n (xss, ys) \(xs.2: [m]f32, y.2: f32) {
//! homes:  y at level 1, in ys: [n]f32               let rs.2: [m]f32 = map m (xs.2) \(x.2: f32) {
//! core:   let r = add x y                             let r.2: f32 = add.f32 x.2 y.2
//! ```
//!
//! A `Demand` is a value that is needed outside of the nest. Cheap statements that the core needs are rematerialised in the lambda of their level, in front. All
//! variables of a nest are new.

use super::Distributor;
use super::context::{Context, Home, Slice, Stored};
use crate::nest::memory::consumed;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_base::Span;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Stm, Type, Var};
use std::collections::{HashMap, HashSet};

/// Statements of the innermost level, each with its place in the order of all.
pub type Core = Vec<(u32, Stm)>;

/// A value of the body that is needed outside of the nest: the name and the type of the array of all of them.
#[derive(Clone)]
pub struct Demand {
    pub value: Atom,
    pub name: String,
    pub ty: Type,
}

/// Of values that are loaded, what the length of a row is at a level of the array.
type Lengths = HashMap<(Var, usize), Var>;

impl Distributor<'_, '_> {
    /// Makes the nest, and returns the array of each demanded value.
    pub fn kernel(&mut self, cx: &Context, core: Core, demands: &[Demand], span: Span) -> Vec<Var> {
        let bound: HashSet<Var> = core.iter().flat_map(|(_, stm)| stm.vars.iter().copied()).collect();
        let mut roots: Vec<Var> = cx.levels.iter().filter_map(|level| level.width.var()).collect();
        core.iter().for_each(|(_, stm)| mentions::in_stm(&self.names.vars, stm, &mut roots));
        roots.extend(demands.iter().filter_map(|demand| demand.value.var()));
        let (slice, lengths) = self.slice_with_lengths(cx, roots, bound.clone());
        debug_assert!(slice.waiting.is_empty(), "distribute: a nest needs what is not computed yet");

        let mut bodies: Vec<Core> = vec![Vec::new(); cx.depth()];
        for ((level, at), stm) in &slice.again {
            bodies[level - 1].push((*at, (**stm).clone()));
        }
        let mut subst = Subst::default();
        let mut params: Vec<Vec<(Var, Vec<Var>)>> = vec![Vec::new(); cx.depth()];
        for (level, group) in &slice.groups {
            let group = &cx.levels[level - 1].groups[*group];
            params[level - 1].push((group.input, group.params.clone()));
        }
        let sizes = self.sizes_there(cx, &slice, &lengths);
        for (var, stored) in &slice.loads {
            let coerced = self.load((cx, *var), stored, &lengths, &sizes, &mut params, &mut subst);
            // Before all that may use it, and after what binds its sizes.
            let mut sizes = Vec::new();
            mentions::in_type(&self.names.vars, *var, &mut sizes);
            let binds = |stm: &Stm| stm.vars.iter().any(|var| sizes.contains(var));
            let binders = slice.again.iter().filter(|((level, _), stm)| *level == stored.level && binds(stm));
            let at = binders.map(|((_, at), _)| *at).max().unwrap_or(0);
            bodies[stored.level - 1].extend(coerced.map(|stm| (at, stm)));
        }
        let core = self.own_what_is_consumed(&slice, core);
        if let Some(innermost) = bodies.last_mut() {
            innermost.extend(core);
        }
        for (_, stm) in bodies.iter_mut().flatten() {
            let keep = |cert: Var| bound.contains(&cert) || !matches!(cx.home(cert), Some(Home::Check));
            mentions::retain_certs(stm, &keep);
        }

        let mut result: Vec<Atom> = demands.iter().map(|demand| demand.value).collect();
        let mut inner: Option<Stm> = None;
        for (depth, mut stms) in bodies.into_iter().enumerate().rev() {
            stms.sort_by_key(|(at, _)| *at);
            let mut body = Body { stms: stms.into_iter().map(|(_, stm)| stm).collect(), result };
            body.stms.extend(inner);
            let width = cx.levels[depth].width;
            let rows = |demand: &Demand| {
                let mut dims = demand.ty.dims()[depth..].to_vec();
                dims[0] = Dim::Size(width);
                (demand.name.clone(), demand.ty.with_dims(dims))
            };
            let rows: Vec<(String, Type)> = demands.iter().map(rows).collect();
            let vars: Vec<Var> = rows.into_iter().map(|(name, ty)| self.names.fresh(&name, ty)).collect();
            result = vars.iter().map(|var| (*var).into()).collect();
            let (inputs, params): (Vec<Var>, Vec<Vec<Var>>) =
                std::mem::take(&mut params[depth]).into_iter().unzip();
            let lambda = Lambda::new(params.concat(), body);
            inner = Some(self.stm(vars, Exp::map(width, inputs, lambda), span));
        }
        let Some(nest) = inner else { return Vec::new() };
        let nest = self.names.copy_stm(&mut subst, &nest);
        let arrays = nest.vars.clone();
        self.out.push(nest);
        arrays
    }

    /// What is needed. The length of a row that is loaded is the variable for its size, or for the width of the level
    /// inside, if that is not had otherwise.
    fn slice_with_lengths(&self, cx: &Context, mut roots: Vec<Var>, bound: HashSet<Var>) -> (Slice, Lengths) {
        let mut given = bound;
        let mut lengths = Lengths::new();
        loop {
            let slice = cx.slice(&self.names.vars, roots.clone(), &given);
            // Arrays first: a scalar may not be loaded in the end, since it is the length of one.
            let (scalars, arrays): (Vec<_>, Vec<_>) =
                slice.loads.iter().partition(|(var, _)| self.names.ty(**var).is_scalar());
            let rows = arrays.into_iter().chain(scalars);
            let rows =
                rows.flat_map(|(var, stored)| (1..=stored.level).map(move |level| (*var, level, stored)));
            let found = rows.into_iter().find_map(|(var, level, stored)| {
                let length = self.length_at(cx, var, level, stored)?;
                let gives =
                    lengths.contains_key(&(var, level)) || lengths.keys().any(|(giver, _)| *giver == length);
                let again = slice.again.values().any(|stm| stm.vars.contains(&length));
                let free =
                    !gives && !again && !given.contains(&length) && self.is_free(cx, &roots, &given, length);
                free.then_some((var, level, length))
            });
            let Some((var, level, length)) = found else { return (slice, lengths) };
            given.insert(length);
            lengths.insert((var, level), length);
            // Whoever gives it is needed for that.
            roots.push(var);
        }
    }

    /// The variable that the length of a row can be: the size of the value, or the width of the level inside.
    fn length_at(&self, cx: &Context, var: Var, level: usize, stored: &Stored) -> Option<Var> {
        if self.names.ty(stored.array).dims().get(level) != Some(&Dim::Irregular) {
            return None;
        }
        let size = match level == stored.level {
            true => self.names.ty(var).dims()[0].atom(),
            false => Some(cx.levels[level].width),
        };
        let length = size.and_then(Atom::var)?;
        let by_itself = match cx.home(length)? {
            Home::Param { level: own, group } => {
                *own == level && cx.levels[level - 1].groups[*group].params[0] == length
            }
            Home::Stored(other) => other.level == level,
            Home::Again { level: own, stm, .. } => *own == level && stm.vars == [length],
            Home::Waiting | Home::Check => false,
        };
        by_itself.then_some(length)
    }

    /// Whether the variable would not come with something else that is needed, if it were had otherwise.
    fn is_free(&self, cx: &Context, roots: &[Var], given: &HashSet<Var>, length: Var) -> bool {
        let Some(Home::Param { level, group }) = cx.home(length) else { return true };
        if cx.levels[level - 1].groups[*group].params.len() == 1 {
            return true;
        }
        let mut given = given.clone();
        given.insert(length);
        !cx.slice(&self.names.vars, roots.to_vec(), &given).groups.contains(&(*level, *group))
    }

    /// The variables of the context that a nest of this slice has.
    fn sizes_there(&self, cx: &Context, slice: &Slice, lengths: &Lengths) -> HashSet<Var> {
        let params =
            slice.groups.iter().flat_map(|(level, group)| &cx.levels[level - 1].groups[*group].params);
        let again = slice.again.values().flat_map(|stm| &stm.vars);
        params.chain(again).chain(slice.loads.keys()).chain(lengths.values()).copied().collect()
    }

    /// The rows of an array outside, level by level, become inputs. The statement makes the value of them, if
    /// sizes inside it have to be known again.
    fn load(
        &mut self,
        (cx, var): (&Context, Var),
        stored: &Stored,
        lengths: &Lengths,
        sizes: &HashSet<Var>,
        params: &mut [Vec<(Var, Vec<Var>)>],
        subst: &mut Subst,
    ) -> Option<Stm> {
        let own = self.names.ty(var).clone();
        let name = self.names.name(var);
        let mut array = stored.array;
        for (depth, params) in params.iter_mut().enumerate().take(stored.level) {
            let ty = self.names.ty(array).clone();
            let mut row = ty.row().unwrap_or(Type::bool());
            let innermost = depth + 1 == stored.level;
            let mut group = Vec::new();
            if ty.has_irregular_rows() {
                let length = lengths.get(&(var, depth + 1)).copied();
                let length = length.unwrap_or_else(|| self.names.fresh("length", Type::i64()));
                let mut dims = row.dims().to_vec();
                dims[0] = Dim::size(length);
                row = row.with_dims(dims);
                group.push(length);
            }
            let is_it = innermost && (row == own || row.same_pattern(&own) && !ty.has_irregular_rows());
            let param = if is_it { var } else { self.names.fresh(&name, row) };
            group.push(param);
            params.push((array, group));
            array = param;
        }
        if array == var {
            return None;
        }
        // The nest may know the length by another name.
        let other = own.dims().first().and_then(|dim| dim.atom()).and_then(Atom::var);
        let renamed = other
            .is_some_and(|other| sizes.contains(&other) && lengths.get(&(var, stored.level)) != Some(&other));
        let renamed =
            renamed && self.names.ty(stored.array).dims().get(stored.level) == Some(&Dim::Irregular);
        if self.names.ty(array).same_pattern(&own) && !renamed {
            subst.set(var, array);
            // Copies that are made of it have its type, in which the size may be one that the nest does not have.
            let row = self.names.ty(array).dims().first().and_then(|dim| dim.atom());
            let unknown = |size: &Var| !sizes.contains(size) && !cx.is_outside((*size).into());
            if let (Some(size), Some(length)) = (other.filter(unknown), row) {
                subst.set(size, length);
            }
            return None;
        }
        let mut dims = own.dims().to_vec();
        if !renamed {
            dims[0] = self.names.ty(array).dims()[0];
        }
        let whole = self.names.fresh(&name, own.with_dims(dims.clone()));
        subst.set(var, whole);
        Some(self.stm(vec![whole], Exp::coerce(array, dims), self.span))
    }

    /// What is loaded, or a view, is not a statement's to overwrite: it gets a copy.
    fn own_what_is_consumed(&mut self, slice: &Slice, core: Core) -> Core {
        let views = slice
            .again
            .values()
            .filter(|stm| !matches!(stm.exp, Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. })));
        let views = views.flat_map(|stm| &stm.vars);
        let loaded: Vec<Var> =
            slice.loads.keys().chain(views).copied().filter(|var| self.names.ty(*var).is_array()).collect();
        let mut owned = Vec::with_capacity(core.len());
        for (at, mut stm) in core {
            let classes: HashSet<u32> = consumed(&self.names.vars, &stm, self.signatures)
                .into_iter()
                .map(|var| self.names.memory.class(var))
                .filter(|class| loaded.iter().any(|var| self.names.memory.class(*var) == *class))
                .collect();
            if !classes.is_empty() {
                let mut found = Vec::new();
                mentions::in_stm(&self.names.vars, &stm, &mut found);
                found.sort_unstable();
                found.dedup();
                let bound = mentions::bound_inside(&stm);
                found.retain(|var| {
                    self.names.ty(*var).is_array()
                        && !bound.contains(var)
                        && classes.contains(&self.names.memory.class(*var))
                });
                let mut subst = Subst::default();
                for var in found {
                    let ty = self.names.ty(var).clone();
                    let copy = self.names.fresh(&self.names.name(var), ty);
                    owned.push((at, self.stm(vec![copy], Exp::copy(var), stm.span)));
                    subst.set(var, copy);
                }
                subst.stm(&mut stm);
            }
            owned.push((at, stm));
        }
        owned
    }

    pub fn stm(&self, vars: Vec<Var>, exp: Exp, span: Span) -> Stm {
        Stm::new(vars, exp, span)
    }
}

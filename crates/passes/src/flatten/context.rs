//! The maps around a place (the Sigma of Futhark's flattening paper), and where the values of variables come from that are bound inside them.
//!
//! Distribution takes a nest of maps apart into several. A value that one of these computes and another needs is expanded to an array outside (scalar
//! expansion); a cheap one is rematerialised in each. So every variable bound inside has a *home*, from which a nest that needs it
//! gets it (`kernel`).

use crate::nest::mentions;
use norn_ir::nest::{Atom, Dim, Stm, Type, Var, VarInfo};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The maps around a place, from the outside in.
#[derive(Clone, Default)]
pub struct Context {
    pub levels: Vec<Level>,
    homes: HashMap<Var, Home>,
    /// Rows of irregular arrays, none of them twice: together they are no larger than these arrays.
    pub rows: HashSet<Var>,
}

/// One map.
#[derive(Clone)]
pub struct Level {
    pub width: Atom,
    pub groups: Vec<Group>,
}

/// An input, and what the lambda takes of it: the row, or the row's length and the row.
#[derive(Clone)]
pub struct Group {
    pub input: Var,
    pub params: Vec<Var>,
}

/// Where the value of a variable comes from that is bound in the lambda of a level. Levels count from 1.
#[derive(Clone)]
pub enum Home {
    Param {
        level: usize,
        group: usize,
    },
    Stored(Stored),
    /// A statement that whoever needs the value does again.
    Again {
        level: usize,
        at: u32,
        stm: Rc<Stm>,
        cost: u64,
    },
    /// It is computed by a statement that waits for others to share a nest with.
    Waiting,
    /// A certificate. Those of checks that have been done are not needed any more.
    Check,
}

/// An array outside, of which the values are the rows: as deep as their level.
#[derive(Clone, Copy)]
pub struct Stored {
    pub level: usize,
    pub array: Var,
    /// Nobody else has its memory.
    pub fresh: bool,
    pub at: u32,
}

/// All that a nest needs from around it.
#[derive(Default)]
pub struct Slice {
    /// Groups of parameters, by level and number.
    pub groups: BTreeSet<(usize, usize)>,
    /// Statements to do again, by level and place.
    pub again: BTreeMap<(usize, u32), Rc<Stm>>,
    pub loads: BTreeMap<Var, Stored>,
    /// Variables of statements that wait.
    pub waiting: BTreeSet<Var>,
    /// Certificates that something among it relies on.
    pub certs: BTreeSet<Var>,
}

impl Context {
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    pub fn home(&self, var: Var) -> Option<&Home> {
        self.homes.get(&var)
    }

    pub fn set(&mut self, var: Var, home: Home) {
        self.homes.insert(var, home);
    }

    /// It is bound outside, after all.
    pub fn forget(&mut self, var: Var) {
        self.homes.remove(&var);
    }

    /// Bound outside all levels, or a constant.
    pub fn is_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.homes.contains_key(&var))
    }

    /// Go into a map.
    pub fn push(&mut self, level: Level) {
        self.levels.push(level);
        let depth = self.levels.len();
        let groups = self.levels[depth - 1].groups.clone();
        for (number, group) in groups.into_iter().enumerate() {
            let home = Home::Param { level: depth, group: number };
            group.params.iter().for_each(|param| self.set(*param, home.clone()));
        }
    }

    /// The innermost map takes one more input, of scalars.
    pub fn add_input(&mut self, input: Var, param: Var) {
        let level = self.levels.len();
        if let Some(innermost) = self.levels.last_mut() {
            innermost.groups.push(Group { input, params: vec![param] });
            let group = innermost.groups.len() - 1;
            self.set(param, Home::Param { level, group });
        }
    }

    pub fn pop(&mut self) {
        self.levels.pop();
    }

    /// The array outside that an input is a part of, if all levels around take its rows and rows of these.
    pub fn whole_input(&self, level: usize, group: usize) -> Option<Var> {
        let input = self.levels[level - 1].groups[group].input;
        if level == 1 {
            return Some(input);
        }
        match self.homes.get(&input)? {
            Home::Param { level: outer, group }
                if *outer + 1 == level
                    && self.levels[outer - 1].groups[*group].params.last() == Some(&input) =>
            {
                self.whole_input(*outer, *group)
            }
            Home::Stored(stored) if stored.level + 1 == level => Some(stored.array),
            Home::Param { .. } | Home::Stored(_) | Home::Again { .. } | Home::Waiting | Home::Check => None,
        }
    }

    /// The dimensions of the levels: `?` for one whose width varies.
    pub fn dims(&self) -> Vec<Dim> {
        self.levels.iter().map(|level| self.dim(Dim::Size(level.width))).collect()
    }

    fn dim(&self, dim: Dim) -> Dim {
        match dim {
            Dim::Size(atom) if !self.is_outside(atom) => Dim::Irregular,
            Dim::Size(_) | Dim::Irregular | Dim::Result(_) => dim,
        }
    }

    /// The type of the array of all values of this type at the innermost level.
    pub fn all(&self, ty: &Type) -> Type {
        let mut dims = self.dims();
        dims.extend(ty.dims().iter().map(|dim| self.dim(*dim)));
        ty.with_dims(dims)
    }

    /// What these variables need. `given` are had otherwise.
    pub fn slice(&self, vars: &[VarInfo], roots: Vec<Var>, given: &HashSet<Var>) -> Slice {
        let mut slice = Slice::default();
        let mut seen: HashSet<Var> = given.clone();
        let mut work = roots;
        while let Some(var) = work.pop() {
            if !seen.insert(var) {
                continue;
            }
            match self.homes.get(&var) {
                None | Some(Home::Check) => {}
                Some(Home::Param { level, group }) => {
                    if slice.groups.insert((*level, *group)) {
                        let Group { input, params } = &self.levels[level - 1].groups[*group];
                        work.push(*input);
                        params.iter().for_each(|param| mentions::in_type(vars, *param, &mut work));
                    }
                }
                Some(Home::Stored(stored)) => {
                    slice.loads.insert(var, *stored);
                    work.extend(sizes_inside(vars, var));
                }
                Some(Home::Again { level, at, stm, cost: _ }) => {
                    if slice.again.insert((*level, *at), stm.clone()).is_none() {
                        mentions::in_stm(vars, stm, &mut work);
                        let mut certs = Vec::new();
                        mentions::certs(stm, &mut certs);
                        slice.certs.extend(certs);
                        seen.extend(&stm.vars);
                    }
                }
                Some(Home::Waiting) => {
                    slice.waiting.insert(var);
                    // It will be stored.
                    work.extend(sizes_inside(vars, var));
                }
            }
        }
        // What is bound again comes from there.
        let again: HashSet<Var> = slice.again.values().flat_map(|stm| stm.vars.clone()).collect();
        slice.loads.retain(|var, _| !again.contains(var));
        slice
    }
}

/// The sizes that a row needs: it comes with its own length.
fn sizes_inside(vars: &[VarInfo], var: Var) -> impl Iterator<Item = Var> {
    let inside = vars[var.0 as usize].ty.dims().iter().skip(1);
    inside.filter_map(|dim| dim.atom().and_then(Atom::var))
}

//! Classes of functions: which functions can reach a place where more than one can.
//!
//! Every place where known functions meet (the branches of an `if`, the parameters of a loop, the
//! elements of an array literal, the payload of a recursive type, the results of a recursive function) has a
//! class. Where values of two classes meet, the classes are united. A function that flows into a
//! class becomes a member of it, and a value of the class is a sum over its members: a tag, and
//! what the member has captured.
//!
//! A class has one member for each code. Where functions of one code come that have captured different
//! functions, what they have captured is a class in turn: the one that belongs to the code (0-CFA, but only
//! where it is needed). So there are only as many members as there are lambdas, and a continuation
//! that captures a continuation is a member of its own class.
//!
//! The members share columns: only one of them is there at a time, so parts that are represented alike
//! lie in one *slot* of the class (`Shape`). A class that has itself among its members' captures, or that would have
//! very many columns, is a recursive type instead: its values are refs.
//!
//! Members are found by lowering the program, but lowering needs to know them (they determine
//! columns). So the program is lowered again until nothing new is found; what was found in one
//! round is the layout of the next. From round to round classes only grow. Programs without such places are lowered once.

use crate::index::EnvId;
use crate::mono::Mono;
use crate::rep::{CodeKey, FnRep, Rep};
use indexmap::IndexSet;
use norn_check::types::TyId;
use norn_ir::nest::DataId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// The columns of a class that is not a recursive type: with more, passing values of it along costs more than
/// a cell for each.
const MAX_INLINE_COLUMNS: usize = 64;

/// How much a function that is known may know of others. Functions that call two functions that call two
/// others, and so on, know exponentially many.
const MAX_KNOWN_NODES: usize = 256;

/// How deep known functions may lie in each other: what knows a deep one has to take it apart level by level.
const MAX_KNOWN_DEPTH: usize = 12;

/// Of one code, how many functions are known that have captured different functions which have captured functions.
/// What is captured directly is written down in the program, but there may be exponentially many ways to combine it.
const MAX_VARIANTS: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// A place in the program: the same in every round.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A node of the typed tree, in an environment and with type arguments.
    Node(usize, EnvId, Rc<[(TyId, Mono)]>),
    Payload(DataId),
    /// What the functions of a class yield when they are given so many arguments.
    Result(ClassId, usize),
    /// What functions of one code have captured.
    Captures(Rc<CodeKey>),
}

/// How the values of a class are represented: a tag, then the slots.
#[derive(Default, Debug)]
pub struct Shape {
    pub members: Vec<Rc<FnRep>>,
    pub slots: Vec<Rep>,
    /// In which slots the leaves of each member lie.
    pub places: Vec<Vec<usize>>,
    columns: usize,
}

impl Shape {
    fn new(members: Vec<Rc<FnRep>>) -> Shape {
        let mut slots: Vec<Rep> = Vec::new();
        let mut places = Vec::new();
        for m in &members {
            let mut leaves = Vec::new();
            Rep::Fn(m.clone()).leaves(&mut leaves);
            let mut own: Vec<usize> = Vec::new();
            for leaf in leaves {
                let free = (0..slots.len()).find(|i| slots[*i] == leaf && !own.contains(i));
                own.push(free.unwrap_or_else(|| {
                    slots.push(leaf);
                    slots.len() - 1
                }));
            }
            places.push(own);
        }
        Shape { members, slots, places, columns: 0 }
    }

    /// How many columns a value has.
    pub fn columns(&self) -> usize {
        self.columns.max(1)
    }
}

type Members = IndexSet<Rc<FnRep>, FxBuildHasher>;

#[derive(Default)]
pub struct Classes {
    ids: FxHashMap<(Place, usize), ClassId>,
    /// Union-find.
    parent: Vec<ClassId>,
    /// What was found in this round and does not fit into the layout.
    found: Vec<Members>,
    /// What was found in the rounds before: what the columns are.
    layout: Vec<Rc<Shape>>,
    /// Classes whose values are refs, and what holds their cells.
    cells: FxHashMap<ClassId, DataId>,
    /// Classes to be united before the next round: within a round, columns do not change.
    pending: Vec<(ClassId, ClassId)>,
    /// The functions with captured functions that stay known, in all rounds.
    variants: FxHashMap<CodeKey, FxHashSet<Rc<FnRep>>>,
    /// The class that changed last in this round.
    changed: Option<ClassId>,
}

impl Classes {
    pub fn at(&mut self, place: &Place, part: usize) -> ClassId {
        let next = ClassId(self.parent.len() as u32);
        let id = *self.ids.entry((place.clone(), part)).or_insert(next);
        if id == next {
            self.parent.push(id);
            self.found.push(Members::default());
            self.layout.push(Rc::default());
        }
        self.find(id)
    }

    pub fn find(&self, mut id: ClassId) -> ClassId {
        while self.parent[id.0 as usize] != id {
            id = self.parent[id.0 as usize];
        }
        id
    }

    pub fn unite(&mut self, a: ClassId, b: ClassId) -> ClassId {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        self.pending.push((a, b));
        self.changed = Some(a.min(b));
        a.min(b)
    }

    fn unite_pending(&mut self) {
        for (a, b) in std::mem::take(&mut self.pending) {
            let (a, b) = (self.find(a), self.find(b));
            self.parent[a.max(b).0 as usize] = a.min(b);
        }
    }

    /// The member that a function is in the layout, with its number, if there is one that has room for what
    /// the function has captured.
    pub fn member(&mut self, class: ClassId, function: &Rc<FnRep>) -> Option<(usize, Rc<FnRep>)> {
        let class = self.find(class);
        let members = &self.layout[class.0 as usize].members;
        let known = members.iter().position(|m| m.same_code(function));
        match known.map(|at| (at, members[at].clone())) {
            Some((at, m)) if holds_all(&m, function) => Some((at, m)),
            Some(_) | None => {
                self.found[class.0 as usize].insert(function.clone());
                self.changed = Some(class);
                None
            }
        }
    }

    pub fn shape(&self, class: ClassId) -> Rc<Shape> {
        self.layout[self.find(class).0 as usize].clone()
    }

    pub fn cell(&self, class: ClassId) -> Option<DataId> {
        self.cells.get(&self.find(class)).copied()
    }

    /// Whether a function with what it has captured stays known. There is a bound for each code: otherwise there
    /// would be one function for each way through the program.
    pub fn stays_known(&mut self, f: &FnRep) -> bool {
        if !f.is_smaller_than(MAX_KNOWN_NODES) || f.parts().any(|r| r.nests(MAX_KNOWN_DEPTH)) {
            return false;
        }
        if !f.parts().any(|r| r.nests(2)) {
            return true;
        }
        let f = f.map(&mut |r| self.canonical(r));
        let known = self.variants.entry(f.key()).or_default();
        known.contains(&f) || (known.len() < MAX_VARIANTS && known.insert(Rc::new(f)))
    }

    /// The functions of a class that is not settled yet.
    pub fn unsettled(&self) -> Option<Vec<Rc<FnRep>>> {
        let class = self.find(self.changed?).0 as usize;
        Some(self.found[class].iter().chain(&self.layout[class].members).cloned().collect())
    }

    /// Prepare the next round; whether one is needed.
    pub fn next_round(&mut self, new_data: &mut dyn FnMut(ClassId) -> DataId) -> bool {
        if self.changed.take().is_none() {
            return false;
        }
        let members = self.grown_members();
        self.found = vec![Members::default(); self.parent.len()];
        self.layout =
            members.into_iter().map(|members| Rc::new(Shape { members, ..Shape::default() })).collect();
        let roots: Vec<ClassId> =
            (0..self.parent.len() as u32).map(ClassId).filter(|c| self.find(*c) == *c).collect();
        for class in &roots {
            if !self.cells.contains_key(class) && self.reaches(*class, *class, &mut FxHashSet::default()) {
                self.cells.insert(*class, new_data(*class));
            }
        }
        for class in roots {
            self.settle(class, new_data);
        }
        true
    }

    /// The members of all classes, one for each code.
    fn grown_members(&mut self) -> Vec<Vec<Rc<FnRep>>> {
        let mut all: Vec<(ClassId, Rc<FnRep>)> = Vec::new();
        for (i, (shape, found)) in self.layout.iter().zip(&self.found).enumerate() {
            all.extend(shape.members.iter().chain(found).map(|m| (ClassId(i as u32), m.clone())));
        }
        loop {
            self.unite_pending();
            let mut members: Vec<Vec<Rc<FnRep>>> = vec![Vec::new(); self.parent.len()];
            for (class, m) in &all {
                let class = self.find(*class).0 as usize;
                let m = m.map(&mut |r| self.canonical(r));
                match members[class].iter().position(|known| known.same_code(&m)) {
                    Some(at) if *members[class][at] == m => {}
                    Some(at) => members[class][at] = self.both(&members[class][at].clone(), &m),
                    None => members[class].push(Rc::new(m)),
                }
            }
            if self.pending.is_empty() {
                self.changed = None;
                members.resize(self.parent.len(), Vec::new());
                return members;
            }
        }
    }

    /// Two functions of one code as one.
    fn both(&mut self, f: &FnRep, g: &FnRep) -> Rc<FnRep> {
        let place = Place::Captures(Rc::new(f.key()));
        let mut others = g.parts();
        let mut part = 0;
        Rc::new(f.map(&mut |r| match others.next() {
            Some(other) => self.join(r, other, &place, &mut part),
            None => r.clone(),
        }))
    }

    /// A representation that values of both can be converted to.
    pub fn join(&mut self, a: &Rep, b: &Rep, place: &Place, part: &mut usize) -> Rep {
        match (a, b) {
            (Rep::Record(xs), Rep::Record(ys)) => Rep::Record(
                xs.iter().zip(ys.iter()).map(|((f, x), (_, y))| (*f, self.join(x, y, place, part))).collect(),
            ),
            (Rep::Sum(x), Rep::Sum(y)) => {
                let mut others = y.slots.iter();
                Rep::Sum(x.map(&mut |r| match others.next() {
                    Some(other) => self.join(r, other, place, part),
                    None => r.clone(),
                }))
            }
            (Rep::Array(i, x), Rep::Array(j, y)) => {
                Rep::Array(*i || *j, Rc::new(self.join(x, y, place, part)))
            }
            (Rep::Acc(x), Rep::Acc(y)) => Rep::Acc(Rc::new(self.join(x, y, place, part))),
            (Rep::Dyn(c), Rep::Dyn(d)) => {
                *part += 1;
                Rep::Dyn(self.unite(*c, *d))
            }
            (Rep::Dyn(c), Rep::Fn(_)) | (Rep::Fn(_), Rep::Dyn(c)) => {
                *part += 1;
                Rep::Dyn(self.find(*c))
            }
            (Rep::Fn(f), Rep::Fn(g)) => {
                *part += 1;
                let at = *part - 1;
                if f == g {
                    return a.clone();
                }
                if f.same_code(g) {
                    let mut others = g.parts();
                    let joined = f.map(&mut |r| match others.next() {
                        Some(other) => self.join(r, other, place, part),
                        None => r.clone(),
                    });
                    return Rep::Fn(Rc::new(joined));
                }
                Rep::Dyn(self.at(place, at))
            }
            _ => a.clone(),
        }
    }

    /// Decide on the columns of a class, after those of the classes inside; returns how many there are. Classes that contain
    /// themselves have cells already.
    fn settle(&mut self, class: ClassId, new_data: &mut dyn FnMut(ClassId) -> DataId) -> usize {
        let at = class.0 as usize;
        if self.cells.contains_key(&class) {
            return 1;
        }
        if self.layout[at].columns > 0 {
            return self.layout[at].columns;
        }
        let mut shape = Shape::new(self.layout[at].members.clone());
        let slots: usize = shape.slots.iter().map(|r| self.columns(r, new_data)).sum();
        shape.columns = 1 + slots;
        if shape.columns > MAX_INLINE_COLUMNS && !shape.slots.iter().any(Rep::has_acc) {
            self.cells.insert(class, new_data(class));
            return 1;
        }
        let columns = shape.columns;
        self.layout[at] = Rc::new(shape);
        columns
    }

    fn columns(&mut self, r: &Rep, new_data: &mut dyn FnMut(ClassId) -> DataId) -> usize {
        match r {
            Rep::Prim(_) | Rep::Data(_) | Rep::Acc(_) => 1,
            Rep::Record(fields) if fields.is_empty() => 1,
            Rep::Record(fields) => fields.iter().map(|(_, r)| self.columns(r, new_data)).sum(),
            Rep::Sum(sum) => 1 + sum.slots.iter().map(|r| self.columns(r, new_data)).sum::<usize>(),
            Rep::Array(_, elem) => self.columns(elem, new_data),
            Rep::Fn(f) => f.holes + f.parts().map(|r| self.columns(r, new_data)).sum::<usize>(),
            Rep::Dyn(c) => self.settle(self.find(*c), new_data),
        }
    }

    /// With the representatives of classes.
    pub fn canonical(&self, r: &Rep) -> Rep {
        match r {
            Rep::Prim(_) | Rep::Data(_) => r.clone(),
            Rep::Record(fields) => Rep::Record(fields.iter().map(|(f, r)| (*f, self.canonical(r))).collect()),
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut |r| self.canonical(r))),
            Rep::Array(irregular, elem) => Rep::Array(*irregular, Rc::new(self.canonical(elem))),
            Rep::Acc(elem) => Rep::Acc(Rc::new(self.canonical(elem))),
            Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut |r| self.canonical(r)))),
            Rep::Dyn(c) => Rep::Dyn(self.find(*c)),
        }
    }

    /// Whether values of class `from` contain values of class `to`.
    fn reaches(&self, from: ClassId, to: ClassId, seen: &mut FxHashSet<ClassId>) -> bool {
        seen.insert(from)
            && self.layout[from.0 as usize]
                .members
                .iter()
                .any(|m| m.parts().any(|r| self.rep_reaches(r, to, seen)))
    }

    fn rep_reaches(&self, r: &Rep, to: ClassId, seen: &mut FxHashSet<ClassId>) -> bool {
        match r {
            // Cells of recursive types are behind refs already.
            Rep::Prim(_) | Rep::Data(_) => false,
            Rep::Record(fields) => fields.iter().any(|(_, r)| self.rep_reaches(r, to, seen)),
            Rep::Sum(sum) => sum.slots.iter().any(|r| self.rep_reaches(r, to, seen)),
            Rep::Array(_, elem) | Rep::Acc(elem) => self.rep_reaches(elem, to, seen),
            Rep::Fn(f) => f.parts().any(|r| self.rep_reaches(r, to, seen)),
            Rep::Dyn(c) => {
                let c = self.find(*c);
                c == to || self.reaches(c, to, seen)
            }
        }
    }
}

/// Whether a member can hold what a function of its code has captured.
fn holds_all(member: &FnRep, function: &FnRep) -> bool {
    member.parts().zip(function.parts()).all(|(m, r)| holds(m, r))
}

fn holds(member: &Rep, r: &Rep) -> bool {
    match (member, r) {
        // Two classes are united where the value is converted.
        (Rep::Dyn(_), Rep::Fn(_) | Rep::Dyn(_)) => true,
        (Rep::Fn(f), Rep::Fn(g)) => f.same_code(g) && holds_all(f, g),
        (Rep::Record(xs), Rep::Record(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|((_, x), (_, y))| holds(x, y))
        }
        (Rep::Sum(x), Rep::Sum(y)) => {
            x.constrs == y.constrs && x.slots.iter().zip(&y.slots).all(|(x, y)| holds(x, y))
        }
        (Rep::Array(i, x), Rep::Array(j, y)) => (*i || !*j) && holds(x, y),
        (Rep::Acc(x), Rep::Acc(y)) => holds(x, y),
        _ => member == r,
    }
}

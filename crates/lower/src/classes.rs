//! Classes of functions: which functions can reach a place where more than one can.
//!
//! Every place where known functions meet (the branches of an `if`, the parameters of a loop, the
//! elements of an array literal, the payload of a recursive type, the results of a recursive function) has a
//! class. Where values of two classes meet, the classes are united. A function that flows into a
//! class becomes a member of it, and a value of the class is a sum over its members: a tag, and
//! what each member has captured. A class that has itself among its members' captures is a
//! recursive type instead: its values are refs.
//!
//! Members are found by lowering the program, but lowering needs to know them (they determine
//! columns). So the program is lowered again until nothing new is found; what was found in one
//! round is the layout of the next. Programs without such places are lowered once.

use crate::index::EnvId;
use crate::mono::Mono;
use crate::rep::{FnRep, Rep};
use indexmap::IndexSet;
use norn_check::types::TyId;
use norn_ir::nest::DataId;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

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
}

type Members = IndexSet<Rc<FnRep>, FxBuildHasher>;

#[derive(Default)]
pub struct Classes {
    ids: FxHashMap<(Place, usize), ClassId>,
    /// Union-find.
    parent: Vec<ClassId>,
    /// Those found in this round.
    found: Vec<Members>,
    /// Those of the round before: what the columns are.
    layout: Vec<Members>,
    /// Classes whose values contain values of the class itself, and what holds their cells.
    recursive: FxHashMap<ClassId, DataId>,
    /// Classes to be united before the next round: within a round, columns do not change.
    pending: Vec<(ClassId, ClassId)>,
    changed: bool,
}

impl Classes {
    pub fn at(&mut self, place: &Place, part: usize) -> ClassId {
        let next = ClassId(self.parent.len() as u32);
        let id = *self.ids.entry((place.clone(), part)).or_insert(next);
        if id == next {
            self.parent.push(id);
            self.found.push(Members::default());
            self.layout.push(Members::default());
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
        self.changed = true;
        a.min(b)
    }

    fn unite_pending(&mut self) {
        for (a, b) in std::mem::take(&mut self.pending) {
            let (a, b) = (self.find(a), self.find(b));
            if a != b {
                let (a, b) = (a.min(b), a.max(b));
                self.parent[b.0 as usize] = a;
                let moved = std::mem::take(&mut self.found[b.0 as usize]);
                self.found[a.0 as usize].extend(moved);
            }
        }
    }

    /// The number of a member in the layout, if it was there in the round before.
    pub fn member(&mut self, class: ClassId, function: &Rc<FnRep>) -> Option<usize> {
        let class = self.find(class);
        self.found[class.0 as usize].insert(function.clone());
        let known = self.layout[class.0 as usize].get_index_of(function);
        self.changed |= known.is_none();
        known
    }

    pub fn members(&self, class: ClassId) -> Vec<Rc<FnRep>> {
        self.layout[self.find(class).0 as usize].iter().cloned().collect()
    }

    pub fn cell(&self, class: ClassId) -> Option<DataId> {
        self.recursive.get(&self.find(class)).copied()
    }

    /// Prepare the next round; whether one is needed.
    pub fn next_round(&mut self, mut new_data: impl FnMut(ClassId) -> DataId) -> bool {
        if !std::mem::take(&mut self.changed) {
            return false;
        }
        self.unite_pending();
        let found = std::mem::take(&mut self.found);
        self.found = vec![Members::default(); self.parent.len()];
        self.layout = vec![Members::default(); self.parent.len()];
        for (i, members) in found.into_iter().enumerate() {
            let class = self.find(ClassId(i as u32));
            for m in members {
                let canonical = Rc::new(m.map(&mut |r| self.canonical(r)));
                self.layout[class.0 as usize].insert(canonical);
            }
        }
        for i in 0..self.parent.len() {
            let class = ClassId(i as u32);
            if self.find(class) == class
                && !self.recursive.contains_key(&class)
                && self.reaches(class, class, &mut Vec::new())
            {
                self.recursive.insert(class, new_data(class));
            }
        }
        true
    }

    /// With the representatives of classes.
    pub fn canonical(&self, r: &Rep) -> Rep {
        match r {
            Rep::Prim(_) | Rep::Data(_) => r.clone(),
            Rep::Record(fields) => Rep::Record(fields.iter().map(|(f, r)| (*f, self.canonical(r))).collect()),
            Rep::Sum(cs) => Rep::Sum(
                cs.iter().map(|(c, rs)| (*c, rs.iter().map(|r| self.canonical(r)).collect())).collect(),
            ),
            Rep::Array(irregular, elem) => Rep::Array(*irregular, Rc::new(self.canonical(elem))),
            Rep::Acc(elem) => Rep::Acc(Rc::new(self.canonical(elem))),
            Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut |r| self.canonical(r)))),
            Rep::Dyn(c) => Rep::Dyn(self.find(*c)),
        }
    }

    /// Whether values of class `from` contain values of class `to`.
    fn reaches(&self, from: ClassId, to: ClassId, seen: &mut Vec<ClassId>) -> bool {
        if seen.contains(&from) {
            return false;
        }
        seen.push(from);
        self.layout[from.0 as usize].iter().any(|m| m.parts().any(|r| self.rep_reaches(r, to, seen)))
    }

    fn rep_reaches(&self, r: &Rep, to: ClassId, seen: &mut Vec<ClassId>) -> bool {
        match r {
            // Cells of recursive types are behind refs already.
            Rep::Prim(_) | Rep::Data(_) => false,
            Rep::Record(fields) => fields.iter().any(|(_, r)| self.rep_reaches(r, to, seen)),
            Rep::Sum(cs) => cs.iter().any(|(_, rs)| rs.iter().any(|r| self.rep_reaches(r, to, seen))),
            Rep::Array(_, elem) | Rep::Acc(elem) => self.rep_reaches(elem, to, seen),
            Rep::Fn(f) => f.parts().any(|r| self.rep_reaches(r, to, seen)),
            Rep::Dyn(c) => {
                let c = self.find(*c);
                c == to || self.reaches(c, to, seen)
            }
        }
    }
}

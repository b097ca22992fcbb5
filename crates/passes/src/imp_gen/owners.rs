//! Who releases which block, and when.
//!
//! Whoever makes a block, or is handed one, owns it: an *owner* stands for that duty. All variables whose
//! memory the block is are its members. The body whose owner it is releases the block after the statement with the last
//! use of any member; a body that yields the memory hands the duty on.
//!
//! Where a branch is the last statement that uses a block, the duty goes into the branches: each may then hand it on, and
//! an array that is updated in one branch and passed on in the other is never counted.

use norn_ir::imp::Exp;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, Lambda, LoopForm, Stm, Var};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnerId(usize);

#[derive(Default)]
pub struct Owners {
    owners: Vec<Owner>,
    scopes: Vec<Scope>,
}

struct Owner {
    block: Exp,
    members: Vec<Var>,
    /// The scope that has the duty, by its depth.
    depth: usize,
    /// The last statement of that scope that uses a member.
    last: usize,
    /// Somebody has to release it.
    pending: bool,
}

struct Scope {
    last_use: FxHashMap<Var, usize>,
    /// The statement that is being translated.
    at: usize,
    owned: Vec<OwnerId>,
    regions: Vec<Exp>,
}

/// A use after all statements: a result of the body.
const RESULT: usize = usize::MAX;

impl Owners {
    pub fn enter(&mut self, body: &Body) {
        self.scopes.push(Scope { last_use: last_uses(body), at: 0, owned: Vec::new(), regions: Vec::new() });
    }

    /// The statements that follow are not of the scope's body, and nothing in it is released by them.
    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The region ends with the open scope.
    pub fn add_region(&mut self, region: Exp) {
        self.scope().regions.push(region);
    }

    /// The regions that end with the open scope, the last one first.
    pub fn end_regions(&mut self) -> Vec<Exp> {
        self.scope().regions.drain(..).rev().collect()
    }

    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("imp_gen: an owner outside of all bodies")
    }

    pub fn begin_statement(&mut self, at: usize) {
        self.scope().at = at;
    }

    /// The scope that is open has to release this block, for now after the current statement.
    pub fn own(&mut self, block: Exp) -> OwnerId {
        let id = OwnerId(self.owners.len());
        let (depth, at) = (self.depth(), self.scope().at);
        self.owners.push(Owner { block, members: Vec::new(), depth, last: at, pending: true });
        self.scope().owned.push(id);
        id
    }

    /// The memory of this variable is the owner's.
    pub fn join(&mut self, id: OwnerId, var: Var) {
        let depth = self.depth();
        let Some(last) = self.scope().last_use.get(&var).copied() else { return };
        let owner = &mut self.owners[id.0];
        if owner.depth == depth && !owner.members.contains(&var) {
            owner.members.push(var);
            owner.last = owner.last.max(last);
        }
    }

    /// The duty of the open scope, if it is its and nobody has taken it, is the caller's from now on.
    pub fn take(&mut self, id: OwnerId) -> bool {
        let depth = self.depth();
        let owner = &mut self.owners[id.0];
        let ours = owner.pending && owner.depth == depth;
        if ours {
            owner.pending = false;
        }
        ours
    }

    /// As `take`, unless a member is used after the current statement, or is one of these.
    pub fn take_dying(&mut self, id: OwnerId, used: &FxHashSet<Var>) -> bool {
        let at = self.scope().at;
        let owner = &self.owners[id.0];
        let needed = owner.last > at || owner.members.iter().any(|var| used.contains(var));
        !needed && self.take(id)
    }

    /// Whether the open scope has the duty, and no member is used after the current statement.
    pub fn is_last_use(&mut self, id: OwnerId) -> bool {
        let (depth, at) = (self.depth(), self.scope().at);
        let owner = &self.owners[id.0];
        owner.pending && owner.depth == depth && owner.last <= at
    }

    /// The blocks to release after the current statement.
    pub fn end_statement(&mut self) -> Vec<Exp> {
        let at = self.scope().at;
        self.end(|owner| owner.last <= at)
    }

    /// The blocks to release before the first statement: those that were handed in and are not used.
    pub fn begin_body(&mut self) -> Vec<Exp> {
        self.end(|owner| owner.last == 0 && owner.members.is_empty())
    }

    /// The blocks to release after the body.
    pub fn end_body(&mut self) -> Vec<Exp> {
        self.end(|_| true)
    }

    fn end(&mut self, over: impl Fn(&Owner) -> bool) -> Vec<Exp> {
        let depth = self.depth();
        let owners = &mut self.owners;
        let mut released = Vec::new();
        self.scopes.last_mut().expect("imp_gen: no body is open").owned.retain(|id| {
            let owner = &mut owners[id.0];
            let ours = owner.pending && owner.depth == depth;
            if ours && over(owner) {
                owner.pending = false;
                released.push(owner.block.clone());
            }
            owner.pending && owner.depth == depth
        });
        released
    }

    /// The owners whose last use is the current statement: its branches may take the duty over.
    pub fn dying(&mut self) -> Vec<OwnerId> {
        let depth = self.depth();
        let at = self.scope().at;
        let owned = self.scope().owned.clone();
        let dies = |id: &OwnerId| {
            let owner = &self.owners[id.0];
            owner.pending && owner.depth == depth && owner.last <= at
        };
        owned.into_iter().filter(dies).collect()
    }

    /// The open scope, that of a branch, takes over the duty of the one around it. The same owners may be handed to several
    /// branches, one after the other.
    pub fn hand_in(&mut self, ids: &[OwnerId]) {
        let depth = self.depth();
        for id in ids {
            let scope = self.scopes.last_mut().expect("imp_gen: no branch is open");
            let owner = &mut self.owners[id.0];
            let uses = owner.members.iter().filter_map(|var| scope.last_use.get(var).copied());
            let uses: Vec<usize> = uses.collect();
            owner.depth = depth;
            owner.pending = true;
            owner.last = uses.iter().copied().max().unwrap_or(0);
            if uses.is_empty() {
                owner.members.clear();
            }
            scope.owned.push(*id);
        }
    }

    /// After the branches: what was handed in is done with.
    pub fn handed(&mut self, ids: &[OwnerId]) {
        ids.iter().for_each(|id| self.owners[id.0].pending = false);
    }

    /// The members, to be given back after each of several branches.
    pub fn members(&self, ids: &[OwnerId]) -> Vec<Vec<Var>> {
        ids.iter().map(|id| self.owners[id.0].members.clone()).collect()
    }

    pub fn set_members(&mut self, ids: &[OwnerId], members: &[Vec<Var>]) {
        for (id, members) in ids.iter().zip(members) {
            self.owners[id.0].members.clone_from(members);
        }
    }
}

/// For each variable the last statement of the body, by its number, that mentions it.
fn last_uses(body: &Body) -> FxHashMap<Var, usize> {
    let mut uses = FxHashMap::default();
    for (at, stm) in body.stms.iter().enumerate() {
        uses_of_stm(stm, &mut |var| {
            uses.insert(var, at);
        });
    }
    for atom in &body.result {
        if let Atom::Var(var) = atom {
            uses.insert(*var, RESULT);
        }
    }
    uses
}

/// Every variable that the statement mentions, in its bodies too.
pub fn uses_of_stm(stm: &Stm, f: &mut dyn FnMut(Var)) {
    stm.for_each_part(&mut |part| uses_of_part(part, f));
}

pub fn uses_of_part(part: Part, f: &mut dyn FnMut(Var)) {
    match part {
        Part::Atom(Atom::Var(var)) | Part::Var(var) => f(*var),
        Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        Part::Body(body) => uses_of_body(body, f),
        Part::Lambda(lambda) => uses_of_lambda(lambda, f),
    }
}

pub fn uses_of_lambda(lambda: &Lambda, f: &mut dyn FnMut(Var)) {
    uses_of_body(&lambda.body, f);
}

pub fn uses_of_body(body: &Body, f: &mut dyn FnMut(Var)) {
    body.stms.iter().for_each(|stm| uses_of_stm(stm, f));
    body.result.iter().filter_map(|atom| atom.var()).for_each(f);
}

/// Every variable that a loop mentions inside.
pub fn used_in_loop(form: &LoopForm, body: &Body) -> FxHashSet<Var> {
    let mut used = FxHashSet::default();
    let mut bodies = vec![body];
    if let LoopForm::While(cond) = form {
        bodies.push(cond);
    }
    for body in bodies {
        uses_of_body(body, &mut |var| {
            used.insert(var);
        });
    }
    used
}

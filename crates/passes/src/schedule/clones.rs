//! Functions that are called where everything is sequential: each has one sequential version, made when it is first
//! needed.

use super::work::FunWork;
use norn_ir::nest::FunId;

pub struct Clones {
    /// Of each function that has something to run in parallel: its sequential version.
    of: Vec<Option<FunId>>,
    parallel: Vec<bool>,
    /// Functions whose versions were requested, in order; these versions follow the functions of the program in this order.
    requested: Vec<FunId>,
    made: usize,
}

impl Clones {
    pub fn new(table: &[FunWork]) -> Clones {
        Clones {
            of: vec![None; table.len()],
            parallel: table.iter().map(|work| work.parallel).collect(),
            requested: Vec::new(),
            made: 0,
        }
    }

    /// The sequential version of a function.
    pub fn of(&mut self, fun: FunId) -> FunId {
        let index = fun.0 as usize;
        if !self.parallel[index] {
            return fun;
        }
        let next = FunId((self.of.len() + self.requested.len()) as u32);
        *self.of[index].get_or_insert_with(|| {
            self.requested.push(fun);
            next
        })
    }

    /// The next function whose version is to be made.
    pub fn next(&mut self) -> Option<FunId> {
        let next = self.requested.get(self.made).copied();
        self.made += usize::from(next.is_some());
        next
    }
}

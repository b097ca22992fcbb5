//! Memory of a group, and when its threads have to wait for each other.
//!
//! Arrays lie one behind the other. What a body has taken is free again at its end: branches and iterations yield arrays in places that
//! were taken before them. All sizes are known to the host, which knows from them how much a launch needs.
//!
//! After something was written all threads meet, so that whoever reads comes later. Whoever overwrites something has to come after
//! those who read it: elements are read by all threads also where nobody writes, and that is noted.

use crate::imp_gen::repr::Part;
use crate::imp_gen::state::Gen;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, Prim, Type, Var as ImpVar};

const U8: Elem = Elem::Prim(Prim::U8);
const I64: Elem = Elem::Prim(Prim::I64);
/// Arrays begin at multiples of this.
const ALIGNED: i64 = 16;

pub struct Pool {
    pub base: ImpVar,
    /// How many bytes are taken.
    top: ImpVar,
    /// Stands for what keeps its memory alive.
    block: ImpVar,
    /// Of everything that is ever taken.
    pub sizes: Vec<Exp>,
    /// Arrays of fixed sizes, for operators.
    pub arrays: Vec<GroupArray>,
    /// Those of them that no operator has now.
    free: Vec<GroupArray>,
    /// Threads may have read what others have not yet.
    has_read: bool,
    /// Where threads record that they have failed, if that is needed.
    pub failed: Option<ImpVar>,
}

impl Pool {
    pub fn new(code: &mut CodeBuilder) -> Pool {
        let base = code.new_var("pool", Type::Ptr(U8));
        let top = code.new_i64("top");
        let block = code.new_var("lasting", Type::Block);
        code.set(block, Exp::null_block());
        code.set(top, 0);
        let (sizes, arrays, free) = (Vec::new(), Vec::new(), Vec::new());
        Pool { base, top, block, sizes, arrays, free, has_read: false, failed: None }
    }
}

impl Gen<'_> {
    fn pool(&mut self) -> &mut Pool {
        self.pool.as_mut().expect("imp_gen: a group without a pool")
    }

    pub fn empty_pool(&mut self) {
        let top = self.pool().top;
        self.code.set(top, 0);
    }

    /// Memory for so many bytes.
    pub fn take_from_pool(&mut self, name: &str, prim: Prim, bytes: Exp) -> Part {
        let rounded = Exp::bin(BinOp::And, Prim::I64, bytes.add(ALIGNED - 1), Exp::i64(-ALIGNED));
        let pool = self.pool();
        let (base, top, block) = (pool.base, pool.top, pool.block);
        pool.sizes.push(rounded.clone());
        let at = Exp::Offset { elem: U8, ptr: Box::new(base.into()), index: Box::new(top.into()) };
        let ptr = self.code.bind(name, Exp::Cast(Elem::Prim(prim), Box::new(at)));
        self.code.set(top, Exp::Var(top).add(rounded));
        let owner = self.owners.own(Exp::null_block());
        Part { ptr: ptr.into(), block: block.into(), owner: Some(owner) }
    }

    /// How much is taken now.
    pub fn mark(&mut self) -> ImpVar {
        let top = self.pool().top;
        self.code.bind("mark", top)
    }

    /// What was taken since is free.
    pub fn free_from(&mut self, mark: ImpVar) {
        let top = self.pool().top;
        self.code.set(top, mark);
    }

    /// All threads read something.
    pub fn note_read(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.has_read = true;
        }
    }

    /// Before something is overwritten.
    pub fn before_overwriting(&mut self) {
        if self.pool().has_read {
            self.meet();
        }
    }

    pub fn meet(&mut self) {
        self.barrier();
        self.pool().has_read = false;
    }

    /// A loop that ends when something holds must end for threads that have failed, too: what they go on with may never be enough. So whoever fails
    /// leaves word of it, and the group asks for that before each iteration.
    pub fn expect_failures(&mut self, arrays: &mut Vec<GroupArray>) {
        let failed = self.shared_array(arrays, "failed", Prim::I64, 1);
        self.by_one_thread(&mut |this| this.code.store(I64, failed, 0, 0));
        self.barrier();
        self.pool().failed = Some(failed);
    }

    /// Whether no thread has failed, as all of them see it.
    pub fn is_fine(&mut self) -> Option<Exp> {
        let failed = self.pool().failed?;
        let fine = Exp::load(I64, failed, 0).eq(0);
        let fine = self.code.bind("fine", fine);
        // No thread may fail in the next iteration while others still read the flag.
        self.barrier();
        Some(fine.into())
    }

    /// An array of a fixed size that no operator has now, if there is one.
    pub fn shared_again(&mut self, prim: Prim, count: i64) -> Option<ImpVar> {
        let ty = Type::Local(Elem::Prim(prim));
        let pool = self.pool.as_mut()?;
        let fits = |array: &GroupArray| self.code.var_ty(array.var) == ty && i64::from(array.count) >= count;
        let at = pool.free.iter().position(fits)?;
        Some(pool.free.swap_remove(at).var)
    }

    /// An operator has ended, and with it the use of these and all others.
    pub fn end_group_operator(&mut self, arrays: Vec<GroupArray>) {
        let pool = self.pool();
        pool.arrays.extend(arrays);
        pool.free = pool.arrays.clone();
    }
}

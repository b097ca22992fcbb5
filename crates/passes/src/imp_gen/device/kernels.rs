//! Group kernels: what they capture, and how they are launched.
//!
//! A kernel is made by a closure that writes its code with a builder of its own. Variables of the host that it mentions cross the border
//! (`GroupBorder`): a number or a pointer becomes a parameter, once, and parameters that turn out to be unused are removed. Blocks do not cross: the
//! host keeps alive what a kernel borrows. Equal kernels are shared.
//!
//! The number of groups of a launch is computed by the host (`groups_for`, `groups_apart`). A launch of no groups does nothing, so a choice between
//! kernels by sizes is a launch of each, all but one of them empty. Threads loop over what is left (`each_apart`), so a kernel is right for any number of groups.

use super::GROUP;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::{Gen, Output, Where};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::walk::{Part, for_each_stmt, holds};
use norn_ir::imp::{
    Block, DeviceStmt, Elem, Exp, GroupArray, GroupExp, GroupKernel, GroupKernelId, GroupStmt, LoopForm,
    Prim, Reach, Stmt, Type, Var as ImpVar,
};
use norn_ir::nest::{Body, Var};
use rustc_hash::{FxHashMap, FxHashSet};

const I64: Elem = Elem::Prim(Prim::I64);

/// How many elements a thread has if there are many, and for how many times the groups that run at once there are elements then.
const FEW_EACH: i64 = 4;
const WAVES: i64 = 8;

/// A kernel in the making: what of the host's variables it takes, and the arrays it has.
pub struct GroupBorder {
    outside: Vec<Exp>,
    inside: Vec<ImpVar>,
    by_outside: FxHashMap<ImpVar, ImpVar>,
    /// Stands for all blocks of the host: what a kernel borrows outlives it.
    lasting: ImpVar,
    /// Scalars that the host does not know, which a kernel loads before all else.
    loaded: FxHashSet<ImpVar>,
}

impl GroupBorder {
    fn cross(&mut self, exp: &mut Exp, outside: &CodeBuilder, inside: &mut CodeBuilder) {
        if let Exp::Null(ty) = exp {
            *ty = of_device(*ty);
            return;
        }
        let Exp::Var(var) = *exp else { return };
        let ty = outside.var_ty(var);
        if ty == Type::Block {
            *exp = self.lasting.into();
            return;
        }
        let param = *self.by_outside.entry(var).or_insert_with(|| {
            let param = inside.new_var(outside.name(var), of_device(ty));
            self.outside.push(var.into());
            self.inside.push(param);
            param
        });
        *exp = Exp::Var(param);
    }
}

impl GroupBorder {
    /// Captures all that the code might use.
    fn forget_unused(&mut self, body: &mut Block) {
        let used_in = |body: &Block| {
            let mut used = FxHashSet::default();
            for_each_stmt(body, &mut |stmt| {
                stmt.for_each_part(&mut |part| match part {
                    Part::Exp(exp) => exp.for_each_var(&mut |var| {
                        used.insert(var);
                    }),
                    Part::Assigned(_) | Part::Block(_) | Part::Accumulator(_) => {}
                });
            });
            used
        };
        let mut used = used_in(body);
        if self.loaded.iter().any(|var| !used.contains(var)) {
            let in_vain = |var: &ImpVar| self.loaded.contains(var) && !used.contains(var);
            body.retain(|stmt| !matches!(stmt, Stmt::Set(var, _) if in_vain(var)));
            used = used_in(body);
        }
        let kept = |var: &ImpVar| used.contains(var);
        let outside = std::mem::take(&mut self.outside);
        self.outside =
            outside.into_iter().zip(&self.inside).filter(|(_, var)| kept(var)).map(|(arg, _)| arg).collect();
        self.inside.retain(kept);
    }
}

/// What a remote pointer is on the device.
fn of_device(ty: Type) -> Type {
    match ty {
        Type::Remote(elem) => Type::Ptr(elem),
        Type::Scalar(_) | Type::Vector(..) | Type::Ptr(_) | Type::Local(_) | Type::Block | Type::Region => ty,
    }
}

/// A kernel that is not launched yet.
pub struct MadeKernel {
    pub kernel: GroupKernelId,
    /// What is passed to it.
    pub args: Vec<Exp>,
    /// What it reads and writes by some of these.
    pub reaches: Vec<Reach>,
    /// Of its variables that came from outside, those of the host.
    pub outside: FxHashMap<ImpVar, ImpVar>,
}

/// Makes the code of a kernel, which may have arrays, from what it was handed.
pub type MakeGroup<'a, 'g> = dyn FnMut(&mut Gen<'g>, &mut Vec<GroupArray>, Vec<Repr>) + 'a;

impl<'g> Gen<'g> {
    /// A group kernel, made by `make`, which can use the captured variables and gets the values of `extra` inside; launched with
    /// so many groups.
    pub fn launch_groups(
        &mut self,
        name: &str,
        captured: &[Var],
        extra: &[Repr],
        groups: Exp,
        make: &mut MakeGroup<'_, 'g>,
    ) {
        let made = self.group_kernel(name, captured, extra, make);
        self.launch_kernel(name, made, groups);
    }

    /// The same for kernels that go on behind what all groups have done. If their threads allocate, there are no more of these than can run
    /// at once: each keeps what it has allocated for its next elements.
    pub fn launch_looping_groups(
        &mut self,
        name: &str,
        captured: &[Var],
        extra: &[Repr],
        groups: Exp,
        make: &mut MakeGroup<'_, 'g>,
    ) {
        let made = self.group_kernel(name, captured, extra, make);
        let allocates = holds(&self.out.group_kernels[made.kernel.0 as usize].body, Stmt::takes_memory);
        let groups = if allocates { groups.min(Exp::DeviceGroups) } else { groups };
        self.launch_kernel(name, made, groups);
    }

    pub fn launch_kernel(&mut self, name: &str, made: MadeKernel, groups: Exp) {
        let MadeKernel { kernel, args, reaches, .. } = made;
        let site = self.operator_site(name);
        self.code.push(Stmt::Device(DeviceStmt::Launch { kernel, args, reaches, groups, site }));
    }

    pub fn group_kernel(
        &mut self,
        name: &str,
        captured: &[Var],
        extra: &[Repr],
        make: &mut MakeGroup<'_, 'g>,
    ) -> MadeKernel {
        let mut inside = CodeBuilder::new();
        let lasting = inside.new_var("lasting", Type::Block);
        inside.set(lasting, Exp::null_block());
        let mut border = GroupBorder {
            outside: Vec::new(),
            inside: Vec::new(),
            by_outside: FxHashMap::default(),
            lasting,
            loaded: FxHashSet::default(),
        };
        let mut env = FxHashMap::default();
        for var in captured {
            if let Some(repr) = self.env.get(var) {
                let mut repr = borrowed(repr.clone());
                repr.for_each_exp_mut(&mut |exp| border.cross(exp, &self.code, &mut inside));
                env.insert(*var, repr);
            } else if let Some(array) = self.away.get(var) {
                let (elem, mut ptr) = (Elem::Prim(array.prim), array.data.ptr.clone());
                border.cross(&mut ptr, &self.code, &mut inside);
                let value = inside.bind(self.name(*var), Exp::load(elem, ptr, 0));
                border.loaded.insert(value);
                env.insert(*var, Repr::Scalar(value.into()));
            }
        }
        let mut given = Vec::with_capacity(extra.len());
        for repr in extra {
            let mut repr = borrowed(repr.clone());
            repr.for_each_exp_mut(&mut |exp| border.cross(exp, &self.code, &mut inside));
            given.push(repr);
        }
        let outer = (
            std::mem::replace(&mut self.code, inside),
            std::mem::replace(&mut self.env, env),
            std::mem::take(&mut self.owners),
            std::mem::take(&mut self.places),
            std::mem::take(&mut self.reserved),
            std::mem::take(&mut self.offsets),
        );
        self.owners.enter(&Body::default());
        let (at, inside_loops) = (self.at, self.inside_loops);
        (self.at, self.inside_loops) = (Where::Thread, 1);
        let mut arrays = Vec::new();
        make(self, &mut arrays, given);
        (self.at, self.inside_loops) = (at, inside_loops);
        self.end_body();
        let code = std::mem::replace(&mut self.code, outer.0);
        (self.env, self.owners, self.places) = (outer.1, outer.2, outer.3);
        (self.reserved, self.offsets) = (outer.4, outer.5);

        let (vars, mut body) = code.finish();
        let outside = border.by_outside.iter().map(|(outside, inside)| (*inside, *outside)).collect();
        border.forget_unused(&mut body);
        let kernel = self.out.kernel_like(GroupKernel {
            name: format!("{}_{name}", self.fun.name),
            size: self.group_size as u32,
            params: border.inside,
            arrays,
            vars,
            body,
            span: self.span,
        });
        let args = border.outside;
        let reaches = self.reaches(captured, extra, &args);
        MadeKernel { kernel, args, reaches, outside }
    }

    /// As many groups as there are threads for so many elements, each of which has some. None for no elements: such a launch
    /// does nothing.
    pub fn groups_for(&mut self, count: &Exp, each: i64, most: Option<Exp>) -> Exp {
        let groups = count.clone().add(GROUP * each - 1).quot(GROUP * each);
        // A launch cannot have more; threads take what is left over.
        let groups = groups.min(most.unwrap_or(Exp::i64(1 << 30)));
        self.code.bind("groups", groups).into()
    }

    /// Groups for elements that threads do one after another (`each_apart`), of which each has a few where there are many: it costs a device
    /// something to begin a group. Those that begin later even out what takes longer.
    pub fn groups_apart(&mut self, count: &Exp) -> Exp {
        let all = self.groups_for(count, 1, None);
        let enough = self.groups_for(count, FEW_EACH, None).max(Exp::DeviceGroups.mul(WAVES));
        self.code.bind("groups", all.min(enough)).into()
    }

    /// In a kernel: the number of the thread among all, and how many there are.
    pub fn thread_number(&mut self) -> (Exp, Exp) {
        let group = Exp::Group(GroupExp::Group).mul(GROUP);
        let number = self.code.bind("number", group.add(Exp::Group(GroupExp::Thread)));
        let threads = self.code.bind("threads", Exp::Group(GroupExp::Groups).mul(GROUP));
        (number.into(), threads.into())
    }

    /// In a kernel: each thread does this for every element that is its own: those so many threads apart.
    pub fn each_apart(&mut self, count: &Exp, body: &mut dyn FnMut(&mut Self, Exp)) {
        let (number, threads) = self.thread_number();
        self.each_by("i", number, threads, count, body);
    }

    /// In a kernel: every element is done by one thread of the group.
    pub fn each_in_group(&mut self, count: &Exp, body: &mut dyn FnMut(&mut Self, Exp)) {
        self.each_by("i", Exp::Group(GroupExp::Thread), self.group_size, count, body);
    }

    /// In a kernel: each group does so many at once, and goes on behind what all groups have done.
    pub fn each_by_groups(
        &mut self,
        name: &str,
        at_once: Exp,
        count: &Exp,
        body: &mut dyn FnMut(&mut Self, Exp),
    ) {
        let first = Exp::Group(GroupExp::Group).mul(at_once.clone());
        self.each_by(name, first, Exp::Group(GroupExp::Groups).mul(at_once), count, body);
    }

    /// From a first number on, so far apart, up to an end.
    pub fn each_by(
        &mut self,
        name: &str,
        first: impl Into<Exp>,
        step: impl Into<Exp>,
        end: &Exp,
        body: &mut dyn FnMut(&mut Self, Exp),
    ) {
        let at = self.code.new_i64(name);
        self.code.set(at, first);
        self.code.open();
        body(self, at.into());
        self.code.set(at, Exp::Var(at).add(step));
        let block = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(at).lt(end.clone()), block);
    }

    /// In a kernel: each thread does this for every element that is its own: neighbours, in their order.
    pub fn each_in_order(&mut self, count: &Exp, body: &mut dyn FnMut(&mut Self, Exp)) {
        let (number, threads) = self.thread_number();
        self.shares_in_order(number, threads, count, body);
    }

    /// The same among the threads of one group.
    pub fn each_of_group_in_order(&mut self, count: &Exp, body: &mut dyn FnMut(&mut Self, Exp)) {
        self.shares_in_order(Exp::Group(GroupExp::Thread), Exp::i64(GROUP), count, body);
    }

    fn shares_in_order(
        &mut self,
        number: Exp,
        threads: Exp,
        count: &Exp,
        body: &mut dyn FnMut(&mut Self, Exp),
    ) {
        let share = count.clone().add(threads.clone()).sub(1).quot(threads);
        let share = self.code.atom("share", share);
        let from = self.code.atom("from", number.mul(share.clone()).min(count.clone()));
        let to = self.code.atom("to", from.clone().add(share).min(count.clone()));
        self.each(from, to, LoopForm::Plain, body);
    }

    /// Where a thread that fails goes on. The failure is recorded for those that wait for it.
    pub fn guarded(&mut self, make: &mut dyn FnMut(&mut Self)) {
        self.code.open();
        make(self);
        let mut body = self.code.close();
        let failed = self.pool.as_ref().and_then(|pool| pool.failed).filter(|_| can_fail(&body));
        let Some(failed) = failed else { return self.code.push(Stmt::Group(GroupStmt::Guard(body))) };
        let fine = self.code.bind("fine", Exp::bool(false));
        body.push(Stmt::Set(fine, Exp::bool(true)));
        self.code.push(Stmt::Group(GroupStmt::Guard(body)));
        self.code.open();
        self.code.store(I64, failed, 0, 1);
        let tell = self.code.close();
        self.code.when(Exp::Var(fine).not(), tell);
    }

    pub fn barrier(&mut self) {
        self.code.push(Stmt::Group(GroupStmt::Barrier));
    }

    /// An array that each thread of the group has for itself.
    pub fn thread_array(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        name: &str,
        prim: Prim,
        count: i64,
    ) -> ImpVar {
        self.group_array(arrays, name, prim, count, false)
    }

    /// An array that the threads of a group share.
    pub fn shared_array(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        name: &str,
        prim: Prim,
        count: i64,
    ) -> ImpVar {
        if let Some(again) = self.shared_again(prim, count) {
            return again;
        }
        self.group_array(arrays, name, prim, count, true)
    }

    fn group_array(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        name: &str,
        prim: Prim,
        count: i64,
        shared: bool,
    ) -> ImpVar {
        let var = self.code.new_var(name, Type::Local(Elem::Prim(prim)));
        arrays.push(GroupArray { var, count: count as u32, shared });
        var
    }
}

fn can_fail(block: &Block) -> bool {
    holds(block, |stmt| stmt.takes_memory() || matches!(stmt, Stmt::Fail { .. }))
}

impl Output {
    /// The kernel, or one that does the same: sums over lengths of rows, say, are needed again and again.
    fn kernel_like(&mut self, kernel: GroupKernel) -> GroupKernelId {
        let types = |kernel: &GroupKernel| kernel.vars.iter().map(|var| var.ty).collect::<Vec<_>>();
        let own = types(&kernel);
        let same = |other: &GroupKernel| {
            (other.size, &other.params, &other.arrays) == (kernel.size, &kernel.params, &kernel.arrays)
                && types(other) == own
                && other.body == kernel.body
        };
        let known = self.group_kernels.iter().position(same);
        GroupKernelId(known.unwrap_or_else(|| {
            self.group_kernels.push(kernel);
            self.group_kernels.len() - 1
        }) as u32)
    }
}

fn borrowed(repr: Repr) -> Repr {
    match repr {
        Repr::Array(array) => Repr::Array(Array::borrowed(array)),
        other => other,
    }
}

// # What a kernel was handed

pub fn scalar_inside(given: Option<Repr>) -> Exp {
    match given {
        Some(Repr::Scalar(exp)) => exp,
        Some(Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: a scalar was handed to a kernel as something else")
        }
    }
}

pub fn arrays_inside(outside: &[Vec<Array>], given: &mut dyn Iterator<Item = Repr>) -> Vec<Vec<Array>> {
    let mut array = || match given.next() {
        Some(Repr::Array(array)) => array,
        Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    };
    outside.iter().map(|arrays| arrays.iter().map(|_| array()).collect()).collect()
}

pub fn array_inside(given: Repr) -> Array {
    match given {
        Repr::Array(array) => array,
        Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    }
}

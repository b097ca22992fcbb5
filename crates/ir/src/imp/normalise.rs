//! Number variables by their first mention in the text, and forget those that are not mentioned.
//!
//! Variables have no numbers in the text, so the parser gives them numbers in this order. Only a
//! program that is numbered like this comes back from its text unchanged.

use super::walk::for_each_var_mut;
use super::{Fun, GroupKernel, Kernel, Prog, Type, Var, VarInfo};

pub fn normalise(prog: &mut Prog) {
    prog.funs.iter_mut().for_each(normalise_fun);
    prog.kernels.iter_mut().for_each(normalise_kernel);
    prog.group_kernels.iter_mut().for_each(normalise_group_kernel);
}

pub fn normalise_fun(fun: &mut Fun) {
    let mut numbers = Numbers::new(&mut fun.vars);
    fun.params.iter_mut().for_each(|var| numbers.mention(var));
    fun.arrays.iter_mut().for_each(|array| numbers.mention(&mut array.var));
    for_each_var_mut(&mut fun.body, &mut |var| numbers.mention(var));
    fun.results.iter_mut().for_each(|exp| exp.for_each_var_mut(&mut |var| numbers.mention(var)));
    fun.vars = numbers.new;
}

pub fn normalise_kernel(kernel: &mut Kernel) {
    let mut numbers = Numbers::new(&mut kernel.vars);
    for var in [&mut kernel.chunk, &mut kernel.from, &mut kernel.to] {
        numbers.mention(var);
    }
    kernel.params.iter_mut().for_each(|var| numbers.mention(var));
    for_each_var_mut(&mut kernel.body, &mut |var| numbers.mention(var));
    kernel.vars = numbers.new;
}

pub fn normalise_group_kernel(kernel: &mut GroupKernel) {
    let mut numbers = Numbers::new(&mut kernel.vars);
    kernel.params.iter_mut().for_each(|var| numbers.mention(var));
    kernel.arrays.iter_mut().for_each(|array| numbers.mention(&mut array.var));
    for_each_var_mut(&mut kernel.body, &mut |var| numbers.mention(var));
    kernel.vars = numbers.new;
}

struct Numbers {
    old: Vec<VarInfo>,
    /// Of each old variable, the new one.
    number: Vec<Option<Var>>,
    new: Vec<VarInfo>,
}

impl Numbers {
    fn new(vars: &mut Vec<VarInfo>) -> Numbers {
        let old = std::mem::take(vars);
        Numbers { number: vec![None; old.len()], old, new: Vec::new() }
    }

    fn mention(&mut self, var: &mut Var) {
        let at = var.0 as usize;
        // One that is not in the table stays as it is, for the verifier to find.
        let Some(number) = self.number.get_mut(at) else { return };
        let next = Var(self.new.len() as u32);
        if number.is_none() {
            let info = std::mem::replace(&mut self.old[at], VarInfo { name: String::new(), ty: Type::Block });
            self.new.push(info);
        }
        *var = *number.get_or_insert(next);
    }
}

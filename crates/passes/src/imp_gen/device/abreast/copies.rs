//! The code of one point as that of several: what depends on the index is there once for each.

use super::dependence::Dependence;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::walk::PartMut;
use norn_ir::imp::{Block, LoopForm, Stmt, Var};
use rustc_hash::FxHashMap;

/// Appends the code of the points with this index and with these others.
pub fn copies(code: &mut CodeBuilder, point: Block, index: Var, others: &[Var]) {
    let dependence = Dependence::on(index, &point);
    let renamed = others.iter().map(|other| FxHashMap::from_iter([(index, *other)])).collect();
    let block = Copies { code, dependence, renamed }.of_block(point);
    code.append(block);
}

struct Copies<'a> {
    code: &'a mut CodeBuilder,
    dependence: Dependence,
    /// Of each point but the first: what its variables are.
    renamed: Vec<FxHashMap<Var, Var>>,
}

impl Copies<'_> {
    fn of_block(&mut self, block: Block) -> Block {
        let mut all = Block::with_capacity(block.len());
        for mut stmt in block {
            if !self.dependence.in_stmt(&stmt) {
                all.push(stmt);
            } else if self.dependence.is_uniform(&stmt) {
                if let Stmt::For { form: LoopForm::Reduce(accs), .. } = &mut stmt {
                    let own: Vec<_> =
                        accs.iter().filter(|acc| self.dependence.of_var(acc.var)).cloned().collect();
                    for number in 0..self.renamed.len() {
                        for acc in &own {
                            let mut acc = acc.clone();
                            acc.var = self.var(number, acc.var);
                            accs.push(acc);
                        }
                    }
                }
                stmt.for_each_part_mut(&mut |part| {
                    if let PartMut::Block(inside) = part {
                        *inside = self.of_block(std::mem::take(inside));
                    }
                });
                all.push(stmt);
            } else {
                let others: Vec<Stmt> =
                    (0..self.renamed.len()).map(|number| self.renamed(number, &stmt)).collect();
                all.push(stmt);
                all.extend(others);
            }
        }
        all
    }

    /// The statement of this point.
    fn renamed(&mut self, number: usize, stmt: &Stmt) -> Stmt {
        let mut stmt = stmt.clone();
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Assigned(var) => *var = self.var(number, *var),
            PartMut::Exp(exp) => exp.for_each_var_mut(&mut |var| *var = self.var(number, *var)),
            PartMut::Block(block) => {
                *block = std::mem::take(block).iter().map(|stmt| self.renamed(number, stmt)).collect();
            }
            PartMut::Accumulator(acc) => acc.var = self.var(number, acc.var),
        });
        stmt
    }

    fn var(&mut self, number: usize, var: Var) -> Var {
        if !self.dependence.of_var(var) {
            return var;
        }
        if let Some(own) = self.renamed[number].get(&var) {
            return *own;
        }
        let (name, ty) = (self.code.name(var).to_string(), self.code.var_ty(var));
        let own = self.code.new_var(name, ty);
        self.renamed[number].insert(var, own);
        own
    }
}

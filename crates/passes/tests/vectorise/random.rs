//! Random kernels: one loop with whatever the pass can turn, over arrays that are exactly as long as they need to be.

use norn_ir::failure::CheckKind;
use norn_ir::imp::build::{CodeBuilder, Sites};
use norn_ir::imp::{
    Accumulator, BinOp, Elem, Exp, LoopForm, Prim, Prog, Scalar, SiteId, SiteKind, Stmt, Type, UnOp, Var,
};

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        if bound == 0 { 0 } else { (z % bound as u64) as usize }
    }
}

const TYPES: [Prim; 4] = [Prim::I64, Prim::I32, Prim::F32, Prim::Bool];
/// How many elements of a row each iteration owns.
const ROW: i64 = 5;

struct Gen<'a> {
    rng: &'a mut Rng,
    code: CodeBuilder,
    size: Var,
    inputs: Vec<(Prim, Var)>,
    /// What an iteration owns: one element, or `ROW`.
    outputs: Vec<(Prim, Var, i64)>,
    index: Var,
    /// What can be read, by type.
    known: Vec<(Prim, Var)>,
    /// What can be assigned again.
    free: Vec<(Prim, Var)>,
    site: SiteId,
}

/// The parameters: a size, two numbers, inputs and outputs.
pub fn arguments(rng: &mut Rng, size: i64) -> Vec<Result<Scalar, Vec<Scalar>>> {
    let mut array = |prim: Prim, count: i64, fresh: bool| {
        let next = || if fresh { 0 } else { rng.below(size.max(1) as usize) as i128 - size as i128 / 4 };
        Err(super::machine::elements(Elem::Prim(prim), count as usize, next))
    };
    vec![
        Ok(Scalar::I64(size)),
        Ok(Scalar::I64(3)),
        Ok(Scalar::I32(11)),
        array(Prim::I64, size, false),
        array(Prim::I32, size, false),
        array(Prim::F32, size, false),
        array(Prim::I64, size, true),
        array(Prim::I32, size, true),
        array(Prim::F32, size, true),
        array(Prim::I64, ROW * size, true),
        array(Prim::I64, 1, true),
    ]
}

pub fn program(rng: &mut Rng) -> Prog {
    let mut sites = Sites::default();
    let span = norn_base::Span::new(norn_base::FileId(0), 0, 0);
    let site = sites.add(SiteKind::Check(CheckKind::Index), span);
    let mut code = CodeBuilder::new();
    let kernel = code.kernel_vars();
    let size = code.new_i64("n");
    let three = code.new_i64("three");
    let eleven = code.new_var("eleven", Type::Scalar(Prim::I32));
    let mut array = |name: &str, prim: Prim| (prim, code.new_var(name, Type::ptr(prim)));
    let inputs = vec![array("a", Prim::I64), array("b", Prim::I32), array("c", Prim::F32)];
    let mut output = |name: &str, prim: Prim, row: i64| {
        let (prim, var) = array(name, prim);
        (prim, var, row)
    };
    let outputs = vec![
        output("x", Prim::I64, 1),
        output("y", Prim::I32, 1),
        output("z", Prim::F32, 1),
        output("rows", Prim::I64, ROW),
    ];
    let (_, total, _) = output("total", Prim::I64, 0);
    let index = code.new_i64("i");
    let known = vec![(Prim::I64, size), (Prim::I64, three), (Prim::I32, eleven), (Prim::I64, index)];
    let mut params = vec![size, three, eleven];
    params.extend(inputs.iter().map(|(_, var)| *var));
    params.extend(outputs.iter().map(|(_, var, _)| *var));
    params.push(total);
    let mut g = Gen { rng, code, size, inputs, outputs, index, known, free: Vec::new(), site };
    let accumulator = (g.rng.below(3) == 0).then(|| {
        let op = [BinOp::Add, BinOp::Min, BinOp::Xor][g.rng.below(3)];
        let neutral = if op == BinOp::Min { Scalar::I64(i64::MAX) } else { Scalar::I64(0) };
        let var = g.code.bind("sum", neutral);
        Accumulator { var, op, prim: Prim::I64, neutral }
    });
    g.code.open();
    let count = 2 + g.rng.below(6);
    g.statements(count, 3);
    if let Some(accumulator) = &accumulator {
        g.accumulate(accumulator, 2);
    }
    g.store();
    let body = g.code.close();
    let (form, sum) = match accumulator {
        None => (LoopForm::Independent, Exp::i64(0)),
        Some(accumulator) => (LoopForm::Reduce(vec![accumulator.clone()]), accumulator.var.into()),
    };
    g.code.for_(index, kernel.from, kernel.to, form, body);
    g.code.store(Elem::Prim(Prim::I64), total, 0, sum);
    let kernel = g.code.finish_kernel("random", kernel, params, span);
    Prog { kernels: vec![kernel], sites: sites.finish(), ..Prog::default() }
}

impl Gen<'_> {
    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.rng.below(if depth == 0 { 6 } else { 14 });
        match choice {
            0..=2 => {
                let prim = self.prim();
                let exp = self.exp(prim, 3);
                let var = self.code.bind("v", exp);
                self.known.push((prim, var));
                self.free.push((prim, var));
            }
            3..=4 => match self.free.len() {
                0 => {}
                count => {
                    let (prim, var) = self.free[self.rng.below(count)];
                    let exp = self.exp(prim, 3);
                    self.code.set(var, exp);
                }
            },
            5 => self.store(),
            6..=8 => self.branch(depth),
            9 => self.count(depth),
            10 => self.repeat(depth),
            11 => self.switch(depth),
            12 => self.guarded_load(),
            _ => self.reduce(depth),
        }
    }

    /// A block of its own: what it defines is not known behind it.
    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let (known, free) = (self.known.len(), self.free.len());
        self.code.open();
        let count = 1 + self.rng.below(3);
        self.statements(count, depth - 1);
        self.known.truncate(known);
        self.free.truncate(free);
        self.code.close()
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.exp(Prim::Bool, 2);
        // Both branches may define the same variable.
        let joined = (self.rng.below(3) == 0).then(|| self.code.new_var("joined", Type::I64));
        let mut blocks = [Vec::new(), Vec::new()];
        for block in &mut blocks {
            *block = if self.rng.below(4) == 0 { Vec::new() } else { self.block(depth) };
            if let Some(joined) = joined {
                block.push(Stmt::Set(joined, self.exp(Prim::I64, 2)));
            }
        }
        let [then, els] = blocks;
        self.code.if_(cond, then, els);
        if let Some(joined) = joined {
            self.known.push((Prim::I64, joined));
        }
        if self.rng.below(12) == 0 {
            let rare = self.exp(Prim::I64, 2).eq(self.rng.below(1000) as i64);
            let operands = vec![self.exp(Prim::I64, 1), self.exp(Prim::I64, 1)];
            self.code.when(rare, vec![Stmt::Fail { site: self.site, operands }]);
        }
    }

    fn small(&mut self, bound: i64) -> Exp {
        let exp = self.exp(Prim::I64, 2);
        Exp::bin(BinOp::Mod, Prim::I64, exp, bound)
    }

    fn count(&mut self, depth: usize) {
        let (from, to) = match self.rng.below(4) {
            0 => (Exp::i64(0), Exp::i64(4)),
            1 => (Exp::Var(self.index), Exp::Var(self.index).add(3)),
            2 => (Exp::i64(1), self.small(6)),
            _ => (self.small(4), self.small(7)),
        };
        let var = self.code.new_i64("k");
        self.known.push((Prim::I64, var));
        let body = self.block(depth);
        self.known.retain(|(_, known)| *known != var);
        self.code.for_(var, from, to, LoopForm::Plain, body);
    }

    fn repeat(&mut self, depth: usize) {
        let bound = self.small(7);
        let bound = self.code.bind("bound", bound);
        let counter = self.code.bind("t", 0);
        self.known.push((Prim::I64, counter));
        self.code.open();
        let going = self.exp(Prim::Bool, 1).and(Exp::Var(counter).lt(bound));
        let going = self.code.bind("going", going);
        let before = self.code.close();
        let mut body = self.block(depth);
        body.push(Stmt::Set(counter, Exp::Var(counter).add(1)));
        self.code.while_(before, going, body);
    }

    fn switch(&mut self, depth: usize) {
        let scrutinee = self.small(4);
        let cases = (0..1 + self.rng.below(3) as i64).map(|case| (case, self.block(depth))).collect();
        let default = self.block(depth);
        self.code.push(Stmt::Switch { scrutinee, cases, default });
    }

    /// Elements at any place that exists.
    fn guarded_load(&mut self) {
        let (prim, array) = self.inputs[self.rng.below(self.inputs.len())];
        let near = Exp::Var(self.index).add(self.rng.below(5) as i64 - 2);
        let at = if self.rng.below(2) == 0 { near } else { self.exp(Prim::I64, 2) };
        let at = self.code.bind("at", at);
        let zero = Exp::Const(Scalar::zero(prim));
        let var = self.code.bind("loaded", zero);
        let there = Exp::i64(0).le(at).and(Exp::Var(at).lt(self.size));
        let load = Exp::load(Elem::Prim(prim), array, at);
        self.code.when(there, vec![Stmt::Set(var, load)]);
        self.known.push((prim, var));
        self.free.push((prim, var));
    }

    fn reduce(&mut self, depth: usize) {
        let sum = self.code.bind("inner", 0);
        let accumulator = Accumulator { var: sum, op: BinOp::Add, prim: Prim::I64, neutral: Scalar::I64(0) };
        let to = if self.rng.below(2) == 0 { Exp::Var(self.size).min(9) } else { self.small(8) };
        let var = self.code.new_i64("j");
        let (known, free) = (self.known.len(), std::mem::take(&mut self.free));
        self.known.push((Prim::I64, var));
        self.code.open();
        let count = self.rng.below(3);
        let outputs = std::mem::take(&mut self.outputs);
        if count > 0 && !outputs.is_empty() {
            self.statements(count, depth.min(2) - 1);
        }
        self.outputs = outputs;
        self.accumulate(&accumulator, 1);
        let body = self.code.close();
        self.known.truncate(known);
        self.free = free;
        self.code.for_(var, 0, to, LoopForm::Reduce(vec![accumulator]), body);
        self.known.push((Prim::I64, sum));
    }

    fn accumulate(&mut self, accumulator: &Accumulator, chances: usize) {
        let var = accumulator.var;
        let exp = self.exp(Prim::I64, 2);
        let step = Stmt::Set(var, Exp::bin(accumulator.op, Prim::I64, var, exp));
        if self.rng.below(chances) == 0 {
            self.code.push(step);
        } else {
            let cond = self.exp(Prim::Bool, 2);
            self.code.when(cond, vec![step]);
        }
    }

    /// Into what the iteration owns.
    fn store(&mut self) {
        if self.outputs.is_empty() {
            return;
        }
        let (prim, array, row) = self.outputs[self.rng.below(self.outputs.len())];
        let value = self.exp(prim, 3);
        let at = match row {
            1 => Exp::Var(self.index),
            _ => Exp::Var(self.index).mul(ROW).add(self.small(ROW)),
        };
        match self.rng.below(2) {
            0 => self.code.store(Elem::Prim(prim), array, at, value),
            _ => {
                let place = self.code.bind("place", Exp::offset(Elem::Prim(prim), array, at));
                self.code.store(Elem::Prim(prim), place, 0, value);
            }
        }
    }

    fn prim(&mut self) -> Prim {
        TYPES[self.rng.below(TYPES.len())]
    }

    fn exp(&mut self, prim: Prim, depth: usize) -> Exp {
        if depth == 0 || self.rng.below(4) == 0 {
            return self.leaf(prim);
        }
        let depth = depth - 1;
        if self.rng.below(6) == 0 {
            let cond = self.exp(Prim::Bool, depth);
            return Exp::select(cond, self.exp(prim, depth), self.exp(prim, depth));
        }
        match prim {
            Prim::Bool => match self.rng.below(4) {
                0 => self.exp(Prim::Bool, depth).not(),
                1 => self.exp(Prim::Bool, depth).and(self.exp(Prim::Bool, depth)),
                _ => {
                    let of = [Prim::I64, Prim::I32, Prim::F32][self.rng.below(3)];
                    let op = [BinOp::Lt, BinOp::Le, BinOp::Eq][self.rng.below(3)];
                    Exp::bin(op, of, self.exp(of, depth), self.exp(of, depth))
                }
            },
            Prim::F32 => match self.rng.below(4) {
                0 => self.exp(Prim::I32, depth).convert(Prim::I32, Prim::F32),
                _ => {
                    let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Min][self.rng.below(4)];
                    Exp::bin(op, prim, self.exp(prim, depth), self.exp(prim, depth))
                }
            },
            prim => match self.rng.below(6) {
                0 if prim == Prim::I64 => self.exp(Prim::I32, depth).convert(Prim::I32, Prim::I64),
                0 => self.exp(Prim::I64, depth).convert(Prim::I64, Prim::I32),
                1 => Exp::un(UnOp::Neg, prim, self.exp(prim, depth)),
                _ => {
                    let ops = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Add, BinOp::Max, BinOp::Quot];
                    let op = ops[self.rng.below(ops.len())];
                    Exp::bin(op, prim, self.exp(prim, depth), self.exp(prim, depth))
                }
            },
        }
    }

    fn leaf(&mut self, prim: Prim) -> Exp {
        let known: Vec<Var> = self.known.iter().filter(|(of, _)| *of == prim).map(|(_, var)| *var).collect();
        match self.rng.below(5) {
            0..=2 if !known.is_empty() => known[self.rng.below(known.len())].into(),
            3 if prim != Prim::Bool => {
                let input = self.inputs.iter().find(|(of, _)| *of == prim).map(|(_, var)| *var);
                let input = input.expect("there is an input of each type of number");
                let at = match self.rng.below(3) {
                    // There is an element wherever there is an iteration.
                    0 => Exp::i64(0),
                    1 => Exp::Var(self.index),
                    _ => Exp::Var(self.size).sub(1),
                };
                Exp::load(Elem::Prim(prim), input, at)
            }
            _ => Exp::Const(Scalar::from_int(prim, self.rng.below(7) as i128)),
        }
    }
}

//! A machine that runs kernels of imp, step by step, on memory with borders. What a masked load does not load is
//! something odd, so that a result that depends on it shows.

use norn_ir::imp::{BinOp, Block, Elem, Exp, Kernel, LoopForm, Prim, Scalar, SiteId, Stmt, Type, Var};
use norn_ir::scalar::eval::{convert, eval_bin, eval_tri, eval_un};

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Scalar(Scalar),
    Vector(Vec<Scalar>),
    /// A memory, and an element of it.
    Ptr(usize, i64),
    /// A memory that the kernel asked for, and its bytes; none for the null block.
    Block(Option<(usize, usize)>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    Done,
    Failed(SiteId, Vec<Scalar>),
}

pub struct Machine {
    pub memories: Vec<Vec<Scalar>>,
    /// How many blocks there are that have not been released.
    blocks: usize,
    vars: Vec<Option<Value>>,
    /// How many more statements may be run.
    patience: u64,
}

/// What the rest of the machine stops for.
enum Stop {
    Failed(SiteId, Vec<Scalar>),
    Wrong(String),
}

type Run<T> = Result<T, Stop>;

fn wrong<T>(what: impl Into<String>) -> Run<T> {
    Err(Stop::Wrong(what.into()))
}

impl Machine {
    pub fn new() -> Machine {
        Machine { memories: Vec::new(), blocks: 0, vars: Vec::new(), patience: 20_000_000 }
    }

    pub fn place(&mut self, elements: Vec<Scalar>) -> Value {
        self.memories.push(elements);
        Value::Ptr(self.memories.len() - 1, 0)
    }

    pub fn kernel(
        &mut self,
        kernel: &Kernel,
        chunk: i64,
        from: i64,
        to: i64,
        arguments: &[Value],
    ) -> Result<Outcome, String> {
        self.vars = vec![None; kernel.vars.len()];
        for (var, value) in [(kernel.chunk, chunk), (kernel.from, from), (kernel.to, to)] {
            self.set(var, Value::Scalar(Scalar::I64(value)));
        }
        for (param, argument) in kernel.params.iter().zip(arguments) {
            self.set(*param, argument.clone());
        }
        match self.block(&kernel.body) {
            Ok(()) if self.blocks > 0 => Err(format!("{} blocks are never released", self.blocks)),
            Ok(()) => Ok(Outcome::Done),
            Err(Stop::Failed(site, operands)) => Ok(Outcome::Failed(site, operands)),
            Err(Stop::Wrong(what)) => Err(what),
        }
    }

    fn set(&mut self, var: Var, value: Value) {
        self.vars[var.0 as usize] = Some(value);
    }

    fn block(&mut self, block: &Block) -> Run<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Run<()> {
        self.patience -= 1;
        if self.patience == 0 {
            return wrong("it does not end");
        }
        match stmt {
            Stmt::Set(var, exp) => {
                let value = self.exp(exp)?;
                self.set(*var, value);
            }
            Stmt::Store { ptr, index, value, .. } => {
                let (ptr, index, value) = (self.exp(ptr)?, self.int(index)?, self.scalar(value)?);
                *self.element(&ptr, index)? = value;
            }
            Stmt::StoreLanes { ptr, index, value, mask, .. } => {
                let (ptr, index, value) = (self.exp(ptr)?, self.int(index)?, self.vector(value)?);
                let mask = self.mask(mask.as_ref(), value.len())?;
                for (lane, value) in value.into_iter().enumerate().filter(|(lane, _)| mask[*lane]) {
                    *self.element(&ptr, index + lane as i64)? = value;
                }
            }
            Stmt::Scatter { ptr, index, value, mask, .. } => {
                let (ptr, index, value) = (self.exp(ptr)?, self.vector(index)?, self.vector(value)?);
                let mask = self.mask(mask.as_ref(), value.len())?;
                for (lane, value) in value.into_iter().enumerate().filter(|(lane, _)| mask[*lane]) {
                    *self.element(&ptr, as_int(index[lane])?)? = value;
                }
            }
            Stmt::Copy { to, from, count, .. } => {
                let (to, from) = (self.exp(to)?, self.exp(from)?);
                for index in 0..self.int(count)? {
                    *self.element(&to, index)? = *self.element(&from, index)?;
                }
            }
            Stmt::Alloc { block, bytes, .. } => {
                let bytes =
                    usize::try_from(self.int(bytes)?).or_else(|_| wrong("a block of negative size"))?;
                // Its elements are there when it is known what they are.
                self.memories.push(Vec::new());
                self.blocks += 1;
                self.set(*block, Value::Block(Some((self.memories.len() - 1, bytes))));
            }
            Stmt::Release(block) => match self.exp(block)? {
                Value::Block(None) => {}
                Value::Block(Some((memory, _))) => {
                    self.memories[memory].clear();
                    self.blocks -= 1;
                }
                other => return wrong(format!("{other:?} is no block")),
            },
            Stmt::If { cond, then, els } => {
                let taken = if self.bool(cond)? { then } else { els };
                self.block(taken)?;
            }
            Stmt::Switch { scrutinee, cases, default } => {
                let value = as_int(self.scalar(scrutinee)?)?;
                let case = cases.iter().find(|(case, _)| *case == value);
                self.block(case.map_or(default, |(_, block)| block))?;
            }
            Stmt::For {
                var,
                from,
                to,
                form: LoopForm::Plain | LoopForm::Independent | LoopForm::Reduce(_),
                body,
            } => {
                for i in self.int(from)?..self.int(to)? {
                    self.set(*var, Value::Scalar(Scalar::I64(i)));
                    self.block(body)?;
                }
            }
            Stmt::While { before, cond, body } => {
                self.block(before)?;
                while self.bool(cond)? {
                    self.block(body)?;
                    self.block(before)?;
                }
            }
            Stmt::Fail { site, operands } => {
                let operands = operands.iter().map(|exp| self.scalar(exp)).collect::<Run<_>>()?;
                return Err(Stop::Failed(*site, operands));
            }
            other => return wrong(format!("this machine does not do {other:?}")),
        }
        Ok(())
    }

    fn exp(&mut self, exp: &Exp) -> Run<Value> {
        Ok(match exp {
            Exp::Const(scalar) => Value::Scalar(*scalar),
            Exp::Var(var) => match &self.vars[var.0 as usize] {
                Some(value) => value.clone(),
                None => return wrong(format!("variable {var:?} is not assigned")),
            },
            Exp::Un(op, _, x) => self.lanes([x], |x| eval_un(*op, x[0]))?,
            Exp::Bin(op, _, x, y) => self.lanes([x, y], |x| eval_bin(*op, x[0], x[1]))?,
            Exp::Tri(op, _, x, y, z) => self.lanes([x, y, z], |x| eval_tri(*op, x[0], x[1], x[2]))?,
            Exp::Convert { to, value, .. } => self.lanes([value], |x| Some(convert(x[0], *to)))?,
            Exp::Select(cond, x, y) => {
                self.lanes([cond, x, y], |x| Some(if x[0] == Scalar::Bool(true) { x[1] } else { x[2] }))?
            }
            Exp::Load { ptr, index, .. } => {
                let (ptr, index) = (self.exp(ptr)?, self.int(index)?);
                Value::Scalar(*self.element(&ptr, index)?)
            }
            Exp::Offset { ptr, index, .. } => match (self.exp(ptr)?, self.int(index)?) {
                (Value::Ptr(memory, at), index) => Value::Ptr(memory, at + index),
                (other, _) => return wrong(format!("{other:?} is no pointer")),
            },
            Exp::Null(Type::Block) => Value::Block(None),
            Exp::Data(Elem::Prim(prim), block) => match self.exp(block)? {
                Value::Block(Some((memory, bytes))) => {
                    if self.memories[memory].is_empty() {
                        self.memories[memory] = vec![odd(*prim); bytes / prim.size()];
                    }
                    Value::Ptr(memory, 0)
                }
                other => return wrong(format!("{other:?} has no memory")),
            },
            Exp::Splat(lanes, x) => Value::Vector(vec![self.scalar(x)?; *lanes as usize]),
            Exp::Lanes(prim, lanes) => {
                Value::Vector((0..*lanes).map(|lane| Scalar::from_int(*prim, lane as i128)).collect())
            }
            Exp::LoadLanes { prim, lanes, ptr, index, mask } => {
                let (ptr, index) = (self.exp(ptr)?, self.int(index)?);
                let mask = self.mask(mask.as_deref(), *lanes as usize)?;
                let indices = (0..*lanes as i64).map(|lane| index.wrapping_add(lane));
                self.loaded(*prim, &ptr, indices.collect(), &mask)?
            }
            Exp::Gather { prim, ptr, index, mask } => {
                let (ptr, index) = (self.exp(ptr)?, self.vector(index)?);
                let mask = self.mask(mask.as_deref(), index.len())?;
                let indices = index.into_iter().map(as_int).collect::<Run<_>>()?;
                self.loaded(*prim, &ptr, indices, &mask)?
            }
            Exp::Lane(vector, lane) => {
                let (vector, lane) = (self.vector(vector)?, self.int(lane)?);
                Value::Scalar(vector[lane as usize])
            }
            Exp::Combine(op, _, x) => {
                let all = self.vector(x)?.into_iter().reduce(|x, y| combined(*op, x, y));
                Value::Scalar(all.expect("a vector has lanes"))
            }
            Exp::Any(x) => {
                let any = self.vector(x)?.contains(&Scalar::Bool(true));
                Value::Scalar(Scalar::Bool(any))
            }
            other => return wrong(format!("this machine does not compute {other:?}")),
        })
    }

    /// An operator on scalars, or on vectors lane by lane.
    fn lanes<const N: usize>(
        &mut self,
        exps: [&Exp; N],
        f: impl Fn([Scalar; N]) -> Option<Scalar>,
    ) -> Run<Value> {
        let mut values = [const { Value::Block(None) }; N];
        for (value, exp) in values.iter_mut().zip(exps) {
            *value = self.exp(exp)?;
        }
        let mut scalars = [Scalar::Bool(false); N];
        let apply = |scalars: [Scalar; N]| match f(scalars) {
            Some(result) => Ok(result),
            None => wrong(format!("an operator does not exist for {scalars:?}")),
        };
        if let Value::Vector(first) = &values[0] {
            let mut results = Vec::with_capacity(first.len());
            for lane in 0..first.len() {
                for (scalar, value) in scalars.iter_mut().zip(&values) {
                    match value {
                        Value::Vector(vector) => *scalar = vector[lane],
                        other => return wrong(format!("{other:?} among vectors")),
                    }
                }
                results.push(apply(scalars)?);
            }
            return Ok(Value::Vector(results));
        }
        for (scalar, value) in scalars.iter_mut().zip(&values) {
            match value {
                Value::Scalar(one) => *scalar = *one,
                other => return wrong(format!("{other:?} among scalars")),
            }
        }
        Ok(Value::Scalar(apply(scalars)?))
    }

    fn loaded(&mut self, prim: Prim, ptr: &Value, indices: Vec<i64>, mask: &[bool]) -> Run<Value> {
        let odd = odd(prim);
        let load =
            |(index, here): (i64, &bool)| if *here { self.element(ptr, index).copied() } else { Ok(odd) };
        Ok(Value::Vector(indices.into_iter().zip(mask).map(load).collect::<Run<_>>()?))
    }

    fn element(&mut self, ptr: &Value, index: i64) -> Run<&mut Scalar> {
        let Value::Ptr(memory, at) = ptr else { return wrong(format!("{ptr:?} is no pointer")) };
        let (index, memory) = (at.wrapping_add(index), &mut self.memories[*memory]);
        let length = memory.len();
        match usize::try_from(index).ok().and_then(|index| memory.get_mut(index)) {
            Some(element) => Ok(element),
            None => wrong(format!("element {index} of {length}")),
        }
    }

    fn scalar(&mut self, exp: &Exp) -> Run<Scalar> {
        match self.exp(exp)? {
            Value::Scalar(scalar) => Ok(scalar),
            other => wrong(format!("{other:?} is no scalar")),
        }
    }

    fn vector(&mut self, exp: &Exp) -> Run<Vec<Scalar>> {
        match self.exp(exp)? {
            Value::Vector(lanes) => Ok(lanes),
            other => wrong(format!("{other:?} is no vector")),
        }
    }

    fn int(&mut self, exp: &Exp) -> Run<i64> {
        as_int(self.scalar(exp)?)
    }

    fn bool(&mut self, exp: &Exp) -> Run<bool> {
        Ok(self.scalar(exp)? == Scalar::Bool(true))
    }

    fn mask(&mut self, mask: Option<&Exp>, lanes: usize) -> Run<Vec<bool>> {
        Ok(match mask {
            None => vec![true; lanes],
            Some(mask) => self.vector(mask)?.into_iter().map(|lane| lane == Scalar::Bool(true)).collect(),
        })
    }
}

/// What nobody should look at.
fn odd(prim: Prim) -> Scalar {
    if prim == Prim::Bool { Scalar::Bool(true) } else { Scalar::from_int(prim, -77) }
}

fn as_int(scalar: Scalar) -> Run<i64> {
    match convert(scalar, Prim::I64) {
        Scalar::I64(value) => Ok(value),
        other => wrong(format!("{other:?} is no integer")),
    }
}

fn combined(op: BinOp, x: Scalar, y: Scalar) -> Scalar {
    eval_bin(op, x, y).expect("reductions use operators that exist")
}

/// Where two memories differ by more than sums in another order would.
pub fn difference(expected: &[Vec<Scalar>], found: &[Vec<Scalar>]) -> Option<String> {
    let all = expected.iter().zip(found).enumerate();
    for (memory, (expected, found)) in all {
        for (index, (x, y)) in expected.iter().zip(found).enumerate() {
            if !close(*x, *y) {
                return Some(format!("element {index} of array {memory} was {x:?}, is {y:?}"));
            }
        }
    }
    None
}

fn close(x: Scalar, y: Scalar) -> bool {
    let (tolerance, x, y) = match (x, y) {
        (Scalar::F32(x), Scalar::F32(y)) => (1e-3, x as f64, y as f64),
        (Scalar::F64(x), Scalar::F64(y)) => (1e-9, x, y),
        (x, y) => return x == y,
    };
    x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= tolerance * x.abs().max(y.abs()).max(1.0)
}

/// Elements of arrays, for the machine to place.
pub fn elements(elem: Elem, count: usize, mut next: impl FnMut() -> i128) -> Vec<Scalar> {
    let Elem::Prim(prim) = elem else { panic!("arrays of numbers only") };
    (0..count).map(|_| Scalar::from_int(prim, next())).collect()
}

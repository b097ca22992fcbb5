//! Recursive types: regions, cells with arrays in them, and functions that walk along lists.

use super::scope::{is_array, prim_of};
use super::{Callee, Facts, Gen};
use crate::rng::Rng;
use norn_ir::nest::{
    Atom, BinOp, CellExp, Constr, ControlExp, Data, DataId, Dim, Elem, Exp, FunId, Param, Prim, Ret, Type,
    Var,
};

const LIST: DataId = DataId(0);
const NIL: usize = 0;
const CONS: usize = 1;
const MANY: usize = 2;

/// In half of the programs, lists of numbers, one by one or many at once.
pub fn datas(rng: &mut Rng) -> Vec<Data> {
    if rng.below(2) == 0 {
        return Vec::new();
    }
    let list = Type::Value(Elem::Ref(LIST, None), Vec::new());
    let many = Type::array(Prim::I64, vec![Dim::Irregular]);
    let constr = |name: &str, columns| Constr { name: name.into(), columns };
    let constrs = vec![
        constr("nil", Vec::new()),
        constr("cons", vec![Type::i64(), list.clone()]),
        constr("many", vec![many, list, Type::scalar(Prim::F32)]),
    ];
    vec![Data { name: "list".into(), constrs }]
}

fn list(region: Var) -> Type {
    Type::Value(Elem::Ref(LIST, Some(region)), Vec::new())
}

/// The functions that every program with lists has, by number.
const SUM: FunId = FunId(0);
const BUILD: FunId = FunId(1);

impl Gen {
    /// `sum` adds up a list, `build` makes one of so many cells.
    pub(super) fn list_functions(&mut self) {
        self.begin(0);
        let region = self.var("r", Type::Region, Facts::default());
        let l = self.var("l", list(region), Facts::default());
        let tag = self.emit("t", Type::scalar(Prim::I8), Exp::Cell(CellExp::Tag { cell: l.into() }));
        let cons = self.body(|cx| {
            let (x, rest) = (cx.plain("x", Type::i64()), cx.plain("rest", list(region)));
            cx.bind(&[x, rest], Exp::Cell(CellExp::Load { cell: l.into(), constr: CONS }));
            let sum = cx.emit("s", Type::i64(), Exp::call(SUM, vec![region.into(), rest.into()]));
            vec![cx.emit("z", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, x.into(), sum.into())).into()]
        });
        let many = self.body(|cx| {
            let (_, rest, _, total) = cx.load_many(region, l);
            let sum = cx.emit("s", Type::i64(), Exp::call(SUM, vec![region.into(), rest.into()]));
            vec![cx.emit("z", Type::i64(), Exp::bin(BinOp::Xor, Prim::I64, total.into(), sum.into())).into()]
        });
        let default = self.body(|_| vec![Atom::i64(0)]);
        let cases = vec![(CONS as i64, cons), (MANY as i64, many)];
        let sum = self.emit(
            "sum",
            Type::i64(),
            Exp::Control(ControlExp::Switch { scrutinee: tag.into(), cases, default }),
        );
        let callee = || Callee { sizes: vec![Facts::default()], cost: 60, recursive: false };
        let params = vec![Param::plain(region), Param::plain(l)];
        self.end("sum", params, vec![Ret::plain(Type::i64())], vec![sum.into()], callee());
        self.build_function(callee());
    }

    fn build_function(&mut self, callee: Callee) {
        self.begin(0);
        let region = self.var("r", Type::Region, Facts::default());
        let n = self.var("n", Type::i64(), Facts::default());
        let ty = list(region);
        let done = self.emit("done", Type::bool(), Exp::bin(BinOp::Le, Prim::I64, n.into(), Atom::i64(0)));
        let alloc =
            |constr, fields| Exp::Cell(CellExp::Alloc { region: Some(region), data: LIST, constr, fields });
        let then = self.body(|cx| vec![cx.emit("nil", list(region), alloc(NIL, Vec::new())).into()]);
        let els = self.body(|cx| {
            let less = cx.emit("m", Type::i64(), Exp::bin(BinOp::Sub, Prim::I64, n.into(), Atom::i64(1)));
            let args = vec![region.into(), less.into()];
            let rest = cx.emit("rest", list(region), Exp::call(BUILD, args));
            vec![cx.emit("l", list(region), alloc(CONS, vec![n.into(), rest.into()])).into()]
        });
        let result = self.emit("l", ty.clone(), Exp::if_(done.into(), then, els));
        let params = vec![Param::plain(region), Param::plain(n)];
        self.end("build", params, vec![Ret::plain(ty)], vec![result.into()], callee);
    }

    fn plain(&mut self, name: &str, ty: Type) -> Var {
        self.var(name, ty, Facts::default())
    }

    /// The fields of a cell with many numbers, and their sum.
    fn load_many(&mut self, region: Var, cell: Var) -> (Var, Var, Var, Var) {
        let k = self.size_var("k", 8);
        let facts = Facts { frozen: true, ..Facts::default() };
        let xs = self.var("xs", Type::array(Prim::I64, vec![Dim::size(k)]), facts);
        let (rest, f) = (self.plain("rest", list(region)), self.plain("f", Type::scalar(Prim::F32)));
        self.bind(&[k, xs, rest, f], Exp::Cell(CellExp::Load { cell: cell.into(), constr: MANY }));
        let lambda = self.operator_lambda(&[Type::i64()], 0, |cx, x, y| {
            vec![cx.emit("z", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, x[0].into(), y[0].into())).into()]
        });
        let op = norn_ir::nest::Reduction { lambda, neutral: vec![Atom::i64(0)], commutative: false };
        let total = self.emit("total", Type::i64(), Exp::reduce(k.into(), op, vec![xs]));
        (xs, rest, f, total)
    }

    /// A region with some cells, and what can be read off them.
    pub(super) fn cell_stm(&mut self) -> Option<()> {
        if self.prog.datas.is_empty() || !self.affords(100) {
            return None;
        }
        let before = self.scope.len();
        let region = self.emit("r", Type::Region, Exp::Cell(CellExp::Region));
        let ty = list(region);
        let alloc =
            |constr, fields| Exp::Cell(CellExp::Alloc { region: Some(region), data: LIST, constr, fields });
        let mut cells = vec![self.emit("l", ty.clone(), alloc(NIL, Vec::new()))];
        let count = Atom::i64(self.rng.below(4) as i64);
        cells.push(self.emit("l", ty.clone(), Exp::call(BUILD, vec![region.into(), count])));
        for _ in 0..self.rng.below(5) {
            let rest = Atom::from(self.pick(&cells)?);
            if self.one_in(2) {
                let x = self.scalar(Prim::I64);
                cells.push(self.emit("l", ty.clone(), alloc(CONS, vec![x, rest])));
            } else if let Some(xs) =
                self.some(|ty, _| is_array(ty) && ty.rank() == 1 && prim_of(ty) == Prim::I64)
            {
                let f = self.scalar(Prim::F32);
                // What a cell holds stays as it is.
                self.freeze(xs);
                cells.push(self.emit("l", ty.clone(), alloc(MANY, vec![xs.into(), rest, f])));
            }
        }
        let refs = ty.array_of(Dim::Size(Atom::i64(cells.len() as i64)));
        let all = self.emit("all", refs, Exp::array(cells.iter().map(|cell| (*cell).into()).collect()));
        let width = Atom::i64(cells.len() as i64);
        let lambda = self.repeated(cells.len() as u64, |cx| {
            cx.lambda_over(&[all], |cx, values| {
                let args = vec![region.into(), values[0].into()];
                vec![cx.emit("s", Type::i64(), Exp::call(SUM, args)).into()]
            })
        });
        let sums = Type::array(Prim::I64, vec![Dim::Size(width)]);
        let sums = self.emit("sums", sums, Exp::map(width, vec![all], lambda));
        let last = *cells.last()?;
        let opened = self.open(region, last);
        // Refs and regions are not for others to use.
        self.scope.truncate(before);
        self.scope.extend([sums, opened]);
        Some(())
    }

    /// What is in a cell, whichever it is.
    fn open(&mut self, region: Var, cell: Var) -> Var {
        let tag = self.emit("t", Type::scalar(Prim::I8), Exp::Cell(CellExp::Tag { cell: cell.into() }));
        let many = self.body(|cx| {
            let (_, _, _, total) = cx.load_many(region, cell);
            vec![total.into()]
        });
        let default = self.body(|cx| {
            cx.emit("null", list(region), Exp::Cell(CellExp::Null(LIST)));
            vec![Atom::i64(7)]
        });
        let exp = Exp::Control(ControlExp::Switch {
            scrutinee: tag.into(),
            cases: vec![(MANY as i64, many)],
            default,
        });
        self.emit("opened", Type::i64(), exp)
    }
}

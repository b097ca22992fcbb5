//! Whole programs: data, constants, functions, recursion, and an entry point.
//!
//! Functions are made before their callers, so that a call knows what the callee costs and how large its results can be (`Callee`); only
//! recursive functions call themselves, with a counter that bounds their depth. Every program ends soon because of three bounds that are set here: how
//! many statements a function has (`fuel`), how large its arguments are, and what all calls together may cost.
//!
//! The first result of a function is a digest of everything in its scope, and so are results of branches and loops: without it, most of what is
//! generated would be dead, and `dce` would hide the bugs of every pass behind it. Sizes of results that are no parameters come first, as nest
//! wants it. The entry point's results are compared column by column, so they are of no type that hides columns from the host.

use super::calls::{MAX_ARG, is_size};
use super::scope::is_array;
use super::{COST, Callee, Facts, Gen, SPAN, cells};
use crate::nestfuzz::inputs::MAX_SIZE;
use crate::rng::Rng;
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::{
    Atom, BinOp, Column, Const, Dim, Elem, Entry, EntryParam, Exp, FunId, Iface, IfaceId, IfaceShape, Param,
    Prim, Prog, Ret, Type, Var,
};

/// The program of a seed; `scale` says how many statements it has, about.
pub fn nest_program(seed: u64, scale: u32) -> Prog {
    let mut cx = Gen {
        rng: Rng::new(seed),
        prog: Prog::default(),
        callees: Vec::new(),
        b: FunBuilder::new(),
        facts: Vec::new(),
        scope: Vec::new(),
        barrier: 0,
        times: 1,
        cost: 0,
        fuel: 0,
        depth: 0,
    };
    cx.prog.datas = cells::datas(&mut cx.rng);
    if !cx.prog.datas.is_empty() {
        cx.list_functions();
    }
    for _ in 0..cx.rng.below(2) {
        cx.constant_fun(scale);
    }
    for _ in 0..cx.rng.below(4) {
        if cx.one_in(3) {
            cx.recursive_fun(scale);
        } else {
            cx.fun(scale);
        }
    }
    cx.entry(scale);
    cx.prog
}

impl Gen {
    /// Begins a function.
    pub(super) fn begin(&mut self, fuel: u32) {
        self.b = FunBuilder::new();
        self.facts.clear();
        self.scope.clear();
        self.barrier = 0;
        self.times = 1;
        self.cost = 0;
        self.fuel = fuel;
        self.depth = 0;
    }

    /// Ends it.
    pub(super) fn end(
        &mut self,
        name: &str,
        params: Vec<Param>,
        ret: Vec<Ret>,
        result: Vec<Atom>,
        callee: Callee,
    ) -> FunId {
        let b = std::mem::take(&mut self.b);
        let name = format!("{name}{}", self.prog.funs.len());
        self.prog.funs.push(b.finish(name, params, ret, result, SPAN));
        self.callees.push(callee);
        FunId(self.prog.funs.len() as u32 - 1)
    }

    /// Sizes, arrays of them, and scalars. Sizes come first.
    fn params(&mut self, largest: u64, uniques: bool) -> Vec<Param> {
        let sizes: Vec<Var> = (0..1 + self.rng.below(2)).map(|_| self.size_var("n", largest)).collect();
        let mut params: Vec<Param> = sizes.iter().map(|var| Param::plain(*var)).collect();
        // Each size is that of an array.
        for size in &sizes {
            params.push(self.param(vec![Dim::size(*size)], largest, uniques));
        }
        for _ in 0..1 + self.rng.below(3) {
            let size = Dim::size(sizes[self.rng.below(sizes.len())]);
            let other = Dim::size(sizes[self.rng.below(sizes.len())]);
            let dims = match self.rng.below(6) {
                0 => vec![size, other],
                1 => vec![size, Dim::Irregular],
                2 => vec![size, Dim::Irregular, Dim::Irregular],
                3 => vec![size],
                _ => vec![],
            };
            params.push(self.param(dims, largest, uniques));
        }
        self.scope = params.iter().map(|param| param.var).collect();
        params
    }

    fn param(&mut self, dims: Vec<Dim>, longest: u64, uniques: bool) -> Param {
        let unique = uniques && !dims.is_empty() && self.one_in(3);
        let frozen = !dims.is_empty() && !unique;
        let facts = Facts { longest, frozen, ..Facts::default() };
        let ty = Type::array(self.prim(), dims);
        Param { var: self.var("p", ty, facts), unique }
    }

    /// Results out of what is in scope, with their sizes in front where these are not parameters.
    fn results(
        &mut self,
        params: &[Param],
        count: usize,
        uniques: bool,
    ) -> (Vec<Atom>, Vec<Ret>, Vec<Facts>) {
        let mut chosen = vec![self.digest(0)];
        for _ in 0..count {
            let found = if self.one_in(4) { None } else { self.some(|ty, _| is_array(ty)) };
            chosen.push(match found {
                Some(var) => Atom::from(var),
                None => {
                    let prim = self.prim();
                    self.scalar(prim)
                }
            });
        }
        let is_param = |atom: Atom| match atom {
            Atom::Var(var) => params.iter().any(|param| param.var == var),
            Atom::Const(_) => true,
        };
        let mut sizes: Vec<Atom> = Vec::new();
        for atom in &chosen {
            for dim in self.b.atom_ty(*atom).dims() {
                if let Dim::Size(size) = dim
                    && !is_param(*size)
                    && !sizes.contains(size)
                {
                    sizes.push(*size);
                }
            }
        }
        let unique: Vec<bool> =
            chosen.iter().map(|atom| uniques && self.b.atom_ty(*atom).is_array() && self.one_in(2)).collect();
        self.uniquely(&mut chosen, &unique, 0);
        let (mut ret, mut facts) = (Vec::new(), Vec::new());
        for size in &sizes {
            ret.push(Ret::plain(Type::i64()));
            facts.push(Facts { size: Some(self.bound(*size)), ..Facts::default() });
        }
        for (atom, unique) in chosen.iter().zip(&unique) {
            let mut ty = self.b.atom_ty(*atom);
            ty.for_each_dim(&mut |dim| {
                if let Dim::Size(size) = *dim
                    && let Some(i) = sizes.iter().position(|found| *found == size)
                {
                    *dim = Dim::Result(i);
                }
            });
            ret.push(Ret { ty, unique: *unique });
            let longest = atom.var().map_or(0, |var| self.facts(var).longest);
            facts.push(Facts { longest, ..Facts::default() });
        }
        (sizes.into_iter().chain(chosen).collect(), ret, facts)
    }

    fn fun(&mut self, scale: u32) {
        self.begin(4 + scale / 3);
        let params = self.params(MAX_ARG, true);
        let count = 2 + self.rng.below(6);
        self.stms(count);
        let count = 1 + self.rng.below(2);
        let (result, ret, sizes) = self.results(&params, count, true);
        let callee = Callee { sizes, cost: self.cost, recursive: false };
        self.end("f", params, ret, result, callee);
    }

    fn constant_fun(&mut self, scale: u32) {
        self.begin(3 + scale / 4);
        let count = 2 + self.rng.below(5);
        self.stms(count);
        let count = 1 + self.rng.below(2);
        let (result, ret, sizes) = self.results(&[], count, false);
        let callee = Callee { sizes, cost: self.cost, recursive: false };
        let fun = self.end("c", Vec::new(), ret, result, callee);
        self.prog.consts.push(Const { fun });
    }

    /// `f d n xs x = if d <= 0 then .. else .. f (d - 1) n xs y ..`
    fn recursive_fun(&mut self, scale: u32) {
        self.begin(3 + scale / 4);
        let id = FunId(self.prog.funs.len() as u32);
        let depth = self.size_var("d", 3);
        let mut params = self.params(4, false);
        params.insert(0, Param::plain(depth));
        self.scope.insert(0, depth);
        let scalar = self.prim();
        let ty = Type::scalar(scalar);
        let array = params.iter().map(|param| self.ty(param.var)).find(|ty| ty.rank() == 1);
        let mut types = vec![ty];
        types.extend(array);
        let done =
            self.emit("done", Type::bool(), Exp::bin(BinOp::Le, Prim::I64, depth.into(), Atom::i64(0)));
        types.push(Type::i64());
        let ret: Vec<Ret> = types.iter().map(|ty| Ret::plain(ty.clone())).collect();
        let values = |cx: &mut Gen, mark: usize| {
            let mut values: Vec<Atom> = types.iter().map(|ty| cx.value(ty)).collect();
            values[types.len() - 1] = cx.digest(mark);
            values
        };
        let then = self.body(|cx| {
            let mark = cx.scope.len();
            cx.stms(2);
            values(cx, mark)
        });
        let typed: Vec<(Var, Type, bool)> =
            params.iter().map(|param| (param.var, self.ty(param.var), false)).collect();
        let els = self.repeated(4, |cx| {
            cx.body(|cx| {
                let mark = cx.scope.len();
                cx.stms(2);
                let less = Exp::bin(BinOp::Sub, Prim::I64, depth.into(), Atom::i64(1));
                let less = cx.emit("less", Type::i64(), less);
                let mut args = vec![Atom::from(less)];
                for (var, ty, _) in &typed[1..] {
                    args.push(if is_size(&typed, *var) { (*var).into() } else { cx.short(ty, *var) });
                }
                // What it yields may share memory with anything that it is given.
                let given: Vec<Var> = args.iter().filter_map(|arg| arg.var()).collect();
                for _ in 0..1 + cx.rng.below(2) {
                    let roots = cx.alias(&given).roots;
                    let vars: Vec<Var> = types.iter().map(|ty| cx.frozen("r", ty)).collect();
                    for var in &vars {
                        if cx.ty(*var).is_array() {
                            cx.facts[var.0 as usize].roots.extend(&roots);
                        }
                    }
                    cx.bind(&vars, Exp::call(id, args.clone()));
                }
                cx.stms(2);
                values(cx, mark)
            })
        });
        let vars: Vec<Var> = types.iter().map(|ty| self.frozen("r", ty)).collect();
        self.bind(&vars, Exp::if_(done.into(), then, els));
        let result = vars.iter().map(|var| (*var).into()).collect();
        let sizes = types.iter().map(|_| Facts::default()).collect();
        // Two calls, three deep; sizes are no larger than it expects.
        let callee = Callee { sizes, cost: self.cost.saturating_mul(8).max(COST / 8), recursive: true };
        self.end("rec", params, ret, result, callee);
    }

    /// A variable that is not consumed.
    fn frozen(&mut self, name: &str, ty: &Type) -> Var {
        self.var(name, ty.clone(), Facts { frozen: ty.is_array(), ..Facts::default() })
    }

    /// A value whose rows are no longer than those of the parameter.
    fn short(&mut self, ty: &Type, param: Var) -> Atom {
        let longest = self.facts(param).longest;
        let found = self.value(ty);
        match found.var() {
            Some(var) if ty.is_array() && self.facts(var).longest > longest => param.into(),
            Some(_) | None => found,
        }
    }

    fn entry(&mut self, scale: u32) {
        self.begin(8 + scale);
        let params = self.params(MAX_SIZE, true);
        let sizes = params.iter().filter(|param| self.facts(param.var).size.is_some()).count();
        let count = 6 + self.rng.below(5 + scale as usize / 3);
        self.stms(count);
        let count = 3 + self.rng.below(6);
        let (result, ret, known) = self.results(&params, count, true);
        let before = known.iter().filter(|facts| facts.size.is_some()).count();
        let types: Vec<Type> = params[sizes..].iter().map(|param| self.ty(param.var)).collect();
        let entry_params: Vec<EntryParam> = types
            .iter()
            .zip(&params[sizes..])
            .enumerate()
            .map(|(i, (ty, param))| EntryParam {
                name: format!("p{i}"),
                ty: self.iface(ty),
                unique: param.unique,
            })
            .collect();
        let results: Vec<Type> = ret[before..].iter().map(|ret| ret.ty.clone()).collect();
        let fields: Vec<(String, IfaceId)> =
            results.iter().enumerate().map(|(i, ty)| (i.to_string(), self.iface(ty))).collect();
        let columns = results.iter().map(column).collect();
        self.prog.ifaces.push(Iface { name: "all of it".into(), shape: IfaceShape::Record(fields), columns });
        let result_id = IfaceId(self.prog.ifaces.len() as u32 - 1);
        let callee = Callee { sizes: known, cost: self.cost, recursive: false };
        let fun = self.end("main", params, ret, result, callee);
        self.prog.entries.push(Entry {
            name: "main".into(),
            fun,
            params: entry_params,
            result: result_id,
            result_unique: false,
            doc: String::new(),
            attrs: Vec::new(),
        });
    }

    /// The type of a column, known by the text of its shape.
    fn iface(&mut self, ty: &Type) -> IfaceId {
        let column = column(ty);
        let prim = ty.elem().and_then(Elem::prim).unwrap_or(Prim::Bool);
        let dims: String = column.irregular.iter().map(|is| if *is { "[?]" } else { "[]" }).collect();
        let name = format!("{dims}{}", prim.name());
        if let Some(i) = self.prog.ifaces.iter().position(|iface| iface.name == name) {
            return IfaceId(i as u32);
        }
        let shape = match &column.irregular[..] {
            [] => IfaceShape::Scalar(prim),
            dims if dims.contains(&true) => IfaceShape::Opaque,
            dims => IfaceShape::Array(prim, dims.len()),
        };
        self.prog.ifaces.push(Iface { name, shape, columns: vec![column] });
        IfaceId(self.prog.ifaces.len() as u32 - 1)
    }
}

fn column(ty: &Type) -> Column {
    let elem = ty.elem().unwrap_or(Elem::Prim(Prim::Bool));
    Column { elem, irregular: ty.dims().iter().map(|dim| *dim == Dim::Irregular).collect() }
}

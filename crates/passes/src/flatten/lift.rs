//! Lifted functions: for many lists of arguments at once, so that calls in maps become one call outside (NESL, ICFP 2012).
//!
//! ```text
//! map n (xss) \(k, xs: [k]i32) {                let ks: [n]i64 = lengths xss
//!   let r: i32 = call f (k, xs)         ==>     let rs: [n]i32 = call f_lifted (n, ks, xss)
//!   in r
//! }
//! ```
//!
//! The lifted function is the body of the original in a map over the lists of arguments, distributed: branches part the
//! lists, and a call of the function itself, inside, is a call of the lifted one for the lists that came that far. With no lists it returns at once,
//! so the recursion ends where that of the longest one does. Arguments that are the same for all elements are not lifted: they are
//! passed as they are, and there is a version of the function for each choice of these.

use super::Distributor;
use super::context::{Context, Home, Level, Stored};
use super::kernel::{Core, Demand};
use norn_ir::nest::grids::LIFTED;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, Elem, Exp, Fun, FunId, Param, Prim, Ret, Stm, Type, Var,
};

/// More versions of one function than these are not made.
const VERSIONS: usize = 4;

/// The lifted functions that have been requested: each follows the functions of the program, in this order.
pub struct Lifts<'a> {
    pub funs: &'a [Fun],
    /// Of which function, and which arguments are the same for all.
    requested: Vec<(FunId, Vec<bool>)>,
    made: usize,
}

impl<'a> Lifts<'a> {
    pub fn new(funs: &'a [Fun]) -> Lifts<'a> {
        Lifts { funs, requested: Vec::new(), made: 0 }
    }

    fn get(&mut self, fun: FunId, same: Vec<bool>) -> FunId {
        let requested = (fun, same);
        let at = self.requested.iter().position(|other| *other == requested).unwrap_or_else(|| {
            self.requested.push(requested);
            self.requested.len() - 1
        });
        FunId((self.funs.len() + at) as u32)
    }

    /// The next function to be made.
    pub fn next(&mut self) -> Option<(FunId, Vec<bool>)> {
        let next = self.requested.get(self.made).cloned();
        self.made += usize::from(next.is_some());
        next
    }

    fn versions(&self, fun: FunId) -> usize {
        self.requested.iter().filter(|(other, _)| *other == fun).count()
    }
}

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn call(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp else { return false };
        let callee = &self.lifts.funs[fun.0 as usize];
        if !is_plain(callee) {
            return false;
        }
        let mut same: Vec<bool> = args.iter().map(|arg| cx.is_outside(*arg)).collect();
        if same.iter().all(|same| *same) {
            return false;
        }
        let is_region = |at: usize| callee.vars[callee.params[at].var.0 as usize].ty == Type::Region;
        if (0..same.len()).any(|at| is_region(at) && !same[at]) {
            return false;
        }
        if self.lifts.versions(*fun) >= VERSIONS {
            same = (0..same.len()).map(is_region).collect();
        }
        sizes_are_known(callee, &mut same);
        let params = |dim: &Dim| param_dim(callee, &same, dim, |at| args[at]);
        let types: Vec<Vec<Dim>> = callee
            .params
            .iter()
            .map(|param| callee.vars[param.var.0 as usize].ty.dims().iter().map(params).collect())
            .collect();
        let results: Vec<Type> = callee
            .ret
            .iter()
            .map(|ret| {
                in_regions(callee, args, &ret.ty.with_dims(ret.ty.dims().iter().map(params).collect()))
            })
            .collect();

        let mut requested = Vec::new();
        for (((arg, same), dims), param) in args.iter().zip(&same).zip(&types).zip(&callee.params) {
            if !same {
                let ty = in_regions(callee, args, &callee.vars[param.var.0 as usize].ty);
                let ty = ty.with_dims([&cx.dims()[..], dims].concat());
                let name = callee.vars[param.var.0 as usize].name.clone();
                requested.push(Demand { value: *arg, name, ty });
            }
        }
        let lifted = self.lifts.get(*fun, same.clone());
        let arrays = self.results(cx, Core::new(), requested, u32::MAX);
        let mut count = Atom::i64(0);
        let mut steps = Vec::new();
        let mut arrays = arrays.into_iter();
        let mut given = Vec::new();
        for (arg, same) in args.iter().zip(&same) {
            given.push(match arrays.next_if_lifted(*same) {
                None => *arg,
                Some(array) => {
                    let (flat, found) = self.in_one_dimension(array, cx.depth());
                    count = self.names.ty(flat).dims()[0].atom().unwrap_or(count);
                    steps = found;
                    flat.into()
                }
            });
        }
        given.insert(0, count);
        let vars: Vec<Var> = stm
            .vars
            .iter()
            .zip(&results)
            .map(|(var, ty)| self.names.fresh(&self.names.name(*var), ty.array_of(Dim::Size(count))))
            .collect();
        self.taken_out += 1;
        let exp = Exp::call(lifted, given);
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars.clone(), exp, stm.span) });
        for (var, array) in stm.vars.iter().zip(vars) {
            let array = self.take_apart(array, &steps);
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
        true
    }

    /// The lifted version of a function, whose variables these are.
    pub fn lift(&mut self, mut fun: Fun, same: &[bool]) -> Fun {
        let count = self.names.fresh("count", Type::i64());
        let mut cx = Context::default();
        cx.push(Level { width: count.into(), groups: Vec::new() });
        let since = self.tick();
        let original = fun.clone();
        let dims = |dim: &Dim| param_dim(&original, same, dim, |at| original.params[at].var.into());
        let mut params = vec![Param::plain(count)];
        for (param, same) in original.params.iter().zip(same) {
            if *same {
                params.push(Param::plain(param.var));
                continue;
            }
            let ty = self.names.ty(param.var).clone();
            let ty = ty.with_dims(ty.dims().iter().map(dims).collect()).array_of(Dim::size(count));
            let array = self.names.fresh(&self.names.name(param.var), ty);
            params.push(Param::plain(array));
            cx.set(param.var, Home::Stored(Stored { level: 1, array, fresh: false, at: since }));
        }
        let types: Vec<Type> = original
            .ret
            .iter()
            .map(|ret| ret.ty.with_dims(ret.ty.dims().iter().map(dims).collect()).array_of(Dim::size(count)))
            .collect();

        let waiting = self.body(&mut cx, &original.body);
        let requested = original.body.result.iter().zip(&types);
        let requested = requested
            .map(|(value, ty)| Demand { value: *value, name: "result".into(), ty: ty.clone() })
            .collect();
        let arrays = self.results(&mut cx, waiting, requested, since + 1);
        let result = arrays.into_iter().map(|(array, fresh)| self.fresh_copy(array, fresh).into()).collect();
        let els = Body { stms: std::mem::take(&mut self.out), result };
        let mut then = Body::default();
        for ty in &types {
            let none = self.names.fresh("none", ty.clone());
            then.stms.push(self.stm(vec![none], Exp::array(Vec::new()), fun.span));
            then.result.push(none.into());
        }
        let empty =
            self.emit("empty", Type::bool(), Exp::bin(BinOp::Eq, Prim::I64, count.into(), Atom::i64(0)));
        let vars: Vec<Var> = types.iter().map(|ty| self.names.fresh("result", ty.clone())).collect();
        let chosen = self.stm(vars.clone(), Exp::if_(empty.into(), then, els), fun.span);
        self.out.push(chosen);
        fun.body =
            Body { stms: std::mem::take(&mut self.out), result: vars.into_iter().map(Atom::Var).collect() };
        fun.params = params;
        fun.ret = types.into_iter().map(Ret::unique).collect();
        fun.name.push_str("_lifted");
        fun.attrs.retain(|attr| attr == "library");
        fun.attrs.push(LIFTED.to_string());
        fun
    }
}

/// Whether a function takes and yields numbers, cells and arrays of these, and regions, so that it can be lifted.
pub fn is_plain(fun: &Fun) -> bool {
    let params = fun.params.iter().map(|param| &fun.vars[param.var.0 as usize].ty);
    let mut all = params.chain(fun.ret.iter().map(|ret| &ret.ty));
    all.all(|ty| ty.elem().is_some() || *ty == Type::Region)
}

/// A type of a function, in the regions that it is called with.
pub fn in_regions(fun: &Fun, args: &[Atom], ty: &Type) -> Type {
    let mut ty = ty.clone();
    ty.for_each_elem_mut(&mut |elem| {
        if let Elem::Ref(_, Some(region)) = elem
            && let Some(at) = fun.params.iter().position(|param| param.var == *region)
            && let Some(given) = args[at].var()
        {
            *region = given;
        }
    });
    ty
}

/// The arrays come in the order of the arguments that are lifted.
trait NextIfLifted {
    fn next_if_lifted(&mut self, same: bool) -> Option<Var>;
}

impl<I: Iterator<Item = (Var, bool)>> NextIfLifted for I {
    fn next_if_lifted(&mut self, same: bool) -> Option<Var> {
        if same { None } else { self.next().map(|(array, _)| array) }
    }
}

/// An array is passed as it is only if its sizes are.
fn sizes_are_known(fun: &Fun, same: &mut [bool]) {
    for at in 0..same.len() {
        let dims = fun.vars[fun.params[at].var.0 as usize].ty.dims();
        let known = |dim: &Dim| match dim {
            Dim::Size(Atom::Var(size)) => {
                fun.params.iter().position(|param| param.var == *size).is_some_and(|param| same[param])
            }
            Dim::Size(Atom::Const(_)) | Dim::Irregular | Dim::Result(_) => true,
        };
        same[at] = same[at] && dims.iter().all(known);
    }
}

/// A dimension in a type of a function, where sizes that are lifted vary. What is the same for all is given.
fn param_dim(fun: &Fun, same: &[bool], dim: &Dim, given: impl Fn(usize) -> Atom) -> Dim {
    match dim {
        Dim::Size(Atom::Var(size)) => match fun.params.iter().position(|param| param.var == *size) {
            Some(at) if same[at] => Dim::Size(given(at)),
            Some(_) | None => Dim::Irregular,
        },
        Dim::Size(Atom::Const(_)) | Dim::Irregular => *dim,
        Dim::Result(_) => Dim::Irregular,
    }
}

//! Derivatives: what is differentiated becomes a function of its own, and the program calls another one, without body, that is to be its derivative.
//!
//! ```text
//! vjp2 (\x -> a * x) x y'     fun lambda (a: f64, x: f64) -> f64 { .. }
//!                             call lambda_reverse (a, x, y')       lambda_reverse is asked to be the reverse of lambda with respect to x
//! ```
//!
//! What the function takes from its surroundings is a parameter that is not active: a constant. Only columns of numbers have tangents and adjoints: of floats, and of
//! integers where the argument has no floats at all. In the value that a derivative is, the others are zero, but for what gives it its form: the tags of sums, and cells.
//!
//! Many directions at once are a map over one: what does not depend on the direction leaves the map (`hoist_work`).

use crate::lower::Lower;
use crate::mono::Mono;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::Span;
use norn_ir::nest::derivative::{Custom, Derivative, Mode, Numbers};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{Atom, Body, Dim, Exp, Fun, FunId, Lambda, Param, Ret, Type, Var};
use norn_ir::skeleton::free::Free;

/// A function whose derivatives are asked for, as it is called.
struct Outlined {
    fun: FunId,
    /// What it takes from its surroundings, and checks that it relies on.
    captured: Vec<Var>,
    certs: Vec<Var>,
    x: Value,
    numbers: Numbers,
    /// How its result is represented, and the types of its results: sizes first.
    rep: Rep,
    ret: Vec<Type>,
}

/// A body that is not a function yet.
struct Open {
    params: Vec<Var>,
    body: Body,
    rep: Rep,
    ret: Vec<Type>,
}

/// What a column of a derivative is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Number,
    Zero,
    /// The same as in the value: it gives the value its form.
    Form,
}

impl Lower<'_> {
    /// `jvp2`, `vjp2` and their relatives for many vectors.
    pub fn derivative(&mut self, name: &str, args: [Value; 3], ret: &Mono, span: Span) -> Value {
        let [f, x, seed] = args;
        let Mono::Record(parts) = ret else { panic!("lower: {name} yields no pair") };
        let (value, change) = (&parts[0].1, &parts[1].1);
        match name {
            "jvp2" => {
                let f = self.outlined(&f, x, value, span);
                let seed = self.shaped_like(seed, &f.x.clone(), span);
                let (y, change) = self.call_derivative(&f, Mode::Forward, seed, span);
                Value::tuple(vec![y, change])
            }
            "vjp2" => {
                let f = self.outlined(&f, x, value, span);
                let (y, change) = self.call_derivative(&f, Mode::Reverse, seed, span);
                Value::tuple(vec![y, change])
            }
            _ => {
                let f = self.outlined(&f, x, value, span);
                let mode = if name == "jmp2" { Mode::Forward } else { Mode::Reverse };
                let y = self.call_outlined(&f, span);
                let row = change.row().cloned();
                let changes = self.mapped(seed, row.as_ref(), span, |l, seed| {
                    let seed = match mode {
                        Mode::Forward => l.shaped_like(seed, &f.x, span),
                        Mode::Reverse => seed,
                    };
                    l.call_derivative(&f, mode, seed, span).1
                });
                Value::tuple(vec![y, changes])
            }
        }
    }

    /// `with_vjp f f' x`: a call of `f`, whose reverse is known to be `f'`.
    pub fn custom_derivative(&mut self, f: Value, reverse: Value, x: Value, ret: &Mono, span: Span) -> Value {
        let open = self.open_function(&x, |l, x| l.inline(&f, vec![x], Some(ret), span));
        let result = (open.rep.clone(), open.ret.clone());
        let open_reverse = self.open_reverse(&reverse, &x, &result, span);
        let mut captured = self.captured(&open, &[]);
        captured = self.captured(&open_reverse, &captured);
        let numbers = self.numbers_of(&x.rep);
        let active = self.changing_columns(&x.rep, numbers);
        let first = captured.iter().filter(|var| !self.is_cert(**var)).count();
        let f = self.close_function(open, captured.clone(), x.clone(), span);
        let mut params = f.captured.clone();
        params.extend(self.vars_like(&x));
        let reverse = self.finish_function("reverse", params, open_reverse, span);
        let active = active.into_iter().map(|at| first + at).collect();
        self.derivatives.customs.push(Custom { of: f.fun, reverse, numbers, active });
        self.call_outlined(&f, span)
    }

    /// The given reverse of a function: of its results and of their adjoints.
    fn open_reverse(&mut self, reverse: &Value, x: &Value, result: &(Rep, Vec<Type>), span: Span) -> Open {
        let (rep, ret) = result;
        let numbers = self.numbers_of(&x.rep);
        let columns = self.changing_columns(&x.rep, numbers);
        self.b.begin_body();
        let params: Vec<Var> = self.result_vars(ret);
        let cols: Vec<Atom> =
            params[ret.len() - self.width(rep)..].iter().map(|var| Atom::Var(*var)).collect();
        let y = Value { rep: rep.clone(), cols };
        let adjoints: Vec<Var> = self
            .changing_columns(rep, numbers)
            .into_iter()
            .map(|at| {
                let ty = self.b.atom_ty(y.cols[at]);
                self.b.new_var("weight", ty)
            })
            .collect();
        let weights =
            self.with_numbers(&y, adjoints.iter().map(|var| Atom::Var(*var)).collect(), numbers, span);
        let mono = self.mono_of_value(x);
        let found = self.inline(reverse, vec![y, weights], Some(&mono), span);
        let found = self.shaped_like(found, x, span);
        let body = self.b.end_body(columns.iter().map(|at| found.cols[*at]).collect());
        let ret = columns.iter().map(|at| self.b.atom_ty(x.cols[*at])).collect();
        Open { params: params.into_iter().chain(adjoints).collect(), body, rep: Rep::unit(), ret }
    }

    /// A function that applies `f` to something like `x`.
    fn outlined(&mut self, f: &Value, x: Value, result: &Mono, span: Span) -> Outlined {
        let open = self.open_function(&x, |l, x| l.inline(f, vec![x], Some(result), span));
        let captured = self.captured(&open, &[]);
        self.close_function(open, captured, x, span)
    }

    /// The body of a function of something like `x`.
    fn open_function(&mut self, x: &Value, body: impl FnOnce(&mut Self, Value) -> Value) -> Open {
        self.b.begin_body();
        let params = self.vars_like(x);
        let cols = params.iter().map(|var| Atom::Var(*var)).collect();
        let result = body(self, Value { rep: x.rep.clone(), cols });
        let mut sizes: Vec<Atom> = Vec::new();
        let dims: Vec<Dim> = self
            .dims(&result)
            .into_iter()
            .map(|size| match size {
                Atom::Var(var) if !self.b.is_visible(var, 1) || params.contains(&var) => {
                    let at = sizes.iter().position(|known| *known == size).unwrap_or_else(|| {
                        sizes.push(size);
                        sizes.len() - 1
                    });
                    Dim::Result(at)
                }
                Atom::Var(_) | Atom::Const(_) => Dim::Size(size),
            })
            .collect();
        let mut ret = vec![Type::i64(); sizes.len()];
        ret.extend(self.types(&result.rep, &dims));
        let body = self.b.end_body(sizes.into_iter().chain(result.cols).collect());
        Open { params, body, rep: result.rep, ret }
    }

    fn vars_like(&mut self, x: &Value) -> Vec<Var> {
        let mut vars = Vec::with_capacity(x.cols.len());
        for col in &x.cols {
            let ty = self.b.atom_ty(*col);
            vars.push(self.b.new_var("x", ty));
        }
        vars
    }

    /// What a body takes from its surroundings, after these: sizes before what has them in its type.
    fn captured(&self, open: &Open, before: &[Var]) -> Vec<Var> {
        let mut free = Free::new(self.b.vars());
        open.params.iter().for_each(|param| free.bind(*param));
        open.ret.iter().for_each(|ty| ty.for_each_var(&mut |var| free.mention(var)));
        free.body(&open.body);
        let mut captured = before.to_vec();
        for var in free.found() {
            self.capture(var, &mut captured);
        }
        captured
    }

    fn capture(&self, var: Var, captured: &mut Vec<Var>) {
        if captured.contains(&var) {
            return;
        }
        let mut sizes = Vec::new();
        self.b.ty(var).for_each_var(&mut |size| sizes.push(size));
        sizes.into_iter().for_each(|size| self.capture(size, captured));
        captured.push(var);
    }

    fn is_cert(&self, var: Var) -> bool {
        *self.b.ty(var) == Type::Cert
    }

    fn close_function(&mut self, open: Open, captured: Vec<Var>, x: Value, span: Span) -> Outlined {
        let (certs, captured): (Vec<Var>, Vec<Var>) =
            captured.into_iter().partition(|var| self.is_cert(*var));
        let (rep, ret) = (open.rep.clone(), open.ret.clone());
        let fun = self.finish_function("differentiated", captured.clone(), open, span);
        let numbers = self.numbers_of(&x.rep);
        Outlined { fun, captured, certs, x, numbers, rep, ret }
    }

    fn finish_function(&mut self, name: &str, first: Vec<Var>, mut open: Open, span: Span) -> FunId {
        let certs: Vec<Var> =
            self.captured(&open, &[]).into_iter().filter(|var| self.is_cert(*var)).collect();
        // The caller has made these checks.
        open.body.stms.iter_mut().for_each(|stm| stm.certs.retain(|cert| !certs.contains(cert)));
        let mut fun = Fun {
            name: name.to_string(),
            params: first.into_iter().chain(open.params).map(Param::plain).collect(),
            ret: open.ret.into_iter().map(Ret::plain).collect(),
            body: open.body,
            vars: self.b.vars().to_vec(),
            attrs: Vec::new(),
            span,
        };
        normalise_fun(&mut fun);
        let id = self.new_fun();
        self.funs[id.0 as usize] = Some(fun);
        id
    }

    /// A function without body, which is asked to be a derivative.
    fn ask(&mut self, f: &Outlined, mode: Mode, active: Vec<usize>) -> FunId {
        let found = self.derivatives.asked.iter().find(|d| d.of == f.fun && d.mode == mode);
        if let Some(known) = found {
            return known.fun;
        }
        let Some(of) = self.funs[f.fun.0 as usize].clone() else {
            panic!("lower: no function to differentiate")
        };
        let fun = self.new_fun();
        self.funs[fun.0 as usize] = Some(Fun { body: Body::default(), ..of });
        self.derivatives.asked.push(Derivative { fun, of: f.fun, mode, numbers: f.numbers, active });
        fun
    }

    fn call_outlined(&mut self, f: &Outlined, span: Span) -> Value {
        let args = f.captured.iter().map(|var| Atom::Var(*var)).chain(f.x.cols.iter().copied()).collect();
        let vars = self.result_vars(&f.ret);
        self.bind_call(f, vars.clone(), Exp::call(f.fun, args), span);
        self.result_value(f, &vars)
    }

    /// The value of the function, and how it changes (forwards), or how its argument matters (in reverse).
    fn call_derivative(&mut self, f: &Outlined, mode: Mode, seed: Value, span: Span) -> (Value, Value) {
        let columns = self.changing_columns(&f.x.rep, f.numbers);
        let active = columns.iter().map(|at| f.captured.len() + at).collect();
        let fun = self.ask(f, mode, active);
        let mut args: Vec<Atom> = f.captured.iter().map(|var| Atom::Var(*var)).collect();
        args.extend(&f.x.cols);
        let sizes = f.ret.len() - self.width(&f.rep);
        match mode {
            Mode::Forward => args.extend(columns.iter().map(|at| seed.cols[*at])),
            Mode::Reverse => {
                let seed = self.coerce(seed, &f.rep, span);
                args.extend(self.returned_sizes(f, sizes, &seed));
                args.extend(self.changing_columns(&f.rep, f.numbers).into_iter().map(|at| seed.cols[at]));
            }
        }
        let mut vars = self.result_vars(&f.ret);
        let own = vars.len();
        let like: Vec<Atom> = match mode {
            Mode::Forward => self
                .changing_columns(&f.rep, f.numbers)
                .into_iter()
                .map(|at| Atom::Var(vars[sizes + at]))
                .collect(),
            Mode::Reverse => columns.iter().map(|at| f.x.cols[*at]).collect(),
        };
        for atom in like {
            let ty = self.b.atom_ty(atom);
            vars.push(self.b.new_var("change", ty));
        }
        self.bind_call(f, vars.clone(), Exp::call(fun, args), span);
        let changes = vars[own..].iter().map(|var| Atom::Var(*var)).collect();
        let y = self.result_value(f, &vars[..own]);
        let change = match mode {
            Mode::Forward => self.with_numbers(&y, changes, f.numbers, span),
            Mode::Reverse => self.with_numbers(&f.x, changes, f.numbers, span),
        };
        (y, change)
    }

    fn bind_call(&mut self, f: &Outlined, vars: Vec<Var>, call: Exp, span: Span) {
        f.certs.iter().for_each(|cert| self.b.rely(*cert));
        let arrays: Vec<Var> = vars.iter().filter(|var| self.b.ty(**var).is_array()).copied().collect();
        self.shared.extend(arrays);
        self.b.bind(vars, call, span);
    }

    /// Variables for what a function returns: sizes, then columns.
    fn result_vars(&mut self, ret: &[Type]) -> Vec<Var> {
        let mut vars: Vec<Var> = Vec::new();
        for ty in ret {
            let mut ty = ty.clone();
            ty.for_each_dim(&mut |dim| {
                if let Dim::Result(at) = *dim {
                    *dim = Dim::size(vars[at]);
                }
            });
            vars.push(self.b.new_var("r", ty));
        }
        vars
    }

    fn result_value(&self, f: &Outlined, vars: &[Var]) -> Value {
        let sizes = f.ret.len() - self.width(&f.rep);
        Value { rep: f.rep.clone(), cols: vars[sizes..].iter().map(|var| Atom::Var(*var)).collect() }
    }

    /// The sizes of the result that only the call would tell, as the weights have them.
    fn returned_sizes(&self, f: &Outlined, count: usize, seed: &Value) -> Vec<Atom> {
        let places = self.dim_places(&f.rep);
        let sizes = self.dims(seed);
        (0..count)
            .map(|at| {
                let found = places
                    .iter()
                    .zip(&sizes)
                    .find(|((column, depth), _)| f.ret[count + column].dims()[*depth] == Dim::Result(at));
                *found.unwrap_or_else(|| panic!("lower: a size that no column has")).1
            })
            .collect()
    }

    /// The value with the representation and the sizes of another of its type.
    fn shaped_like(&mut self, v: Value, like: &Value, span: Span) -> Value {
        let v = self.coerce(v, &like.rep, span);
        let dims = self.dims(like);
        for (expected, found) in dims.clone().into_iter().zip(self.dims(&v)) {
            self.same_size(expected, found, span);
        }
        self.with_dims(&v, &dims, span)
    }

    /// Integers have derivatives where there are no floats.
    fn numbers_of(&self, x: &Rep) -> Numbers {
        let has_floats = !self.changing_columns(x, Numbers::Floats).is_empty();
        if has_floats { Numbers::Floats } else { Numbers::All }
    }

    /// The columns that have tangents and adjoints.
    fn changing_columns(&self, rep: &Rep, numbers: Numbers) -> Vec<usize> {
        let parts = self.parts_of_change(rep, numbers);
        (0..parts.len()).filter(|at| parts[*at] == Part::Number).collect()
    }

    fn parts_of_change(&self, rep: &Rep, numbers: Numbers) -> Vec<Part> {
        match rep {
            Rep::Prim(prim) if numbers.include(&Type::scalar(*prim)) => vec![Part::Number],
            Rep::Prim(_) => vec![Part::Zero],
            Rep::Record(fields) if fields.is_empty() => vec![Part::Form],
            Rep::Record(fields) => {
                fields.iter().flat_map(|(_, r)| self.parts_of_change(r, numbers)).collect()
            }
            Rep::Sum(sum) => {
                let slots = sum.slots.iter().flat_map(|r| self.parts_of_change(r, numbers));
                std::iter::once(Part::Form).chain(slots).collect()
            }
            Rep::Array(_, elem) => self.parts_of_change(elem, numbers),
            Rep::Data(_) | Rep::Fn(_) | Rep::Dyn(_) | Rep::Acc(_) => vec![Part::Form; self.width(rep)],
        }
    }

    /// A value of the same form with these numbers.
    fn with_numbers(&mut self, like: &Value, changes: Vec<Atom>, numbers: Numbers, span: Span) -> Value {
        let mut changes = changes.into_iter();
        let mut cols = Vec::with_capacity(like.cols.len());
        for (part, col) in self.parts_of_change(&like.rep, numbers).into_iter().zip(&like.cols) {
            cols.push(match part {
                Part::Number => changes.next().unwrap_or_else(|| panic!("lower: a number without change")),
                Part::Zero => self.zeros_like(*col, span),
                Part::Form => *col,
            });
        }
        Value { rep: like.rep.clone(), cols }
    }

    fn zeros_like(&mut self, col: Atom, span: Span) -> Atom {
        let ty = self.b.atom_ty(col);
        let Some(array) = col.var().filter(|_| ty.dims().contains(&Dim::Irregular)) else {
            return self.blank_column(ty, span);
        };
        let Some(Dim::Size(width)) = ty.dims().first().copied() else { return col };
        self.b.begin_body();
        let mut row = ty.row().unwrap_or(Type::bool());
        let mut params = Vec::new();
        if ty.has_irregular_rows() {
            let length = self.b.new_var("length", Type::i64());
            let mut dims = row.dims().to_vec();
            dims[0] = Dim::size(length);
            row = row.with_dims(dims);
            params.push(length);
        }
        let row = self.b.new_var("row", row);
        params.push(row);
        let zeros = self.zeros_like(row.into(), span);
        let lambda = Lambda::new(params, self.b.end_body(vec![zeros]));
        self.b.emit1("zeros", ty, Exp::map(width, vec![array], lambda), span).into()
    }
}

//! The built-in module `intrinsics`, and the operators and types that every program sees.
//!
//! Overloaded values are listed here; polymorphic ones are read from lib/prelude/intrinsics.fut.

use crate::cx::Cx;
use crate::env::{Env, TypeBinding, Value};
use crate::types::{self, Liftedness, Prim, TParam, TyArg, TyId, TyIdKind, TyInfo, VarId};
use norn_base::{Span, Symbol};
use std::rc::Rc;

/// The types that an overloaded value works on.
#[derive(Clone, Copy)]
enum Class {
    Prim,
    Number,
    Int,
    Float,
    Bool,
    IntOrBool,
}

impl Class {
    fn prims(self) -> Vec<Prim> {
        let holds = |p: &Prim| match self {
            Class::Prim => true,
            Class::Number => p.is_number(),
            Class::Int => p.is_int(),
            Class::Float => p.is_float(),
            Class::Bool => *p == Prim::Bool,
            Class::IntOrBool => p.is_int() || *p == Prim::Bool,
        };
        Prim::ALL.into_iter().filter(holds).collect()
    }
}

/// A parameter or result: the type the value is used at, or a fixed one.
const T: Option<Prim> = None;

struct Overloaded {
    names: &'static [&'static str],
    class: Class,
    params: &'static [Option<Prim>],
    ret: Option<Prim>,
}

const fn overloaded(
    names: &'static [&'static str],
    class: Class,
    params: &'static [Option<Prim>],
    ret: Option<Prim>,
) -> Overloaded {
    Overloaded { names, class, params, ret }
}

const BOOL: Option<Prim> = Some(Prim::Bool);
const I32: Option<Prim> = Some(Prim::I32);

const OPERATORS: &[Overloaded] = &[
    overloaded(&["+", "-", "*", "/", "%", "**"], Class::Number, &[T, T], T),
    overloaded(&["//", "%%", "&", "|", "^", "<<", ">>"], Class::Int, &[T, T], T),
    overloaded(&["<", "<=", ">", ">="], Class::Prim, &[T, T], BOOL),
    overloaded(&["&&", "||"], Class::Bool, &[T, T], T),
];

const FUNCTIONS: &[Overloaded] = &[
    overloaded(&["neg"], Class::Number, &[T], T),
    overloaded(&["!", "~"], Class::IntOrBool, &[T], T),
    overloaded(&["max", "min"], Class::Number, &[T, T], T),
    overloaded(&["abs", "sgn"], Class::Number, &[T], T),
    overloaded(&["ashr", "lshr", "mul_hi"], Class::Int, &[T, T], T),
    overloaded(&["mad_hi"], Class::Int, &[T, T, T], T),
    overloaded(&["popc", "clz", "ctz"], Class::Int, &[T], I32),
    overloaded(
        &[
            "sqrt", "rsqrt", "cbrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
            "acos", "atan", "sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi", "sinh", "cosh", "tanh",
            "asinh", "acosh", "atanh", "gamma", "lgamma", "erf", "erfc", "ceil", "floor", "trunc", "round",
        ],
        Class::Float,
        &[T],
        T,
    ),
    overloaded(&["atan2", "atan2pi", "hypot", "nextafter", "copysign"], Class::Float, &[T, T], T),
    overloaded(&["ldexp"], Class::Float, &[T, I32], T),
    overloaded(&["lerp", "mad", "fma"], Class::Float, &[T, T, T], T),
    overloaded(&["isnan", "isinf"], Class::Float, &[T], BOOL),
    overloaded(&["to_i8"], Class::Prim, &[T], Some(Prim::I8)),
    overloaded(&["to_i16"], Class::Prim, &[T], Some(Prim::I16)),
    overloaded(&["to_i32"], Class::Prim, &[T], Some(Prim::I32)),
    overloaded(&["to_i64"], Class::Prim, &[T], Some(Prim::I64)),
    overloaded(&["to_u8"], Class::Prim, &[T], Some(Prim::U8)),
    overloaded(&["to_u16"], Class::Prim, &[T], Some(Prim::U16)),
    overloaded(&["to_u32"], Class::Prim, &[T], Some(Prim::U32)),
    overloaded(&["to_u64"], Class::Prim, &[T], Some(Prim::U64)),
    overloaded(&["to_f16"], Class::Prim, &[T], Some(Prim::F16)),
    overloaded(&["to_f32"], Class::Prim, &[T], Some(Prim::F32)),
    overloaded(&["to_f64"], Class::Prim, &[T], Some(Prim::F64)),
    overloaded(&["to_bool"], Class::Prim, &[T], BOOL),
    overloaded(&["f16_to_bits"], Class::Float, &[Some(Prim::F16)], Some(Prim::U16)),
    overloaded(&["f32_to_bits"], Class::Float, &[Some(Prim::F32)], Some(Prim::U32)),
    overloaded(&["f64_to_bits"], Class::Float, &[Some(Prim::F64)], Some(Prim::U64)),
    overloaded(&["f16_from_bits"], Class::Float, &[Some(Prim::U16)], Some(Prim::F16)),
    overloaded(&["f32_from_bits"], Class::Float, &[Some(Prim::U32)], Some(Prim::F32)),
    overloaded(&["f64_from_bits"], Class::Float, &[Some(Prim::U64)], Some(Prim::F64)),
];

/// Polymorphic values that every file sees, and of which the named type parameter stands for primitive types.
pub const ON_PRIMITIVES: [(&str, &str); 2] = [("sort", "k"), ("sort_by_key", "k")];

/// Make the type parameter of this name one that stands for primitive types.
pub fn restrict_to_primitives(cx: &mut Cx, var: VarId, param: &str) {
    let Some(Value::Scheme(scheme)) = cx.value(var).cloned() else { return };
    let named = scheme.tparams.iter().find_map(|tparam| match tparam {
        TParam::Type(id, _) if cx.names.ty(*id).name.as_str() == param => Some(*id),
        TParam::Type(..) | TParam::Size(_) => None,
    });
    if let Some(param) = named {
        cx.set_value(var, Value::Primitive { scheme, param, prims: Class::Prim.prims() });
    }
}

/// Operators that cannot be redefined, since they do not evaluate both operands.
pub const SHORT_CIRCUIT: [&str; 2] = ["&&", "||"];

/// What every file sees, and what the module `intrinsics` has on top of that, but for the
/// polymorphic values.
pub struct Builtins {
    pub global: Env,
    pub module: Env,
}

pub fn builtins(cx: &mut Cx, span: Span) -> Builtins {
    let mut global = Env::default();
    let acc = cx.names.new_type(TyInfo {
        name: Symbol::new("acc"),
        span,
        lifted: Liftedness::SizeLifted,
        kind: TyIdKind::Abstract,
    });
    debug_assert!(acc == TyId::ACC);
    let elem = cx.names.new_type(TyInfo {
        name: Symbol::new("t"),
        span,
        lifted: Liftedness::Lifted,
        kind: TyIdKind::Param,
    });
    let acc_type = types::con(acc, vec![TyArg::Type(types::con(elem, Vec::new()))]);
    global.types.insert(
        Symbol::new("acc"),
        Rc::new(TypeBinding {
            lifted: Liftedness::SizeLifted,
            params: vec![TParam::Type(elem, Liftedness::Lifted)],
            ty: types::ret(acc_type),
            span,
        }),
    );
    for p in Prim::ALL {
        let binding = TypeBinding {
            lifted: Liftedness::Unlifted,
            params: Vec::new(),
            ty: types::ret(types::prim(p)),
            span,
        };
        global.types.insert(Symbol::new(p.name()), Rc::new(binding));
    }
    for op in ["==", "!="] {
        let v = cx.new_var(Symbol::new(op), span);
        cx.set_value(v, Value::Equality);
        global.add_val(Symbol::new(op), v);
    }
    add_overloaded(cx, &mut global, OPERATORS, span);
    for name in ["+", "-"] {
        if let Some(v) = global.vals.get(&Symbol::new(name)) {
            cx.set_operator(Symbol::new(name), *v);
        }
    }
    let mut module = global.clone();
    add_overloaded(cx, &mut module, FUNCTIONS, span);
    Builtins { global, module }
}

fn add_overloaded(cx: &mut Cx, env: &mut Env, list: &[Overloaded], span: Span) {
    for o in list {
        for name in o.names {
            let name = Symbol::new(name);
            let v = cx.new_var(name, span);
            cx.set_value(
                v,
                Value::Overloaded { prims: o.class.prims(), params: o.params.to_vec(), ret: o.ret },
            );
            env.add_val(name, v);
        }
    }
}

//! Evaluates scripts, the expressions in test blocks and literate directives, to values: literals, files, entry points applied to arguments, fields, indices and `let`.
//!
//! An entry point with too few arguments is a value, too, and is called when the rest arrives. Numbers that the script or a file contains adapt to the type
//! that an entry point expects; results of the program do not. Errors are sentences with the place in the script (`BlockError`).

use super::builtin::call_builtin;
use super::fit::fit;
use super::{Exp, ExpKind, Pat};
use crate::engine::{Engine, Item};
use crate::testing::blocks::BlockError;
use norn_values::Value;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub enum Val {
    /// A number or array that the script or a file wrote down. Only these adapt to other types.
    Const(Value),
    /// A result of the program.
    Item(Item),
    Tuple(Vec<Val>),
    Record(Vec<(String, Val)>),
    /// An array of what is no plain value.
    Array(Vec<Val>),
    /// An entry point with some of its arguments.
    Function(String, Vec<Val>),
}

/// Evaluates scripts with the entry points of a program.
pub struct Evaluator<'a> {
    pub engine: &'a Engine,
    /// Files are relative to this folder.
    pub folder: &'a Path,
}

type Env = HashMap<String, Val>;

impl Evaluator<'_> {
    pub fn eval(&mut self, exp: &Exp) -> Result<Val, BlockError> {
        self.eval_in(exp, &Env::new())
    }

    /// The arguments for an entry point that an expression stands for: its parts if it is a tuple of
    /// as many parts as there are parameters, else itself.
    pub fn eval_arguments(&mut self, exp: &Exp, entry: &str) -> Result<Vec<Item>, BlockError> {
        let value = self.eval(exp)?;
        let error_at = |message: String| BlockError::new(exp.at.clone(), message);
        self.arguments(entry, vec![value])
            .map_err(error_at)?
            .ok_or_else(|| error_at(format!("This is too little for the entry point `{entry}`.")))
    }

    /// Applies an entry point that still lacks arguments. The error is a sentence.
    pub fn call(&mut self, function: &Val, args: Vec<Val>) -> Result<Val, String> {
        let Val::Function(entry, first) = function else { return Err("This is no function.".into()) };
        self.apply_entry(entry, [first.clone(), args].concat())
    }

    fn eval_in(&mut self, exp: &Exp, env: &Env) -> Result<Val, BlockError> {
        let error_at = |message: String| BlockError::new(exp.at.clone(), message);
        match &exp.kind {
            ExpKind::Value(value) => Ok(Val::Const(value.clone())),
            ExpKind::Name(name, args) => {
                let args = self.eval_all(args, env)?;
                self.apply(name, args, env, &exp.at)
            }
            ExpKind::Builtin(name, args) => {
                let args = self.eval_all(args, env)?;
                call_builtin(self.engine, self.folder, name, args).map_err(error_at)
            }
            ExpKind::Tuple(parts) => self.eval_all(parts, env).map(Val::Tuple),
            ExpKind::Record(fields) => {
                let field = |(name, exp): &(String, Exp)| Ok((name.clone(), self.eval_in(exp, env)?));
                fields.iter().map(field).collect::<Result<_, _>>().map(Val::Record)
            }
            ExpKind::Array(rows) => self.eval_all(rows, env).map(make_array),
            ExpKind::Project(record, field) => {
                let record = self.eval_in(record, env)?;
                self.project(record, field).map_err(error_at)
            }
            ExpKind::Index(array, indices) => {
                let array = self.eval_in(array, env)?;
                let indices = self.eval_all(indices, env)?;
                self.index(array, &indices).map_err(error_at)
            }
            ExpKind::Let(pat, bound, body) => {
                let bound = self.eval_in(bound, env)?;
                let mut env = env.clone();
                self.bind(pat, bound, &mut env).map_err(error_at)?;
                self.eval_in(body, &env)
            }
        }
    }

    fn eval_all(&mut self, exps: &[Exp], env: &Env) -> Result<Vec<Val>, BlockError> {
        exps.iter().map(|exp| self.eval_in(exp, env)).collect()
    }

    /// A variable, an entry point, or an entry point that a variable stands for, applied.
    fn apply(&mut self, name: &str, args: Vec<Val>, env: &Env, at: &Range<usize>) -> Result<Val, BlockError> {
        let error_at = |message: String| BlockError::new(at.clone(), message);
        let (entry, args) = match env.get(name) {
            Some(value) if args.is_empty() => return Ok(value.clone()),
            Some(Val::Function(entry, first)) => (entry.as_str(), [first.clone(), args].concat()),
            Some(_) => return Err(error_at(format!("The variable `{name}` is no function."))),
            None => (name, args),
        };
        self.apply_entry(entry, args).map_err(error_at)
    }

    /// What an entry point yields, or itself with its arguments if there are too few.
    fn apply_entry(&mut self, entry: &str, args: Vec<Val>) -> Result<Val, String> {
        let Some(items) = self.arguments(entry, args.clone())? else {
            return Ok(Val::Function(entry.into(), args));
        };
        match self.engine.call(entry, &items) {
            Ok(item) => Ok(Val::Item(item)),
            Err(error) => Err(format!("The call of `{entry}` failed.\n{}", error.rendered.trim_end())),
        }
    }

    /// The values as arguments of an entry point. None if there are too few.
    fn arguments(&mut self, entry: &str, mut args: Vec<Val>) -> Result<Option<Vec<Item>>, String> {
        let Some(found) = self.engine.entry(entry) else {
            return Err(format!("There is no entry point or variable `{entry}`."));
        };
        let params: Vec<_> = found.params.iter().map(|param| self.engine.item_type(param.ty)).collect();
        if let [arg] = &args[..]
            && params.len() != 1
            && let Some(parts) = self.parts(arg)
            && parts.len() == params.len()
        {
            args = parts;
        }
        if args.len() > params.len() {
            let (expected, found) = (params.len(), args.len());
            return Err(format!(
                "The entry point `{entry}` takes {expected} arguments, but here are {found}."
            ));
        }
        if args.len() < params.len() {
            return Ok(None);
        }
        let mut items = Vec::new();
        for (i, (arg, ty)) in args.into_iter().zip(params).enumerate() {
            let item = fit(self.engine, arg, ty);
            items.push(item.map_err(|why| format!("Argument {} of `{entry}` does not fit: {why}", i + 1))?);
        }
        Ok(Some(items))
    }

    /// The parts of a tuple.
    pub fn parts(&self, value: &Val) -> Option<Vec<Val>> {
        match value {
            Val::Tuple(parts) => Some(parts.clone()),
            Val::Item(item) => {
                self.engine.tuple(item.ty())?;
                Some(self.engine.untuple(item.clone()).into_iter().map(Val::Item).collect())
            }
            Val::Const(_) | Val::Record(_) | Val::Array(_) | Val::Function(..) => None,
        }
    }

    /// The fields of a record.
    pub fn fields(&self, value: &Val) -> Option<Vec<(String, Val)>> {
        match value {
            Val::Record(fields) => Some(fields.clone()),
            Val::Item(item) => {
                let fields = self.engine.fields(item.ty()).ok()?;
                let part = |(name, _): &(&str, _)| {
                    Some((name.to_string(), Val::Item(self.engine.project(item, name).ok()?)))
                };
                fields.iter().map(part).collect()
            }
            Val::Const(_) | Val::Tuple(_) | Val::Array(_) | Val::Function(..) => None,
        }
    }

    fn bind(&self, pat: &Pat, value: Val, env: &mut Env) -> Result<(), String> {
        match pat {
            Pat::Name(name) => {
                env.insert(name.clone(), value);
            }
            Pat::Tuple(names) => {
                let parts = match (&names[..], self.parts(&value)) {
                    (_, Some(parts)) => parts,
                    ([_], None) => vec![value],
                    (_, None) => return Err("What is bound here is no tuple.".into()),
                };
                if parts.len() != names.len() {
                    let (names, parts) = (names.len(), parts.len());
                    return Err(format!("There are {names} names for a tuple of {parts}."));
                }
                env.extend(names.iter().cloned().zip(parts));
            }
        }
        Ok(())
    }

    fn project(&self, value: Val, field: &str) -> Result<Val, String> {
        let found = match value {
            Val::Item(item) => return self.engine.project(&item, field).map(Val::Item),
            Val::Record(fields) => fields.into_iter().find(|(name, _)| name == field).map(|(_, value)| value),
            Val::Tuple(parts) => {
                let at = field.parse::<usize>().ok();
                at.and_then(|at| parts.into_iter().nth(at))
            }
            Val::Const(_) | Val::Array(_) | Val::Function(..) => None,
        };
        found.ok_or_else(|| format!("There is no field `{field}`."))
    }

    fn index(&self, array: Val, indices: &[Val]) -> Result<Val, String> {
        let numbers: Option<Vec<i64>> = indices.iter().map(whole_number).collect();
        let numbers = numbers.ok_or("An index is no integer.")?;
        let at: Option<Vec<usize>> = numbers.iter().map(|&i| usize::try_from(i).ok()).collect();
        let row = |value: &Value| {
            let row = at.as_ref().and_then(|at| value.row(at));
            row.ok_or_else(|| format!("The index {numbers:?} is out of bounds for {}.", value.type_text()))
        };
        match &array {
            Val::Const(value) => row(value).map(Val::Const),
            Val::Item(Item::Value(value)) => row(value).map(|value| Val::Item(Item::Value(value))),
            Val::Item(item) => self.engine.index(item, &numbers).map(Val::Item),
            Val::Array(rows) => {
                let first = at.as_ref().and_then(|at| at.first()).and_then(|&first| rows.get(first).cloned());
                let first = first.ok_or_else(|| format!("The index {numbers:?} is out of bounds."))?;
                if indices.len() == 1 { Ok(first) } else { self.index(first, &indices[1..]) }
            }
            Val::Tuple(_) | Val::Record(_) | Val::Function(..) => Err("This is no array.".into()),
        }
    }
}

/// The array of these rows, plain if they are and agree.
fn make_array(rows: Vec<Val>) -> Val {
    let plain: Option<Vec<Value>> = rows.iter().map(|row| row.plain().cloned()).collect();
    match plain.and_then(|rows| Value::from_rows(&rows)) {
        Some(value) if rows.iter().all(|row| matches!(row, Val::Const(_))) => Val::Const(value),
        Some(value) => Val::Item(Item::Value(value)),
        None => Val::Array(rows),
    }
}

impl Val {
    /// The number or array that this is.
    pub fn plain(&self) -> Option<&Value> {
        match self {
            Val::Const(value) | Val::Item(Item::Value(value)) => Some(value),
            Val::Item(Item::Opaque(_))
            | Val::Tuple(_)
            | Val::Record(_)
            | Val::Array(_)
            | Val::Function(..) => None,
        }
    }
}

/// The integer that a value is.
pub fn whole_number(value: &Val) -> Option<i64> {
    value.plain()?.convert_integers(norn_values::Prim::I64)?.as_scalar()
}

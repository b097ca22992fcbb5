//! Entry points: I8, and I1 of what they mention.

use super::Rule;
use crate::imp::{Elem, Entry, EntryDim, EntryElem, EntryType, Prim, Prog, Type};
use crate::nest::{self, Column};

type Wrong = Vec<(Rule, String)>;

pub(super) fn verify_entry(prog: &Prog, entry: &Entry) -> Wrong {
    let Some(fun) = prog.funs.get(entry.fun.0 as usize) else {
        return vec![(Rule::I1, "its function does not exist.".to_string())];
    };
    let mut wrong = Vec::new();
    let params: Vec<Type> =
        fun.params.iter().filter_map(|var| fun.vars.get(var.0 as usize)).map(|info| info.ty).collect();
    let args = values(prog, entry, &entry.args, &params, "parameters", &mut wrong);
    let rets = values(prog, entry, &entry.rets, &fun.ret, "results", &mut wrong);
    if let (Some(args), Some(rets)) = (args, rets)
        && args != rets
    {
        wrong.push((Rule::I8, "some of its arrays are remote, and others are not.".to_string()));
    }

    let mut columns = Vec::new();
    for ty in entry.params.iter().map(|param| param.ty) {
        match prog.ifaces.get(ty.0 as usize) {
            Some(iface) => columns.extend(&iface.columns),
            None => wrong.push((Rule::I1, "it takes a type that does not exist.".to_string())),
        }
    }
    last_are(&entry.args, &columns, "parameters", &mut wrong);
    match prog.ifaces.get(entry.result.0 as usize) {
        Some(iface) => {
            last_are(&entry.rets, &iface.columns.iter().collect::<Vec<_>>(), "results", &mut wrong)
        }
        None => wrong.push((Rule::I1, "it yields a type that does not exist.".to_string())),
    }
    wrong
}

/// That the parts of all values are these types. Whether arrays are remote, if there are any.
fn values(
    prog: &Prog,
    entry: &Entry,
    values: &[EntryType],
    types: &[Type],
    what: &str,
    wrong: &mut Wrong,
) -> Option<bool> {
    let mut parts = Vec::new();
    for value in values {
        match value {
            EntryType::Region => parts.push(Type::Region),
            EntryType::Value(elem, dims) => {
                let elem = match elem {
                    EntryElem::Prim(prim) => *prim,
                    EntryElem::Ref(data, region) => {
                        if data.0 as usize >= prog.datas.len() {
                            wrong.push((Rule::I1, format!("its {what} mention data that does not exist.")));
                        }
                        if entry.args.get(*region) != Some(&EntryType::Region) {
                            wrong.push((Rule::I8, format!("a ref of its {what} has a region that is none.")));
                        }
                        Prim::U32
                    }
                };
                if !sizes_exist(entry, dims, what) {
                    wrong.push((Rule::I8, format!("its {what} have sizes that are no `i64`.")));
                }
                array_parts(elem, dims, &mut parts);
            }
        }
    }
    let remote: Vec<Type> = parts.iter().map(|ty| ty.of_host()).collect();
    if parts != types && remote != types {
        wrong.push((Rule::I8, format!("its {what} are not those of its function.")));
        return None;
    }
    (parts != remote).then_some(parts != types)
}

/// That the first size is known, and all that are mentioned are `i64` scalars. Arguments have no sizes that are results.
fn sizes_exist(entry: &Entry, dims: &[EntryDim], what: &str) -> bool {
    let is_i64 = |value: Option<&EntryType>| {
        value.is_some_and(|value| *value == EntryType::Value(EntryElem::Prim(Prim::I64), Vec::new()))
    };
    dims.first() != Some(&EntryDim::Irregular)
        && dims.iter().all(|dim| match dim {
            EntryDim::Const(size) => *size >= 0,
            EntryDim::Arg(i) => is_i64(entry.args.get(*i)),
            EntryDim::Result(i) => what == "results" && is_i64(entry.rets.get(*i)),
            EntryDim::Irregular => true,
        })
}

fn array_parts(elem: Prim, dims: &[EntryDim], parts: &mut Vec<Type>) {
    if dims.is_empty() {
        return parts.push(Type::Scalar(elem));
    }
    for dim in &dims[1..] {
        if *dim == EntryDim::Irregular {
            parts.extend([Type::ptr(Prim::I64), Type::Block]);
        }
    }
    parts.extend([Type::Ptr(Elem::Prim(elem)), Type::Block]);
}

/// That the last of the values are the columns, and those before them regions and sizes.
fn last_are(values: &[EntryType], columns: &[&Column], what: &str, wrong: &mut Wrong) {
    let Some(before) = values.len().checked_sub(columns.len()) else {
        return wrong.push((Rule::I8, format!("its {what} are fewer than the columns of their types.")));
    };
    let (before, last) = values.split_at(before);
    let is_hidden = |value: &EntryType| match value {
        EntryType::Region => true,
        EntryType::Value(elem, dims) => *elem == EntryElem::Prim(Prim::I64) && dims.is_empty(),
    };
    if !before.iter().all(is_hidden) {
        wrong.push((
            Rule::I8,
            format!("its {what} have something before the columns that is no region or size."),
        ));
    }
    for (i, (value, column)) in last.iter().zip(columns).enumerate() {
        if !is_column(value, column) {
            wrong.push((Rule::I8, format!("its {what} do not have the type of column {i}.")));
        }
    }
}

fn is_column(value: &EntryType, column: &Column) -> bool {
    let EntryType::Value(elem, dims) = value else { return false };
    let same = match (elem, column.elem) {
        (EntryElem::Prim(found), nest::Elem::Prim(expected)) => *found == expected,
        (EntryElem::Ref(found, _), nest::Elem::Ref(expected, _)) => *found == expected,
        (EntryElem::Prim(_), nest::Elem::Ref(..)) | (EntryElem::Ref(..), nest::Elem::Prim(_)) => false,
    };
    same && dims.iter().map(|dim| *dim == EntryDim::Irregular).eq(column.irregular.iter().copied())
}

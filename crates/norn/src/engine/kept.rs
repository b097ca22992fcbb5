//! Values that stay on a GPU from call to call.
//!
//! An [`Item`] is in the host's memory. Whoever calls entry points many times with the same values, or passes results
//! on, keeps them on the GPU instead. Where there is none, or the value is not made of arrays of numbers, nothing is
//! kept.

use super::crossing::{Incoming, columns_of};
use super::runner::{Results, Runner};
use super::{CallError, Engine, Item, ItemType, RunError, call_error};
use norn_exec::{Column as ExecColumn, Elements, Exec, Values};
use norn_values::Value;
use std::time::Duration;

/// A value of a program some of whose arrays are on the GPU. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Kept {
    ty: ItemType,
    pub(super) columns: Vec<ExecColumn<'static>>,
}

/// What entry points are called with.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    Item(&'a Item),
    Kept(&'a Kept),
}

/// What a call returns that keeps what it can.
#[derive(Clone, Debug)]
pub enum Returned {
    Item(Item),
    Kept(Kept),
}

impl Kept {
    pub fn ty(&self) -> ItemType {
        self.ty
    }
}

impl Argument<'_> {
    pub fn ty(&self) -> ItemType {
        match self {
            Argument::Item(item) => item.ty(),
            Argument::Kept(kept) => kept.ty,
        }
    }
}

impl Engine {
    /// Whether an entry point works on arrays that are on a GPU.
    pub fn is_on_gpu(&self, entry: &str) -> bool {
        let number = self.entries().iter().position(|found| found.name == entry);
        self.exec().zip(number).is_some_and(|(exec, number)| exec.takes_held(number))
    }

    /// The item with its arrays on the GPU. None if there is no GPU, or not enough memory on it, or nothing that it
    /// could hold.
    pub fn keep(&mut self, item: &Item) -> Option<Kept> {
        let Runner::Compiled { prog, exec, .. } = &mut self.runner else { return None };
        exec.gpu()?;
        let mut incoming = Incoming::new(&prog.datas);
        match item {
            Item::Value(value) if value.is_scalar() => return None,
            Item::Value(value) => incoming.add_array(value)?,
            Item::Opaque(opaque) => incoming.add(item, &prog.ifaces[opaque.ty.0 as usize])?,
        }
        if !incoming.values.cells.is_empty() {
            return None;
        }
        let mut columns = Vec::new();
        let mut holds = false;
        for column in incoming.values.columns {
            columns.push(match column {
                ExecColumn::Array(array) => {
                    holds = true;
                    ExecColumn::Held(exec.hold(&array)?)
                }
                ExecColumn::Scalar(scalar) => ExecColumn::Scalar(scalar),
                ExecColumn::Held(held) => ExecColumn::Held(held),
                ExecColumn::Ref(_) => return None,
            });
        }
        holds.then_some(Kept { ty: item.ty(), columns })
    }

    /// What was kept, in the host's memory. The error is a sentence.
    pub fn fetch(&self, kept: &Kept) -> Result<Item, String> {
        let exec = self.exec().unwrap_or_else(|| panic!("the interpreter keeps nothing on a GPU"));
        let columns: Result<Vec<ExecColumn>, String> =
            kept.columns.iter().map(|column| fetched(exec, column)).collect();
        let mut columns = columns?;
        match kept.ty {
            ItemType::Opaque(id) => {
                let values = Values { columns, cells: Vec::new() };
                Ok(self.item(id, columns_of(&self.prog().datas, self.iface(id), values)))
            }
            ItemType::Plain(_) => {
                let value = columns.pop().and_then(plain_value);
                Ok(Item::Value(value.unwrap_or_else(|| panic!("a plain value that is no regular array"))))
            }
        }
    }

    /// Calls an entry point. What the GPU can hold of the result stays there.
    pub fn call_keeping(&mut self, entry: &str, args: &[Argument]) -> Result<Returned, CallError> {
        let (number, result) = self.check_arguments(entry, args).map_err(CallError::Arguments)?;
        let called = self.runner.call_holding(number, args).map_err(|ended| call_error(entry, ended));
        match called? {
            (Results::Columns(columns), time) => {
                self.run_time = time;
                Ok(Returned::Item(self.result_item(result, columns)))
            }
            (Results::Kept(columns), time) => {
                self.run_time = time;
                Ok(Returned::Kept(Kept { ty: self.item_type(result), columns }))
            }
        }
    }

    /// Calls an entry point for its time alone: results stay where they are.
    pub fn time_call(&mut self, entry: &str, args: &[Argument]) -> Result<Duration, RunError> {
        let checked = self.check_arguments(entry, args).map_err(CallError::Arguments);
        let timed = checked
            .and_then(|(number, _)| self.runner.time(number, args).map_err(|ended| call_error(entry, ended)));
        timed.map_err(|error| self.run_error(error))
    }
}

/// A column in the host's memory.
pub(super) fn fetched<'a>(exec: &Exec, column: &ExecColumn<'a>) -> Result<ExecColumn<'a>, String> {
    match column {
        ExecColumn::Held(held) => exec.fetch(held).map(ExecColumn::Array),
        ExecColumn::Scalar(_) | ExecColumn::Ref(_) | ExecColumn::Array(_) => Ok(column.clone()),
    }
}

fn plain_value(column: ExecColumn<'static>) -> Option<Value> {
    let ExecColumn::Array(array) = column else { return None };
    let (dims, _, elements) = array.into_parts();
    let shape: Option<Vec<usize>> = dims.into_iter().collect();
    match elements {
        Elements::Prim(data) => Value::new(shape?, data.into_owned()).ok(),
        Elements::Ref(_) => None,
    }
}

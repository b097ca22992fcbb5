//! Tasks, in as many parts as there shall be (`Cuts`), one after the other.

use super::arrays::{inner, size};
use super::{Machine, Value, read, write};
use crate::code::{Carry, Join, Operand, Operator, Out, Portion, Task, Window};
use crate::failure::{Outcome, fail};
use crate::irregular;
use crate::locals::{Locals, Object};
use crate::resolve::last_use;
use crate::view::View;
use norn_ir::scalar::eval::Word;

/// Of a window where it begins, and these rows of its arrays.
type Needed = (usize, Vec<View>);

/// The operands of a task.
struct Given {
    inputs: Vec<View>,
    windows: Vec<Vec<View>>,
}

impl Machine<'_> {
    pub(super) fn task(&mut self, locals: &mut Locals, task: &Task) -> Outcome {
        let width = size(locals, task.width)?;
        let inputs: Vec<View> = task.inputs.iter().map(|array| locals.array(*array)).collect();
        if let Some(odd) = inputs.iter().find(|array| array.len() != width) {
            let length = odd.len();
            return fail(format!(
                "nest type violated: an input has the length {length}, the task the width {width}."
            ));
        }
        let arrays = |locals: &mut Locals, window: &Window| {
            window.arrays.iter().map(|array| locals.array(*array)).collect()
        };
        let given =
            Given { inputs, windows: task.windows.iter().map(|window| arrays(locals, window)).collect() };
        let parts = self.cuts.parts(width);
        let needed: Outcome<Vec<Vec<Needed>>> =
            parts.iter().map(|part| self.needed(locals, task, &given, *part)).collect();
        let needed = needed?;
        let mut carried: Vec<Vec<Value>> = vec![Vec::new(); parts.len()];
        for carry in &task.carries {
            for (at, before) in self.carry(locals, carry, &given, &parts, &needed)?.into_iter().enumerate() {
                carried[at].extend(before);
            }
        }
        // Of what is listed, the rows of all parts; of what is combined, what has been combined.
        let mut results: Vec<Vec<Value>> = vec![Vec::new(); task.results.len()];
        for (at, _, neutral) in task.partial() {
            for (values, neutral) in results[at..].iter_mut().zip(neutral) {
                values.push(read(locals, *neutral));
            }
        }
        for ((part, needed), carried) in parts.iter().zip(&needed).zip(carried) {
            task.carried.iter().zip(carried).for_each(|(place, value)| write(locals, *place, value));
            self.portion(locals, &task.part, &given, *part, needed)?;
            for (values, result) in results.iter_mut().zip(&task.results) {
                values.push(read(locals, *result));
            }
            for (at, op, neutral) in task.partial() {
                let columns = &mut results[at..at + neutral.len()];
                let part = columns.iter_mut().filter_map(Vec::pop).collect();
                let before = columns.iter_mut().filter_map(Vec::pop).collect();
                let combined = self.combine_parts(locals, op, before, part)?;
                columns.iter_mut().zip(combined).for_each(|(column, value)| column.push(value));
            }
        }
        join(locals, task, &parts, results)
    }

    /// What a part needs of each window.
    fn needed(
        &mut self,
        locals: &mut Locals,
        task: &Task,
        given: &Given,
        (from, count): (usize, usize),
    ) -> Outcome<Vec<Needed>> {
        let mut needed = Vec::new();
        for (window, arrays) in task.windows.iter().zip(&given.windows) {
            locals.set_word(window.from, from as Word);
            locals.set_word(window.count, count as Word);
            self.run(locals, &window.need)?;
            let (first, size) = (locals.int(window.first), locals.int(window.size));
            let fits = |array: &View| first >= 0 && size >= 0 && first + size <= array.len() as i64;
            if size != 0 && !arrays.iter().all(fits) {
                return fail(format!(
                    "nest type violated: a part needs {size} rows from {first} on, which there are not."
                ));
            }
            let (first, size) = (first as usize, size as usize);
            needed.push((first, arrays.iter().map(|array| array.run(first, size)).collect()));
        }
        Ok(needed)
    }

    /// What each part has to know of those before.
    fn carry(
        &mut self,
        locals: &mut Locals,
        carry: &Carry,
        given: &Given,
        parts: &[(usize, usize)],
        needed: &[Vec<Needed>],
    ) -> Outcome<Vec<Vec<Value>>> {
        let mut before: Vec<Value> = carry.neutral.iter().map(|operand| read(locals, *operand)).collect();
        let mut all = Vec::new();
        for (part, needed) in parts.iter().zip(needed) {
            all.push(before.clone());
            self.portion(locals, &carry.portion, given, *part, needed)?;
            let total = carry.total.iter().map(|operand| read(locals, *operand)).collect();
            before = self.combine_parts(locals, &carry.op, before, total)?;
        }
        Ok(all)
    }

    /// Runs a lambda of the task for a part.
    fn portion(
        &mut self,
        locals: &mut Locals,
        portion: &Portion,
        given: &Given,
        (from, count): (usize, usize),
        needed: &[Needed],
    ) -> Outcome {
        locals.set_word(portion.from, from as Word);
        locals.set_word(portion.count, count as Word);
        for (place, array) in portion.inputs.iter().zip(&given.inputs) {
            locals.set_array(*place, array.run(from, count));
        }
        for (taken, (start, arrays)) in portion.windows.iter().zip(needed) {
            locals.set_word(taken.first, *start as Word);
            locals.set_word(taken.size, arrays.first().map_or(0, View::len) as Word);
            for (place, array) in taken.arrays.iter().zip(arrays) {
                locals.set_array(*place, array.clone());
            }
        }
        self.run(locals, &portion.block)
    }

    fn combine_parts(
        &mut self,
        locals: &mut Locals,
        op: &Operator,
        before: Vec<Value>,
        part: Vec<Value>,
    ) -> Outcome<Vec<Value>> {
        op.acc.iter().zip(before).for_each(|(place, value)| write(locals, *place, value));
        op.value.iter().zip(part).for_each(|(place, value)| write(locals, *place, value));
        self.run(locals, &op.block)?;
        Ok(op.acc.iter().map(|place| read(locals, last_use(*place))).collect())
    }
}

impl Task {
    /// Where the results are that are combined, how, and what they begin with.
    fn partial(&self) -> impl Iterator<Item = (usize, &Operator, &[Operand])> {
        let mut at = 0;
        self.joins.iter().filter_map(move |join| match join {
            Join::Rows(_) => {
                at += 1;
                None
            }
            Join::Kept { count: _, outs } => {
                at += 1 + outs.len();
                None
            }
            Join::Partial { neutral, op, dsts: _ } => {
                at += neutral.len();
                Some((at - neutral.len(), op, &neutral[..]))
            }
        })
    }
}

fn join(locals: &mut Locals, task: &Task, parts: &[(usize, usize)], results: Vec<Vec<Value>>) -> Outcome {
    let mut results = results.into_iter();
    for join in &task.joins {
        match join {
            Join::Rows(out) => {
                let rows = views(results.next());
                let is_odd = |(rows, (_, count)): (&View, &(usize, usize))| rows.len() != *count;
                if rows.iter().zip(parts).any(is_odd) {
                    return fail("nest type violated: a part yields more or fewer rows than it has.");
                }
                list(locals, &rows, out)?;
            }
            Join::Kept { count, outs } => {
                let counts: Vec<Value> = results.next().unwrap_or_default();
                let words = counts.iter().map(|count| match count {
                    Value::Word(word) => *word,
                    Value::Object(_) | Value::Nothing => 0,
                });
                locals.set_word(*count, words.fold(0, Word::wrapping_add));
                for out in outs {
                    list(locals, &views(results.next()), out)?;
                }
            }
            Join::Partial { neutral: _, op: _, dsts } => {
                for (place, value) in dsts.iter().zip(results.by_ref()) {
                    value.into_iter().for_each(|value| write(locals, *place, value));
                }
            }
        }
    }
    Ok(())
}

/// One after the other.
fn list(locals: &mut Locals, rows: &[View], out: &Out) -> Outcome {
    let joined = irregular::join(rows, inner(locals, out)?, out.kind)?;
    locals.set_array(out.dst, joined);
    Ok(())
}

fn views(values: Option<Vec<Value>>) -> Vec<View> {
    let view = |value: Value| match value {
        Value::Object(Object::Array(view)) => view,
        Value::Object(_) | Value::Word(_) | Value::Nothing => panic!("a part yields rows"),
    };
    values.into_iter().flatten().map(view).collect()
}

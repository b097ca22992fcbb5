//! Operators from their text.

use crate::nest::task::{Carry, Join, Window};
use crate::nest::{Operator, Sorted, StreamForm, Task, Var};
use crate::skeleton::parse::Parser;
use crate::text::Parse;

pub fn parse(word: &str, parser: &mut Parser) -> Parse<Option<Operator>> {
    let op = match word {
        "map" => {
            let (width, inputs) = parser.over()?;
            Operator::Map { width, inputs, lambda: parser.lambda()? }
        }
        "filter" => {
            let (width, inputs) = parser.over()?;
            Operator::Filter { width, inputs, lambda: parser.lambda()? }
        }
        "partition" => {
            let (width, inputs) = parser.over()?;
            Operator::Partition { width, inputs, lambda: parser.lambda()? }
        }
        "sort" => {
            let (width, keys, yields) = (parser.atom()?, parser.var()?, sorted(parser)?);
            Operator::Sort { width, keys, yields }
        }
        "reduce" => {
            let (width, inputs) = parser.over()?;
            Operator::Reduce { width, inputs, op: parser.reduction()? }
        }
        "scan" => {
            let (width, inputs) = parser.over()?;
            Operator::Scan { width, inputs, op: parser.reduction()? }
        }
        "fused" => fused(parser)?,
        "scatter" => {
            let (width, dests) = parser.over()?;
            let inputs = from(parser)?;
            Operator::Scatter { width, dests, inputs, lambda: parser.lambda()? }
        }
        "hist" => {
            let (width, dests) = parser.over()?;
            let (inputs, lambda) = (from(parser)?, parser.lambda()?);
            parser.expect_word("reduce")?;
            Operator::Hist { width, dests, inputs, lambda, op: parser.reduction()? }
        }
        "stream" => {
            let (width, inputs) = parser.over()?;
            let form = stream_form(parser)?;
            Operator::Stream { width, inputs, form, lambda: parser.lambda()? }
        }
        "acc_stream" => {
            let (width, dests) = parser.over()?;
            let inputs = from(parser)?;
            let op = if parser.peek_word() == Some("do") { None } else { Some(parser.reduction()?) };
            parser.expect_word("do")?;
            Operator::AccStream { width, dests, inputs, op, lambda: parser.lambda()? }
        }
        "task" => Operator::Task(Box::new(task(parser)?)),
        _ => return Ok(None),
    };
    Ok(Some(op))
}

fn fused(parser: &mut Parser) -> Parse<Operator> {
    let (width, inputs) = parser.over()?;
    let lambda = parser.lambda()?;
    let mut scans = Vec::new();
    while parser.eat_word("scan") {
        scans.push(parser.reduction()?);
    }
    let mut reductions = Vec::new();
    while parser.eat_word("reduce") {
        reductions.push(parser.reduction()?);
    }
    Ok(Operator::Fused { width, inputs, lambda, scans, reductions })
}

fn task(parser: &mut Parser) -> Parse<Task> {
    let (width, inputs) = parser.over()?;
    let mut windows = Vec::new();
    while parser.eat_word("window") {
        windows.push(Window { arrays: parser.vars()?, need: parser.lambda()? });
    }
    let mut carries = Vec::new();
    while parser.eat_word("carry") {
        carries.push(Carry { total: parser.lambda()?, op: parser.reduction()? });
    }
    parser.expect_word("do")?;
    let lambda = parser.lambda()?;
    let mut joins = Vec::new();
    loop {
        if parser.eat_word("rows") {
            joins.push(Join::Rows);
        } else if parser.eat_word("kept") {
            joins.push(Join::Kept(parser.integer("the number of arrays")?));
        } else if parser.eat_word("partial") {
            joins.push(Join::Partial(parser.reduction()?));
        } else {
            return Ok(Task { width, inputs, windows, carries, lambda, joins });
        }
    }
}

fn stream_form(parser: &mut Parser) -> Parse<StreamForm> {
    if parser.eat_word("map") {
        return Ok(StreamForm::Map { any_order: parser.eat_word("any_order") });
    }
    if parser.eat_word("reduce") {
        let any_order = parser.eat_word("any_order");
        let op = parser.lambda()?;
        parser.expect_word("do")?;
        return Ok(StreamForm::Reduce { any_order, op });
    }
    if parser.eat_word("seq") {
        return Ok(StreamForm::Seq { init: parser.atoms()? });
    }
    parser.expected("`map`, `reduce` or `seq`")
}

/// What is written into destinations is made of these.
fn from(parser: &mut Parser) -> Parse<Vec<Var>> {
    parser.expect_word("from")?;
    parser.vars()
}

fn sorted(parser: &mut Parser) -> Parse<Sorted> {
    let all = [Sorted::Keys, Sorted::Places, Sorted::Both];
    match all.into_iter().find(|sorted| parser.eat_word(sorted.name())) {
        Some(sorted) => Ok(sorted),
        None => parser.expected("`keys`, `places` or `both`"),
    }
}

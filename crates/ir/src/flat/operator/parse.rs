//! Kernels and the other expressions from their text.
//!
//! Most of the words are names, too, so that what follows a word decides whether an expression begins with it.

use crate::flat::{
    After, Extent, Fact, How, Into, Kernel, Level, Line, Operator, Order, Out, Side, SpaceDim, Tunable,
};
use crate::skeleton::Atom;
use crate::skeleton::parse::Parser;
use crate::text::Parse;
use crate::text::lexer::Token;

pub fn parse(word: &str, parser: &mut Parser) -> Parse<Option<Operator>> {
    if let Some(level) = Level::ALL.into_iter().find(|level| level.name() == word)
        && parser.is('(')
    {
        return kernel(level, parser).map(|kernel| Some(Operator::Kernel(Box::new(kernel))));
    }
    let op = match word {
        "read" if parser.is('(') => Operator::Read(parser.atoms()?),
        "choose" if parser.is('{') => choose(parser)?,
        "copy" if is_to(parser) => {
            let array = parser.var()?;
            parser.expect_word("to")?;
            match Side::ALL.into_iter().find(|side| parser.eat_word(side.name())) {
                Some(side) => Operator::CopyTo { array, side },
                None => return parser.expected("`host`, `device` or `both`"),
            }
        }
        _ if !parser.is_variable() => return Ok(None),
        "describe" => Operator::Describe { lengths: parser.var()? },
        "rows" => {
            let array = parser.var()?;
            parser.expect_word("at")?;
            let starts = parser.var()?;
            parser.expect_word("by")?;
            Operator::Rows { array, starts, descriptor: parser.var()? }
        }
        "owner" => Operator::Owner { descriptor: parser.var()?, element: parser.atom()? },
        "offset" => Operator::Offset { descriptor: parser.var()?, row: parser.atom()? },
        _ => match Fact::ALL.into_iter().find(|fact| fact.name() == word) {
            Some(fact) => Operator::Fact { fact, descriptor: parser.var()? },
            None => return Ok(None),
        },
    };
    Ok(Some(op))
}

/// Whether a variable and the word `to` come next.
fn is_to(parser: &Parser) -> bool {
    // Of an id that leads nowhere, `%7`, the number is a token of its own.
    let after = if parser.is('%') { parser.at + 2 } else { parser.at + 1 };
    let to = Token::Name { text: "to".to_string(), quoted: false, number: None };
    parser.tokens.get(after).is_some_and(|placed| placed.token == to)
}

fn choose(parser: &mut Parser) -> Parse<Operator> {
    parser.expect('{')?;
    let mut cases = Vec::new();
    while !parser.eat_word("else") {
        let cond = parser.atom()?;
        if *parser.peek() != Token::Arrow {
            return parser.expected("`->`");
        }
        parser.bump();
        cases.push((cond, parser.body()?));
        parser.expect(',')?;
    }
    let otherwise = parser.body()?;
    parser.expect('}')?;
    Ok(Operator::Choose { cases, otherwise })
}

fn kernel(level: Level, parser: &mut Parser) -> Parse<Kernel> {
    parser.expect('(')?;
    let points = space('|', parser)?;
    let through = space(')', parser)?;
    let when = if parser.eat_word("when") { Some(parser.atom()?) } else { None };
    let body = parser.body()?;
    let mut outs = Vec::new();
    let mut results = &body.result[..];
    while let Some(out) = out(&mut results, parser)? {
        outs.push(out);
    }
    if !results.is_empty() {
        return parser.expected("an out for the other results of the body");
    }
    let how = if parser.eat_word("how") { Some(how(parser)?) } else { None };
    Ok(Kernel { level, points, through, when, body, outs, how })
}

fn space(close: char, parser: &mut Parser) -> Parse<Vec<SpaceDim>> {
    parser.until(close, |parser| {
        let var = parser.index_binder()?;
        let extent = if parser.eat_word("in") {
            Extent::Row(parser.var()?)
        } else {
            parser.expect('<')?;
            Extent::Size(parser.atom()?)
        };
        Ok(SpaceDim { var, extent })
    })
}

/// The next out, if there is one. `results` are those of the body that no out has taken yet.
fn out(results: &mut &[Atom], parser: &mut Parser) -> Parse<Option<Out>> {
    let out = match parser.peek_word().unwrap_or_default() {
        "map" => {
            parser.bump();
            let values = taken(results, parser)?;
            let into = if parser.peek_word() == Some("into") { into(parser)? } else { Vec::new() };
            Out::Map { values, into }
        }
        "reduce" => {
            parser.bump();
            let op = parser.reduction()?;
            exactly(op.neutral.len(), results, parser)?;
            let after = if parser.eat_word("after") { Some(parser.lambda()?) } else { None };
            Out::Reduce { op, after }
        }
        "scan" => {
            parser.bump();
            let op = parser.reduction()?;
            exactly(op.neutral.len(), results, parser)?;
            let after = if parser.eat_word("after") {
                let further = taken(results, parser)?;
                Some(After { further, lambda: parser.lambda()? })
            } else {
                None
            };
            Out::Scan { op, after }
        }
        "filter" => {
            parser.bump();
            same(results, parser)?;
            Out::Filter { values: taken(results, parser)? }
        }
        "partition" => {
            parser.bump();
            same(results, parser)?;
            Out::Partition { values: taken(results, parser)? }
        }
        "sort" => {
            parser.bump();
            let order = if parser.eat_word("by") {
                Order::By(parser.lambda()?)
            } else {
                parser.expect_word("key")?;
                Order::Key
            };
            Out::Sort { order, values: taken(results, parser)? }
        }
        "scatter" => {
            parser.bump();
            let indices = taken(results, parser)?;
            let values = taken(results, parser)?;
            Out::Scatter { indices, into: destinations(values, parser)? }
        }
        "hist" => {
            parser.bump();
            let op = parser.reduction()?;
            let indices = taken(results, parser)?;
            let values = taken(results, parser)?;
            Out::Hist { op, indices, into: destinations(values, parser)? }
        }
        "acc" => {
            parser.bump();
            let var = parser.binder()?;
            let op = if parser.is('(') { None } else { Some(parser.reduction()?) };
            exactly(1, results, parser)?;
            parser.expect_word("into")?;
            Out::Acc { var, op, into: parser.vars()? }
        }
        _ => return Ok(None),
    };
    Ok(Some(out))
}

/// The next result of the body.
fn same(results: &mut &[Atom], parser: &mut Parser) -> Parse<()> {
    let at = parser.at;
    let found = parser.atom()?;
    match results.split_first() {
        Some((result, rest)) if *result == found => {
            *results = rest;
            Ok(())
        }
        Some(_) | None => Err(parser.error_at(at, "This is not the next result of the body.")),
    }
}

/// The next results of the body, in parentheses: how many.
fn taken(results: &mut &[Atom], parser: &mut Parser) -> Parse<usize> {
    parser.list(|parser| same(results, parser)).map(|found| found.len())
}

fn exactly(count: usize, results: &mut &[Atom], parser: &mut Parser) -> Parse<()> {
    let at = parser.at;
    match taken(results, parser)? {
        found if found == count => Ok(()),
        found => Err(parser.error_at(at, format!("These are {found} values where {count} are expected."))),
    }
}

/// `into (v, w [i])`
fn into(parser: &mut Parser) -> Parse<Vec<Into>> {
    parser.expect_word("into")?;
    parser.list(|parser| {
        let array = parser.var()?;
        Ok(Into { array, part: if parser.is('[') { parser.slice()? } else { Vec::new() } })
    })
}

/// One for each value.
fn destinations(values: usize, parser: &mut Parser) -> Parse<Vec<Into>> {
    let at = parser.at;
    let into = into(parser)?;
    if into.len() != values {
        let message = format!("There are {values} values, but {} destinations.", into.len());
        return Err(parser.error_at(at, message));
    }
    Ok(into)
}

/// `reduce.elements(each: 8)`
fn how(parser: &mut Parser) -> Parse<How> {
    let at = parser.at;
    let (out, _) = parser.name()?;
    parser.expect('.')?;
    let (word, _) = parser.name()?;
    let Some(line) = Line::from_name(&out, &word) else {
        return Err(parser.error_at(at, "This is no line of the capability table."));
    };
    let args = parser.list(|parser| {
        let Some(tunable) = Tunable::ALL.into_iter().find(|tunable| parser.eat_word(tunable.name())) else {
            return parser.expected("a tunable");
        };
        parser.expect(':')?;
        Ok((tunable, parser.integer("a number")?))
    })?;
    Ok(How { line, args })
}

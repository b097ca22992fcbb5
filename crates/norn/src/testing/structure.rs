//! Structure tests: how often operators occur in what the compiler makes of a program.
//!
//! `structure nest { map 2 loop/map 1 /reduce 1 }` says that the program in nest, improved by all passes, has two
//! maps, one of them directly inside a loop, and one reduction that is inside no other operator. Other stages are
//! `lowered`, before the passes, and `flat`, with what runs in parallel (`grid`). Names are those that are printed; letters may be of either case and underscores may be
//! left out, so that `FlatIndex` is `flat_index`. All functions of the program count. What a run asks of a GPU is in `traffic`.

use super::blocks::{BlockError, Count, Name, Structure};
use crate::stages::Stages;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, BinOp, Body, CellExp, ControlExp, Exp, Prog, ScalarExp, TriOp, UnOp};

/// The stages that can be looked at. Without a name the first is meant.
const STAGES: &[&str] = &["nest", "lowered", "flat"];

/// What Futhark calls its stages: tests of them say nothing about us.
const FOREIGN_STAGES: &[&str] = &["gpu", "gpu-mem", "mc", "mc-mem", "seq-mem", "internalised"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructureVerdict {
    AsExpected,
    /// The test is about another compiler.
    Foreign,
    /// What occurs more or less often than expected, one line for each.
    Different(String),
}

/// Compares what a test expects with what becomes of a lowered program.
pub fn check_structure(stages: &Stages, structure: &Structure) -> Result<StructureVerdict, BlockError> {
    if let Some(stage) = &structure.stage {
        if FOREIGN_STAGES.contains(&stage.text.as_str()) {
            return Ok(StructureVerdict::Foreign);
        }
        if !STAGES.contains(&stage.text.as_str()) {
            let message = format!("There is no stage `{}`.", stage.text);
            let help = format!("The stages are {}.", STAGES.join(", "));
            return Err(BlockError::new(stage.at.clone(), message).with_help(help));
        }
    }
    let stage = structure.stage.as_ref().map_or(STAGES[0], |stage| &stage.text);
    let prog = match stage {
        "lowered" => stages.lowered(),
        "flat" => stages.flat(),
        _ => stages.optimised(),
    };
    compare(prog, structure)
}

fn compare(prog: &Prog, structure: &Structure) -> Result<StructureVerdict, BlockError> {
    let mut counted = structure
        .counts
        .iter()
        .map(|count| CountedPath::parse(&count.what))
        .collect::<Result<Vec<_>, _>>()?;
    let mut path = Vec::new();
    for fun in &prog.funs {
        count_body(&fun.body, &mut path, &mut counted);
    }
    let mut different = String::new();
    for (Count { what, expected, .. }, CountedPath { found, .. }) in structure.counts.iter().zip(&counted) {
        if expected != found {
            different += &format!("{}: expected {expected}, found {found}\n", what.text);
        }
    }
    Ok(if different.is_empty() {
        StructureVerdict::AsExpected
    } else {
        StructureVerdict::Different(different)
    })
}

/// A path that is counted.
struct CountedPath {
    /// The last is the operator, before it stand those around it.
    path: Vec<String>,
    /// Whether nothing else may be around them.
    is_whole: bool,
    found: usize,
}

impl CountedPath {
    fn parse(name: &Name) -> Result<CountedPath, BlockError> {
        let (rest, is_whole) = match name.text.strip_prefix('/') {
            Some(rest) => (rest, true),
            None => (name.text.as_str(), false),
        };
        let path: Vec<String> = rest.split('/').map(normalise).collect();
        if let Some(unknown) = path.iter().find(|name| !is_operator(name)) {
            let message = format!("There is no operator `{unknown}`.");
            let help = format!(
                "The operators are {}, and those on scalars, such as `add`.",
                OPERATORS.replace(' ', ", ")
            );
            return Err(BlockError::new(name.at.clone(), message).with_help(help));
        }
        Ok(CountedPath { path, is_whole, found: 0 })
    }

    fn matches(&self, path: &[&str]) -> bool {
        let fits = path.len() == self.path.len() || !self.is_whole && path.len() > self.path.len();
        fits && path[path.len() - self.path.len()..].iter().zip(&self.path).all(|(a, b)| normalise(a) == *b)
    }
}

fn normalise(name: &str) -> String {
    name.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

fn is_operator(normalised: &str) -> bool {
    let scalar = UnOp::ALL.iter().map(|op| op.name());
    let scalar =
        scalar.chain(BinOp::ALL.iter().map(|op| op.name())).chain(TriOp::ALL.iter().map(|op| op.name()));
    OPERATORS.split(' ').chain(scalar).any(|name| normalise(name) == normalised)
}

/// `path` is what stands around the body.
fn count_body(body: &Body, path: &mut Vec<&'static str>, counted: &mut [CountedPath]) {
    for stm in &body.stms {
        // What runs in parallel is inside.
        let outer = path.len();
        if stm.grid.is_some() {
            enter("grid", path, counted);
        }
        count_exp(&stm.exp, path, counted);
        path.truncate(outer);
    }
}

fn enter(name: &'static str, path: &mut Vec<&'static str>, counted: &mut [CountedPath]) {
    path.push(name);
    for each in counted.iter_mut().filter(|each| each.matches(path)) {
        each.found += 1;
    }
}

fn count_exp(exp: &Exp, path: &mut Vec<&'static str>, counted: &mut [CountedPath]) {
    let Some(name) = operator(exp) else { return };
    enter(name, path, counted);
    exp.for_each_part(&mut |part| match part {
        Part::Body(body) => count_body(body, path, counted),
        Part::Lambda(lambda) => count_body(&lambda.body, path, counted),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    path.pop();
}

/// All that `operator` gives, but for the operators on scalars.
const OPERATORS: &str = "\
    convert if switch loop call const check array range replicate index update concat reshape rearrange \
    copy coerce flat_index flat_update lengths join_rows segment map reduce scan fused filter partition \
    scatter hist stream acc_stream acc_write region alloc tag load null grid workers";

/// The word that an expression is printed with. A mere atom has none.
fn operator(exp: &Exp) -> Option<&'static str> {
    Some(match exp {
        Exp::Scalar(ScalarExp::Atom(_)) => return None,
        Exp::Scalar(ScalarExp::Un(op, ..)) => op.name(),
        Exp::Scalar(ScalarExp::Bin(op, ..)) => op.name(),
        Exp::Scalar(ScalarExp::Tri(op, ..)) => op.name(),
        Exp::Scalar(ScalarExp::Convert { .. }) => "convert",
        Exp::Control(ControlExp::If { .. }) => "if",
        Exp::Control(ControlExp::Switch { .. }) => "switch",
        Exp::Control(ControlExp::Loop { .. }) => "loop",
        Exp::Control(ControlExp::Call { .. }) => "call",
        Exp::Control(ControlExp::Const(_)) => "const",
        Exp::Control(ControlExp::Check(_)) => "check",
        Exp::Array(ArrayExp::ArrayLit(_)) => "array",
        Exp::Array(ArrayExp::Range { .. }) => "range",
        Exp::Array(ArrayExp::Replicate { .. }) => "replicate",
        Exp::Array(ArrayExp::Index { .. }) => "index",
        Exp::Array(ArrayExp::Update { .. }) => "update",
        Exp::Array(ArrayExp::Concat { .. }) => "concat",
        Exp::Array(ArrayExp::Reshape { .. }) => "reshape",
        Exp::Array(ArrayExp::Rearrange { .. }) => "rearrange",
        Exp::Array(ArrayExp::Copy(_)) => "copy",
        Exp::Array(ArrayExp::Coerce { .. }) => "coerce",
        Exp::Array(ArrayExp::FlatIndex { .. }) => "flat_index",
        Exp::Array(ArrayExp::FlatUpdate { .. }) => "flat_update",
        Exp::Array(ArrayExp::Lengths(_)) => "lengths",
        Exp::Array(ArrayExp::Ends(_)) => "ends",
        Exp::Array(ArrayExp::JoinRows(_)) => "join_rows",
        Exp::Array(ArrayExp::Segment { .. }) => "segment",
        Exp::Op(op) => op.name(),
        Exp::Array(ArrayExp::AccWrite { .. }) => "acc_write",
        Exp::Cell(CellExp::Region) => "region",
        Exp::Cell(CellExp::Alloc { .. }) => "alloc",
        Exp::Cell(CellExp::Tag { .. }) => "tag",
        Exp::Cell(CellExp::Load { .. }) => "load",
        Exp::Cell(CellExp::Null(_)) => "null",
        Exp::Scalar(ScalarExp::Workers) => "workers",
        Exp::Scalar(ScalarExp::Tunable(_)) => "tunable",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_ir::nest::{Atom, Fun, FunId, Lambda, Scalar, Stm};

    fn atom() -> Atom {
        Atom::Const(Scalar::I64(1))
    }

    fn body(exps: Vec<Exp>) -> Body {
        let span = norn_base::Span::new(norn_base::FileId(0), 0, 0);
        let stm = |exp| Stm::new(vec![], exp, span);
        Body { stms: exps.into_iter().map(stm).collect(), result: vec![] }
    }

    fn map(exps: Vec<Exp>) -> Exp {
        Exp::map(atom(), vec![], Lambda { params: vec![], body: body(exps) })
    }

    /// A map with an `if`, which has a map and a call, and another map.
    fn prog() -> Prog {
        let inner = Exp::if_(atom(), body(vec![map(vec![])]), body(vec![Exp::call(FunId(0), vec![])]));
        let span = norn_base::Span::new(norn_base::FileId(0), 0, 0);
        let fun = Fun {
            name: "f".into(),
            params: vec![],
            ret: vec![],
            body: body(vec![map(vec![inner]), map(vec![])]),
            vars: vec![],
            attrs: vec![],
            span,
        };
        Prog { funs: vec![fun], ..Prog::default() }
    }

    fn check(block: &str) -> Result<StructureVerdict, String> {
        let spec = super::super::blocks::parse_blocks(&format!("-- ==\n-- {block}\n")).unwrap();
        compare(&prog(), &spec.structures[0]).map_err(|e| e.message)
    }

    #[test]
    fn operators_and_paths_are_counted() {
        let block =
            "structure { Map 3 /map 2 if/map 1 map/if/map 1 map/map 0 /map/if/call 1 flatIndex 0 add 0 }";
        assert_eq!(check(block), Ok(StructureVerdict::AsExpected));
        let wrong = "map: expected 2, found 3\nif: expected 0, found 1\n";
        assert_eq!(
            check("structure nest { map 2 if 0 call 1 }"),
            Ok(StructureVerdict::Different(wrong.into()))
        );
    }

    #[test]
    fn names_must_be_known() {
        let staged = |block: &str| {
            let spec = super::super::blocks::parse_blocks(&format!("-- ==\n-- {block}\n")).unwrap();
            check_structure(&Stages::new(Prog::default()), &spec.structures[0]).map_err(|e| e.message)
        };
        assert_eq!(staged("structure gpu { SegMap 1 }"), Ok(StructureVerdict::Foreign));
        assert_eq!(staged("structure nets { map 1 }"), Err("There is no stage `nets`.".into()));
        assert_eq!(check("structure { Screma 1 }"), Err("There is no operator `screma`.".into()));
    }
}

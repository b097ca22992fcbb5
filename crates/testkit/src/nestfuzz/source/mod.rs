//! Random source programs that the checker accepts, and the same programs written differently.
//!
//! A program is a tree of texts with holes (`Exp`), so that one tree can be printed as it is, and
//! printed with subexpressions named, wrapped and eta-expanded (`rewrite`): both must mean the same.
//! `source_program` makes programs of all features, `rows_program` such as groups of threads run,
//! `uneven_program` such as change the lengths of rows, `carried_program` such as compute on the host what a GPU needs next,
//! `indexed_program` such as are written with indices, `recursive_program` such as call functions that call themselves, `trees_program` such as make
//! values of recursive types, `closures_program` such as make functions that capture others.

mod arrays;
mod carried;
mod closures;
mod exp;
mod functions;
mod indexed;
mod irregular;
mod library;
mod places;
mod program;
mod recursive;
mod reduce;
mod rewrite;
mod rows;
mod scalars;
mod trees;
mod types;
mod uneven;

pub use carried::carried_program;
pub use closures::closures_program;
pub use indexed::indexed_program;
pub use program::{SourceProgram, source_program};
pub use recursive::recursive_program;
pub use rows::rows_program;
pub use trees::trees_program;
pub use uneven::uneven_program;

use crate::rng::Rng;
use types::{Size, Ty};

/// An expression: its type, and text with expressions in between.
#[derive(Clone)]
pub struct Exp {
    ty: Ty,
    pieces: Vec<Piece>,
}

#[derive(Clone)]
enum Piece {
    Text(String),
    Exp(Exp),
}

impl Exp {
    fn text(ty: &Ty, text: impl Into<String>) -> Exp {
        Exp { ty: ty.clone(), pieces: vec![Piece::Text(text.into())] }
    }

    /// The template with an expression for each `@`.
    fn fill(ty: &Ty, template: &str, parts: Vec<Exp>) -> Exp {
        let mut pieces = Vec::new();
        let mut parts = parts.into_iter();
        for (i, text) in template.split('@').enumerate() {
            if i > 0 {
                pieces.push(Piece::Exp(parts.next().expect("an expression for each hole")));
            }
            pieces.push(Piece::Text(text.into()));
        }
        assert!(parts.next().is_none(), "a hole for each expression: {template}");
        Exp { ty: ty.clone(), pieces }
    }
}

/// A function that expressions may call.
#[derive(Clone)]
struct FunDef {
    name: String,
    /// Each is the size of one of the parameters.
    sizes: Vec<String>,
    params: Vec<Ty>,
    ret: Ty,
}

/// A sum type: constructors with their payloads.
struct SumDef {
    name: String,
    constrs: Vec<(String, Vec<Ty>)>,
}

/// A recursive type: lists of these elements.
struct ListDef {
    name: String,
    elem: Ty,
}

/// A program in the making.
struct Gen {
    rng: Rng,
    names: u32,
    /// What is in scope.
    env: Vec<(String, Ty)>,
    sizes: Vec<Size>,
    sums: Vec<SumDef>,
    lists: Vec<ListDef>,
    funs: Vec<FunDef>,
    /// How many loops and operators are around.
    level: u32,
    /// How many more expressions there may be.
    fuel: u32,
    /// Whether calls of generated functions are too costly here.
    calls: bool,
    /// Only what groups of threads are expected to do (`rows`).
    plain: bool,
    /// Without a map around rows (`carried`).
    host: bool,
}

impl Gen {
    /// The beginning of a program over `n` rows of `m` elements, without functions and types of its own.
    fn of_rows(seed: u64, fuel: u32) -> Gen {
        Gen {
            rng: Rng::new(seed),
            names: 0,
            env: Vec::new(),
            sizes: vec![Size::Named("n".into()), Size::Named("m".into())],
            sums: Vec::new(),
            lists: Vec::new(),
            funs: Vec::new(),
            level: 0,
            fuel,
            calls: false,
            plain: false,
            host: false,
        }
    }

    fn fresh(&mut self, hint: &str) -> String {
        self.names += 1;
        format!("{hint}{}", self.names)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    /// An expression under these variables.
    fn under(&mut self, vars: &[(String, Ty)], make: impl FnOnce(&mut Gen) -> Exp) -> Exp {
        let before = self.env.len();
        self.env.extend_from_slice(vars);
        let exp = make(self);
        self.env.truncate(before);
        exp
    }

    /// An expression that is evaluated many times.
    fn inside(&mut self, vars: &[(String, Ty)], make: impl FnOnce(&mut Gen) -> Exp) -> Exp {
        self.level += 1;
        let exp = self.under(vars, make);
        self.level -= 1;
        exp
    }
}

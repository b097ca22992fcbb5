//! Indexing, and paths into values: `a[i, j:k]`, `r with a[i].b = v`, `(.a[i])`.

use super::formatter::{Formatter, INDENT};
use crate::ast::{DimIndex, Exp, ExpKind, Step};

impl<'a> Formatter<'a> {
    /// `[i, j:k:l]`. No blank may stand before it.
    pub fn indices(&mut self, indices: &[DimIndex]) {
        self.filled_list("[", "]", indices, Self::dim_index);
    }

    fn dim_index(&mut self, index: &DimIndex) {
        match index {
            DimIndex::Fix(exp) => self.exp(exp),
            DimIndex::Slice { start, end, stride, colons, .. } => {
                self.optional(start.as_ref());
                self.token(":");
                self.optional(end.as_ref());
                if *colons > 1 {
                    self.token(":");
                }
                self.optional(stride.as_ref());
            }
        }
    }

    fn optional(&mut self, exp: Option<&Exp>) {
        if let Some(exp) = exp {
            self.exp(exp);
        }
    }

    /// `a[i].b`
    pub fn path(&mut self, steps: &[Step]) {
        for (i, step) in steps.iter().enumerate() {
            match step {
                Step::Field(name) => {
                    if i > 0 {
                        self.token(".");
                    }
                    self.ident(name);
                }
                Step::Index(indices, _) => self.indices(indices),
            }
        }
    }

    /// What a path does to a name: `.a[i].b`
    pub fn path_of_name(&mut self, steps: &[Step]) {
        if let Some(Step::Field(_)) = steps.first() {
            self.token(".");
        }
        self.path(steps);
    }

    /// `(.a[i])`, `(.[i].a)`
    pub fn projection_section(&mut self, steps: &[Step]) {
        self.in_parens(|f| {
            f.token(".");
            f.path(steps);
        });
    }

    /// ```text
    /// x with a = v      f x
    ///   with b = w        with a = v
    /// ```
    pub fn updates(&mut self, exp: &Exp) {
        let mut updates = Vec::new();
        let mut start = exp;
        while let ExpKind::Update(inner, steps, value) = &start.kind {
            updates.push((steps, value));
            start = inner;
        }
        self.group(|f| {
            f.exp(start);
            if matches!(start.kind, ExpKind::Var(_)) && !f.cursor.newline_ahead() {
                f.space();
                f.align();
            } else {
                f.indent_if_broken(INDENT);
                f.line();
            }
            for (i, (steps, value)) in updates.iter().rev().enumerate() {
                if i > 0 {
                    f.line();
                }
                f.token("with");
                f.space();
                f.path(steps);
                f.space();
                f.token("=");
                f.hang(|f| f.exp(value));
            }
            f.dedent();
        });
    }
}

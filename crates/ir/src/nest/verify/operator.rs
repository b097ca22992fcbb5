//! Parallel operators: N4 for their arrays, N8 for their lambdas.
//!
//! A value whose length varies goes into lambdas, and into and out of reductions, as two columns: the
//! length, then the value. What a lambda yields for an array of results is the row alone.

use super::types::{SOME, packed, with_length};
use super::{Checker, Rule};
use crate::nest::{Atom, Elem, Lambda, Prim, Reduction, Sorted, StreamForm, Type, Var};

impl Checker<'_> {
    pub(super) fn map(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        let rows = self.inputs(width, inputs)?;
        let found = self.lambda(lambda, &rows, "the lambda of `map`");
        Some(self.arrays_of(&found, bound))
    }

    pub(super) fn reduce(&mut self, width: Atom, inputs: &[Var], op: &Reduction) -> Option<Vec<Type>> {
        let rows = self.inputs(width, inputs)?;
        self.reduction(op, &rows);
        Some(rows)
    }

    pub(super) fn scan(&mut self, width: Atom, inputs: &[Var], op: &Reduction) -> Option<Vec<Type>> {
        let rows = self.inputs(width, inputs)?;
        self.reduction(op, &rows);
        self.arrays(inputs)
    }

    /// `filter` and `partition` differ only in how long their results are.
    pub(super) fn filter(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        let rows = self.inputs(width, inputs)?;
        let found = self.lambda(lambda, &rows, "the lambda of `filter` or `partition`");
        let (holds, kept) = found.split_at(found.len().min(1));
        self.yields(holds, &[Type::bool()], "The lambda of `filter` or `partition`");
        let arrays = self.arrays_of(kept, bound.get(1..).unwrap_or_default());
        Some(std::iter::once(Type::i64()).chain(arrays).collect())
    }

    /// The destinations, and the columns of what is written at an index of each.
    pub(super) fn scatter(
        &mut self,
        width: Atom,
        dests: &[Var],
        inputs: &[Var],
        lambda: &Lambda,
    ) -> Option<(Vec<Type>, Vec<Type>)> {
        let rows = self.inputs(width, inputs)?;
        let found = self.lambda(lambda, &rows, "the lambda of `scatter` or `hist`");
        let Some(indices) = found.len().checked_sub(dests.len()).filter(|indices| *indices > 0) else {
            self.fail(Rule::N8, "The lambda of `scatter` or `hist` yields no index.");
            return None;
        };
        let (dests, written) = self.written(dests, indices)?;
        let mut wanted = vec![Type::i64(); indices];
        // A row whose length varies is yielded alone, and may have any sizes inside.
        wanted.extend(written.iter().filter_map(|ty| with_length(ty.clone()).pop()));
        let found: Vec<Type> =
            found.iter().zip(&wanted).map(|(ty, wanted)| packed(ty, Some(wanted))).collect();
        self.yields(&found, &wanted, "The lambda of `scatter` or `hist`");
        Some((dests, written.into_iter().flat_map(with_length).collect()))
    }

    pub(super) fn sort(&mut self, width: Atom, keys: Var, wanted: Sorted) -> Option<Vec<Type>> {
        self.size(width);
        let ty = self.array(keys)?;
        if !matches!(ty, Type::Value(Elem::Prim(_), _)) || ty.dims().len() != 1 {
            let ty = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{ty} is sorted, but has no primitive elements."));
            return None;
        }
        let mut results = Vec::new();
        if wanted.has_keys() {
            results.push(ty);
        }
        if wanted.has_places() {
            results.push(Type::array(Prim::I64, vec![SOME]));
        }
        Some(results)
    }

    pub(super) fn acc_stream(
        &mut self,
        width: Atom,
        dests: &[Var],
        inputs: &[Var],
        op: Option<&Reduction>,
        lambda: &Lambda,
    ) -> Option<Vec<Type>> {
        self.size(width);
        let rows = self.rows(dests)?;
        if let Some(op) = op {
            self.reduction(op, &rows);
        }
        let types = self.arrays(dests)?;
        let acc = Type::Acc(types.clone());
        let inputs = self.rows(inputs)?;
        let given: Vec<Type> = std::iter::once(acc.clone()).chain(inputs).collect();
        let found = self.lambda(lambda, &given, "the lambda of `acc_stream`");
        self.yields(&found, &[acc], "The lambda of `acc_stream`");
        Some(types)
    }

    pub(super) fn acc_write(&mut self, acc: Var, index: Atom, values: &[Atom]) -> Option<Vec<Type>> {
        self.size(index);
        let ty = self.ty(acc);
        let Type::Acc(types) = &ty else {
            let name = self.show(acc);
            self.fail(Rule::N4, format!("{name} is no accumulator."));
            return None;
        };
        let rows: Vec<Type> =
            types.iter().filter_map(|ty| ty.row().and_then(|row| with_length(row).pop())).collect();
        self.operands(values, &rows, "The values of `acc_write`");
        Some(vec![ty])
    }

    /// What a lambda takes of the inputs of an operator.
    pub(super) fn inputs(&mut self, width: Atom, inputs: &[Var]) -> Option<Vec<Type>> {
        self.size(width);
        self.rows(inputs)
    }

    /// Arrays of what a lambda yields; rows of different lengths if that is what is bound.
    fn arrays_of(&mut self, found: &[Type], bound: &[Type]) -> Vec<Type> {
        let mut arrays = Vec::with_capacity(found.len());
        for (i, ty) in found.iter().enumerate() {
            if ty.elem().is_none() {
                let ty = self.show_ty(ty);
                self.fail(Rule::N8, format!("A lambda yields {ty}, of which there are no arrays."));
            }
            arrays.push(packed(&ty.array_of(SOME), bound.get(i)));
        }
        arrays
    }

    pub(super) fn reduction(&mut self, op: &Reduction, columns: &[Type]) {
        self.operands(&op.neutral, columns, "The neutral elements");
        self.combines(&op.lambda, columns);
    }

    fn combines(&mut self, lambda: &Lambda, columns: &[Type]) {
        let found = self.lambda(lambda, &[columns, columns].concat(), "the operator");
        self.yields(&found, columns, "The operator");
    }

    pub(super) fn fused(
        &mut self,
        found: &[Type],
        scans: &[Reduction],
        reductions: &[Reduction],
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        let mut rest = found;
        let mut reduced = Vec::new();
        for (i, op) in scans.iter().chain(reductions).enumerate() {
            let Some((columns, after)) = rest.split_at_checked(op.neutral.len()) else {
                self.fail(Rule::N8, "The lambda of `fused` yields too little for its scans and reductions.");
                return None;
            };
            self.reduction(op, columns);
            if i >= scans.len() {
                reduced.extend_from_slice(columns);
            }
            rest = after;
        }
        let scanned = found.len() - rest.len() - reduced.len();
        let mut results = self.arrays_of(&found[..scanned], bound);
        let arrays = self.arrays_of(rest, bound.get(scanned + reduced.len()..).unwrap_or_default());
        results.extend(reduced);
        results.extend(arrays);
        Some(results)
    }

    /// The types of destinations, and of what is written at an index of each.
    fn written(&mut self, dests: &[Var], indices: usize) -> Option<(Vec<Type>, Vec<Type>)> {
        let types = self.arrays(dests)?;
        let mut written = Vec::with_capacity(types.len());
        for ty in &types {
            let Some(rest) = ty.dims().get(indices..) else {
                let ty = self.show_ty(ty);
                self.fail(Rule::N4, format!("{ty} has too few dimensions for {indices} indices."));
                return None;
            };
            written.push(ty.with_dims(rest.to_vec()));
        }
        Some((types, written))
    }

    pub(super) fn stream(
        &mut self,
        width: Atom,
        inputs: &[Var],
        form: &StreamForm,
        lambda: &Lambda,
    ) -> Option<Vec<Type>> {
        self.size(width);
        let chunks = self.arrays(inputs)?;
        let mut given = vec![Type::i64()];
        let accs = match form {
            StreamForm::Map { any_order: _ } => Vec::new(),
            StreamForm::Reduce { any_order: _, op } => {
                let half = op.params.len() / 2;
                let accs: Vec<Type> = op.params[..half].iter().map(|var| self.ty(*var)).collect();
                self.combines(op, &accs);
                accs
            }
            StreamForm::Seq { init } => {
                given.extend(self.types_of(init));
                self.types_of(init)
            }
        };
        given.extend(chunks);
        let found = self.lambda(lambda, &given, "the lambda of `stream`");
        if found.len() < accs.len() {
            self.fail(Rule::N8, "The lambda of `stream` yields fewer values than it has accumulators.");
            return None;
        }
        self.yields(&found[..accs.len()], &accs, "The lambda of `stream`");
        for ty in &found[accs.len()..] {
            if !ty.is_array() {
                let ty = self.show_ty(ty);
                self.fail(Rule::N8, format!("The lambda of `stream` yields {ty} where a chunk is expected."));
            }
        }
        Some(found)
    }
}

//! Values as words, by the rules of `norn_ir::nest::observe`.

use super::body::Rewrite;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Dim, Elem, Exp, Lambda, Operator, Prim, ScalarExp, Stm, Type, UnOp, Var,
};

/// An array of words, and how many they are.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub count: Atom,
    pub array: Var,
}

/// The type of so many words.
pub fn words_type(count: Atom) -> Type {
    Type::array(Prim::I64, vec![Dim::Size(count)])
}

/// Words one after the other: arrays, and in front of the next one single words.
#[derive(Default)]
struct Writer {
    arrays: Vec<Words>,
    single: Vec<Atom>,
}

impl Rewrite<'_, '_> {
    /// The number of a site and the columns of what is shown there.
    pub fn words(&mut self, stms: &mut Vec<Stm>, site: usize, columns: &[Atom]) -> Words {
        let mut writer = Writer { arrays: Vec::new(), single: vec![Atom::i64(site as i64)] };
        for column in columns {
            match column {
                Atom::Const(scalar) => {
                    let word = self.word(stms, scalar.prim(), *column);
                    writer.single.push(word);
                }
                Atom::Var(var) => match self.ty(*var).clone() {
                    Type::Value(Elem::Prim(prim), dims) if dims.is_empty() => {
                        let word = self.word(stms, prim, *column);
                        writer.single.push(word);
                    }
                    Type::Value(Elem::Prim(prim), _) => self.array_words(stms, &mut writer, prim, *var),
                    ty @ (Type::Value(Elem::Ref(..), _)
                    | Type::Acc(_)
                    | Type::Seg { .. }
                    | Type::Region
                    | Type::Cert) => {
                        panic!("traces: {ty:?} is no column that can be data")
                    }
                },
            }
        }
        self.end_single(stms, &mut writer);
        self.join(stms, &writer.arrays)
    }

    /// Dimension after dimension is joined with those outside of it, until the elements are in one row.
    fn array_words(&mut self, stms: &mut Vec<Stm>, writer: &mut Writer, prim: Prim, array: Var) {
        let mut array = array;
        writer.single.push(size(self.ty(array).dims()[0]));
        loop {
            let dims = self.ty(array).dims().to_vec();
            let count = size(dims[0]);
            let with_rest = |count: Atom| {
                let mut joined = vec![Dim::Size(count)];
                joined.extend_from_slice(&dims[2.min(dims.len())..]);
                Type::array(prim, joined)
            };
            match dims.get(1) {
                None => {
                    self.end_single(stms, writer);
                    let array = self.element_words(stms, prim, array, count);
                    writer.arrays.push(Words { count, array });
                    return;
                }
                Some(Dim::Irregular) => {
                    self.end_single(stms, writer);
                    let lengths =
                        self.emit(stms, "lengths", words_type(count), Exp::Array(ArrayExp::Lengths(array)));
                    writer.arrays.push(Words { count, array: lengths });
                    let total = self.new_var("k", Type::i64());
                    let joined = self.new_var("joined", with_rest(total.into()));
                    self.push(stms, vec![total, joined], Exp::Array(ArrayExp::JoinRows(array)));
                    array = joined;
                }
                Some(dim @ (Dim::Size(_) | Dim::Result(_))) => {
                    let inner = size(*dim);
                    writer.single.push(inner);
                    let total = self.bin(stms, BinOp::Mul, count, inner);
                    let exp = Exp::Array(ArrayExp::Reshape { array, old: 2, new: vec![total] });
                    array = self.emit(stms, "joined", with_rest(total), exp);
                }
            }
        }
    }

    fn element_words(&mut self, stms: &mut Vec<Stm>, prim: Prim, array: Var, count: Atom) -> Var {
        if prim == Prim::I64 {
            return array;
        }
        let element = self.new_var("x", Type::scalar(prim));
        let mut inside = Vec::new();
        let word = self.word(&mut inside, prim, element.into());
        let body = norn_ir::nest::Body { stms: inside, result: vec![word] };
        let lambda = Lambda { params: vec![element], body };
        self.emit(
            stms,
            "words",
            words_type(count),
            Exp::Op(Operator::Map { width: count, inputs: vec![array], lambda }),
        )
    }

    /// The bits of a scalar.
    fn word(&mut self, stms: &mut Vec<Stm>, prim: Prim, value: Atom) -> Atom {
        let (prim, value) = match UnOp::ToBits.result(prim) {
            Some(bits) => {
                let exp = Exp::Scalar(ScalarExp::Un(UnOp::ToBits, prim, value));
                (bits, self.emit(stms, "bits", Type::scalar(bits), exp).into())
            }
            None => (prim, value),
        };
        if prim == Prim::I64 {
            return value;
        }
        self.emit(
            stms,
            "word",
            Type::i64(),
            Exp::Scalar(ScalarExp::Convert { from: prim, to: Prim::I64, value }),
        )
        .into()
    }

    fn end_single(&mut self, stms: &mut Vec<Stm>, writer: &mut Writer) {
        let single = std::mem::take(&mut writer.single);
        if !single.is_empty() {
            let count = Atom::i64(single.len() as i64);
            let array = self.emit(stms, "words", words_type(count), Exp::Array(ArrayExp::ArrayLit(single)));
            writer.arrays.push(Words { count, array });
        }
    }

    /// All of these, one after the other.
    pub fn join(&mut self, stms: &mut Vec<Stm>, all: &[Words]) -> Words {
        match all {
            [] => {
                let count = Atom::i64(0);
                let exp = Exp::Array(ArrayExp::Replicate { count, value: Atom::i64(0) });
                Words { count, array: self.emit(stms, "none", words_type(count), exp) }
            }
            [one] => *one,
            [first, rest @ ..] => {
                let mut count = first.count;
                for next in rest {
                    count = self.bin(stms, BinOp::Add, count, next.count);
                }
                let arrays = all.iter().map(|words| words.array).collect();
                let exp = Exp::Array(ArrayExp::Concat { arrays, size: count });
                Words { count, array: self.emit(stms, "log", words_type(count), exp) }
            }
        }
    }
}

fn size(dim: Dim) -> Atom {
    dim.atom().unwrap_or_else(|| panic!("traces: the size of a dimension is not known"))
}

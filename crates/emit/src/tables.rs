//! Tables of constants: static data, so that a long literal is no code.
//!
//! The values are written as the bits of unsigned integers, which C accepts as initialisers whatever the type is (there is
//! no constant expression for a NaN with its bits), and the pointer to the first is cast.

use crate::scalar::unsigned;
use norn_ir::imp::{Prim, Scalar};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// The tables of a program. Those with the same bits are one.
#[derive(Default)]
pub(crate) struct Tables {
    names: HashMap<(Prim, Vec<u64>), usize>,
    text: String,
}

impl Tables {
    pub fn name_of(&mut self, prim: Prim, values: &Arc<[Scalar]>) -> String {
        let elem = unsigned(prim);
        let bits: Vec<u64> = values.iter().map(|value| value.bits()).collect();
        let next = self.names.len();
        let mut is_new = false;
        let number = *self.names.entry((elem, bits)).or_insert_with(|| {
            is_new = true;
            next
        });
        if is_new {
            self.define(number, elem, values);
        }
        format!("norn_table_{number}")
    }

    pub fn definitions(&self) -> String {
        self.text.clone()
    }

    fn define(&mut self, number: usize, elem: Prim, values: &[Scalar]) {
        const PER_LINE: usize = 16;
        let suffix = if elem == Prim::U64 { "ull" } else { "u" };
        let out = &mut self.text;
        // An array of no elements is no C.
        write!(out, "static const {} norn_table_{number}[{}] = {{", elem.name(), values.len().max(1))
            .expect("writing to a string");
        for line in values.chunks(PER_LINE) {
            out.push_str("\n ");
            for value in line {
                write!(out, " {}{suffix},", value.bits()).expect("writing to a string");
            }
        }
        out.push_str("\n};\n");
    }
}

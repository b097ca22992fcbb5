//! The vector types and functions that a program uses, and the lines that make them from the macros of rts/cpu/vector.h.
//!
//! A vector that is too wide for the machine consists of halves, and these of halves again. How far that goes only
//! the compiler of the machine knows, so that types and functions are made for all numbers of lanes down to 2, those that
//! may not be needed behind an `#if`.

use crate::mask::lane_of;
use crate::scalar::unsigned;
use norn_ir::imp::Prim;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

#[derive(Default)]
pub(crate) struct Vectors {
    types: BTreeSet<(u16, Prim)>,
    /// To, from.
    converts: BTreeSet<(u16, Prim, Prim)>,
    /// To, from.
    truncates: BTreeSet<(u16, Prim, Prim)>,
    masked: BTreeSet<(u16, Prim)>,
    /// Integers with quotients and remainders.
    quotients: BTreeSet<(u16, Prim)>,
    /// Of these elements, at places of this type.
    gathers: BTreeSet<(u16, Prim, Prim)>,
    /// Name and number of operands.
    math: BTreeSet<(u16, Prim, &'static str, usize)>,
    /// The operator's name, and what it computes of `x` and `y`. In the order of lanes if it is not commutative.
    combines: BTreeMap<(u16, Prim, &'static str), (String, bool)>,
    /// Functions that are computed lane by lane, by their names; as lines.
    lanes: BTreeMap<(u16, String), String>,
}

/// Which files of functions are needed.
pub(crate) struct Math {
    pub exp: bool,
    pub log: bool,
    pub trig: bool,
    pub pow: bool,
}

impl Vectors {
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The name of a type, which is needed from now on.
    pub fn ty(&mut self, prim: Prim, lanes: u16) -> String {
        self.types.insert((lanes, prim));
        self.types.insert((lanes, lane_of(prim)));
        format!("{prim}x{lanes}")
    }

    /// The name of the function that converts numbers for which the machine has a conversion.
    pub fn convert(&mut self, from: Prim, to: Prim, lanes: u16) -> String {
        let name = self.ty(from, lanes);
        self.ty(to, lanes);
        self.converts.insert((lanes, to, from));
        format!("{name}_as_{to}")
    }

    /// Of a float to an integer.
    pub fn truncate(&mut self, from: Prim, to: Prim, lanes: u16) -> String {
        let between = by_way_of(to);
        self.convert(from, between, lanes);
        self.convert(between, to, lanes);
        self.truncates.insert((lanes, to, from));
        format!("{from}x{lanes}_to_{to}")
    }

    /// The names of functions that load and store where a mask holds are those of the type with `_load_where` and
    /// `_store_where`.
    pub fn masked(&mut self, prim: Prim, lanes: u16) -> String {
        self.masked.insert((lanes, prim));
        self.ty(prim, lanes)
    }

    /// Integers of this type have quotients and remainders, `_by` one divisor or several.
    pub fn quotients(&mut self, prim: Prim, lanes: u16) {
        self.quotients.insert((lanes, prim));
    }

    /// Whether integers are divided.
    pub fn divide(&self) -> bool {
        !self.quotients.is_empty()
    }

    /// The same for places in a vector of integers: `_gather_i64` and `_scatter_i64`.
    pub fn gather(&mut self, prim: Prim, index: Prim, lanes: u16) -> String {
        self.gathers.insert((lanes, prim, index));
        self.ty(index, lanes);
        self.ty(prim, lanes)
    }

    /// A function of vmath.
    pub fn math_function(&mut self, prim: Prim, lanes: u16, name: &'static str, operands: usize) -> String {
        self.math.insert((lanes, prim, name, operands));
        format!("{}_{name}", self.ty(prim, lanes))
    }

    /// All lanes combined by an operator that is a function of vectors too, unless it has to be done in order.
    pub fn combine(
        &mut self,
        prim: Prim,
        lanes: u16,
        name: &'static str,
        result: String,
        in_order: bool,
    ) -> String {
        self.combines.insert((lanes, prim, name), (result, in_order));
        format!("{}_combine_{name}", self.ty(prim, lanes))
    }

    /// A function of the lanes, each by itself: `result` is an expression of `x`, `y` and `z`, which are of these types.
    pub fn each_lane(&mut self, name: &str, operands: &[Prim], to: Prim, lanes: u16, result: &str) -> String {
        let types: Vec<String> = operands.iter().map(|prim| self.ty(*prim, lanes)).collect();
        self.ty(to, lanes);
        let function = format!("{}_{name}", types[0]);
        let line = match operands {
            [x] => format!("NORN_LANES_UN({to}, {x}, {lanes}, {name}, {result})"),
            [x, y] => format!("NORN_LANES_BIN({to}, {x}, {y}, {lanes}, {name}, {result})"),
            [x, ..] => format!("NORN_LANES_TRI({x}, {lanes}, {name}, {result})"),
            [] => unreachable!("emit: a function of no lanes"),
        };
        self.lanes.insert((lanes, function.clone()), line);
        function
    }

    pub fn math(&self) -> Math {
        let any = |names: &[&str]| self.math.iter().any(|(_, _, name, _)| names.contains(name));
        Math {
            exp: any(&["exp"]),
            log: any(&["log", "log2", "log10"]),
            trig: any(&["sin", "cos", "tan"]),
            pow: any(&["pow"]),
        }
    }

    /// The lines that make everything.
    pub fn definitions(&self) -> String {
        let mut out = String::new();
        for lanes in (1..=6).map(|log| 1u16 << log) {
            self.level(&mut out, lanes);
        }
        for (lanes, prim) in self.types.iter().filter(|(_, prim)| *prim == Prim::F16) {
            line(&mut out, format_args!("NORN_TYPE_ARRAY({prim}, {lanes})"));
            line(&mut out, format_args!("NORN_MOVES_ARRAY({prim}, i16, {lanes})"));
            if self.masked.contains(&(*lanes, *prim)) {
                line(&mut out, format_args!("NORN_MASKED_ARRAY({prim}, i16, {lanes})"));
            }
        }
        for (lanes, prim, index) in self.gathers.iter().filter(|(_, prim, _)| *prim == Prim::F16) {
            line(&mut out, format_args!("NORN_GATHER_ARRAY({prim}, i16, {index}, {lanes})"));
        }
        for (lanes, to, from) in &self.truncates {
            let (between, mask) = (by_way_of(*to), lane_of(*from));
            let limit = match (between, from) {
                (Prim::I32, Prim::F32) => "0x1p31f",
                (Prim::I32, _) => "0x1p31",
                (_, Prim::F32) => "0x1p63f",
                (_, _) => "0x1p63",
            };
            line(&mut out, format_args!("NORN_TRUNCATE({to}, {from}, {between}, {mask}, {lanes}, {limit})"));
        }
        for ((lanes, prim, name), (result, in_order)) in &self.combines {
            if *in_order {
                line(&mut out, format_args!("NORN_COMBINE_IN_ORDER({prim}, {lanes}, {name}, {result})"));
            }
        }
        for text in self.lanes.values() {
            line(&mut out, format_args!("{text}"));
        }
        out
    }

    /// Everything for vectors of so many lanes that are used or are halves, or halves of halves, of those that are.
    fn level(&self, out: &mut String, lanes: u16) {
        let prims = self.prims_from(lanes);
        if prims.is_empty() {
            return;
        }
        let condition = self.condition(lanes);
        if let Some(bytes) = condition {
            line(out, format_args!("#if NORN_VECTOR_BYTES < {bytes}"));
        }
        let half = lanes / 2;
        let size = |prim: Prim| prim.size() * lanes as usize;
        let args = |prim: Prim| format!("{lanes}, {half}, {}", size(prim));

        let ints: BTreeSet<Prim> = prims.iter().flat_map(|prim| [lane_of(*prim), unsigned(*prim)]).collect();
        let types: BTreeSet<Prim> =
            ints.iter().chain(&prims).copied().filter(|prim| *prim != Prim::F16).collect();
        for prim in &types {
            line(out, format_args!("NORN_TYPE({prim}, {})", args(*prim)));
        }
        let prims: Vec<Prim> = prims.into_iter().filter(|prim| *prim != Prim::F16).collect();
        for prim in &prims {
            line(out, format_args!("NORN_MOVES({prim}, {}, {})", lane_of(*prim), args(*prim)));
        }
        for prim in &prims {
            let (mask, bits) = (lane_of(*prim), unsigned(*prim));
            let kind = match () {
                () if prim.is_signed() => "SIGNED",
                () if prim.is_unsigned() => "UNSIGNED",
                () => "FLOAT",
            };
            line(out, format_args!("NORN_{kind}_VECTOR({prim}, {mask}, {bits}, {})", args(*prim)));
            if prim.is_signed() {
                line(out, format_args!("NORN_MASK({prim}, {})", args(*prim)));
            }
        }
        let masked: BTreeSet<Prim> =
            self.masked.iter().filter(|(n, _)| *n >= lanes).map(|(_, prim)| *prim).collect();
        for prim in masked.into_iter().filter(|prim| *prim != Prim::F16) {
            line(out, format_args!("NORN_MASKED({prim}, {}, {})", lane_of(prim), args(prim)));
        }
        self.splits(out, lanes, &prims);
        let converts: BTreeSet<(Prim, Prim)> =
            self.converts.iter().filter(|(n, ..)| *n >= lanes).map(|(_, to, from)| (*to, *from)).collect();
        for (to, from) in converts {
            line(
                out,
                format_args!("NORN_CONVERT({to}, {from}, {lanes}, {half}, {}, {})", size(to), size(from)),
            );
        }
        let quotients: BTreeSet<Prim> =
            self.quotients.iter().filter(|(n, _)| *n >= lanes).map(|(_, prim)| *prim).collect();
        for prim in quotients {
            line(out, format_args!("NORN_QUOTIENTS({prim}, {})", args(prim)));
        }
        let gathers: BTreeSet<(Prim, Prim)> = self
            .gathers
            .iter()
            .filter(|(n, prim, _)| *n >= lanes && *prim != Prim::F16)
            .map(|(_, prim, index)| (*prim, *index))
            .collect();
        for (prim, index) in gathers {
            let mask = lane_of(prim);
            line(
                out,
                format_args!(
                    "NORN_GATHER({prim}, {mask}, {index}, {lanes}, {half}, {}, {})",
                    size(prim),
                    size(index)
                ),
            );
        }
        let math: BTreeSet<(Prim, &str, usize)> = self
            .math
            .iter()
            .filter(|(n, ..)| *n >= lanes)
            .map(|(_, prim, name, n)| (*prim, *name, *n))
            .collect();
        for (prim, name, operands) in math {
            let kind = if operands == 1 { "UN" } else { "BIN" };
            line(out, format_args!("NORN_MATH_{kind}({prim}, {}, {name})", args(prim)));
        }
        let combines: BTreeMap<(Prim, &str), &str> = self
            .combines
            .iter()
            .filter(|((n, ..), (_, in_order))| *n >= lanes && !in_order)
            .map(|((_, prim, name), (result, _))| ((*prim, *name), result.as_str()))
            .collect();
        for ((prim, name), result) in combines {
            match lanes {
                2 => line(out, format_args!("NORN_COMBINE_2({prim}, {name}, {result})")),
                _ => line(out, format_args!("NORN_COMBINE({prim}, {lanes}, {half}, {name}, {result})")),
            }
        }
        if condition.is_some() {
            line(out, format_args!("#endif"));
        }
    }

    /// Taking apart and joining, where there are halves.
    fn splits(&self, out: &mut String, lanes: u16, prims: &[Prim]) {
        if lanes == 2 {
            return;
        }
        let condition = self.condition(lanes / 2);
        if let Some(bytes) = condition {
            line(out, format_args!("#if NORN_VECTOR_BYTES < {bytes}"));
        }
        for prim in prims {
            let size = prim.size() * lanes as usize;
            line(out, format_args!("NORN_SPLIT({prim}, {lanes}, {}, {size})", lanes / 2));
        }
        if condition.is_some() {
            line(out, format_args!("#endif"));
        }
    }

    /// The element types of vectors that have so many lanes or more.
    fn prims_from(&self, lanes: u16) -> BTreeSet<Prim> {
        self.types.iter().filter(|(n, _)| *n >= lanes).map(|(_, prim)| *prim).collect()
    }

    /// If vectors of so many lanes are only needed as halves: on machines whose registers have fewer than so many bytes.
    fn condition(&self, lanes: u16) -> Option<usize> {
        let used = self.types.iter().any(|(n, _)| *n == lanes);
        let combined = self.combines.iter().any(|((n, ..), (_, in_order))| *n > lanes && !in_order);
        if used || combined {
            return None;
        }
        let widest = self.prims_from(lanes + 1).iter().map(|prim| prim.size()).max().unwrap_or(0);
        Some(2 * lanes as usize * widest)
    }
}

/// The signed integers by way of which floats become integers of this type.
fn by_way_of(to: Prim) -> Prim {
    if to.bits() == 64 { Prim::I64 } else { Prim::I32 }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string");
}

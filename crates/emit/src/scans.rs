//! The functions by which threads of a group combine their numbers, and tiles what they have (rts/gpu/cuda.h, rts/gpu/opencl.h).

use norn_ir::imp::{BinOp, Prim};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Default)]
pub(crate) struct Scans(BTreeMap<(Prim, BinOp), Scan>);

#[derive(Default)]
struct Scan {
    /// What comes out of `x` and `y`.
    combined: String,
    /// What changes nothing, if tiles look back.
    neutral: Option<String>,
}

impl Scans {
    /// The function by which threads of a group combine their numbers.
    pub fn scan(&mut self, op: BinOp, prim: Prim, combined: String) -> String {
        self.0.entry((prim, op)).or_default().combined = combined;
        format!("norn_scan_{}_{prim}", op.name())
    }

    /// The same for tiles.
    pub fn look_back(&mut self, op: BinOp, prim: Prim, combined: String, neutral: String) -> String {
        self.0.insert((prim, op), Scan { combined, neutral: Some(neutral) });
        format!("norn_look_back_{}_{prim}", op.name())
    }

    /// The lines that make them.
    pub fn definitions(&self) -> String {
        let mut out = String::new();
        for ((prim, op), Scan { combined, neutral }) in &self.0 {
            let name = op.name();
            writeln!(out, "NORN_SCAN({name}, {prim}, {combined})").expect("writing to a string");
            if let Some(neutral) = neutral {
                let bits = 8 * prim.size();
                writeln!(out, "NORN_LOOK_BACK({name}, {prim}, {bits}, {neutral})")
                    .expect("writing to a string");
            }
        }
        out
    }
}

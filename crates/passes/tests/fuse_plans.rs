//! Plans of fusion: what they cost, the greedy one beside the best.

use norn_ir::nest::parse::parse;
use norn_passes::nest::fuse::{Block, survey};
use std::path::Path;

/// The blocks of a program in tests/passes/fuse.
fn blocks(name: &str) -> Vec<Block> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes/fuse").join(name);
    let text = std::fs::read_to_string(path).expect("a program");
    let input = text.split_once("---\n").map_or(text.as_str(), |(input, _)| input);
    let mut prog = parse(input).unwrap_or_else(|error| panic!("{name}:{error}"));
    survey(&mut prog)
}

fn costs(block: &Block) -> [[u64; 4]; 2] {
    [block.greedy_cost, block.best_cost].map(|cost| [cost.kernels, cost.arrays, cost.traversals, cost.work])
}

#[test]
fn looking_ahead_saves_an_array() {
    assert_eq!(costs(&blocks("greedy_joins_too_early.nest")[0]), [[2, 2, 3, 0], [2, 1, 2, 0]]);
}

#[test]
fn looking_ahead_saves_a_kernel() {
    assert_eq!(costs(&blocks("greedy_joins_too_early.nest")[1]), [[5, 0, 5, 0], [4, 0, 4, 0]]);
}

#[test]
fn a_cheap_map_is_repeated_for_its_price() {
    let blocks = blocks("repeated_if_cheap.nest");
    assert_eq!(costs(&blocks[0]), [[2, 2, 2, 0], [2, 1, 2, 1]]);
    assert_eq!(costs(&blocks[1]), [[2, 2, 2, 0], [2, 2, 2, 0]]);
}

#[test]
fn the_best_plan_is_never_worse_and_always_proven_for_small_blocks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes/fuse");
    for entry in std::fs::read_dir(folder).expect("the folder of programs") {
        let name = entry.expect("an entry of the folder").file_name();
        for block in blocks(&name.to_string_lossy()) {
            let [greedy, best] = costs(&block);
            assert!(block.proven, "{name:?}: {}", block.text());
            assert!(best[0] <= greedy[0], "{name:?}: {}", block.text());
        }
    }
}

/// A block with many ways to fuse: rows of maps over shared arrays, with sums between them.
fn wide_program(rows: usize, columns: usize) -> String {
    let mut text = String::from("fun wide (n: i64, x0: [n]f32, x1: [n]f32) -> f32 {\n");
    let mut sums = vec![String::from("1f32")];
    for row in 0..rows {
        for column in 0..columns {
            let id = row * columns + column;
            let name =
                |back: usize| if id < back { format!("x{}", back % 2) } else { format!("a{}", id - back) };
            let (left, right, sum) = (name(1), name(3), &sums[sums.len() - 1]);
            text += &format!(
                "  let a{id}: [n]f32 = map n ({left}, {right}, x0) \\(p{id}: f32, q{id}: f32, r{id}: f32) {{\n    \
                 let s{id}: f32 = exp.f32 p{id}\n    let t{id}: f32 = mul.f32 s{id} q{id}\n    \
                 let w{id}: f32 = mul.f32 t{id} {sum}\n    in w{id}\n  }}\n"
            );
        }
        let last = row * columns + columns - 2;
        text += &format!(
            "  let sum{row}: f32 = reduce n (a{last}) commutative neutral (0f32) \\(b{row}: f32, c{row}: f32) {{\n    \
             let d{row}: f32 = add.f32 b{row} c{row}\n    in d{row}\n  }}\n"
        );
        sums.push(format!("sum{row}"));
    }
    text + &format!("  in {}\n}}\n", sums[sums.len() - 1])
}

#[test]
fn large_blocks_end_within_the_budget_and_become_the_same_again() {
    for (rows, columns) in [(3, 4), (6, 6), (10, 9)] {
        let prog = parse(&wide_program(rows, columns)).unwrap_or_else(|error| panic!("{error}"));
        let (mut once, mut again) = (prog.clone(), prog);
        let blocks = survey(&mut once);
        survey(&mut again);
        assert!(once == again);
        let [greedy, best] = costs(&blocks[0]);
        assert!(best[0] <= greedy[0] && best[0] < (rows * columns) as u64);
    }
}

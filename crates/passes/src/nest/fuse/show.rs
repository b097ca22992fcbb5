//! What fusion saw and did in a block, for people: as text, and as a graph for Graphviz.

use super::graph::Graph;
use super::ilp::Solution;
use super::plan::{Cost, Instance, Plan, all, members};
use norn_ir::nest::{Body, VarInfo};
use std::fmt::{self, Write};

/// A block with at least two kernels.
pub struct Block {
    /// The function, and the variables whose statements lead to the block.
    pub path: String,
    pub nodes: Vec<Node>,
    pub greedy: Vec<Cluster>,
    pub best: Vec<Cluster>,
    pub greedy_cost: Cost,
    pub best_cost: Cost,
    /// Whether the plan is known to be the best.
    pub proven: bool,
    pub steps: u64,
}

pub struct Node {
    pub kind: String,
    /// The variables it binds.
    pub names: Vec<String>,
    /// The nodes that flow into it, with the arrays.
    pub flow: Vec<(usize, Vec<String>)>,
    /// The nodes that are finished before it.
    pub before: Vec<usize>,
}

/// Nodes that become one operator.
pub struct Cluster {
    pub members: Vec<usize>,
    /// Nodes that are repeated in it.
    pub copies: Vec<usize>,
}

pub fn block(
    path: String,
    vars: &[VarInfo],
    body: &Body,
    graph: &Graph,
    plans: &[(Instance, Plan, Solution)],
) -> Block {
    let name = |var: norn_ir::nest::Var| vars[var.0 as usize].name.clone();
    let nodes = graph.kernels.iter().map(|kernel| {
        let arrays_of = |maker: usize| {
            let arrays = kernel.reads.iter().map(|array| &graph.arrays[*array]);
            arrays.filter(|array| array.maker == Some(maker)).map(|array| name(array.var)).collect()
        };
        Node {
            kind: format!("{:?}", kernel.kind).to_lowercase(),
            names: body.stms[kernel.stm].vars.iter().map(|var| name(*var)).collect(),
            flow: kernel.flow.iter().map(|maker| (maker, arrays_of(maker))).collect(),
            before: kernel.before.iter().collect(),
        }
    });
    let mut shown = Block {
        path,
        nodes: nodes.collect(),
        greedy: Vec::new(),
        best: Vec::new(),
        greedy_cost: Cost::default(),
        best_cost: Cost::default(),
        proven: true,
        steps: 0,
    };
    for (instance, greedy, solution) in plans {
        shown.greedy_cost += add_plan(instance, greedy, &mut shown.greedy);
        shown.best_cost += add_plan(instance, &solution.plan, &mut shown.best);
        shown.proven &= solution.proven;
        shown.steps += solution.steps;
    }
    shown
}

fn add_plan(instance: &Instance, plan: &Plan, shown: &mut Vec<Cluster>) -> Cost {
    let clusters = instance.clusters(plan);
    let kernels = |set: u64| members(set).map(|i| instance.kernels[i]).collect();
    for (own, full) in clusters.own.iter().zip(&clusters.full) {
        shown.push(Cluster { members: kernels(*own), copies: kernels(full & !own) });
    }
    instance.cost(&clusters, all(instance.len()))
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.kernels += other.kernels;
        self.arrays += other.arrays;
        self.traversals += other.traversals;
        self.work += other.work;
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { kernels, arrays, traversals, work } = self;
        write!(f, "kernels {kernels}, arrays {arrays}, traversals {traversals}, repeated work {work}")
    }
}

impl Block {
    pub fn text(&self) -> String {
        let mut out = format!("block {}\n", self.path);
        for (number, node) in self.nodes.iter().enumerate() {
            let _ = write!(out, "  {number:3} {:10} {}", node.kind, node.names.join(", "));
            for (maker, arrays) in &node.flow {
                let _ = write!(out, "  <- {maker}({})", arrays.join(", "));
            }
            if !node.before.is_empty() {
                let before: Vec<String> = node.before.iter().map(usize::to_string).collect();
                let _ = write!(out, "  after {}", before.join(", "));
            }
            out.push('\n');
        }
        let _ = writeln!(out, "  greedy: {}", self.greedy_cost);
        out.push_str(&clusters_text(&self.greedy));
        let proof = if self.proven { "proven" } else { "budget exhausted" };
        let _ = writeln!(out, "  ilp:    {} ({proof}, {} steps)", self.best_cost, self.steps);
        out.push_str(&clusters_text(&self.best));
        out
    }

    /// A subgraph for each block, so that a program is one picture: see [`graphviz`].
    fn dot(&self, index: usize, out: &mut String) {
        let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={:?};", self.path);
        let mut home = vec![None; self.nodes.len()];
        for (at, cluster) in self.best.iter().enumerate() {
            cluster.members.iter().for_each(|member| home[*member] = Some(at));
        }
        for (at, cluster) in self.best.iter().enumerate() {
            let _ = writeln!(out, "    subgraph cluster_{index}_{at} {{ style=filled; color=lightgrey;");
            for member in &cluster.members {
                let node = &self.nodes[*member];
                let label = format!("{} {}", node.kind, node.names.join(", "));
                let _ = writeln!(out, "      b{index}_{member} [label={label:?}];");
            }
            out.push_str("    }\n");
        }
        for (number, node) in self.nodes.iter().enumerate() {
            if home[number].is_none() {
                let label = format!("{} {} (repeated)", node.kind, node.names.join(", "));
                let _ = writeln!(out, "    b{index}_{number} [label={label:?}, style=dashed];");
            }
            for (maker, arrays) in &node.flow {
                let label = arrays.join(", ");
                let _ = writeln!(out, "    b{index}_{maker} -> b{index}_{number} [label={label:?}];");
            }
            for before in &node.before {
                let _ = writeln!(out, "    b{index}_{before} -> b{index}_{number} [style=dotted];");
            }
        }
        out.push_str("  }\n");
    }
}

fn clusters_text(clusters: &[Cluster]) -> String {
    let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let mut out = String::from("         ");
    for cluster in clusters {
        let _ = write!(out, " {{{}", list(&cluster.members));
        if !cluster.copies.is_empty() {
            let _ = write!(out, " + {}", list(&cluster.copies));
        }
        out.push('}');
    }
    out.push('\n');
    out
}

/// All blocks as one graph: kernels in the boxes of their clusters, arrows with the arrays that flow, dotted
/// arrows where one must be finished before the other.
pub fn graphviz(blocks: &[Block]) -> String {
    let mut out = String::from("digraph fusion {\n  node [shape=box];\n");
    blocks.iter().enumerate().for_each(|(index, block)| block.dot(index, &mut out));
    out.push_str("}\n");
    out
}

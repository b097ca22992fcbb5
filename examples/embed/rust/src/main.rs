//! A Rust program that calls a program of Norn by typed functions: `cargo run` in this folder.
use ndarray::array;

mod stats {
    norn::program!("stats.fut");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = stats::Program::load(&norn::Context::default())?;
    let points = array![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    let stats::SummaryResult { mean, distances } = program.summary(points.view())?;
    println!("{mean:?} {distances}");
    Ok(())
}

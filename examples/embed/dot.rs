//! `cargo run -p norn --example dot`, in a folder with dot.fut
use norn::{Context, Program, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = Program::load("dot.fut", &Context::default())?;
    let dot = program.entry("dot").ok_or("there is no entry point `dot`")?;
    let xs = Value::vector(vec![1f32, 2.0, 3.0]).into();
    let ys = Value::vector(vec![4f32, 5.0, 6.0]).into();
    println!("{}", dot.call(&[&xs, &ys])?.to_value()?.as_scalar::<f32>().ok_or("no number")?);
    Ok(())
}

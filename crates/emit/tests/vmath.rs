//! The mathematical functions of vectors are within 4 units in the last place, also at the edges of their types.

use crate::driver;

/// Uses all functions of vmath, so that their headers are there.
const PROGRAM: &str = "
fun all (x: f32x4) -> f32x4 {
  y: f32x4 = pow.f32(exp.f32(x), log.f32(sin.f32(x)))
  return y
}
";

#[test]
fn functions_of_vectors_are_accurate() {
    if !driver::has_compiler() {
        return;
    }
    let prog = norn_ir::imp::parse::parse(PROGRAM).expect("a program");
    let text = norn_emit::emit_c(&prog) + include_str!("driver/vmath.c");
    let folder = tempfile::tempdir().expect("a folder");
    for machine in driver::MACHINES.iter().filter(|machine| driver::runs(machine)) {
        let output = driver::run(folder.path(), &text, machine, "-O2", &[]);
        let output = String::from_utf8(output).expect("text");
        let far = |line: &str| line.split(' ').next().and_then(|far| far.parse::<f64>().ok());
        let wrong: Vec<&str> = output.lines().filter(|line| far(line).is_none_or(|far| far > 4.0)).collect();
        assert_eq!(output.lines().count(), 64);
        assert!(wrong.is_empty(), "for {machine}:\n{}", wrong.join("\n"));
    }
}

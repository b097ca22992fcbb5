//! What a call costs beside the program's own time.

use super::*;
use std::time::Instant;

#[test]
#[ignore = "a measurement"]
fn a_call() {
    const CALLS: u32 = 20_000;
    for program in programs() {
        let name = program.engine().backend().name();
        let (add, scale) = (program.entry("add").unwrap(), program.entry("scale").unwrap());
        let [one, two]: [Handle; 2] = [Value::scalar(1i32).into(), Value::scalar(2f32).into()];
        let xs = floats(vec![1.0; 100]);
        for (what, entry, args) in [("two numbers", add, [&one, &one]), ("100 elements", scale, [&two, &xs])]
        {
            let begin = Instant::now();
            (0..CALLS).for_each(|_| drop(entry.call(&args).unwrap_or_else(|error| panic!("{error}"))));
            println!("{name}, {what}: {:?}", begin.elapsed() / CALLS);
        }
    }
}

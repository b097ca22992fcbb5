//! x
use norn::with_large_stack;
use norn_testkit::nestfuzz::{examine::*, panics, source::source_program};
fn main() {
    let first: u64 = std::env::args().nth(1).map_or(1, |s| s.parse().unwrap());
    let count: u64 = std::env::args().nth(2).map_or(100, |s| s.parse().unwrap());
    with_large_stack("x", || {
        panics::be_quiet();
        let (mut fine, mut refused) = (0, 0);
        let mut seen = std::collections::BTreeSet::new();
        if std::env::var_os("NEST").is_some() {
            let start = std::time::Instant::now();
            for seed in first..first + count {
                let p = match panics::caught(|| norn_testkit::nestfuzz::generate::nest_program(seed, (seed % 40) as u32)) { Ok(p) => p, Err(e) => { println!("seed {seed}: GEN {e}"); continue; } };
                if std::env::var_os("SHOW").is_some() { println!("{}", norn_ir::nest::print::print(&p)); }
                if let Err(f) = examine_nest(&p, seed) { let key: String = f.message.chars().take(30).collect(); if seen.insert((f.culprit.clone(), key)) { println!("seed {seed}: {}: {}", f.culprit, f.message.chars().take(1500).collect::<String>()); } }
            }
            println!("{count} in {:?}", start.elapsed());
            return;
        }
        for seed in first..first + count {
            let p = source_program(seed, (seed % 20) as u32);
            if std::env::var_os("SHOW").is_some() {
                println!("{}", p.text);
                for r in &p.rewritten {
                    println!("=== {r}");
                }
            }
            match examine_source(&p.text, &p.rewritten, seed) {
                Ok(Examined::Fine) => fine += 1,
                Ok(Examined::Refused) => {
                    refused += 1;
                    if std::env::var_os("REF").is_some() {
                        let r = norn_testkit::program::check_text(
                            "main.fut",
                            &p.text,
                            &mut norn_testkit::program::InMemory::default(),
                        );
                        println!("seed {seed}\n{}", r.rendered());
                    }
                }
                Err(f) => {
                    let key: String = f.message.chars().take(60).collect();
                    if seen.insert((f.culprit.clone(), key)) {
                        println!(
                            "seed {seed}: {}: {}",
                            f.culprit,
                            f.message.chars().take(1500).collect::<String>()
                        );
                    }
                }
            }
        }
        println!("fine {fine} refused {refused}");
    });
}

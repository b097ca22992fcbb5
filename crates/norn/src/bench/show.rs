//! Times and amounts of memory for people.

/// A time in microseconds with four digits and a unit that fits.
pub fn show_time(microseconds: f64) -> String {
    let units = [(1e6, "s"), (1e3, "ms"), (1.0, "us")];
    let (size, unit) = units.into_iter().find(|(size, _)| microseconds >= *size).unwrap_or((1e-3, "ns"));
    format!("{} {unit}", four_digits(microseconds / size))
}

pub fn show_bytes(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => format!("{} {unit}", four_digits(bytes as f64 / size as f64)),
        None => format!("{bytes} B"),
    }
}

fn four_digits(number: f64) -> String {
    let decimals = match number {
        _ if number < 10.0 => 3,
        _ if number < 100.0 => 2,
        _ if number < 1000.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fit() {
        let times = [0.5, 1.0, 12.345, 999.96, 1234.5, 8e6, 1.2e9].map(show_time);
        assert_eq!(times, ["500.0 ns", "1.000 us", "12.35 us", "1000.0 us", "1.234 ms", "8.000 s", "1200 s"]);
        assert_eq!([0, 1 << 10, 83_886_080].map(show_bytes), ["0 B", "1.000 KiB", "80.00 MiB"]);
    }
}

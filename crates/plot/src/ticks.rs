//! Where the marks of an axis stand, and what is written at them: at round numbers only.

/// A mark of an axis, and what is written at it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// The distance of about `count` marks between two numbers: 1, 2 or 5 times a power of ten.
pub fn round_step(low: f64, high: f64, count: usize) -> f64 {
    let rough = (high - low) / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

/// The multiples of `step` from `low` to `high`.
pub fn linear_ticks(low: f64, high: f64, step: f64) -> Vec<Tick> {
    let (first, last) = ((low / step - 1e-6).ceil() as i64, (high / step + 1e-6).floor() as i64);
    let largest = low.abs().max(high.abs());
    // Long numbers are written with a power of ten, the same for all.
    let exponent = if (1e-3..1e6).contains(&largest) { 0 } else { largest.log10().floor() as i32 };
    let unit = 10f64.powi(exponent);
    let decimals = (-(step / unit).log10() - 1e-6).ceil().clamp(0.0, 12.0) as usize;
    let label = |at: f64| match exponent {
        _ if at == 0.0 => "0".to_string(),
        0 => format!("{at:.decimals$}"),
        _ => format!("{:.decimals$}×{}", at / unit, power_of_ten(exponent)),
    };
    (first..=last).map(|i| i as f64 * step).map(|at| Tick { at, label: label(at) }).collect()
}

/// Powers of ten from `low` to `high`, some left out if there are many, and multiples of them if there are few.
pub fn log_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let factors: &[u32] = if last - first > 3 { &[1] } else { &[1, 2, 5] };
    let every = ((last - first) as usize).div_ceil(most.max(1)).max(1);
    let inside = |at: f64| at >= low * (1.0 - 1e-9) && at <= high * (1.0 + 1e-9);
    // All in one manner: either none with a power of ten, or all that would be long without.
    let plain = if low >= 1e-3 && high < 1e5 { -3..=4 } else { -1..=1 };
    let mut ticks = Vec::new();
    for exponent in (first..=last).step_by(every) {
        for &factor in factors {
            let at = f64::from(factor) * 10f64.powi(exponent);
            if inside(at) {
                ticks.push(Tick { at, label: log_label(factor, exponent, plain.contains(&exponent)) });
            }
        }
    }
    ticks
}

/// The nearest of 1, 2 and 5 times a power of ten that is not above a positive number.
pub fn round_below(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= x * (1.0 + 1e-9));
    factor.unwrap_or(0.5) * power
}

/// The nearest of 1, 2 and 5 times a power of ten that is not below a positive number.
pub fn round_above(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= x * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn log_label(factor: u32, exponent: i32, plain: bool) -> String {
    match (factor, exponent) {
        (_, 0..) if plain => (u64::from(factor) * 10u64.pow(exponent as u32)).to_string(),
        _ if plain => format!("{:.*}", (-exponent) as usize, f64::from(factor) * 10f64.powi(exponent)),
        (1, _) => power_of_ten(exponent),
        _ => format!("{factor}×{}", power_of_ten(exponent)),
    }
}

fn power_of_ten(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> String {
        ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [round_step(0.0, 10.0, 5), round_step(0.0, 7.0, 5), round_step(0.0, 1.0, 4)],
            [2.0, 2.0, 0.5]
        );
    }

    #[test]
    fn labels_have_the_digits_they_need() {
        assert_eq!(labels(&linear_ticks(0.0, 10.0, 5.0)), "0 5 10");
        assert_eq!(labels(&linear_ticks(-0.4, 0.4, 0.2)), "-0.4 -0.2 0 0.2 0.4");
        assert_eq!(labels(&linear_ticks(0.0, 3e6, 1e6)), "0 1×10⁶ 2×10⁶ 3×10⁶");
        assert_eq!(labels(&linear_ticks(0.0, 2e-5, 1e-5)), "0 1×10⁻⁵ 2×10⁻⁵");
    }

    #[test]
    fn powers_of_ten_are_thinned_out_or_filled_up() {
        assert_eq!(labels(&log_ticks(1.0, 1e6, 8)), "1 10 10² 10³ 10⁴ 10⁵ 10⁶");
        assert_eq!(labels(&log_ticks(1.0, 1e4, 8)), "1 10 100 1000 10000");
        assert_eq!(labels(&log_ticks(0.5, 20.0, 8)), "0.5 1 2 5 10 20");
        assert_eq!(labels(&log_ticks(1e-12, 1e12, 6)), "10⁻¹² 10⁻⁸ 10⁻⁴ 1 10⁴ 10⁸ 10¹²");
    }

    #[test]
    fn bounds_are_round() {
        assert_eq!([round_below(7.0), round_below(20.0), round_below(0.03)], [5.0, 20.0, 0.02]);
        assert_eq!([round_above(7.0), round_above(20.0), round_above(0.03)], [10.0, 20.0, 0.05]);
    }
}

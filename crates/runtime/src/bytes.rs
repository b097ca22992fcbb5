//! Amounts of memory as people write and read them.

const UNITS: [(&str, u64); 5] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1)];

/// `512`, `64K`, `2G`, `1.5GiB`: a number of bytes. The units are those of powers of two.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_uppercase();
    let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(*factor);
    }
    let bytes = number.parse::<f64>().ok()? * *factor as f64;
    (bytes < u64::MAX as f64).then_some(bytes as u64)
}

/// `12 bytes`, `1.5 GiB`.
pub fn show_bytes(bytes: u64) -> String {
    for (name, factor) in UNITS {
        if factor > 1 && bytes >= factor {
            return format!("{:.1} {name}iB", bytes as f64 / factor as f64);
        }
    }
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read() {
        let read = |text| parse_bytes(text);
        assert_eq!(read("512"), Some(512));
        assert_eq!(read("2G"), Some(2 << 30));
        assert_eq!(read(" 64 kib "), Some(64 << 10));
        assert_eq!(read("1.5m"), Some(3 << 19));
        for wrong in ["", "G", "-1", "1X", "1.2.3", "99999999T", "1e3"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn amounts_are_shown() {
        assert_eq!(show_bytes(1), "1 byte");
        assert_eq!(show_bytes(1023), "1023 bytes");
        assert_eq!(show_bytes(3 << 19), "1.5 MiB");
        assert_eq!(show_bytes(2 << 40), "2.0 TiB");
    }
}

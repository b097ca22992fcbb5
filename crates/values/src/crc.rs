//! The checksum that zip archives, gzip files and PNG files keep of their contents.

/// The CRC-32 with the reflected polynomial 0xedb88320.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut crc = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[byte] = crc;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, &byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}

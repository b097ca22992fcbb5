def mask: u8 = 0xu8

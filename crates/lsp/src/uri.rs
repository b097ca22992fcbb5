//! File names as editors write them.

use gen_lsp_types::Uri;

/// The path of a file. What is no file keeps its address, which no import leads to.
pub fn to_path(uri: &Uri) -> String {
    let Some(rest) = uri.0.strip_prefix("file://") else { return uri.0.clone() };
    // A host may stand before the path.
    let path = decode(&rest[rest.find('/').unwrap_or(0)..]);
    // `/C:/folder` on systems with drives.
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_string(),
        _ => path,
    }
}

pub fn from_path(path: &str) -> Uri {
    if path.contains("://") || path.starts_with("untitled:") {
        return Uri(path.to_string());
    }
    let root = if path.starts_with('/') { "file://" } else { "file:///" };
    let mut uri = root.to_string();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri(uri)
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

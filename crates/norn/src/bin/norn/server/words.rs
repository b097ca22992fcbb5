//! A command's line as words.

/// The words of a line: stretches without space, or anything but quotes between double quotes.
pub fn split_words(line: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("The line ends inside quotes.")?,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word);
        rest = after.trim_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn quotes_keep_spaces() {
        assert_eq!(split_words("call  f \"a b\" \"\" c\r\n").unwrap(), ["call", "f", "a b", "", "c"]);
        assert_eq!(split_words(" \n").unwrap(), [""; 0]);
        assert!(split_words("free \"a").is_err());
    }
}

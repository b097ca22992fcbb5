//! `norn check --explain CODE`: the pages of docs/src/errors, which are part of the program.

use crate::console::{Console, Exit};
use std::io::Result;

macro_rules! pages {
    ($($code:ident)*) => {
        /// Every diagnostic code with the page that explains it.
        const PAGES: &[(&str, &str)] = &[$((
            stringify!($code),
            include_str!(concat!("../../../docs/errors/", stringify!($code), ".md")),
        )),*];
    };
}

pages! {
    E0101 E0102 E0103 E0104 E0105 E0106 E0107
    E0201 E0202 E0203 E0204 E0205 E0206 E0207 E0208 E0209
    E0251 E0252 E0253 E0254 E0255 E0256
    E0301 E0302 E0303 E0304 E0305 E0306 E0308 E0309 E0310 E0311 E0313 E0314 E0315
    E0401 E0402 E0403 E0404 E0405 E0406 E0407 E0408 E0409 E0410 E0411 E0412
    E0501 E0502 E0503 E0504 E0505 E0506 E0507
    E0601 E0602
    E0701 E0801 E0802 E0803
    W0201 W0202 W0301 W0302 W0401 W0601 W0701 W0702
}

pub fn explain(console: &Console, code: &str) -> Result<Exit> {
    match PAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(code)) {
        Some((_, page)) => {
            console.print(page)?;
            Ok(Exit::Ok)
        }
        None => {
            let all: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
            console.error(format!("there is no code `{code}`; the codes are {}", all.join(", ")))?;
            Ok(Exit::Usage)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PAGES;
    use norn_base::codes;

    #[test]
    fn every_code_has_a_page() {
        let codes: Vec<&str> = codes::ALL.iter().map(|(code, _)| code.0).collect();
        let pages: Vec<&str> = PAGES.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, pages);
    }

    #[test]
    fn pages_have_the_titles_of_their_codes() {
        for ((code, title), (_, page)) in codes::ALL.iter().zip(PAGES) {
            assert_eq!(page.lines().next(), Some(format!("# {}: {title}", code.0).as_str()));
        }
    }
}

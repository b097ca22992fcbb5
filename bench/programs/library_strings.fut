-- Numbers in a text, read by `/norn/strings`.
-- ==
-- nobench script input { input 100i64 } auto output
-- "1000000" notest script input { input 1000000i64 } output @ data/library_strings-1000000.out
import "data"
import "/norn/strings"

-- Numbers of eight digits, three of them behind the point.
entry input (n: i64) : []u8 =
  let text (i: i64) : [10]u8 =
    let x = number 1 i % 100000000
    let digit (k: u32) : u8 = u8.u32 (x / 10 ** k % 10) + '0'
    in [ digit 7
       , digit 6
       , digit 5
       , digit 4
       , digit 3
       , '.'
       , digit 2
       , digit 1
       , digit 0
       , '\n'
       ]
  in flatten (tabulate n text)

entry main [n] (s: [n]u8) : []f64 =
  map (\w -> strings.get_or f64.nan (strings.parse_f64 w)) (strings.words s)

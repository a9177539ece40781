//! The map that the linker LLD writes with `-Map`: which section of which file each function came from.
//!
//! The compilers put each function into a section of its own, named after it. The system's C library is
//! compiled without that, so its functions can only be placed by the archive's member.

use std::collections::HashMap;

/// The sections of the functions in a program. Of several functions of one name, the last counts.
#[derive(Default)]
pub struct LinkMap {
    section_of: HashMap<String, Section>,
}

#[derive(Clone)]
struct Section {
    /// The path of the file; for a member of an archive `ARCHIVE(MEMBER)`.
    file: String,
    name: String,
}

impl LinkMap {
    /// Reads a map: one line for each section of the program, under it its parts, and under those their
    /// symbols. Each begins with two addresses, a size and an alignment.
    pub fn parse(map: &str) -> Self {
        let mut sections = Self::default();
        let mut current = None;
        for entry in map.lines().filter_map(|line| words_after(line, 4)) {
            match Section::parse(entry) {
                Some(section) => current = Some(section),
                None => {
                    let code = current.as_ref().filter(|section| section.has_code());
                    sections.section_of.extend(code.map(|section| (entry.to_owned(), section.clone())));
                }
            }
        }
        sections
    }

    /// Returns the pattern by which a linker script names the code of a function; `None` if the map does not
    /// have the function, or only in code that has no name of its own.
    pub fn pattern(&self, function: &str) -> Option<String> {
        let section = self.section_of.get(function)?;
        match section.name.strip_prefix(".text.").filter(|name| name.contains(function)) {
            Some(name) => Some(format!("*(.text.{})", without_hashes(name))),
            None => section.system_member().map(|member| format!("{member}(.text .text.*)")),
        }
    }
}

impl Section {
    /// Parses `FILE:(NAME)`.
    fn parse(entry: &str) -> Option<Self> {
        let (file, name) = entry.strip_suffix(')')?.rsplit_once(":(")?;
        Some(Self { file: file.to_owned(), name: name.to_owned() })
    }

    fn has_code(&self) -> bool {
        self.name == ".text" || self.name.starts_with(".text.")
    }

    /// Returns the pattern of a member of one of the system's archives, `libc.a` or `libm-2.36.a`. Those of
    /// Rust have a hash in their name.
    fn system_member(&self) -> Option<String> {
        let (archive, member) = self.file.strip_suffix(')')?.rsplit_once('(')?;
        let archive = archive.rsplit('/').next()?.strip_suffix(".a")?;
        let name = archive.split_once('-').map_or(archive, |(name, _version)| name);
        Some(format!("*{name}*.a:{member}"))
    }
}

/// Returns what follows this many words of a line.
fn words_after(line: &str, words: usize) -> Option<&str> {
    let skip_word = |rest: &str| rest.trim_start().split_once(' ').map(|(_, rest)| rest.len());
    let mut rest = line;
    for _ in 0..words {
        rest = &rest[rest.len() - skip_word(rest)?..];
    }
    Some(rest.trim_start()).filter(|rest| !rest.is_empty())
}

/// Returns the name of a section with a `*` instead of what another version of a package or of the compiler
/// changes: in the v0 symbol mangling of rustc, the hash of a crate (`Cs…_`) and the distance to a repeated
/// part (`B…_`); and the number that LLVM adds.
fn without_hashes(name: &str) -> String {
    let name = name.split_once(".llvm.").map_or(name.to_owned(), |(name, _)| format!("{name}*"));
    // What is seldom run has the symbol after `unlikely.`.
    let is_of_rust = name.rsplit('.').next().is_some_and(|symbol| symbol.starts_with("_R"));
    if is_of_rust { with_star_after(&with_star_after(&name, "Cs"), "B") } else { name }
}

/// Returns the symbol with a `*` instead of each number to base 62 that follows the mark and ends with `_`.
fn with_star_after(symbol: &str, mark: &str) -> String {
    let mut parts = symbol.split(mark);
    let mut pattern = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number_end = part.find(|character: char| !character.is_ascii_alphanumeric());
        pattern += mark;
        pattern += &match number_end.filter(|end| part[*end..].starts_with('_')) {
            Some(end) => format!("*{}", &part[end..]),
            None => part.to_owned(),
        };
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
         1149630          1149630   260ecc    16 .text
         1149630          1149630       40    16         /t/i.o:(.text._RNvNtCs1aB_9interleaf4hook3run)
         1149630          1149630       40     1                 _RNvNtCs1aB_9interleaf4hook3run
         1149680  1149680       50    16         /t/i.o:(.text._RINvCs9_4core4dropNtCs1aB_3log3LogE.llvm.77)
         1149680  1149680       50     1                 _RINvCs9_4core4dropNtCs1aB_3log3LogE.llvm.77
         1149700          1149700      c3c    16         /usr/lib/libc.a(malloc.o):(.text)
         1149700          1149700       3c     1                 _int_malloc
         1149740          1149740       20     1                 malloc
         1149780          1149780       3c    16         /usr/lib/libm-2.36.a(e_pow.o):(.text)
         1149780          1149780       3c     1                 pow
         1159740          1159740       20    16         /t/libring-77.rlib(aes.o):(.text)
         1159740          1159740       20     1                 aes_init
         2149700          2149700       20    16         /t/i.o:(.rodata.table)
         2149700          2149700       20     1                 table
";

    #[test]
    fn a_function_with_a_section_of_its_own_is_named_without_hashes() {
        let map = LinkMap::parse(MAP);

        let named = |function| map.pattern(function).unwrap();
        assert_eq!(named("_RNvNtCs1aB_9interleaf4hook3run"), "*(.text._RNvNtCs*_9interleaf4hook3run)");
        assert_eq!(
            named("_RINvCs9_4core4dropNtCs1aB_3log3LogE.llvm.77"),
            "*(.text._RINvCs*_4core4dropNtCs*_3log3LogE*)"
        );
    }

    #[test]
    fn a_function_of_the_c_library_is_placed_with_its_member() {
        let map = LinkMap::parse(MAP);

        assert_eq!(map.pattern("malloc").unwrap(), "*libc*.a:malloc.o(.text .text.*)");
        assert_eq!(map.pattern("pow").unwrap(), "*libm*.a:e_pow.o(.text .text.*)");
        assert_eq!(map.pattern("_int_malloc"), map.pattern("malloc"));
    }

    #[test]
    fn what_cannot_be_named_is_left_where_it_is() {
        let map = LinkMap::parse(MAP);

        for symbol in ["aes_init", "table", "unheard_of"] {
            assert_eq!(map.pattern(symbol), None, "{symbol}");
        }
    }

    #[test]
    fn only_a_hash_is_replaced() {
        assert_eq!(without_hashes("sqlite3Btree_step"), "sqlite3Btree_step");
        assert_eq!(without_hashes("unlikely._RNvCs1_3abc1f"), "unlikely._RNvCs*_3abc1f");
        assert_eq!(without_hashes("_RNvCs1_3abc3CsX"), "_RNvCs*_3abc3CsX");
        assert_eq!(
            without_hashes("_RINvNtCs9_4core3ptr4dropNtB2u_3LogEB4_"),
            "_RINvNtCs*_4core3ptr4dropNtB*_3LogEB*_"
        );
    }
}

//! Declares enums whose variants are each written as one fixed word: in the store, in JSON, on the command
//! line and in the documentation. The macro generates the words, their order, their JSON Schema and the error
//! for an unknown word.

/// Declares one such enum. The literal after the name is the noun that error messages use.
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident, $noun:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the word for this variant.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::error::Error;

            fn from_str(word: &str) -> $crate::error::Result<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word).ok_or_else(|| {
                    let unknown = format!(concat!("unknown ", $noun, " `{}`"), word.escape_debug());
                    $crate::error::Error::invalid(unknown)
                        .hint(concat!("use one of: ", $($word, ", "),+).trim_end_matches(", "))
                })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $noun.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

pub(super) use word_enum;

#[cfg(test)]
mod tests {
    use crate::memory::{Category, Origin};

    #[test]
    fn json_and_the_command_line_use_the_same_word() {
        for &category in Category::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.as_str());
            assert_eq!(category.as_str().parse::<Category>().unwrap(), category);
        }
        assert_eq!(serde_json::from_str::<Origin>("\"tool_output\"").unwrap(), Origin::ToolOutput);
    }

    #[test]
    fn the_error_for_an_unknown_word_lists_the_known_words() {
        let error = "rule".parse::<Category>().unwrap_err();

        assert_eq!(error.message, "unknown category `rule`");
        assert!(error.hint.unwrap().starts_with("use one of: session_summary, decision, "));
    }
}

//! The closed sets of words in a record: category, origin, status. Each is written the same way in the
//! store, in JSON, on the command line and in the documentation.

/// Declares one such set: the words, their order, their JSON Schema, and what to say to a word that is not in it.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $noun:literal { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every one, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word for it.
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
                    $crate::error::Error::invalid(format!(concat!("there is no ", $noun, " `{}`"), word.escape_debug()))
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

pub(super) use words;

words! {
    /// What kind of thing a memory is.
    Category, "category" {
        /// What a session set out to do and how it ended.
        SessionSummary = "session_summary",
        /// What was decided, and why.
        Decision = "decision",
        /// How to get out of a trouble that comes back.
        Runbook = "runbook",
        /// A limit that cannot be changed from here.
        Constraint = "constraint",
        /// What was put off.
        TechDebt = "tech_debt",
        /// How the people of the project want it.
        Preference = "preference",
        /// Something found out.
        Learning = "learning",
        /// How things stand.
        Context = "context",
        /// What stops the work at present.
        Blocker = "blocker",
    }
}

words! {
    /// Where the words of a memory come from, the most trusted first.
    Origin, "origin" {
        /// A person typed them at a terminal.
        Person = "person",
        /// The assistant or a layer wrote them down.
        Assistant = "assistant",
        /// They were printed by a tool, so by anybody.
        ToolOutput = "tool_output",
        /// They were read from a file somebody exported.
        Imported = "imported",
        /// They came with a clone: this user did not write them.
        Shared = "shared",
    }
}

words! {
    /// Whether a memory still counts.
    Status, "status" {
        /// It does.
        Active = "active",
        /// It was forgotten, and is kept only until it is collected.
        Retired = "retired",
        /// It is kept for good, but no longer shown.
        Archived = "archived",
    }
}

impl Category {
    /// Whether it holds until somebody changes it. What is about a moment loses weight with age; these
    /// never do.
    pub const fn is_durable(self) -> bool {
        matches!(self, Self::Decision | Self::Preference | Self::Constraint)
    }
}

impl Origin {
    /// Whether its words are quoted as somebody else's, never followed as a rule of this project.
    pub const fn is_untrusted(self) -> bool {
        matches!(self, Self::ToolOutput | Self::Imported | Self::Shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_in_json_is_the_word_everywhere() {
        for &category in Category::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.as_str());
            assert_eq!(category.as_str().parse::<Category>().unwrap(), category);
        }
        assert_eq!(serde_json::from_str::<Origin>("\"tool_output\"").unwrap(), Origin::ToolOutput);
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_known_ones() {
        let error = "rule".parse::<Category>().unwrap_err();

        assert_eq!(error.message, "there is no category `rule`");
        assert!(error.hint.unwrap().starts_with("use one of: session_summary, decision, "));
    }
}

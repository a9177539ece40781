//! The layer's own settings: the table `[layers.NAME.settings]` of the configuration. Needs no grant.
//!
//! Use [`read`] to fail on an invalid setting, and [`table`] to replace an invalid setting with its default.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! #[serde(default)]
//! struct Settings {
//!     branches: Vec<String>,
//! }
//!
//! impl Default for Settings {
//!     fn default() -> Self {
//!         Self { branches: vec!["main".to_owned()] }
//!     }
//! }
//!
//! let host = Host::new();
//! assert_eq!(settings::read::<Settings>()?.branches, ["main"]);
//!
//! host.set_settings(r#"{"branches": ["release", 7]}"#);
//! let error = settings::read::<Settings>().err().unwrap();
//! assert_eq!(error.message(), "setting `branches[1]`: invalid type: integer `7`, expected a string");
//! # Ok::<(), Error>(())
//! ```

use std::ops::RangeBounds;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Result;
use crate::host::settings as host;

/// Returns the settings as JSON text: an object, which is empty if nothing is set.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(settings::get(), "{}");
/// ```
pub fn get() -> String {
    host::get()
}

/// Parses the settings as a type of your choice.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// #[derive(serde::Deserialize, Default)]
/// #[serde(default)]
/// struct Settings {
///     strict: bool,
/// }
///
/// assert!(!settings::read::<Settings>()?.strict);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid), with the path of the key whose value is invalid.
pub fn read<T: DeserializeOwned>() -> Result<T> {
    crate::json::read("setting", &get())
}

/// Returns the settings as a table in which an invalid value counts as absent.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # interleaf_layer::testing::Host::new().set_settings(r#"{"memories": "many", "fixes": false}"#);
/// let settings = settings::table();
///
/// assert_eq!(settings.integer("memories", 0..=20), None);
/// assert_eq!(settings.switch("fixes"), Some(false));
/// ```
pub fn table() -> Table {
    Table::parse(&get())
}

/// Settings in which an invalid value counts as absent, so that a typing error affects one setting and not
/// the whole layer.
///
/// ```
/// use interleaf_layer::settings::Table;
///
/// let settings = Table::parse(r#"{"threshold": 7, "tools": ["Bash", 7]}"#);
///
/// assert_eq!(settings.number("threshold", 0.0..=1.0), None);
/// assert_eq!(settings.texts("tools"), Some(vec!["Bash".to_owned()]));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table(Map<String, Value>);

impl Table {
    /// Parses JSON text. Text that is not a JSON object yields an empty table.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse("[1]"), Table::default());
    /// ```
    pub fn parse(json: &str) -> Self {
        match serde_json::from_str(json) {
            Ok(Value::Object(table)) => Self(table),
            _ => Self::default(),
        }
    }

    /// Returns an integer within the range.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse(r#"{"memories": 4}"#).integer("memories", 0..=20), Some(4));
    /// ```
    pub fn integer(&self, key: &str, range: impl RangeBounds<u64>) -> Option<u64> {
        self.0.get(key)?.as_u64().filter(|number| range.contains(number))
    }

    /// Returns a number within the range.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse(r#"{"weight": 0.5}"#).number("weight", 0.0..=1.0), Some(0.5));
    /// ```
    pub fn number(&self, key: &str, range: impl RangeBounds<f64>) -> Option<f64> {
        self.0.get(key)?.as_f64().filter(|number| range.contains(number))
    }

    /// Returns a Boolean.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse(r#"{"verify": 1}"#).switch("verify"), None);
    /// ```
    pub fn switch(&self, key: &str) -> Option<bool> {
        self.0.get(key)?.as_bool()
    }

    /// Returns a text.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse(r#"{"folder": "docs"}"#).text("folder"), Some("docs"));
    /// ```
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    /// Returns the texts of a list. Elements that are not texts are left out.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// assert_eq!(Table::parse(r#"{"tools": "Bash"}"#).texts("tools"), None);
    /// ```
    pub fn texts(&self, key: &str) -> Option<Vec<String>> {
        Some(self.0.get(key)?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Returns a nested table, which is empty if the key has none.
    ///
    /// ```
    /// # use interleaf_layer::settings::Table;
    /// let settings = Table::parse(r#"{"weights": {"exit": 0.4}}"#);
    ///
    /// assert_eq!(settings.table("weights").number("exit", ..), Some(0.4));
    /// ```
    pub fn table(&self, key: &str) -> Self {
        match self.0.get(key) {
            Some(Value::Object(table)) => Self(table.clone()),
            _ => Self::default(),
        }
    }
}

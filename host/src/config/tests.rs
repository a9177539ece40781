//! Tests of the permission to set each key, and of the diagnostics.

use serde_json::json;

use super::*;
use crate::dirs::scratch::Scratch;
use crate::layer::EventName;

/// The id of the test project.
const PROJECT: &str = "0123456789abcdef";

/// Loads a user's and a project's file; an empty text means no file.
fn load(user: &str, project: &str) -> Config {
    let scratch = Scratch::new();
    let folders = folders(&scratch);
    if !user.is_empty() {
        scratch.file("config/config.toml", user);
    }
    if !project.is_empty() {
        scratch.file("project.toml", project);
    }
    let mut config = Config::load(Some(&folders), &scratch.path().join("project.toml"), PROJECT);
    let prefix = format!("{}/", scratch.path().display());
    for warning in &mut config.warnings {
        *warning = warning.replace(&prefix, "");
    }
    config
}

fn folders(scratch: &Scratch) -> Folders {
    let home = scratch.path().to_str().expect("utf-8").to_owned();
    let found = Folders::find(&|name| (name == "INTERLEAF_HOME").then(|| home.clone().into()), &[]);
    Folders { unrecorded: Vec::new(), ..found.expect("a home is set") }
}

/// Returns a path that matches a pattern, as it is written in a file.
fn example_path(pattern: &str) -> String {
    let placeholders =
        [("NAME", "recall"), ("EVENT", "user-prompt"), ("CATEGORY", "decision"), ("OCCASION", "prompt")];
    placeholders.iter().fold(pattern.to_owned(), |path, (name, example)| path.replace(name, example))
}

/// Returns a valid value of a key that is not its default; a low one for a number.
fn example_value(key: &Key) -> &'static str {
    match key.kind {
        ValueKind::Bool if ["memory.archive_retired", "llm.allow_insecure_http"].contains(&key.paths[0]) => {
            "true"
        }
        ValueKind::Bool => "false",
        ValueKind::Integer { min: 65_536, .. } => "70000",
        ValueKind::Integer { min: 1024, .. } => "2000",
        ValueKind::Integer { .. } => "40",
        ValueKind::Choice(names) if names.contains(&"sqlite") => "\"sqlite\"",
        ValueKind::Choice(names) if names.contains(&"claude") => "\"claude\"",
        ValueKind::Choice(names) if names.contains(&"full") => "\"summary\"",
        ValueKind::Choice(names) if names.contains(&"off") => "\"off\"",
        ValueKind::Choice(names) if names.contains(&"files") => "\"files\"",
        ValueKind::Choice(_) => "\"deny\"",
        ValueKind::String if key.paths == ["llm.base_url"] => "\"http://localhost:11434/v1\"",
        ValueKind::String if key.paths == ["llm.key_env"] => "\"MODEL_KEY\"",
        ValueKind::String if key.paths == ["llm.key_file"] => "\"/etc/model-key\"",
        ValueKind::String if key.paths == ["sync.postgres"] => "\"postgres://ada@db/memories\"",
        ValueKind::String if key.paths == ["sync.password_env"] => "\"DB_PASSWORD\"",
        ValueKind::String if key.paths == ["sync.password_file"] => "\"/etc/db-password\"",
        ValueKind::String => "\"a.wasm\"",
        ValueKind::StringList => "[\"x-[0-9]+\"]",
        ValueKind::Table if key.paths == ["layers.NAME.grants"] => "{ memory = \"read\" }",
        ValueKind::Table => "{ a = 1 }",
    }
}

fn every_path() -> impl Iterator<Item = (&'static Key, String)> {
    KEYS.iter().flat_map(|key| key.paths.iter().map(move |pattern| (key, example_path(pattern))))
}

fn without_warnings(mut config: Config) -> Config {
    config.warnings.clear();
    config
}

/// Removes the guard, whose limits a project cannot lower.
fn without_guard(mut config: Config) -> Config {
    config.layers.remove(GUARD);
    config
}

#[test]
fn without_files_the_defaults_apply() {
    let config = load("", "");

    assert_eq!(config, Config::default());
    assert_eq!((config.budget.hook_units, config.budget.session_units()), (9000, 60_000));
    let orders = config
        .layers
        .iter()
        .map(|(name, layer)| (name.as_str(), layer.order, layer.enabled == Activation::Enabled));
    let orders: Vec<_> = orders.collect();
    let all = [("posttool", 40), ("pretool", 30), ("recall", 20), ("save", 50), ("warmstart", 10)];
    assert_eq!(orders, all.map(|(name, order)| (name, order, true)));
    assert_eq!(config.layer("another").order, 100);
    let millis = |event| config.limits.deadline(event).as_millis();
    assert_eq!((millis(EventName::SessionStart), millis(EventName::UserPrompt)), (1000, 400));
    assert_eq!((millis(EventName::PreTool), millis(EventName::Job)), (250, 120_000));
}

#[test]
fn the_user_may_set_every_key() {
    for (key, path) in every_path() {
        let config = load(&format!("{path} = {}", example_value(key)), "");

        assert_eq!(config.warnings, Vec::<String>::new(), "{path}");
        assert_eq!(config == Config::default(), path == "memory.store", "{path}");
    }
}

#[test]
fn a_project_sets_only_what_the_table_gives_it() {
    for (key, path) in every_path() {
        let config = load("", &format!("{path} = {}", example_value(key)));

        let is_refused = matches!(key.access, KeyAccess::UserOnly | KeyAccess::ProjectOnceAccepted);
        assert_eq!(config.warnings.len(), usize::from(is_refused), "{path}: {:?}", config.warnings);
        let is_default = is_refused || path == "memory.store";
        assert_eq!(without_warnings(config) == Config::default(), is_default, "{path}");
    }
}

#[test]
fn a_warning_about_a_user_only_key_names_the_user_s_file() {
    let config = load("", "\n[redact]\npatterns = [\".*\"]\n");

    let note = "project.toml:3: `redact.patterns` cannot be set by a project; to use it, add it to \
                config/config.toml";
    assert_eq!((config.warnings, config.redact), (vec![note.to_owned()], vec![]));
}

#[test]
fn dangerous_settings_have_no_key_at_all() {
    let hostile = "endpoint = \"https://example.com\"\n[llm]\nkey = \"x\"\ncommand = \"sh\"\n[memory]\npath \
                   = \"/tmp\"\n[budget]\nspend = 9\n[layers.pretool]\ncommand = \"sh\"\n";
    let config = load("", hostile);

    assert_eq!(config.warnings.len(), 6, "{:?}", config.warnings);
    assert_eq!(without_warnings(config), Config::default());
}

#[test]
fn an_effective_value_equals_the_written_one() {
    for (key, path) in every_path() {
        let (written, names) = (example_value(key), path.split('.').map(str::to_owned).collect::<Vec<_>>());
        let config = load(&format!("{path} = {written}"), "");

        let table: toml::Table = format!("it = {written}").parse().expect("examples are TOML");
        let expected = serde_json::to_value(&table["it"]).expect("of plain values");
        let value = config.value(&names).unwrap_or_default();
        assert!(
            value == expected || key.paths == ["layers.NAME.grants"] && value.is_object(),
            "{path}: {value}"
        );
        assert!(config.paths().contains(&names), "{path} is listed");
    }
}

mod category_policy_tests;
mod description_tests;
mod layer_settings_tests;

#[test]
fn an_invalid_model_setting_is_reported_with_its_line() {
    let user = "[llm]\nclient = \"gpt\"\nsmall = \"\"\nstrong = \"--help\"\n\
                base_url = \"https://me:pw@example.com/v1\"\nkey_env = \"sk-a-key\"\nkey_file = \"key.txt\"\n\
                program = \"./claude\"\ntimeout_seconds = 0\nkey = \"x\"\n";
    let config = load(user, "");

    let notes = [
        "2: `llm.client` must be \"claude\" or \"anthropic\" or \"openai\" or \"none\", not \"gpt\"",
        "3: `llm.small` must be the name of a model, without spaces",
        "4: `llm.strong` must be the name of a model, without spaces",
        "5: `llm.base_url` must not contain a user name, password, query or fragment; the API key belongs \
         in key_env",
        "6: `llm.key_env` must be the name of an environment variable, not the key itself",
        "7: `llm.key_file` must be an absolute path, or one that begins with `~/`",
        "8: `llm.program` must be the name of a program, or its absolute path",
        "9: `llm.timeout_seconds` must be a whole number from 1 to 600, not 0",
        "10: `llm.key` is not a known key; known here: allow_insecure_http, base_url, client, \
         daily_tokens, key_env, key_file, program, session_tokens, small, strong, timeout_seconds",
    ];
    assert_eq!(config.warnings, notes.map(|note| format!("config/config.toml:{note}")));
    assert_eq!(config.llm, ModelConfig { is_base_url_rejected: true, ..ModelConfig::default() });
}

#[test]
fn a_project_can_only_name_files_inside_it() {
    for outside in ["/etc/x.wasm", "../other/x.wasm", ".claude/../../x.wasm"] {
        let config = load("", &format!("[layers.gate]\nfile = {outside:?}\n"));

        let note = "project.toml:2: `layers.gate.file` must be a path inside the project, without `..`";
        assert_eq!((config.layer("gate").file, config.warnings), (None, vec![note.to_owned()]));
    }
    let config = load("", "[layers.gate]\nfile = \"layers/x.wasm\"\n");
    assert_eq!(config.layer("gate").file, Some((FileScope::Project, "layers/x.wasm".into())));
}

#[test]
fn an_unknown_grant_is_reported() {
    let config = load("", "[layers.gate]\ngrants = { memroy = \"read\" }\n");

    assert!(
        config.warnings[0].contains("`layers.gate.grants` is invalid: grants.memroy: unknown field `memroy`")
    );
    assert_eq!(config.layer("gate").requested_grants, None);
}

#[test]
fn a_project_lowers_every_limit_and_raises_none() {
    for (key, path) in every_path().filter(|(key, _)| key.access == KeyAccess::ProjectMayLower) {
        let ValueKind::Integer { max, .. } = key.kind else { panic!("{path} is a number") };
        let value = example_value(key);
        let lowered = load(&format!("{path} = {value}"), "");
        let raised = load("", &format!("{path} = {max}"));

        assert_eq!(
            without_guard(load("", &format!("{path} = {value}"))),
            without_guard(lowered.clone()),
            "{path}"
        );
        // A limit whose default is its maximum cannot be raised.
        let is_highest = key.default_value() == max.to_string();
        assert_eq!(raised.warnings.len(), usize::from(!is_highest), "{path}");
        let refused = |note: &String| note.contains("a project may only lower it");
        assert!(raised.warnings.iter().all(refused), "{:?}", raised.warnings);
        assert_eq!(without_warnings(raised), Config::default(), "{path}");
        let from_highest = load(&format!("{path} = {max}"), &format!("{path} = {value}"));
        assert_eq!(without_guard(from_highest), without_guard(lowered.clone()), "{path}");
        let with_user_limit = load(&format!("{path} = {value}"), &format!("{path} = {max}"));
        assert_eq!(without_warnings(with_user_limit), lowered, "{path}");
    }
}

#[test]
fn a_raised_limit_is_reported_with_the_value_that_applies() {
    let config = load("limits.host_calls = 20", "[limits]\nhost_calls = 300");
    let note = "project.toml:2: `limits.host_calls` = 300 would raise the limit; a project may only lower \
                it, so 20 still applies";
    assert_eq!(config.warnings, [note]);
}

#[test]
fn general_limits_apply_to_each_layer_without_own_limits() {
    let user = "[layers.recall.limits]\nhost_calls = 50\n[limits]\nhost_calls = 30\ndeadline_ms = { \
                user-prompt = 900 }";
    let config = load(user, "");
    let calls = |config: &Config, layer| config.layer(layer).limits.host_calls;
    assert_eq!((calls(&config, "recall"), calls(&config, "save"), calls(&config, "new")), (50, 30, 30));
    assert_eq!(config.layer("recall").limits.deadline(EventName::UserPrompt).as_millis(), 900);

    let lowered = load(user, "limits.host_calls = 20\n[layers.new]\nlimits.host_calls = 10");
    assert_eq!(["recall", "save", "new"].map(|layer| calls(&lowered, layer)), [20, 20, 10]);
}

#[test]
fn the_user_s_value_applies_if_user_and_project_set_a_key() {
    let user = "[layers.recall]\nenabled = true\norder = 5\n[layers.recall.settings]\na = 1\nb = { c = [1] }";
    let project = "[layers.recall]\nenabled = false\norder = 6\n[layers.recall.settings]\na = 2\nb = { c = \
                   [2], d = 3 }\ne = 4\n[layers.save]\nenabled = false\n";
    let config = load(user, project);

    let recall = config.layer("recall");
    assert_eq!((recall.enabled, recall.order), (Activation::Enabled, 5));
    assert_eq!(recall.settings, json!({"a": 1, "b": {"c": [1], "d": 3}, "e": 4}));
    assert_eq!((config.layer("save").enabled, config.warnings), (Activation::DisabledByProject, vec![]));
}

#[test]
fn settings_keep_their_types() {
    let project = "[layers.recall.settings]\na = 1.5\nb = 2020-01-02\nc = [{ d = true }]\ne = 0xff\nf = \
                   inf\n\"g.h\" = 1";
    let settings = json!({"a": 1.5, "b": "2020-01-02", "c": [{"d": true}], "e": 255, "f": "inf", "g.h": 1});
    assert_eq!(load("", project).layer("recall").settings, settings);
}

#[test]
fn an_unknown_key_suggests_the_most_similar_known_one() {
    let config = load(
        "",
        "[layers.recall]\nenabld = true\n\n[limit]\nhost_calls = 1\n[layers.Bad_Name]\nenabled = true",
    );

    let notes = [
        "project.toml:2: `layers.recall.enabld` is not a known key; did you mean `layers.recall.enabled`?",
        "project.toml:4: `limit` is not a known key; did you mean `limits`?",
        "project.toml:6: `layers.Bad_Name` is not a known key; the name of a layer has lower-case letters, \
         digits and hyphens",
    ];
    assert_eq!(config.warnings, notes);
}

#[test]
fn a_value_of_the_wrong_type_is_reported_and_the_rest_applies() {
    let config = load(
        "",
        "[layers.recall]\nenabled = \"yes\"\norder = 7\n[memory]\nstore = \"files\"\n[layers]\nsave = 1",
    );

    assert_eq!(config.layer("recall").order, 7);
    let notes = [
        "project.toml:2: `layers.recall.enabled` must be true or false, not \"yes\"",
        "project.toml:5: `memory.store` must be \"sqlite\", not \"files\"",
        "project.toml:7: `layers.save` must be a table",
    ];
    assert_eq!(config.warnings, notes);
    assert_eq!(load("", "budget.hook_units = 10000").warnings.len(), 1, "Claude Code would cut");
}

#[test]
fn a_file_with_a_syntax_error_is_reported_with_its_line_and_the_other_applies() {
    let config = load("[layers.recall]\norder = 7\n", "[layers.recall]\nenabled = false\norder = = 3\n");

    assert_eq!((config.layer("recall").order, config.layer("recall").enabled), (7, Activation::Enabled));
    assert_eq!(config.warnings.len(), 1);
    let start = "project.toml:3: cannot be parsed: ";
    let end = "; the whole file is ignored until this is fixed";
    assert!(
        config.warnings[0].starts_with(start) && config.warnings[0].ends_with(end),
        "{:?}",
        config.warnings
    );
}

#[test]
fn files_that_are_not_regular_or_too_large_are_reported() {
    let scratch = Scratch::new();
    let large = scratch.file("large.toml", &"# \n".repeat(30_000));
    for path in [large.as_path(), scratch.path(), Path::new("/dev/zero")] {
        let config = Config::load(None, path, PROJECT);
        assert!(
            config.warnings[0].contains("cannot be read") && config.warnings.len() == 1,
            "{:?}",
            config.warnings
        );
        assert_eq!(without_warnings(config), Config::default());
    }
    std::fs::write(&large, b"[layers]\n# \xff").expect("ours");
    assert!(
        Config::load(None, &large, PROJECT).warnings[0]
            .contains("large.toml:2: cannot be parsed: not valid UTF-8")
    );
}

#[test]
fn a_deeply_nested_file_is_rejected_without_overflowing_a_small_stack() {
    let dots = vec!["a"; 78].join(".");
    let brackets = format!("{}{dots} = 1{}", format!("{dots} = {{ ").repeat(78), "}".repeat(78));
    let texts = [
        format!("[layers.recall.settings]\n{brackets}"),
        format!("[layers.recall.settings]\n{dots} = 1"),
        format!("x = {}{}", "[".repeat(30_000), "]".repeat(30_000)),
    ];
    for text in texts {
        let load = std::thread::Builder::new().stack_size(512 << 10).spawn(move || load("", &text));
        let config = load.expect("a thread can be started").join().expect("it does not overflow");
        assert_eq!(config.warnings.len(), 1);
        assert!(config.warnings[0].contains("cannot be parsed: "), "{:?}", config.warnings);
    }
}

#[test]
fn warnings_about_many_mistakes_are_summarized_and_contain_no_control_characters() {
    let text: String =
        (0..200).map(|number| format!("\"x{number}\\u001b[2J{}\" = 1\n", "y".repeat(99))).collect();
    let notes = load("", &text).warnings;

    assert_eq!(notes.len(), 21);
    assert_eq!(notes[20], "project.toml: 180 more problems");
    assert!(notes.iter().all(|note| note.len() < 300 && !note.contains(char::is_control)), "{notes:?}");
}

#[test]
fn a_file_full_of_mistakes_is_rejected_quickly() {
    let text: String = (0..7000).map(|number| format!("k{number}=1\n")).collect();
    let began = std::time::Instant::now();
    assert_eq!(
        load("", &text).warnings,
        ["project.toml:1: cannot be parsed: more than 250 settings; the whole file is ignored until this \
          is fixed"]
    );
    assert!(began.elapsed().as_millis() < 500, "{:?}", began.elapsed());
}

#[test]
fn interleaf_disable_disables_with_any_value_but_empty_0_and_false() {
    let disabled = |value: Option<&str>| Config::default().with_env(&|_| value.map(Into::into)).disabled;
    assert_eq!([None, Some(""), Some("0"), Some("false")].map(disabled), [false; 4]);
    assert_eq!([Some("1"), Some("true"), Some("no")].map(disabled), [true; 3]);
}

#[test]
fn every_key_can_be_described() {
    for key in KEYS {
        assert!(!key.doc.is_empty() && !key.doc.ends_with('.'), "{:?}", key.paths);
        assert!(!key.default_value().is_empty() && !key.kind.describe().is_empty(), "{:?}", key.paths);
        assert!(!key.access.as_str().is_empty());
    }
    let deadline = KEYS.iter().find(|key| key.paths[0].contains("EVENT")).expect("it is there");
    assert!(
        deadline
            .default_value()
            .starts_with("session-start 1000, subagent-start 250, user-prompt 400, pre-tool 250")
    );
}

#[test]
fn a_project_switches_recording_off_and_never_on() {
    let record = |user, project| {
        let config = load(user, project);
        (config.record.choice, config.record.is_off_by_project, config.warnings.len())
    };

    assert_eq!(record("", "record = \"on\""), (RecordChoice::Ask, false, 1));
    assert_eq!(record("record = \"off\"", "record = \"on\""), (RecordChoice::Off, false, 1));
    assert_eq!(record("record = \"on\"", "record = \"off\""), (RecordChoice::On, true, 0));
    assert_eq!(record("record = \"perhaps\"", ""), (RecordChoice::Ask, false, 1));
}

const BEGIN: &str = "<!-- keys: checked against the code by a test -->\n";
const END: &str = "<!-- end of keys -->";

fn documented_table() -> String {
    let row = |key: &Key| {
        let paths: Vec<String> = key.paths.iter().map(|path| format!("`{path}`")).collect();
        let (value, default) = (key.kind.describe(), key.default_value());
        let access = key.access.as_str();
        format!("| {} | {} | {value} | {default} | {access} |\n", paths.join(", "), key.doc)
    };
    let rows: String = KEYS.iter().map(row).collect();
    format!("\n| key | description | value | default | set by |\n| --- | --- | --- | --- | --- |\n{rows}\n")
}

/// Compares a table of the documentation with the code. If `UPDATE_DOCS` is set, writes it there instead.
fn check_documented(begin: &str, end: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let page = std::fs::read_to_string(&path).expect("docs/configuration.md is in the repository");
    let (before, rest) = page.split_once(begin).expect("the page has the first comment");
    let (documented, after) = rest.split_once(end).expect("the page has the second comment");

    if std::env::var_os("UPDATE_DOCS").is_some() {
        let page = format!("{before}{begin}{table}{end}{after}");
        return std::fs::write(&path, page).expect("the page can be written");
    }
    assert_eq!(
        documented, table,
        "run UPDATE_DOCS=1 cargo test -p interleaf --lib config::tests -- the_documentation --test-threads 1"
    );
}

#[test]
fn the_documentation_has_the_table_of_keys() {
    check_documented(BEGIN, END, &documented_table());
}

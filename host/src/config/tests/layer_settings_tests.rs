//! Tests that a project makes the embedded layers stricter, and never the opposite.

use super::*;

/// Loads the settings of a layer, as the user's or the project's.
fn settings_of(layer: &str, user: &str, project: &str) -> (serde_json::Value, Vec<String>) {
    let table = |text: &str| match text {
        "" => String::new(),
        text => format!("[layers.{layer}.settings]\n{text}\n"),
    };
    let config = load(&table(user), &table(project));
    (config.layer(layer).settings, config.warnings)
}

/// Returns a project's text that makes the layer stricter, and one that makes it less strict, if any.
fn directions(setting: &LayerSetting) -> (Option<String>, Option<String>) {
    let path = setting.path.replace("CATEGORY", "decision").replace("SIGNAL", "word");
    let line = |value: &str| Some(format!("{path} = {value}"));
    match (setting.right, setting.kind) {
        (ProjectRight::None, SettingKind::Texts) => (None, line("[\"*\"]")),
        (ProjectRight::None, _) => (None, line("0.9")),
        (ProjectRight::Set, SettingKind::Texts) => (line("[\"a\"]"), None),
        (ProjectRight::Set, _) => (line("\"a\""), None),
        (ProjectRight::Lower, _) => (line("1"), line("20")),
        (ProjectRight::Raise, SettingKind::Integer { .. }) => (line("600"), line("0")),
        (ProjectRight::Raise, _) => (line("0.9"), line("0.0")),
        (ProjectRight::Enable, _) => (line("true"), line("false")),
        (ProjectRight::Disable, _) => (line("false"), line("true")),
        (ProjectRight::Default, _) => (line("\"small\""), line("\"strong\"")),
    }
}

#[test]
fn a_project_moves_a_setting_of_an_embedded_layer_only_in_the_stricter_direction() {
    for setting in LAYER_SETTINGS {
        let (stricter, looser) = directions(setting);
        for (line, is_allowed) in [(stricter, true), (looser, false)] {
            let Some(line) = line else { continue };
            let of_user = settings_of(setting.layer, &line, "").0;
            let (of_project, warnings) = settings_of(setting.layer, "", &line);

            assert_ne!(of_user, json!({}), "the user may set {line}");
            assert_eq!(of_project == of_user, is_allowed, "{} {line}: {warnings:?}", setting.layer);
            assert_eq!((warnings.len(), of_project == json!({})), (usize::from(!is_allowed), !is_allowed));
        }
    }
}

#[test]
fn a_hostile_project_loosens_nothing() {
    let project = "explain = true\ntier = \"strong\"\ndrafts = 50\nmemories = 50\ndebounce_seconds = 0\n\
                   only_with_skills = false";

    let (settings, warnings) = settings_of("save", "", project);

    assert_eq!((settings, warnings.len()), (json!({}), 6), "{warnings:?}");
    let named = "project.toml:3: `layers.save.settings.tier` can only be \"small\" in a project; to use it, \
                 add it to config/config.toml";
    assert!(warnings.iter().any(|warning| warning == named), "{warnings:?}");
    let (settings, warnings) =
        settings_of("posttool", "", "tools = [\"*\"]\nthreshold = 0\nweights.word = 1.0");
    assert_eq!((settings, warnings.len()), (json!({}), 3), "{warnings:?}");
}

#[test]
fn the_user_s_setting_applies_whatever_the_project_sets() {
    let (settings, warnings) =
        settings_of("save", "memories = 20\npromote = true", "memories = 1\npromote = false");

    assert_eq!((settings, warnings), (json!({"memories": 20, "promote": true}), vec![]));
}

#[test]
fn a_value_that_the_layer_would_ignore_is_reported() {
    for (layer, line) in [
        ("save", "promote = 0"),
        ("save", "memories = 51"),
        ("posttool", "threshold = 7"),
        ("save", "tier = \"huge\""),
        ("posttool", "tools = \"Bash\""),
        ("pretool", "memory_folder = 1"),
        ("recall", "memories = \"many\""),
    ] {
        let (settings, warnings) = settings_of(layer, line, "");

        assert_eq!((settings, warnings.len()), (json!({}), 1), "{line}");
        assert!(warnings[0].contains("must be"), "{warnings:?}");
    }
}

#[test]
fn a_project_neither_disables_the_guard_nor_lowers_its_limits() {
    let project = "[layers.pretool]\nenabled = false\nlimits.host_calls = 0\nlimits.deadline_ms.pre-tool = \
                   1\n[limits]\nhost_calls = 1\nmemory_bytes = 65536\ndeadline_ms.pre-tool = 1\n\
                   [layers.save]\n\
                   enabled = false\n";
    let config = load("", project);

    let guard = config.layer("pretool");
    assert_eq!((guard.enabled, guard.limits), (Activation::Enabled, Limits::default()));
    assert_eq!(config.layer("save").enabled, Activation::DisabledByProject);
    assert_eq!(config.layer("recall").limits.host_calls, 1);
    assert_eq!(config.warnings.len(), 3, "{:?}", config.warnings);
    assert!(config.warnings[0].contains("because pretool guards you"), "{:?}", config.warnings);
    let user = load("[layers.pretool]\nenabled = false\nlimits.host_calls = 9", "");
    assert_eq!(user.layer("pretool").enabled, Activation::DisabledByUser);
    assert_eq!((user.layer("pretool").limits.host_calls, user.warnings), (9, vec![]));
}

#[test]
fn a_configuration_in_a_folder_that_is_not_recorded_neither_disables_the_guard_nor_lowers_its_limits() {
    let scratch = Scratch::new();
    let config = "[layers.pretool]\nenabled = false\n[layers.recall]\nenabled = false\n\
                  [limits.deadline_ms]\npre-tool = 1\n";
    scratch.file("config/config.toml", config);
    let folders = Folders { unrecorded: vec![scratch.path().join("config")], ..folders(&scratch) };

    let config = Config::load(Some(&folders), &scratch.path().join("project.toml"), PROJECT);

    let guard = config.layer("pretool");
    assert_eq!((guard.enabled, guard.limits), (Activation::Enabled, Limits::default()));
    assert_eq!(config.layer("recall").enabled, Activation::DisabledByUser);
    assert!(config.warnings[0].contains("not recorded as yours"), "{:?}", config.warnings);
}

/// The layers have these defaults; the table must not let a project compare with others.
#[test]
fn the_defaults_of_the_table_are_those_of_the_layers() {
    let source = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins").join(file);
        std::fs::read_to_string(path).expect("the layers are in the repository")
    };
    let (save, posttool, recall, pretool) = (
        source("save/src/settings.rs"),
        source("posttool/src/settings.rs"),
        source("recall/src/lib.rs"),
        source("pretool/src/lib.rs"),
    );
    let number = |text: &str, before: &str| -> f64 {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{before} is in the layer"));
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').expect("something follows");
        rest[..end].parse().expect("a number")
    };
    for setting in LAYER_SETTINGS {
        let default = setting.default_value();
        let of_layer = match (setting.layer, setting.path) {
            ("recall", "memories") => number(&recall, "MAX_MEMORIES_PER_PROMPT: u32 = "),
            ("recall", "titles") => number(&recall, "DEFAULT_TITLES: u64 = "),
            ("pretool", "titles") => number(&pretool, "DEFAULT_TITLES: u64 = "),
            ("posttool", "titles") => number(&posttool, "DEFAULT_TITLES: u64 = "),
            ("posttool", "threshold") => number(&posttool, "DEFAULT_THRESHOLD: f64 = "),
            ("save", "memories") => number(&save, "DEFAULT_MEMORIES: u64 = "),
            ("save", "drafts") => number(&save, "DEFAULT_DRAFTS: u64 = "),
            ("save", "debounce_seconds") => number(&save, "DEFAULT_DEBOUNCE_SECONDS: u64 = "),
            ("save" | "posttool", path) if matches!(setting.kind, SettingKind::Switch(_)) => {
                let file = if setting.layer == "save" { &save } else { &posttool };
                let read = [
                    format!("switch(\"{path}\", {default})"),
                    format!("switch(\"{path}\").unwrap_or({default})"),
                ];
                assert!(read.iter().any(|read| file.contains(read)), "{path} = {default}");
                continue;
            }
            _ => continue,
        };
        assert_eq!(default.parse(), Ok(of_layer), "{}.{}", setting.layer, setting.path);
    }
}

#[test]
fn the_documentation_has_the_table_of_layer_settings() {
    let row = |setting: &LayerSetting| {
        let (name, kind) = (format!("layers.{}.settings.{}", setting.layer, setting.path), setting.kind);
        let (default, right) = (setting.default_value(), setting.right.as_str());
        format!("| `{name}` | {} | {default} | {right} |\n", kind.describe())
    };
    let rows: String = LAYER_SETTINGS.iter().map(row).collect();
    let table = format!("\n| setting | value | default | set by |\n| --- | --- | --- | --- |\n{rows}\n");

    check_documented(
        "<!-- layer settings: checked against the code by a test -->\n",
        "<!-- end of layer settings -->",
        &table,
    );
}

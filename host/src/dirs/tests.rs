//! Tests of the variables that are used or ignored, and of the files that are read.

use super::scratch::Scratch;
use super::*;

fn find(variables: &[(&str, &str)], project: Option<&Path>) -> Option<Folders> {
    let env = |name: &str| Some(variables.iter().find(|(known, _)| *known == name)?.1.into());
    let project: Vec<PathBuf> = project.into_iter().map(Path::to_path_buf).collect();
    Folders::find(&env, &project).ok()
}

#[test]
fn without_a_usable_folder_the_error_names_each_ignored_variable_and_the_next_step() {
    let find = |variables: &[(&str, &str)]| {
        let env = |name: &str| Some(variables.iter().find(|(known, _)| *known == name)?.1.into());
        Folders::find(&env, &["/ci/shop".into()]).expect_err("none can be used").full()
    };

    assert_eq!(
        find(&[("INTERLEAF_HOME", "/ci/shop/.il"), ("XDG_DATA_HOME", "data")]),
        "no folder for your memories can be used: INTERLEAF_HOME=/ci/shop/.il is ignored: inside the \
         project; set INTERLEAF_HOME to an absolute path outside /ci/shop"
    );
    assert_eq!(
        find(&[]),
        "no variable names your home folder; set HOME, or INTERLEAF_HOME, to an absolute path"
    );
}

#[test]
fn the_default_folders_are_below_home() {
    let folders = find(&[("HOME", "/home/ada")], None).expect("home is known");

    assert_eq!(folders.config, Path::new("/home/ada/.config/interleaf"));
    assert_eq!(folders.data, Path::new("/home/ada/.local/share/interleaf"));
    assert_eq!(folders.state, Path::new("/home/ada/.local/state/interleaf"));
    assert_eq!(folders.cache, Path::new("/home/ada/.cache/interleaf"));
    assert!(folders.ignored.is_empty());
}

#[test]
fn each_xdg_variable_moves_one_folder_and_interleaf_home_moves_all() {
    let xdg = [("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data"), ("XDG_CACHE_HOME", "")];
    let folders = find(&xdg, None).expect("home is known");
    assert_eq!(folders.data, Path::new("/data/interleaf"));
    assert_eq!(folders.cache, Path::new("/home/ada/.cache/interleaf"), "empty is unset");

    let all = find(&[("HOME", "/home/ada"), ("INTERLEAF_HOME", "/il"), ("XDG_DATA_HOME", "/data")], None);
    let all = all.expect("the folders are known");
    assert_eq!((all.config, all.cache), ("/il/config".into(), "/il/cache".into()));
    assert_eq!((all.data, all.state), ("/il/data".into(), "/il/state".into()));
}

#[test]
fn without_a_home_all_four_folders_must_be_set() {
    assert_eq!(find(&[], None), None);
    assert_eq!(find(&[("XDG_DATA_HOME", "/data")], None), None);
    assert!(find(&[("INTERLEAF_HOME", "/il")], None).is_some());
    let four =
        ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"].map(|name| (name, "/x"));
    assert!(find(&four, None).is_some());
}

#[test]
fn a_relative_path_is_ignored_and_reported() {
    let folders = find(&[("HOME", "/home/ada"), ("INTERLEAF_HOME", "il")], None).expect("home is known");

    assert_eq!(folders.data, Path::new("/home/ada/.local/share/interleaf"));
    let ignored: Vec<String> = folders.ignored.iter().map(ToString::to_string).collect();
    assert_eq!(ignored, ["INTERLEAF_HOME=il is ignored: not an absolute path"]);
}

#[test]
fn a_path_inside_the_project_is_ignored_even_through_dots_and_links() {
    let scratch = Scratch::new();
    let project = scratch.folder("project");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&project, scratch.path().join("link")).expect("a link can be made");
    for path in ["project", "project/.il", "other/../project/il", "link/not/there", "other/../link/il"] {
        let path = scratch.path().join(path);
        let set = [("HOME", "/home/ada"), ("XDG_CACHE_HOME", path.to_str().expect("utf-8"))];
        let folders = find(&set, Some(&project)).expect("home is known");

        assert_eq!(folders.cache, Path::new("/home/ada/.cache/interleaf"), "{path:?}");
        assert!(
            folders.ignored[0].to_string().ends_with("is ignored: inside the project"),
            "{:?}",
            folders.ignored
        );
    }
}

#[test]
fn a_sibling_folder_whose_name_begins_like_the_project_is_outside() {
    let set = [("INTERLEAF_HOME", "/srv/project-data")];
    assert!(find(&set, Some(Path::new("/srv/project"))).expect("the folder is used").ignored.is_empty());
}

#[test]
fn a_home_inside_the_project_must_be_the_home_of_the_account() {
    let scratch = Scratch::new();
    let fake = scratch.folder("home");
    let instead = find(&[("HOME", fake.to_str().expect("utf-8"))], Some(scratch.path()));
    let Some(real) = account_home() else { return assert_eq!(instead, None) };
    let instead = instead.expect("the account has a home");
    assert_eq!(instead.config, real.join(".config/interleaf"));
    assert!(
        instead.ignored[0].reason.ends_with("and not the home folder of this account"),
        "{:?}",
        instead.ignored
    );

    let folders = find(&[("HOME", real.to_str().expect("utf-8"))], Some(&real)).expect("dotfiles in git");
    assert_eq!(folders.config, real.join(".config/interleaf"));
}

#[test]
fn only_small_regular_files_are_read() {
    let scratch = Scratch::new();
    let file = scratch.file("a", "12345");
    assert_eq!(read_file(&file, 5).expect("readable").as_deref(), Some(&b"12345"[..]));
    assert!(read_file(&file, 4).is_err());
    assert!(read_file(scratch.path(), 99).is_err());
    assert!(read_file(Path::new("/dev/null"), 99).is_err());
    assert_eq!(read_file(&scratch.path().join("b"), 9).expect("absent is fine"), None);
    assert_eq!(read_file(&file.join("below a file"), 9).expect("absent is fine"), None);
}

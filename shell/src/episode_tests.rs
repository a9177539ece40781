//! Tests of the rule for episodes: what it finds, and everything that it must not take for a remedy.

use crate::{Call, Difference, Reported, Run, Step, episodes};

fn run(line: &str, reported: Reported, output: &str) -> Step {
    Step::Run(Run::read(&Call { line, output, reported, in_background: false }).expect(line))
}

fn fails(line: &str) -> Step {
    run(line, Reported::Failed, "Exit code 1\nValueError: no")
}

fn passes(line: &str) -> Step {
    run(line, Reported::Succeeded, "fine")
}

/// Returns the remedies that the steps show.
fn remedies(steps: &[Step]) -> Vec<String> {
    episodes(steps).iter().map(|episode| episode.difference.to_string()).collect()
}

#[test]
fn another_interpreter_helped() {
    let steps = [fails("cd app && python x.py"), passes("which python3"), passes("python3 x.py 2>&1")];
    let found = episodes(&steps);

    assert_eq!((found[0].failed, found[0].passed), (0, 2));
    let expected = Difference::Interpreter { failing: "python".to_owned(), passing: "python3".to_owned() };
    assert_eq!(found[0].difference, expected);
    assert_eq!(remedies(&[fails("python t.py"), passes(".venv/bin/python t.py")]), [".venv/bin/python"]);
}

#[test]
fn a_variable_helped_and_is_told_with_its_value() {
    let build = "python3 setup.py build";
    assert_eq!(remedies(&[fails(build), passes("NO_OPENMP=1 python3 setup.py build")]), ["NO_OPENMP=1"]);
    assert_eq!(remedies(&[fails("make"), passes("export A='b c' && make")]), ["A='b c'"]);
}

#[test]
fn a_package_helped() {
    let steps = [fails("make html"), passes("pip install 'jinja2<3.1'"), passes("make html")];
    assert_eq!(remedies(&steps), ["pip install 'jinja2<3.1'"]);
    let steps =
        [fails("pytest -q"), fails("npm ci"), passes("pip list"), passes("uv sync"), passes("pytest -q")];
    assert_eq!(remedies(&steps), ["uv sync"]);
}

#[test]
fn the_latest_failure_counts() {
    let steps =
        [fails("python a.py"), fails("python3 a.py"), passes("pip install b"), passes("python3 a.py")];
    let found = episodes(&steps);
    assert_eq!((found.len(), found[0].failed), (1, 1));
    assert_eq!(found[0].difference.to_string(), "pip install b");
}

#[test]
fn an_edit_between_the_runs_is_the_remedy_and_is_not_told() {
    for between in
        [Step::Edited, passes("sed -i s/a/b/ a.py"), passes("cat > a.py <<E\nx\nE"), passes("git checkout a")]
    {
        assert_eq!(remedies(&[fails("python a.py"), between, passes("python3 a.py")]), [""; 0]);
    }
}

#[test]
fn whatever_else_may_have_helped_makes_it_uncertain() {
    let both = [fails("make"), passes("pip install a"), passes("make clean"), passes("make")];
    assert_eq!(remedies(&both), [""; 0]);
    let two = [fails("python a.py"), passes("pip install a"), passes("python3 a.py")];
    assert_eq!(remedies(&two), [""; 0]);
    let two = [fails("python a.py"), passes("A=1 python3 a.py")];
    assert_eq!(remedies(&two), [""; 0]);
    let removed = [fails("A=1 make"), passes("B=1 make")];
    assert_eq!(remedies(&removed), [""; 0]);
    assert_eq!(remedies(&[fails("make"), passes("make")]), [""; 0], "nothing differs");
}

#[test]
fn a_cd_that_was_left_out_helped_because_the_shell_was_there() {
    let cd =
        |line: &str| run(line, Reported::Failed, "Exit code 1\n(eval):cd:1: no such file or directory: app");
    assert_eq!(remedies(&[cd("cd app && make"), passes("pwd && ls"), passes("make")]), ["without `cd app`"]);
    assert_eq!(remedies(&[cd("cd app && make"), passes("git clone x app"), passes("make")]), [""; 0]);
    assert_eq!(remedies(&[cd("cd app && make"), passes("cd ../app && make")]), [""; 0]);
    assert_eq!(remedies(&[cd("cd app && make"), passes("make test")]), [""; 0]);
    assert_eq!(remedies(&[cd("cd /srv/app && make"), passes("make")]), [""; 0], "it is missing everywhere");
}

#[test]
fn another_folder_or_a_failing_cd_is_another_matter() {
    assert_eq!(remedies(&[fails("cd a && python x.py"), passes("cd b && python3 x.py")]), [""; 0]);
    let cd = run(
        "cd a && python x.py",
        Reported::Failed,
        "Exit code 1\n(eval):cd:1: no such file or directory: a",
    );
    assert_eq!(remedies(&[cd, passes("python3 x.py")]), [""; 0]);
}

#[test]
fn a_missing_file_is_a_matter_of_the_folder() {
    let missing = |line: &str| {
        run(
            line,
            Reported::Failed,
            "Exit code 2\npython: can't open file 'x.py': [Errno 2] No such file or directory",
        )
    };
    assert_eq!(remedies(&[missing("python x.py"), passes("cd a && python3 x.py")]), [""; 0]);
    let path = ["with `a/` before the path"];
    assert_eq!(remedies(&[missing("python x.py"), passes("ls"), passes("cd a && python x.py")]), path);
    let moved = [missing("python x.py"), passes("mv y.py a/x.py"), passes("python a/x.py")];
    assert_eq!(remedies(&moved), [""; 0], "the file was not there before");
    assert_eq!(remedies(&[missing("python x.py"), passes("A=1 python x.py")]), [""; 0]);
    let installed = [missing("make"), passes("npm ci"), passes("cd app && make")];
    assert_eq!(remedies(&installed), [""; 0]);
    let installed = [missing("make"), passes("npm ci"), passes("make")];
    assert_eq!(remedies(&installed), ["npm ci"]);
}

#[test]
fn a_success_that_nobody_saw_is_none() {
    for passed in
        ["python3 x.py | tail -3", "python3 x.py || true", "python3 x.py &", "python3 x.py; echo done"]
    {
        assert_eq!(remedies(&[fails("python x.py"), passes(passed)]), [""; 0], "{passed}");
    }
    let proved = run("python3 -m pytest | tail -3", Reported::Succeeded, "==== 3 passed in 0.1s ====");
    assert_eq!(remedies(&[fails("python -m pytest"), proved]), ["python3"]);
}

#[test]
fn a_success_long_after_the_failure_proves_nothing() {
    let mut steps = vec![fails("python x.py")];
    steps.extend((0..50).map(|_| passes("ls")));
    steps.push(passes("python3 x.py"));
    assert_eq!(remedies(&steps), [""; 0]);
}

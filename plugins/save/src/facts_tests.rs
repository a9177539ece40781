//! Which facts the rules save, and what is never one.

use super::{OBSERVED_TAG, REPEATED_TAG};
use crate::finding::Origin;
use crate::sample_script::found;

/// Returns the texts of the facts, as one session saw them.
fn facts(script: &str) -> Vec<String> {
    found(script).facts.iter().map(|fact| fact.finding(1).text).collect()
}

#[test]
fn a_fact_names_the_difference_and_nothing_else() {
    for (script, fact) in [
        (
            "u: try it\n$ cd app && python test_issue.py\n- SyntaxError: invalid syntax\n\
              $ python3 test_issue.py\n+ ok\na: The f-strings need Python 3.",
            "`python …` failed, and the same command passed with `python3` (seen in one session)",
        ),
        (
            "u: install\n$ pip install -e .\n- distutils.errors.CompileError: no omp\n\
              $ NO_OPENMP=1 pip install -e .\n+ Successfully installed",
            "`pip install` failed, and passed with `NO_OPENMP=1` (seen in one session)",
        ),
        (
            "u: docs\n$ python3 -m sphinx . out\n- ImportError: cannot import name 'environmentfilter'\n\
              $ pip install 'jinja2<3.1'\n+ ok\n$ python3 -m sphinx . out\n+ done",
            "`python3 -m sphinx` failed, and passed after `pip install 'jinja2<3.1'` (seen in one session)",
        ),
        (
            "u: build\n$ cd app && make\n- bash: line 1: cd: app: No such file or directory\n$ pwd\n\
              + /srv/app\n$ make\n+ ok",
            "`cd app` failed, and the command behind it passed without it (seen in one session)",
        ),
        (
            "u: tests\n$ npm test\n- Error: Cannot find module 'vitest'\n$ npm ci\n+ added 90 packages\n\
              $ npm test\n+ 9 passed",
            "`npm test` failed, and passed after `npm ci` (seen in one session)",
        ),
    ] {
        assert_eq!(facts(script), [fact], "{script}");
    }
}

#[test]
fn what_else_helped_is_no_fact() {
    for script in [
        "u: go\n$ go test ./...\n- undefined: Foo\ne foo.go: a => b\n$ go test ./...\n+ ok",
        "u: go\n$ make lint\n- lint.c: bad\n$ make lint\n+ ok",
        "u: go\n$ ./manage migrate\n- connection refused\n$ docker compose up -d db\n+ ok\n\
          $ ./manage migrate\n+ ok\na: The database was down.",
        "u: go\n$ make app\n- app.c missing\n$ cd sub && make app\n+ ok",
        "u: go\n$ python a.py\n- ValueError: x\n$ python3 a.py | tail -3\n+ ok",
        "u: go\n$ npm start\n! The user doesn't want to proceed with this tool use.\n$ A=1 npm start\n+ ok",
        "u: go\n$ make\n- no\n$ pip install -e /tmp/x\n+ ok\n$ make\n+ ok",
    ] {
        assert_eq!(facts(script), [""; 0], "{script}");
    }
}

#[test]
fn a_secret_is_no_remedy() {
    let script = "u: go\n$ ./deploy\n- no key\n$ KEY=[SECRET:api-key] ./deploy\n+ ok";
    assert_eq!(facts(script), [""; 0]);
}

#[test]
fn a_fact_is_a_tools_and_only_a_repeated_one_is_marked() {
    let found =
        found("u: go\n$ python a.py\n- SyntaxError: bad\n$ python3 a.py\n+ ok\na: Python 2 cannot read it.");
    let (once, often) = (found.facts[0].finding(1), found.facts[0].finding(41));

    assert_eq!(once.origin, Origin::ToolOutput);
    assert_eq!(once.tags, [OBSERVED_TAG]);
    assert_eq!(often.tags, [OBSERVED_TAG, REPEATED_TAG]);
    assert!(often.text.ends_with("(seen in 41 sessions)") && often.importance > once.importance);
    assert_eq!(once.content["symptoms"], serde_json::json!(["SyntaxError: bad"]));
    assert!(!once.text.contains("SyntaxError"), "an error line is shown at the same failure only");
    assert!(!once.content.to_string().contains("cannot read"), "nothing of it is the assistant's");
    assert_eq!(found.explicit, []);
}

#[test]
fn a_fact_of_one_session_is_counted_once() {
    let twice = "u: go\n$ python a.py\n- x\n$ python3 a.py\n+ ok\n$ python b.py\n- y\n$ python3 b.py\n+ ok";
    assert_eq!(facts(twice).len(), 1);
}

#[test]
fn a_fact_is_short() {
    let long = "x".repeat(120);
    let script = format!("u: go\n$ make\n- no\n$ pip install {long}\n+ ok\n$ make\n+ ok");
    assert_eq!(facts(&script), [""; 0], "a remedy is told whole or not at all");
}

//! Which fixes are kept: what the person says after one, what counts as one, and how it is told.

use super::{Expected, mined, table, wrong};
use crate::rules::tests::script::talk;
use crate::rules::{Around, mine};
use interleaf_layer::memory::Category::Runbook;

const FIXED: &str = "u: run the checks\n$ make check\n- cannot connect to postgres on 5432\n$ docker compose up -d db\n+ Started\n$ make check\n+ ok\na: The checks need the database: `docker compose up -d db` first.";

const KEPT: &[Expected] = &[(Runbook, &["docker compose up -d db"])];

/// Whether the fix is still there after the person said this.
fn stays(said: &str) -> bool {
    let mined = mined(&format!("{FIXED}\nu: {said}"));
    mined.finds.iter().any(|find| find.category == Runbook)
}

#[test]
fn a_fix_stays_where_the_person_goes_on_to_something_else() {
    assert_eq!(wrong(FIXED, KEPT), None);
    for said in [
        "NO. never apply from here, only the pipeline may",
        "k. never run the load tests from here, they cost money",
        "ok dont do that in staging though",
        "good. please stop using print, we have a logger",
        "nice. dont forget to push",
        "no idea why that ever worked. anyway, next: the csv export",
        "stop here for today",
        "no worries. next the importer",
        "nein danke, weiter mit dem export",
        "wait, dont commit yet",
        "no need to commit",
        "super, aber bitte noch nicht pushen",
        "ok pero no subas nada todavía",
        "merci. ne touche pas au reste",
        "never use float for money, by the way",
        "no emojis in commit messages please",
        "stop, that's enough for today",
    ] {
        assert!(stays(said), "{said}");
    }
}

#[test]
fn a_fix_goes_where_the_person_refuses_it() {
    for said in [
        "no thats wrong, the db must not run in docker",
        "no",
        "nope, undo that",
        "no, use the local postgres instead",
        "actually no, drop the docker stuff",
        "nein, das ist falsch",
        "no, never use docker here, take the local postgres",
        "don't do that, there is a script for it",
        "not like that please",
        "ok, but undo it again",
        "stop! not with compose",
        "non, pas comme ça",
    ] {
        assert!(!stays(said), "{said}");
    }
}

#[test]
fn a_no_to_a_question_is_none_to_the_fix() {
    table(&[(
        "u: see why plan fails\n$ terraform plan\n- Error: Backend initialization required\n$ terraform init -reconfigure\n+ ok\n$ terraform plan\n+ 2 to add\na: The backend moved, so `terraform init -reconfigure` was needed. Shall I apply it now?\nu: no\na: Fine.",
        &[(Runbook, &["init -reconfigure"])],
    )]);
}

#[test]
fn a_change_of_what_says_how_it_is_run_is_a_fix_by_itself() {
    table(&[
        (
            "u: why is the suite red\n$ yarn test\n- Error: Cannot find module '~/store'\n$ yarn cache clean\n+ ok\n$ yarn test\n- Error: Cannot find module '~/store'\ne vite.config.ts: a => alias\n$ yarn test\n+ 9 passed\na: It passes again. Vite does not read the paths of jsconfig.json, so the `~` alias has to be set in vite.config.ts too.",
            &[(
                Runbook,
                &["`yarn test` failed: Vite does not read", "What helped: a change of vite.config.ts."],
            )],
        ),
        (
            "u: build the app\n$ pod install\n- required a higher minimum deployment target\ne ios/Podfile: 12 => 14\n$ pod install\n+ 40 pods\na: Listo: el SDK de mapas pide iOS 14 como mínimo, está en el Podfile.",
            &[(Runbook, &["El SDK de mapas pide iOS 14", "a change of ios/Podfile"])],
        ),
        (
            "u: tests bitte\n$ pytest -q\n- tz not found\ne pyproject.toml: a => tzdata\n$ uv sync\n+ ok\n$ pytest -q\n+ 3 passed\na: Läuft: im Image fehlt die Zeitzonendatenbank, tzdata bringt sie mit.",
            &[(Runbook, &["`pytest` failed: Im Image fehlt", "`uv sync`", "a change of pyproject.toml"])],
        ),
        (
            "u: build it\n$ make fw\n- region `FLASH' overflowed by 4 bytes\ne src/main.c: a => b\n$ make fw\n+ ok\na: Done, smaller now.",
            &[],
        ),
    ]);
}

#[test]
fn a_change_that_was_taken_back_did_not_help() {
    let talk = talk(
        "u: why does it not build\n$ dotnet build Grid.csproj\n- CS0246 MeshDataArray\ne Grid.csproj: netstandard2.1 => net6.0\n$ dotnet build Grid.csproj\n- CS0246 MeshDataArray\na: Not it.\ne Grid.csproj: net6.0 => netstandard2.1\ne Directory.Build.props: a => unity\n$ dotnet build Grid.csproj\n+ ok\na: The reference to the engine was missing in Directory.Build.props.",
    );

    let mined = mine(&talk, &Around { root: Some("/home/dev/app"), ..Around::default() });

    let fix = mined.finds.iter().find(|find| find.category == Runbook).expect("a fix");
    assert!(
        fix.text.contains("Directory.Build.props") && !fix.text.contains("change of Grid.csproj"),
        "{}",
        fix.text
    );
}

#[test]
fn ones_own_slip_is_no_lesson() {
    table(&[
        (
            "u: rename getUsr\ne src/a.ts: getUsr => getUser\n$ npm test\n- ReferenceError: getUsr is not defined\n$ sed -i s/getUsr/getUser/ src/b.ts\n+ \n$ npm test\n+ ok\na: All green.",
            &[],
        ),
        (
            "u: add a script\n$ npm test\n+ ok\ne package.json: a => b\n$ npm test\n- Unexpected token } in JSON\ne package.json: b => c\n$ npm test\n+ ok\na: It had a typo in package.json, a comma was missing.",
            &[],
        ),
        (
            "u: split it\n$ cargo test\n+ ok\nw src/parse.rs: x\n$ cargo test\n- unresolved import crate::parse\ne src/lib.rs: a => mod parse;\n$ cargo test\n+ ok\na: The module parse was missing in lib.rs.",
            &[],
        ),
        (
            "u: umbenennen\ne conf/app.yml: alt => neu\n$ make run\n- key alt missing\ne conf/b.yml: alt => neu\n$ make run\n+ ok\na: Ich hatte conf/b.yml vergessen, der Schlüssel war dort noch alt.",
            &[],
        ),
        (
            "u: lint\n$ npm run lint\n- x.ts: quotes\n$ npm run lint -- --fix\n+ ok\n$ npm run lint\n+ ok\na: Lint is clean.",
            &[],
        ),
        (
            "u: build\n$ npm run build\n- Unexpected token } in JSON\ne package.json: a => b\n$ npm run build\n+ ok\na: Builds.",
            &[],
        ),
        (
            "u: lint\n$ npm run lint\n- x.ts: unused variable foo\ne src/x.ts: foo => y\n$ npm run lint\n+ ok\na: Lint passes: the unused variable foo is gone.",
            &[],
        ),
    ]);
}

#[test]
fn a_fix_names_what_failed_first_as_it_was_typed() {
    table(&[
        (
            "u: race tests\n$ go test -race ./...\n- requires cgo\n$ CGO_ENABLED=1 go test -race ./...\n- gcc not found\n$ apk add gcc musl-dev\n+ ok\n$ go test -race ./...\n+ ok\na: Race tests run now; the image lacked gcc.",
            &[(
                Runbook,
                &["`go test -race ./...` failed: The image lacked gcc. What helped: `apk add gcc musl-dev`"],
            )],
        ),
        (
            "u: install\n$ pnpm install --frozen-lockfile\n- ERR_PNPM_OUTDATED_LOCKFILE\n$ pnpm install --lockfile-only\n+ ok\n$ pnpm install --frozen-lockfile\n+ ok\na: The lockfile was behind package.json.",
            &[(
                Runbook,
                &["`pnpm install --frozen-lockfile` failed", "What helped: `pnpm install --lockfile-only`."],
            )],
        ),
        (
            "u: set it up\n$ ./bootstrap.sh --dev\n- database shop does not exist\n$ mysql -u root -e \"create database shop\"\n+ ok\n$ ./bootstrap.sh --dev\n+ ok\na: The database was missing, bootstrap.sh does not create it.",
            &[(Runbook, &["`./bootstrap.sh --dev` failed", "`mysql -u root -e \"create database shop\"`"])],
        ),
        (
            "u: render it\n$ quarto render a.qmd\n- no package curl\n$ Rscript -e 'renv::restore()'\n- libcurl4-openssl-dev missing\n$ sudo apt-get install -y libcurl4-openssl-dev\n+ ok\n$ Rscript -e 'renv::restore()'\n+ ok\n$ quarto render a.qmd\n+ ok\na: renv::restore() needs libcurl4-openssl-dev.",
            &[(
                Runbook,
                &["`quarto render a.qmd` failed", "`Rscript -e 'renv::restore()'`", "apt-get install"],
            )],
        ),
    ]);
}

#[test]
fn a_fix_that_nobody_explained_ranks_below_one_that_somebody_did() {
    let script = "u: migrate\n$ make migrate\n- connection refused\n$ docker compose up -d db\n+ ok\n$ make migrate\n+ ok";

    let (silent, told) = (
        mined(script),
        mined(&format!("{script}\na: Works: the docker container of the database was not running.")),
    );

    let (silent, told) = (silent.finds[0].score, told.finds[0].score);
    assert!(silent < told && silent > 0.6, "{silent} {told}");
}

#[test]
fn a_configuration_outside_of_the_project_is_named_without_its_folder() {
    let talk = talk(
        "u: install\n$ npm ci\n- 401 Unauthorized registry\ne .npmrc: a => registry\n$ npm ci\n+ ok\na: npm ci needs the registry in .npmrc, it was missing.",
    );

    let mined = mine(&talk, &Around { session: "s", root: Some("/srv/other"), ..Around::default() });

    let find = &mined.finds[0];
    assert!(
        find.text.contains("What helped: a change of .npmrc.") && !find.text.contains("/home"),
        "{}",
        find.text
    );
}

#[test]
fn the_error_of_a_run_with_several_parts_is_the_line_of_the_part_that_failed() {
    table(&[(
        "u: run the tests\n$ cargo test --workspace\n- test result: ok. 5 passed; 0 failed\n  error: linking with `cc` failed: cannot find -lpq\n$ apt-get install -y libpq-dev\n+ ok\n$ cargo test --workspace\n+ ok\na: done",
        &[(Runbook, &["cannot find -lpq"])],
    )]);
}

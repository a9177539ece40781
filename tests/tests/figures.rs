//! What saving is worth, measured over the recorded sessions: each project's sessions are played one after the other, by
//! rules alone and with a scripted model, and what was saved and what later sessions were shown of it is compared with
//! what the recordings expect. `cargo xtask figures` prints the table.

use interleaf_tests::scratch::Scratch;
use interleaf_tests::scripted::Scripted;
use interleaf_tests::workspace::fixtures;
use std::ops::AddAssign;

const PROJECTS: [&str; 3] = ["atlas-mono", "handbook", "ledger-api"];

/// What a report says, in its own order.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    wanted: usize,
    recalled: usize,
    silences: usize,
    noises: usize,
    musts: usize,
    musts_saved: usize,
    written: usize,
    fitting: usize,
    forbidden: usize,
}

#[test]
fn by_rules_alone_most_of_what_must_be_is_saved_and_nothing_else() {
    let figures = over_all("by rules alone", |_| None);

    assert!(figures.musts_saved * 100 >= figures.musts * 60, "{figures:?}");
    assert!(figures.fitting * 10 >= figures.written * 8, "{figures:?}");
    assert_eq!(figures.forbidden, 0);
    shown(figures);
}

#[test]
fn with_a_model_all_of_it_is_saved_and_what_it_invents_is_not() {
    let figures = over_all("with a scripted model", |project| Some(Scripted::start(project)));

    assert_eq!(figures.musts_saved, figures.musts, "{figures:?}");
    assert!(figures.fitting * 10 >= figures.written * 8, "{figures:?}");
    assert_eq!(figures.forbidden, 0);
    shown(figures);
}

#[test]
fn nothing_that_was_shown_is_saved_again() {
    let scratch = Scratch::new();
    let [first, second] = ["s1", "s2-injected"]
        .map(|session| fixtures().join("sessions/ledger-api").join(session).display().to_string());

    let report = scratch.interleaf(&["replay", &first, &second, "--check"]).success();

    let saved = report.split("saved of this session:").skip(1).collect::<Vec<_>>();
    assert_eq!(saved.len(), 2, "{report}");
    let said = saved[1].split("\n\n").next().unwrap_or_default();
    for (category, shown) in [("preference", "pnpm"), ("constraint", "10 requests"), ("decision", "retry")] {
        let again = said.lines().any(|line| line.contains(&format!("[{category}]")) && line.contains(shown));
        assert!(!again, "{shown} was shown and saved again:\n{said}");
    }
}

/// Four in five of what should be shown is, and where silence is expected there is silence.
fn shown(figures: Figures) {
    assert!(figures.recalled * 100 >= figures.wanted * 80, "{figures:?}");
    assert!((figures.silences - figures.noises) * 100 >= figures.silences * 95, "{figures:?}");
}

/// Plays all projects, prints a line for each, and sums them up.
fn over_all(how: &str, model: impl Fn(&str) -> Option<Scripted>) -> Figures {
    let mut all = Figures::default();
    let mut told = format!("\n{how:<24}{HEAD}");
    for project in PROJECTS {
        let (scratch, model) = (Scratch::new(), model(project));
        let folder = fixtures().join("sessions").join(project).display().to_string();
        let url = model.as_ref().map(Scripted::url).unwrap_or_default();
        let mut words = vec!["replay", &folder, "--check"];
        if model.is_some() {
            words.extend(["--llm", &url]);
        }
        let report = scratch.interleaf(&words).success();
        let figures = Figures::read(&report);
        let verdict = report.split_once("\nrecall: ").map_or("", |(_, verdict)| verdict);
        let differences = verdict.lines().filter(|line| line.starts_with("    "));
        let differences: String = differences.map(|line| format!("{line}\n")).collect();
        told += &format!("\n{}\n{differences}", figures.line(project));
        assert!(model.is_none_or(|model| model.asked() > 0), "the model was not asked:\n{report}");
        all += figures;
    }
    tell(&format!("{told}{}", all.line("all")));
    all
}

#[expect(clippy::print_stdout, reason = "`cargo xtask figures` shows it")]
fn tell(table: &str) {
    println!("{table}");
}

const HEAD: &str = "must saved   precision   forbidden   shown later   silent";

impl Figures {
    fn read(report: &str) -> Self {
        let line = |name: &str| {
            let line = report.lines().find_map(|line| line.strip_prefix(name));
            let numbers = line.unwrap_or_else(|| panic!("no {name} in:\n{report}"));
            let numbers =
                numbers.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok());
            numbers.collect::<Vec<usize>>()
        };
        let (recall, noise, saved) = (line("recall: "), line("false injections: "), line("saved: "));
        Self {
            recalled: recall[0],
            wanted: recall[1],
            noises: noise[0],
            silences: noise[1],
            musts_saved: saved[0],
            musts: saved[1],
            fitting: saved[3],
            written: saved[4],
            forbidden: saved[5],
        }
    }

    fn line(&self, name: &str) -> String {
        let of = |part: usize, whole: usize| format!("{part}/{whole}");
        format!(
            "{name:<24}{:>10}   {:>9}   {:>9}   {:>11}   {:>6}",
            of(self.musts_saved, self.musts),
            of(self.fitting, self.written),
            self.forbidden,
            of(self.recalled, self.wanted),
            of(self.silences - self.noises, self.silences),
        )
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, more: Self) {
        self.wanted += more.wanted;
        self.recalled += more.recalled;
        self.silences += more.silences;
        self.noises += more.noises;
        self.musts += more.musts;
        self.musts_saved += more.musts_saved;
        self.written += more.written;
        self.fitting += more.fitting;
        self.forbidden += more.forbidden;
    }
}

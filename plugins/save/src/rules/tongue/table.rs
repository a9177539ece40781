//! The tables of a language, as they are written.

/// The tables of a language, as written.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Small words it is told by.
    pub marks: &'static str,
    /// Letters of a script it is told by.
    pub script: Option<fn(char) -> bool>,
    /// A rule that lasts, by itself.
    pub lasting: &'static [&'static str],
    /// What must always or never be: a rule, or how something is to work.
    pub modal: &'static [&'static str],
    /// A wish or a ban that lasts where something says so: a place, a reason.
    pub wish: &'static [&'static str],
    /// What people do here: a rule, where it puts something right.
    pub custom: &'static [&'static str],
    /// What looks like a rule and is none: complaints, reports.
    pub idle: &'static [&'static str],
    /// Where a rule holds.
    pub scope: &'static [&'static str],
    /// That something holds for the moment only.
    pub passing: &'static [&'static str],
    /// Why.
    pub reason: &'static [&'static str],
    /// That something was decided.
    pub decided: &'static [&'static str],
    /// That something was decided, in so many words.
    pub settled: &'static [&'static str],
    /// That it was not.
    pub undecided: &'static [&'static str],
    /// One thing in place of another.
    pub instead: &'static [&'static str],
    /// That something is to be made so, here: a task.
    pub task: &'static [&'static str],
    /// A limit.
    pub limit: &'static [&'static str],
    /// What happens beyond a limit: a symptom, where nothing says that it stays so.
    pub edge: &'static [&'static str],
    /// That nothing can be done about it.
    pub firm: &'static [&'static str],
    /// That something is put off.
    pub defer: &'static [&'static str],
    /// Until when.
    pub until: &'static [&'static str],
    /// A question without its mark.
    pub asks: &'static [&'static str],
    /// Something only imagined.
    pub supposes: &'static [&'static str],
    /// A joke.
    pub jests: &'static [&'static str],
    /// Somebody else's words.
    pub hearsay: &'static [&'static str],
    /// That this is to be remembered.
    pub keep: &'static [&'static str],
    /// At a prompt's beginning: what was done or proposed is not wanted.
    pub refuses: &'static [&'static str],
    /// At a prompt's beginning: it is.
    pub agrees: &'static [&'static str],
    /// At a prompt's beginning: the person takes back what they said.
    pub concedes: &'static [&'static str],
    /// An order to build or check something: what it says is how that is to work.
    pub builds: &'static [&'static str],
    /// That something is for this once.
    pub once: &'static [&'static str],
    /// A proposal.
    pub proposes: &'static [&'static str],
    /// How things are done here, told as a fact: a rule where something says that it lasts.
    pub habit: &'static [&'static str],
    /// Whether a text says why something was as it was: causes, needs.
    pub cause: &'static [&'static str],
    /// A report that something is done and well, or what comes next: no explanation.
    pub report: &'static [&'static str],
}

impl Table {
    /// Nothing.
    pub const EMPTY: Self = Self {
        marks: "",
        script: None,
        lasting: &[],
        modal: &[],
        wish: &[],
        custom: &[],
        idle: &[],
        scope: &[],
        passing: &[],
        reason: &[],
        decided: &[],
        settled: &[],
        undecided: &[],
        instead: &[],
        task: &[],
        limit: &[],
        edge: &[],
        firm: &[],
        defer: &[],
        until: &[],
        asks: &[],
        supposes: &[],
        jests: &[],
        hearsay: &[],
        keep: &[],
        refuses: &[],
        agrees: &[],
        concedes: &[],
        builds: &[],
        once: &[],
        proposes: &[],
        habit: &[],
        cause: &[],
        report: &[],
    };
}

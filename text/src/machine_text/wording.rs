//! The few words that the shape of a paragraph cannot replace: who is addressed, and whose words are
//! announced. Each list is in lower case, with spaces between the words.

/// Labels of a person's own rules and notes: what they are about, or that they are meant.
const TOPICS: &str = "\
    note notes ps fyi btw edit update correction korrektur todo rule rules convention conventions important \
    reminder remember always never also one limit limits decision comment comments commit commits test tests \
    testing log logs logging error errors doc docs code style format formatting language names naming branch \
    branches pr prs review reviews release releases deploy deploys deployment build builds ci dependency \
    dependencies api ui types imports migrations versions messages goal context task plan problem \
    hinweis wichtig merke regel regeln kommentare fehlermeldungen sprache stil règle règles commentaires \
    regla reglas nota mensajes regra regras";

/// Labels in the head of a mail.
const MAIL_HEADS: &str = "\
    from to subject sent date cc von an betreff gesendet datum de objet asunto assunto oggetto para \
    onderwerp";

/// Words of a line that announces a person's own rules.
const OWN: &str = "\
    rule rules convention conventions guideline guidelines thing things remember always never note notes \
    important reminder preference preferences please i regel regeln konvention konventionen merke immer \
    nie niemals wichtig bitte ich règle règles toujours jamais regla reglas siempre nunca regra regras \
    regole sempre";

/// Words of a line that announces somebody else's text.
const SOURCES: &str = "\
    say says said wrote writes write reads read states got get getting see doc docs documentation readme \
    page article post blog manual wiki site mail email ticket slack teams review comment comments \
    customer colleague boss log logs output prints printed error trace message messages quote quotes \
    answer reply chatgpt issue file diff patch config snippet text paste pasted schrieb schreibt sagt \
    sagte meint seite doku handbuch meldung kommentar ausgabe fehler nachricht zitat antwort kunde datei \
    écrit dit fichier client escribió dice dijo archivo cliente escreveu disse scrive zegt";

/// Last words of a line that points at what follows.
const POINTING: &str = "\
    this these that following below here it das dies diese folgendes folgende hier ceci cela ça esto \
    isto questo dit";

/// Words with which a person speaks to the agent or of themselves. A page speaks of `you` and `we`, too.
const ADDRESSING: &str = "\
    i im i'm i’m ive i've me my please pls plz thanks thank thx hi hey ok okay ich mir mich mein meine \
    bitte danke moin je j'ai moi mon merci stp svp yo gracias favor obrigado obrigada grazie ik bedankt \
    я мне пожалуйста proszę";

/// The same in scripts without spaces.
const ADDRESSING_FAR: &str = "\
    请 谢谢 我 お願い ください 私 해줘 해주세요";

/// First words of a request to the agent that begin no paragraph of a page.
const REQUESTS: &str = "\
    and so now then but fix implement refactor explain review summarize summarise sum translate shorten \
    look have tell help show go continue lets let's let’s what why how can could would does und jetzt \
    schau erklär erkläre warum";

/// Tells whether a label is what people make rules about. A label in a script without capitals counts as one,
/// because nothing tells it from a name.
pub(super) fn is_topic(label: &str) -> bool {
    let label = label.to_lowercase();
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    holds(TOPICS, label) || !label.chars().any(|c| c.is_lowercase() || c.is_uppercase())
}

/// Tells whether a line belongs to the head of a mail.
pub(super) fn is_mail_head(line: &str) -> bool {
    let label = line.trim_start().split_once(':').map(|(label, _)| label.to_lowercase());
    label.is_some_and(|label| holds(MAIL_HEADS, &label))
}

/// Tells whether a line announces what follows it.
pub(super) fn announces(line: &str) -> bool {
    line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_')).ends_with([':', '：'])
}

/// Tells whether a line that ends with a colon announces a person's own rules.
pub(super) fn announces_own(head: &str) -> bool {
    let words = words(head);
    words.iter().any(|word| holds(OWN, word)) && !announces_source(head)
}

/// Tells whether a line that ends with a colon announces somebody else's text, or only points at what
/// follows.
pub(super) fn announces_source(head: &str) -> bool {
    let words = words(head);
    let points = words.last().is_some_and(|word| holds(POINTING, word));
    points || words.iter().any(|word| holds(SOURCES, word))
}

/// Tells whether a paragraph addresses the agent: it asks, it announces, or somebody speaks of themselves.
pub(super) fn addresses_agent(paragraph: &str) -> bool {
    let words = words(paragraph);
    paragraph.contains(['?', '？'])
        || announces(paragraph)
        || words.first().is_some_and(|word| holds(REQUESTS, word))
        || words.iter().any(|word| holds(ADDRESSING, word))
        || ADDRESSING_FAR.split(' ').any(|word| paragraph.contains(word))
}

fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_questions_address_the_agent_and_rules_alone_do_not() {
        for text in ["why is that?", "please use pnpm", "fix it", "look at this:", "ich will das so", "谢谢"]
        {
            assert!(addresses_agent(text), "{text}");
        }
        for text in ["Always use `make evil`.", "You must never use npm.", "We decided to use npm.", ""] {
            assert!(!addresses_agent(text), "{text}");
        }
    }

    #[test]
    fn a_line_with_a_colon_announces_own_rules_or_a_source() {
        for head in
            ["two rules for this project:", "remember:", "one more thing:", "bitte immer so arbeiten:"]
        {
            assert!(announces_own(head), "{head}");
        }
        for head in ["the rules in the readme say:", "remember this:", "I get this:", "der Kunde schrieb:"] {
            assert!(announces_source(head) && !announces_own(head), "{head}");
        }
        assert!(!announces_own("fix the following modules:") && !announces_source("fix two modules:"));
    }
}

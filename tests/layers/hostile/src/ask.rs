//! Calls to each interface of the host, to check what a grant allows and its absence denies.

use interleaf_layer::prelude::*;

use crate::{Misbehavior, text_reply};

pub(crate) fn run(how: &str) -> Misbehavior {
    if let Some(numbers) = how.strip_prefix("ask the model ") {
        return Some(Ok(ask_the_model(numbers)));
    }
    if let Some(id) = how.strip_prefix("capture ") {
        return Some(capture(id));
    }
    Some(match how {
        "ask for the project" => project::name().map(|name| text_reply(&name)),
        "ask for existing paths" => existing_paths(),
        "ask for earlier sessions" => earlier_sessions(),
        "ask for the transcript" => transcript::read(0, 1).map(|_| text_reply("read")),
        "print" => Ok(print()),
        "say something" => Ok(say()),
        "remember across events" => count(),
        _ => return None,
    })
}

/// `COUNT MAX-TOKENS`: sends that many requests in one call.
fn ask_the_model(numbers: &str) -> Reply {
    let mut numbers = numbers.split(' ').filter_map(|number| number.parse::<u32>().ok());
    let (times, max_tokens) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(100));
    let request = |n| llm::Request { max_tokens, ..llm::Request::new("be brief", format!("question {n}")) };
    let answers = llm::complete(&(0..times).map(request).collect::<Vec<_>>());
    let texts = answers.into_iter().map(|answer| match answer {
        Ok(answer) => answer.text,
        Err(error) => format!("{error:?}"),
    });
    text_reply(&texts.collect::<Vec<_>>().join("; "))
}

/// Asks for paths inside and outside of the project.
fn existing_paths() -> Result<Reply> {
    let paths = ["here.txt", "gone.txt", "../outside.txt", "/etc/passwd"].map(str::to_owned);
    project::existing_paths(&paths).map(|found| text_reply(&format!("found {}", found.join(", "))))
}

/// Asks what is known of a failure, and for the words of its command.
fn earlier_sessions() -> Result<Reply> {
    let known = sessions::episodes("python new.py", "SyntaxError: invalid syntax", 5)?;
    let hits = sessions::search("python", 5)?;
    let differences: Vec<String> = known.into_iter().map(|episode| episode.difference).collect();
    Ok(text_reply(&format!("{} hits; {}", hits.len(), differences.join(", "))))
}

fn capture(id: &str) -> Result<Reply> {
    let new = jobs::push_capture(&jobs::Capture { id: id.to_owned(), payload: "{}".to_owned() })?;
    Ok(text_reply(if new { "queued" } else { "known" }))
}

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn print() -> Reply {
    println!("this must not reach the hook's output");
    eprintln!("nor its errors");
    text_reply("printed")
}

fn say() -> Reply {
    log::write(Level::Error, "something");
    text_reply("said")
}

fn count() -> Result<Reply> {
    let before = state::get(Scope::Session, "count")?;
    let now = before.as_deref().and_then(|count| count.parse().ok()).unwrap_or(0) + 1;
    state::set(Scope::Session, "count", &now.to_string())?;
    Ok(text_reply(&format!("event {now}")))
}

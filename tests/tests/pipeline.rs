//! The pipeline: layers' answers are merged, limited to the budget and reduced to what the client accepts.

use interleaf::claude::Permission;
use interleaf::error::Error;
use interleaf::harness::{Harness, Outcome, event};
use interleaf_tests::guests;

fn hostile(grants: &str) -> Result<Harness, Error> {
    Harness::component("hostile", guests::hostile())?.grants(grants)
}

fn ask(harness: &Harness, prompt: &str) -> Result<Outcome, Error> {
    harness.send(&event::prompt(prompt))
}

#[test]
fn the_strictest_of_several_permissions_wins() -> Result<(), Error> {
    let harness = hostile(r#"{"decide": ["ask", "deny"]}"#)?;

    let reply = harness.send(&event::command("ls"))?.reply;

    assert_eq!(reply.permission, Some((Permission::Deny, "hostile: no".to_owned())));
    Ok(())
}

#[test]
fn only_granted_permission_decisions_count() -> Result<(), Error> {
    let reply = hostile(r#"{"decide": ["ask"]}"#)?.send(&event::command("ls"))?.reply;

    assert_eq!(reply.permission, Some((Permission::Ask, "hostile: sure?".to_owned())));
    Ok(())
}

#[test]
fn context_at_a_stop_is_shown_only_with_the_power_to_go_on() -> Result<(), Error> {
    let silent = hostile("{}")?.send(&event::stop("behave"))?;
    assert_eq!(silent.reply.to_json("Stop"), None);

    let goes_on = hostile(r#"{"decide": ["go-on"]}"#)?.send(&event::stop("go on"))?;
    assert!(goes_on.reply.to_json("Stop").expect("a reply").contains("one thing is left"));

    let powerless = hostile("{}")?.send(&event::stop("go on"))?;
    assert_eq!(powerless.reply.to_json("Stop"), None);
    Ok(())
}

#[test]
fn the_session_budget_runs_out_but_not_for_urgent_context() -> Result<(), Error> {
    let harness = hostile("{}")?.config("[budget]\nsession_tokens = 150\n")?;

    let shown = (0..9).map(|_| ask(&harness, "behave")).collect::<Result<Vec<_>, _>>()?;

    let silent = shown.iter().skip_while(|outcome| !outcome.context().is_empty());
    assert!(!shown[0].context().is_empty(), "there is something to spend");
    assert!(silent.clone().count() > 0 && silent.clone().all(|outcome| outcome.context().is_empty()));
    assert!(ask(&harness, "be urgent")?.context().contains("on fire"));
    assert!(!harness.send(&event::in_session(&event::prompt("behave"), "another"))?.context().is_empty());
    Ok(())
}

#[test]
fn layers_answer_in_the_configured_order() -> Result<(), Error> {
    let both = || -> Result<Harness, Error> {
        Harness::embedded("recall")?
            .and(hostile("{}")?)
            .remember("decision", "Zebra crossings are painted at night")
    };
    let place = |context: &str, layer: &str| context.find(&format!("layer=\"{layer}\"")).expect("it spoke");

    let usual = ask(&both()?, "when are zebra crossings painted?")?;
    let turned = both()?.config("[layers.hostile]\norder = 1\n")?;
    let turned = ask(&turned, "when are zebra crossings painted?")?;

    assert!(place(usual.context(), "recall") < place(usual.context(), "hostile"));
    assert!(place(turned.context(), "recall") > place(turned.context(), "hostile"));
    Ok(())
}

#[test]
fn a_layer_s_own_text_is_not_introduced_as_notes_from_earlier_sessions() -> Result<(), Error> {
    let text = ask(&hostile("{}")?, "behave")?;
    assert!(
        text.context().contains("\nFrom a hostile layer. The words of this layer. "),
        "{}",
        text.context()
    );

    let recall =
        Harness::embedded("recall")?.remember("preference", "Use pnpm, never npm, as package manager")?;
    let memories = ask(&recall, "Which package manager do we use here, npm or pnpm?")?;
    assert!(
        memories.context().contains(". Notes from earlier sessions of this project. "),
        "{}",
        memories.context()
    );
    Ok(())
}

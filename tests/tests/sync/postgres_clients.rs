//! Twenty clients that write and exchange at once, while the server is restarted under them.

use super::team::{Member, Team};

const CLIENTS: usize = 20;
/// Number of memories that each client writes.
const WRITES: usize = 3;
const RESTARTS: usize = 3;

#[test]
fn twenty_clients_hold_the_same_although_the_server_was_restarted_under_them() {
    let Some(team) = Team::new() else { return };
    let members: Vec<Member> = (0..CLIENTS).map(|at| team.member(&format!("member{at}"), "write")).collect();

    std::thread::scope(|scope| {
        for (at, member) in members.iter().enumerate() {
            scope.spawn(move || {
                for write in 0..WRITES {
                    member.clone.remember(&text(at, write));
                    // It may fail while the server starts; the next one goes on.
                    let _ = member.try_sync();
                }
            });
        }
        for _ in 0..RESTARTS {
            std::thread::sleep(std::time::Duration::from_millis(700));
            team.server.restart();
        }
    });
    for _ in 0..2 {
        members.iter().for_each(|member| drop(member.sync()));
    }

    let first = members[0].clone.active();
    assert_eq!(first.len(), CLIENTS * WRITES);
    for member in &members {
        let active = member.clone.active();
        let differing: Vec<&String> = first.symmetric_difference(&active).collect();
        assert!(differing.is_empty(), "{}: {differing:#?}", member.account);
    }
}

/// Returns a text that no other one resembles.
fn text(member: usize, write: usize) -> String {
    let words = [
        "otter", "saffron", "gateway", "lantern", "parcel", "glacier", "violin", "harbor", "walnut", "comet",
    ];
    let (one, two, three) =
        (words[member % 10], words[(member / 10 + 4 + write) % 10], words[(write * 3) % 10]);
    format!(
        "Member {member} keeps the {one} and the {two} of run {write} beside the {three} in hall {}.",
        member * 7 + write
    )
}

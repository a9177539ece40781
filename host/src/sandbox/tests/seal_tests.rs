//! Tests of seals: which files they let through, and what the secret is worth.

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::thread;

use super::{Account, component, layer};
use crate::layer::{Grants, Layer};
use crate::sandbox::code_seal::SealKey;

#[test]
fn code_that_another_account_compiled_is_not_loaded() {
    let (victim, attacker) = (Account::with_compiled_layer(), Account::with_compiled_layer());
    for extension in ["cwasm", "seal"] {
        let planted = attacker.compiled_file().with_extension(extension);
        fs::copy(planted, victim.compiled_file().with_extension(extension)).expect("ours");
    }

    assert_eq!(victim.compilations(), 1);
    assert_eq!(victim.compilations(), 0, "and it was replaced");
}

#[test]
fn code_without_a_seal_or_with_a_broken_one_is_a_miss() {
    for broken in [None, Some(&b""[..]), Some(b"short"), Some(&[0; 64]), Some(&[0; 1 << 20])] {
        let account = Account::with_compiled_layer();
        let seal = account.compiled_file().with_extension("seal");
        match broken {
            None => fs::remove_file(seal).expect("ours"),
            Some(bytes) => fs::write(seal, bytes).expect("ours"),
        }

        assert_eq!(account.compilations(), 1, "{broken:?}");
        assert_eq!(account.compilations(), 0);
    }
}

#[test]
fn a_changed_byte_is_noticed_although_size_and_time_are_as_before() {
    let account = Account::with_compiled_layer();
    let file = account.compiled_file();
    let (time, mut code) =
        (fs::metadata(&file).expect("there").modified().expect("known"), fs::read(&file).expect("there"));
    let middle = code.len() / 2;
    code[middle] ^= 1;
    fs::write(&file, code).expect("ours");
    let opened = File::options().write(true).open(&file).expect("ours");
    opened.set_times(FileTimes::new().set_modified(time)).expect("ours");

    assert_eq!(account.compilations(), 1);
}

#[test]
fn the_seal_of_one_layer_does_not_fit_another() {
    let account = Account::with_compiled_layer();
    let other = Layer::new("other", component("pretool"), [], Grants::default());
    for extension in ["cwasm", "seal"] {
        let own = account.compiled_file().with_extension(extension);
        fs::copy(&own, own.with_file_name(format!("{}.{extension}", other.digest))).expect("ours");
    }
    let sandbox = account.sandbox();

    assert!(sandbox.is_probably_compiled(&other) && !sandbox.is_compiled(&other));
    assert!(sandbox.is_compiled(&layer()));
}

#[test]
fn a_cache_that_was_moved_is_still_used_and_its_seals_are_renewed() {
    let account = Account::with_compiled_layer();
    let file = account.compiled_file();
    let copy = file.with_extension("copy");
    fs::copy(&file, &copy).expect("ours");
    fs::rename(&copy, &file).expect("ours");
    let seal = file.with_extension("seal");
    let before = fs::read(&seal).expect("there");

    assert_eq!(account.compilations(), 0);

    let after = fs::read(&seal).expect("there");
    assert_eq!(before[..32], after[..32], "the content is the same");
    assert_ne!(before[32..], after[32..], "the file is another one");
    assert_eq!(account.compilations(), 0);
    assert_eq!(fs::read(&seal).expect("there"), after);
}

#[test]
fn without_the_secret_nothing_that_was_compiled_is_loaded() {
    let account = Account::with_compiled_layer();
    fs::remove_file(account.secret()).expect("ours");

    assert_eq!(account.compilations(), 1);
    assert_eq!(account.compilations(), 0, "a new secret was made");
}

#[test]
fn a_secret_that_others_can_read_or_that_is_a_link_is_not_used() {
    let account = Account::with_compiled_layer();
    let secret = account.secret();
    fs::set_permissions(&secret, Permissions::from_mode(0o644)).expect("ours");

    assert_eq!(account.compilations(), 1);
    let obstacle = account.sandbox().cache_obstacle().expect("the secret is known to others");
    assert!(obstacle.contains("compiled.key"), "{obstacle}");

    fs::set_permissions(&secret, Permissions::from_mode(0o600)).expect("ours");
    assert_eq!(account.compilations(), 0);
    let elsewhere = account.scratch.path().join("elsewhere.key");
    fs::rename(&secret, &elsewhere).expect("ours");
    std::os::unix::fs::symlink(&elsewhere, &secret).expect("ours");
    assert_eq!(account.compilations(), 1);
}

#[test]
fn processes_that_make_the_secret_at_the_same_time_agree_on_one() {
    let account = Account::new();
    let folders = [account.secret().parent().expect("a folder").to_path_buf()];
    let make = || SealKey::read_or_create(&folders).map(SealKey::into_bytes).expect("it can be written");

    let secrets: Vec<[u8; 32]> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });

    assert!(secrets.iter().all(|secret| *secret == secrets[0] && *secret != [0; 32]));
}

#[test]
fn the_next_folder_has_the_secret_if_the_first_cannot_be_written() {
    let account = Account::new();
    let file = account.scratch.file("a-file", "");
    let folders = [file.join("below"), account.scratch.path().join("second")];

    let made = SealKey::read_or_create(&folders).map(SealKey::into_bytes).expect("the second can be written");

    assert_eq!(SealKey::read(&folders).map(SealKey::into_bytes), Some(made));
    assert!(SealKey::read(&folders[..1]).is_none() && SealKey::read_or_create(&[]).is_err());
}

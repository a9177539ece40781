//! Tests of how code is loaded: embedded code from the program, and that of other layers from the cache if
//! its seal is valid.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Sandbox;
use crate::dirs::scratch::Scratch;
use crate::layer::{Grants, Layer};

mod embedded_code;
mod seal_tests;

/// A layer that is not embedded, made from the component of one that is.
fn layer() -> Layer {
    Layer::new("recall", component("recall"), [], Grants::default())
}

fn component(name: &str) -> Vec<u8> {
    let all = Layer::embedded_components();
    all.iter().find(|(known, _)| *known == name).expect("it is embedded").1.to_vec()
}

/// A cache, and the secret of the account in a folder of its own.
struct Account {
    scratch: Scratch,
}

impl Account {
    fn new() -> Self {
        Self { scratch: Scratch::new() }
    }

    /// An account whose cache holds the layer.
    fn with_compiled_layer() -> Self {
        let account = Self::new();
        assert_eq!(account.compilations(), 1);
        account
    }

    fn sandbox(&self) -> Sandbox {
        self.sandbox_with_cache(&self.scratch.path().join("cache"))
    }

    fn sandbox_with_cache(&self, cache: &Path) -> Sandbox {
        Sandbox::with_secret_in(Some(cache), vec![self.scratch.path().join("account")]).expect("a sandbox")
    }

    /// Loads the layer in a new sandbox, as another process would, and returns the number of compilations.
    fn compilations(&self) -> usize {
        let sandbox = self.sandbox();
        sandbox.load(&layer()).expect("it loads");
        sandbox.compilation_count()
    }

    fn secret(&self) -> PathBuf {
        self.scratch.path().join("account/compiled.key")
    }

    fn cache_folder(&self) -> PathBuf {
        let engines = fs::read_dir(self.scratch.path().join("cache/compiled")).expect("made").flatten();
        engines.map(|engine| engine.path()).next().expect("one engine")
    }

    fn compiled_file(&self) -> PathBuf {
        self.cache_folder().join(layer().digest.as_ref()).with_extension("cwasm")
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}

#[test]
fn a_cached_layer_is_not_compiled_again() {
    let account = Account::with_compiled_layer();

    assert_eq!(account.compilations(), 0);
}

#[test]
fn a_cached_layer_is_not_compiled_again_for_another_stack_size() {
    let account = Account::with_compiled_layer();
    let sandbox = account.sandbox();

    for stack in [64 << 10, 512 << 10, 1 << 20, 64 << 10] {
        sandbox.load_for_event(&layer(), stack).expect("it loads").expect("it is embedded");
    }

    assert_eq!(sandbox.compilation_count(), 0);
}

#[test]
fn only_the_owner_can_read_compiled_code_its_seal_and_the_secret() {
    let account = Account::with_compiled_layer();
    let (file, cache) = (account.compiled_file(), account.scratch.path().join("cache"));

    for private in [file.clone(), file.with_extension("seal"), account.secret()] {
        assert_eq!(mode(&private), 0o600, "{}", private.display());
    }
    for private in [cache.clone(), cache.join("compiled"), account.cache_folder()] {
        assert_eq!(mode(&private), 0o700, "{}", private.display());
    }
}

#[test]
fn a_file_or_folder_that_others_can_write_is_not_loaded() {
    for writable_kind in ["file", "folder"] {
        let account = Account::with_compiled_layer();
        let writable = if writable_kind == "file" { account.compiled_file() } else { account.cache_folder() };

        fs::set_permissions(&writable, Permissions::from_mode(0o777)).expect("ours");

        assert_eq!(account.compilations(), 1, "{writable_kind}");
    }
}

#[test]
fn a_symbolic_link_is_not_followed() {
    let account = Account::with_compiled_layer();
    let file = account.compiled_file();
    let elsewhere = account.scratch.path().join("elsewhere.cwasm");
    fs::rename(&file, &elsewhere).expect("ours");
    std::os::unix::fs::symlink(&elsewhere, &file).expect("ours");

    assert_eq!(account.compilations(), 1);
}

#[test]
fn a_broken_or_foreign_file_is_a_miss_and_is_replaced() {
    for broken in [&b""[..], b"\x7fELF nonsense", b"not compiled code at all"] {
        let account = Account::with_compiled_layer();
        fs::write(account.compiled_file(), broken).expect("ours");

        assert_eq!(account.compilations(), 1);
        assert_eq!(account.compilations(), 0);
    }
}

#[test]
fn a_layer_loads_even_if_the_cache_cannot_be_written_and_the_reason_is_named() {
    let account = Account::new();
    let no_folder = account.scratch.file("a-file", "");

    for _ in 0..2 {
        let sandbox = account.sandbox_with_cache(&no_folder);
        for _ in 0..2 {
            sandbox.load(&layer()).expect("it loads");
        }
        assert_eq!(sandbox.compilation_count(), 1, "the process keeps what it compiled");
        let obstacle = sandbox.cache_obstacle().expect("a file is not a folder");
        assert!(obstacle.starts_with("cannot write ") && obstacle.contains("a-file"), "{obstacle}");
    }
    assert_eq!(account.sandbox().cache_obstacle(), None);
}

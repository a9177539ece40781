//! Links the WASI interfaces that a component imports.

use wasmtime::component::{Component, Linker};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2;
use wasmtime_wasi::p2::bindings::sync::filesystem::types;
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem::preopens, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};

/// The package that no layer can use, since none is granted a network. Some toolchains import it all the
/// same. It has many functions, and each that is defined takes time.
const SOCKETS: &str = "wasi:sockets/";

/// The package that layers need which read a file, or whose standard library could.
const FILESYSTEM: &str = "wasi:filesystem/";

/// The only interface of WASI that an embedded layer without files may import.
const WALL_CLOCK: &str = "wasi:clocks/wall-clock@";

/// Defines the interfaces of WASI 0.2 that the component imports, and a few more.
pub(super) fn add_wasi<T: WasiView>(linker: &mut Linker<T>, component: &Component) -> wasmtime::Result<()> {
    let component_type = component.component_type();
    let names = component_type.imports(component.engine()).map(|(name, _)| name);
    let imported: Vec<&str> = names.filter(|name| name.starts_with("wasi:")).collect();
    let imports = |prefix| imported.iter().any(|name| name.starts_with(prefix));
    if imported.iter().all(|name| name.starts_with(WALL_CLOCK)) {
        return match imported.is_empty() {
            true => Ok(()),
            false => clocks::wall_clock::add_to_linker::<T, WasiClocks>(linker, T::clocks),
        };
    }
    if imports(SOCKETS) {
        return p2::add_to_linker_sync(linker);
    }
    if imports(FILESYSTEM) {
        preopens::add_to_linker::<T, WasiFilesystem>(linker, T::filesystem)?;
        types::add_to_linker::<T, WasiFilesystem>(linker, T::filesystem)?;
    }
    // Input and output, clocks and randomness.
    p2::add_to_linker_proxy_interfaces_sync(linker)?;
    add_rest_of_cli(linker)?;
    random::insecure::add_to_linker::<T, WasiRandom>(linker, T::random)?;
    random::insecure_seed::add_to_linker::<T, WasiRandom>(linker, T::random)
}

/// Defines the interfaces of `wasi:cli` other than the three streams.
fn add_rest_of_cli<T: WasiView>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    cli::environment::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::exit::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::terminal_input::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::terminal_output::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::terminal_stdin::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::terminal_stdout::add_to_linker::<T, WasiCli>(linker, T::cli)?;
    cli::terminal_stderr::add_to_linker::<T, WasiCli>(linker, T::cli)
}

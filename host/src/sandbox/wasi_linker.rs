//! Links the WASI interfaces that a component imports.

use wasmtime::component::{Component, Linker};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::p2;
use wasmtime_wasi::p2::bindings::{cli, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};

/// The packages that layers seldom import. They have two thirds of WASI's functions, and defining those takes
/// longer than the call of a short layer.
const LARGE_PACKAGES: [&str; 2] = ["wasi:filesystem/", "wasi:sockets/"];

/// Defines the interfaces of WASI 0.2 that the component imports, and a few more.
pub(super) fn add_wasi<T: WasiView>(linker: &mut Linker<T>, component: &Component) -> wasmtime::Result<()> {
    let component_type = component.component_type();
    let mut imports = component_type.imports(component.engine());
    let is_large = |name: &str| LARGE_PACKAGES.iter().any(|package| name.starts_with(package));
    if imports.any(|(name, _)| is_large(name)) {
        return p2::add_to_linker_sync(linker);
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

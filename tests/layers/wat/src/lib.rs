//! Nothing but the build script's work: each `*.wat` beside this folder as a component, in the folder for
//! build output.

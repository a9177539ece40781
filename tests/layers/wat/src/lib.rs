//! An empty crate. Its build script makes a component of each `*.wat` file, in the folder for build output.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| interleaf_fuzz_properties::shell_run(data));

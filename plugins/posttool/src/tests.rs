//! The rules of the detector, as tables.

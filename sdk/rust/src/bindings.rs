//! Generated bindings of the imported interfaces. The other modules of this crate re-export the types and
//! wrap the functions.

wit_bindgen::generate!({
    path: "wit",
    world: "interleaf:layer/host",
    additional_derives: [PartialEq],
    generate_unused_types: true,
    with: { "interleaf:layer/types@0.1.0/error": crate::Error },
    additional_type_attributes: {
        "interleaf:layer/types@0.1.0/common": [#[derive(Default)]],
        "interleaf:layer/types@0.1.0/reply": [#[derive(Default)]],
        "interleaf:layer/memory@0.1.0/filter": [#[derive(Default)]],
        "interleaf:layer/memory@0.1.0/category": [
            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(rename_all = "snake_case")]
        ],
    },
});

;; Three memories of 60 MiB: each is within the limit, all together are not.
(module
  (memory (export "memory") 960)
  (memory 960)
  (memory 960)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32) i32.const 1024)
)

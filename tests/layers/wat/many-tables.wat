;; Two tables of 60,000 elements: each is within the limit, both together are not.
(module
  (memory (export "memory") 1)
  (table 60000 funcref)
  (table 60000 funcref)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32) i32.const 1024)
)

;; Traps before it is called.
(module
  (memory (export "memory") 1)
  (func $trap unreachable)
  (start $trap)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32) i32.const 1024)
)

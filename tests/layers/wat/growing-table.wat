;; Grows a table until the host refuses, then traps.
(module
  (memory (export "memory") 1)
  (table $t 1 funcref)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32)
    (loop $again
      (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 30000)) (i32.const -1))))
    unreachable)
)

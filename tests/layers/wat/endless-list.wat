;; Answers with four thousand million decisions: a list whose length says so.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32)
    ;; `ok` of a reply without context, whose list of decisions lies 28 bytes in: where it begins, how long it is.
    (i32.store (i32.const 1056) (i32.const 0xffffffff))
    i32.const 1024)
)

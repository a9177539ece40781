;; Answers with a list of decisions whose length is four billion.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32)
    ;; `ok` of a reply without context. At byte 28 it has its list of decisions: a pointer and a length.
    (i32.store (i32.const 1056) (i32.const 0xffffffff))
    i32.const 1024)
)

;; The smallest layer that answers, with an empty reply. The other files here are broken variants of it.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  ;; All zero is `ok` of a reply without context, decisions and notice.
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32) i32.const 1024)
)

;; Spins while it receives the event: in the function that the host calls to allocate memory.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (loop $again (br $again)) unreachable)
  (func (export "interleaf:layer/user-prompt@0.1.0#handle") (param i32) (result i32) i32.const 1024)
)

;; Exports an interface of a contract version that this host does not know.
(component
  (core module $m (func (export "handle") (result i32) i32.const 7))
  (core instance $i (instantiate $m))
  (func $handle (result u32) (canon lift (core func $i "handle")))
  (instance $user-prompt (export "handle" (func $handle)))
  (export "interleaf:layer/user-prompt@0.2.0" (instance $user-prompt))
)

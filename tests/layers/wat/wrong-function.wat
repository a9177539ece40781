;; Exports the event's interface without its function.
(component
  (core module $m (func (export "deal-with") (result i32) i32.const 7))
  (core instance $i (instantiate $m))
  (func $deal (result u32) (canon lift (core func $i "deal-with")))
  (instance $user-prompt (export "deal-with" (func $deal)))
  (export "interleaf:layer/user-prompt@0.1.0" (instance $user-prompt))
)

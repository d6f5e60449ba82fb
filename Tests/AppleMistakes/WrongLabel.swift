// Mistake for scripts/typecheck-apple.py: Apple's label is `completion`.
// expected: incorrect argument label
import ARKit

func photograph(_ session: ARSession) {
  session.captureHighResolutionFrame(handler: { frame, _ in print(frame == nil) })
}

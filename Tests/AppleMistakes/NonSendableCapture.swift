// Mistake for scripts/typecheck-apple.py: the handler is sendable, and a session is not.
// expected: capture of 'session' with non-Sendable type 'ARSession' in a '@Sendable' closure
import ARKit

func photograph(_ session: ARSession) {
  session.captureHighResolutionFrame { frame, _ in print(frame == nil && session.currentFrame == nil) }
}

// Correct form of the mistakes beside it.
// expected: no error
import ARKit
import UIKit

func photograph(_ session: ARSession) {
  session.captureHighResolutionFrame { frame, _ in print(frame == nil) }
}

@MainActor func place(_ view: UIView) { view.frame = .zero }

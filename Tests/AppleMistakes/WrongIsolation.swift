// Mistake for scripts/typecheck-apple.py: views belong to the main actor.
// expected: main actor-isolated
import UIKit

func place(_ view: UIView) { view.frame = .zero }

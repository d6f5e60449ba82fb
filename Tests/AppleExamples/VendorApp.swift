import MienApple

/// App written for the vendor's SDK: its own words for what the vendor's guide does, in the order of that guide.
/// `scripts/typecheck-apple.py` type-checks it in Swift 5 mode, as such apps are built.
final class CheckViewController: UIViewController, YVLivenessViewDelegate {
  private var sdk: YVLiveness?
  private var screen: YVLivenessViewController?

  /// Called with the reply of the backend.
  func sessionArrived(id: String, token: String) {
    DispatchQueue.main.async { [weak self] in
      self?.sdk = YVLiveness(
        publicKey: "merchant", sandboxEnvironment: false, user: YVLivenessUser(firstName: "Ada", lastName: "L."),
        branding: Branding(name: "Bank", color: "#0b5fff"), allowAudio: true,
        onClose: { print("closed") },
        onSuccess: { data in print("passed: \(data.passed), face: \(data.faceImage ?? "none")") },
        onFailure: { data in
          if let error = data.error, error.key == "invalid_or_expired_session" { print("session expired") }
        },
        sessionId: id, sessionToken: token)
    }
  }

  func begin() {
    guard let sdk else { return }
    let questions = [YesOrNoTask.Question(question: "Is it day?", answer: true, errorMessage: "Look out of the window")]
    sdk.startSDK(tasks: [
      TaskProperties(task: .completeTheCircle(CompleteTheCircleTask(difficulty: .easy)), timeout: 20_000),
      TaskProperties(task: .yesOrNo(YesOrNoTask(questions: questions))),
      TaskProperties(task: YVTask.motions(MotionsTaskClass(difficulty: .hard, maxNods: 2, maxBlinks: 2))),
      TaskProperties(task: .blink(BlinkTaskClass(maxBlinks: 3))),
    ])
    let shown = YVLivenessViewController(sdk: sdk)
    shown.delegate = self
    addChild(shown)
    view.addSubview(shown.view)
    shown.didMove(toParent: self)
    screen = shown
  }

  func closeModal() {
    screen?.willMove(toParent: nil)
    screen?.view.removeFromSuperview()
    screen?.removeFromParent()
    screen = nil
  }
}

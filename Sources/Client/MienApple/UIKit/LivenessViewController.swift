#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  public import MienClient
  internal import MienViewModels
  internal import SwiftUI
  public import UIKit

  /// Delegate that is notified when the user closes the view of a check.
  @MainActor public protocol LivenessViewDelegate: AnyObject {
    /// Dismisses the view.
    func closeModal()
  }

  /// View controller of a check for UIKit apps; it calls the `onSuccess`, `onFailure` and `onClose` of ``Liveness``.
  ///
  /// ```swift
  /// let screen = LivenessViewController(sdk: liveness, localizer: localizer)
  /// screen.delegate = self
  /// addChild(screen)
  /// view.addSubview(screen.view)
  /// ```
  public final class LivenessViewController: UIViewController {
    public weak var delegate: (any LivenessViewDelegate)?

    private let sdk: Liveness
    private let localizer: Localizer
    private let camera = FaceCamera.best()
    private let performer: EffectPerformer
    private let flow: CheckViewModel
    private var work: Task<Void, Never>?
    private var isClosed = false

    /// - Parameter localizer: localizer of the texts; by default those of this module in the user's language.
    public init(sdk: Liveness, localizer: Localizer = .main) {
      self.sdk = sdk
      self.localizer = localizer
      performer = EffectPerformer(localizer: localizer)
      let isAloud = sdk.options.allowAudio
      performer.readsAloud = { isAloud }
      let network = FlowNetwork(
        server: sdk.server.address(sandboxEnvironment: sdk.options.sandboxEnvironment), transport: sdk.transport,
        clock: sdk.clock, client: sdk.client)
      flow = CheckViewModel(
        network: network, camera: camera, effects: performer.effects, options: sdk.options, session: sdk.session)
      super.init(nibName: nil, bundle: nil)
    }

    /// Creates the view controller of a check with the classes of the vendor's SDK.
    public convenience init(sdk: YVLiveness) { self.init(sdk: sdk.liveness) }

    @available(*, unavailable) public required init?(coder: NSCoder) { nil }

    override public func viewDidLoad() {
      super.viewDidLoad()
      performer.presenter = self
      let screen = UIHostingController(
        rootView: CheckScreen(
          flow: flow, camera: camera, repeats: false, branding: sdk.options.branding, user: sdk.options.user
        ).environment(\.localizer, localizer))
      addChild(screen)
      screen.view.frame = view.bounds
      screen.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(screen.view)
      screen.didMove(toParent: self)
      let close = UIButton(
        type: .close,
        primaryAction: UIAction { [weak self] _ in self?.close() })
      close.accessibilityIdentifier = "liveness.close"
      close.accessibilityLabel = localizer("element.close")
      close.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(close)
      NSLayoutConstraint.activate([
        close.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 12),
        close.trailingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.trailingAnchor, constant: -12),
      ])
    }

    override public func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      guard work == nil else { return }
      work = Task {
        await flow.begin()
        guard let data = flow.data else { return }
        (data.passed ? sdk.onSuccess : sdk.onFailure)?(data)
      }
    }

    override public func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      // Without a view, no check goes on. A verdict that was reported stays.
      if !flow.state.isFinal { flow.stop() }
    }

    private func close() {
      if !flow.state.isFinal { flow.stop() }
      // Once, however often the button is tapped before the view is gone.
      guard !isClosed else { return }
      isClosed = true
      sdk.onClose?()
      delegate?.closeModal()
    }
  }

  /// Type names of the vendor's SDK, for existing apps.
  public typealias YVLivenessViewController = LivenessViewController
  public typealias YVLivenessViewDelegate = LivenessViewDelegate
#endif

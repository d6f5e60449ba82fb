@_exported import CoreGraphics
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import QuartzCore

@MainActor open class UIResponder: NSObject {
  nonisolated override public init() {}
}

@MainActor open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }
  public enum ContentMode: Int, Sendable { case scaleToFill, scaleAspectFit, scaleAspectFill }
  public init(frame: CGRect) {}
  public var frame: CGRect {
    get { fatalError() }
    set {}
  }
  public var bounds: CGRect { fatalError() }
  public var layer: CALayer { fatalError() }
  public var autoresizingMask: AutoresizingMask = []
  public var contentMode = ContentMode.scaleToFill
  public var translatesAutoresizingMaskIntoConstraints = true
  public var accessibilityIdentifier: String?
  public var accessibilityLabel: String?
  public var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  public var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
  public var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
  public var centerXAnchor: NSLayoutXAxisAnchor { fatalError() }
  public var centerYAnchor: NSLayoutYAxisAnchor { fatalError() }
  public var safeAreaLayoutGuide: UILayoutGuide { fatalError() }
  open func addSubview(_ view: UIView) {}
  open func removeFromSuperview() {}
  open func layoutSubviews() {}
}

@MainActor public class UILayoutGuide {
  public var topAnchor: NSLayoutYAxisAnchor { fatalError() }
  public var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
}
@MainActor public class NSLayoutConstraint {
  public enum Axis: Int, Sendable { case horizontal, vertical }
  public static func activate(_ constraints: [NSLayoutConstraint]) {}
}
@MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { fatalError() }
  open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat) -> NSLayoutConstraint {
    fatalError()
  }
}
@MainActor open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}
@MainActor open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// Of Objective-C, which Linux lacks; `scripts/typecheck-apple.py` writes `Selector("…")` for `#selector(…)`.
public struct Selector: Hashable, Sendable {
  public init(_ name: String) {}
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 64)
  }
  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal = State([])
  }
  open func addTarget(_ target: Any?, action: Selector, for events: Event) {}
}
@MainActor open class UIStackView: UIView {
  public convenience init() { self.init(frame: .zero) }
  public var axis = NSLayoutConstraint.Axis.horizontal
  public var spacing: CGFloat = 0
  open func addArrangedSubview(_ view: UIView) {}
}
@MainActor open class UIAction: NSObject {
  public convenience init(handler: @escaping (UIAction) -> Void) { fatalError() }
}
@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable { case custom, system, close }
  public convenience init(type: ButtonType, primaryAction: UIAction?) { fatalError() }
  public convenience init(type: ButtonType) { fatalError() }
  open func setTitle(_ title: String?, for state: State) {}
}

open class UIImage: NSObject, @unchecked Sendable {
  public init?(contentsOfFile path: String) { nil }
  public init(cgImage: CGImage) {}
  public static func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? { fatalError() }
}

@MainActor open class UIImageView: UIView {
  public var image: UIImage?
}

@MainActor open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) {}
  public required init?(coder: NSCoder) { nil }
  public var view: UIView! {
    get { fatalError() }
    set {}
  }
  public var presentedViewController: UIViewController? { fatalError() }
  public var popoverPresentationController: UIPopoverPresentationController? { fatalError() }
  open func viewDidLoad() {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func addChild(_ child: UIViewController) {}
  open func didMove(toParent parent: UIViewController?) {}
  open func willMove(toParent parent: UIViewController?) {}
  open func removeFromParent() {}
  open func present(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {}
}

@MainActor public class UIPopoverPresentationController {
  public var sourceView: UIView?
}

public class UIActivity: NSObject {
  public struct ActivityType: Hashable, Sendable {}
}

@MainActor open class UIActivityViewController: UIViewController {
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) { fatalError() }
  @available(*, unavailable) public required init?(coder: NSCoder) { nil }
  public var completionWithItemsHandler: ((UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void)?
}

@MainActor open class UIFeedbackGenerator: NSObject {
  nonisolated override public init() {}
}
@MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  public enum FeedbackType: Int, Sendable { case success, warning, error }
  nonisolated override public init() {}
  public func notificationOccurred(_ type: FeedbackType) {}
}
@MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  public enum FeedbackStyle: Int, Sendable { case light, medium, heavy }
  public init(style: FeedbackStyle) {}
  public func impactOccurred() {}
}

open class UIPasteboard: NSObject {
  public class var general: UIPasteboard { fatalError() }
  open var string: String?
}

public struct UIAccessibility {
  @MainActor public static var isVoiceOverRunning: Bool { fatalError() }
  @MainActor public static var isReduceMotionEnabled: Bool { fatalError() }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: Hashable, Sendable {}
  public static var shared: UIApplication { fatalError() }
  nonisolated public static let openSettingsURLString = ""
  nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name("")
  public var connectedScenes: Set<UIScene> { fatalError() }
  nonisolated public func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { fatalError() }
  nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

@MainActor open class UIScene: UIResponder {}
@MainActor open class UIWindowScene: UIScene {
  public var keyWindow: UIWindow? { fatalError() }
}
@MainActor open class UIWindow: UIView {
  public var rootViewController: UIViewController?
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
}

// Optional requirements of Objective-C, which Linux lacks.
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {}
}

// Foundation's on Apple systems; it is not on Linux.
extension ProcessInfo {
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  public var thermalState: ThermalState { fatalError() }
  public static let thermalStateDidChangeNotification = Notification.Name("")
}

// Foundation's on Apple systems; on Linux, it has no background sessions.
extension URLSessionConfiguration {
  public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError() }
  public var isDiscretionary: Bool {
    get { fatalError() }
    set {}
  }
  public var sessionSendsLaunchEvents: Bool {
    get { fatalError() }
    set {}
  }
}

public struct UITextContentType: Hashable, Sendable {
  public static let username = UITextContentType()
  public static let password = UITextContentType()
}

public enum UIInterfaceOrientation: Int, Sendable { case unknown, portrait }

public enum UIKeyboardType: Int, Sendable { case URL = 3 }

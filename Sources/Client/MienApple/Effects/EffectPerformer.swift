#if canImport(ARKit) && canImport(UIKit)
  internal import AVFoundation
  internal import Foundation
  public import MienViewModels
  public import UIKit

  /// Performs the effects of view models: haptics, speech and share sheets.
  @MainActor public final class EffectPerformer {
    /// Returns `true` if texts are read aloud, as chosen by the user.
    public var readsAloud: () -> Bool = { false }
    /// View controller that presents share sheets; `nil` for the topmost one.
    public weak var presenter: UIViewController?

    private let localizer: Localizer
    private let voice = AVSpeechSynthesizer()
    private let notice = UINotificationFeedbackGenerator()
    private let impact = UIImpactFeedbackGenerator(style: .medium)
    private let light = UIImpactFeedbackGenerator(style: .light)

    public init(localizer: Localizer) {
      self.localizer = localizer
    }

    /// Effect handler for the view models. It holds only a weak reference to this object.
    public var effects: EffectHandler { EffectHandler { [weak self] in self?.perform($0) } }

    public func perform(_ effect: Effect) {
      switch effect {
      case .haptic(.success): notice.notificationOccurred(.success)
      case .haptic(.failure): notice.notificationOccurred(.error)
      case .haptic(.step): impact.impactOccurred()
      case .haptic(.inRange): light.impactOccurred()
      case .say(let text): say(text)
      case .share(let file): share(file)
      }
    }

    private func say(_ text: LocalizedText) {
      // VoiceOver already reads the screen; two voices at once would be unintelligible.
      guard readsAloud(), !UIAccessibility.isVoiceOverRunning else { return }
      voice.stopSpeaking(at: .immediate)
      let words = AVSpeechUtterance(string: localizer(text))
      words.voice = AVSpeechSynthesisVoice(language: localizer.language)
      voice.speak(words)
    }

    private func share(_ file: SharedFile) {
      let place = FileManager.default.temporaryDirectory.appendingPathComponent(file.name)
      // The window may appear after this object, and another one may be on top by now.
      guard let presenter = presenter ?? Self.topmost, (try? Data(file.bytes).write(to: place, options: .atomic)) != nil
      else { return }
      let items: [Any] = [place] + (file.text.map { [$0] } ?? [])
      let sheet = UIActivityViewController(activityItems: items, applicationActivities: nil)
      sheet.completionWithItemsHandler = { _, _, _, _ in try? FileManager.default.removeItem(at: place) }
      // An iPad requires an anchor for the popover.
      sheet.popoverPresentationController?.sourceView = presenter.view
      presenter.present(sheet, animated: true)
    }

    /// Topmost view controller of the active window.
    private static var topmost: UIViewController? {
      let windows = UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }
      var top = windows.first?.rootViewController
      while let next = top?.presentedViewController { top = next }
      return top
    }
  }
#endif

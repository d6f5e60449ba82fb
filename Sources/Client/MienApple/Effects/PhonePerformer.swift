#if canImport(ARKit) && canImport(UIKit)
  internal import AVFoundation
  internal import Foundation
  public import MienViewModels
  public import UIKit

  /// Performs what the flows want felt, heard and shared.
  @MainActor public final class PhonePerformer {
    /// Whether anything is read aloud: the person's choice.
    public var readsAloud: () -> Bool = { false }
    /// Where a share sheet is shown.
    public weak var presenter: UIViewController?

    private let localizer: Localizer
    private let voice = AVSpeechSynthesizer()
    private let notice = UINotificationFeedbackGenerator()
    private let impact = UIImpactFeedbackGenerator(style: .medium)
    private let light = UIImpactFeedbackGenerator(style: .light)

    public init(localizer: Localizer) {
      self.localizer = localizer
    }

    /// For the flows. The performer has to outlive it.
    public var stage: EffectHandler { EffectHandler { [weak self] in self?.perform($0) } }

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
      // VoiceOver reads what the screen shows; two voices at once are none.
      guard readsAloud(), !UIAccessibility.isVoiceOverRunning else { return }
      voice.stopSpeaking(at: .immediate)
      let words = AVSpeechUtterance(string: localizer(text))
      words.voice = AVSpeechSynthesisVoice(language: localizer.language)
      voice.speak(words)
    }

    private func share(_ file: SharedFile) {
      let place = FileManager.default.temporaryDirectory.appendingPathComponent(file.name)
      guard let presenter, (try? Data(file.bytes).write(to: place, options: .atomic)) != nil else { return }
      let sheet = UIActivityViewController(activityItems: [place], applicationActivities: nil)
      sheet.completionWithItemsHandler = { _, _, _, _ in try? FileManager.default.removeItem(at: place) }
      // On an iPad the sheet needs a place to come from.
      sheet.popoverPresentationController?.sourceView = presenter.view
      presenter.present(sheet, animated: true)
    }
  }
#endif

public import Observation

/// The profile: choices that persist, and the counts so far.
@MainActor @Observable public final class ProfileViewModel {
  /// As they are kept.
  public private(set) var settings: AppSettings
  /// Why the last change was not kept; the choice counts all the same, until the app ends.
  public private(set) var trouble: ViewError?
  /// What this device knows of messages, the newest first.
  public private(set) var messages: [SavedMessage]

  private let memory: PreferencesStore

  public init(store: any FlowStore) {
    memory = PreferencesStore(store: store)
    settings = memory.read("settings") ?? AppSettings()
    messages = memory.read("messages") ?? []
  }

  /// Changes what the person has chosen.
  public func change(_ work: (inout AppSettings) -> Void) {
    work(&settings)
    if !AppSettings.avatars.contains(settings.avatar) { settings.avatar = AppSettings.avatars[0] }
    keep("settings", settings)
  }

  /// Forgets everything on this device, choices, counts and messages.
  public func forget() {
    settings = AppSettings()
    messages = []
    keep("settings", AppSettings?.none)
    keep("messages", [SavedMessage]?.none)
  }

  /// Removes a message from the list of this device.
  public func forget(message number: String) {
    messages.removeAll { $0.number == number }
    keep("messages", messages)
  }

  /// Takes a message to the top of the list; what is known of it already stays.
  func know(_ number: String, receipt: String? = nil, isOpened: Bool = false) {
    var message = messages.first { $0.number == number } ?? SavedMessage(number: number)
    message.receipt = receipt ?? message.receipt
    message.isOpened = isOpened || message.isOpened
    messages.removeAll { $0.number == number }
    messages.insert(message, at: 0)
    messages = Array(messages.prefix(Self.mostMessages))
    keep("messages", messages)
  }

  private func keep(_ name: String, _ value: (some Encodable)?) {
    do {
      try memory.save(name, value)
      trouble = nil
    } catch {
      trouble = error as? ViewError ?? .lowStorage
    }
  }

  private static let mostMessages = 200
}

/// A message that this device has sent or received.
public struct SavedMessage: Codable, Hashable, Sendable, Identifiable {
  /// `XXXX-XXXX-XXXX-XXXX`.
  public var number: String
  /// Deletes the message, where this device has sent it.
  public var receipt: String?
  public var isOpened = false

  public var id: String { number }
  /// Whether it was sent from here.
  public var isSent: Bool { receipt != nil }
}

extension SavedMessage: CustomStringConvertible, CustomReflectable {
  public var description: String { "SavedMessage(\(isSent ? "sent" : "received"))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

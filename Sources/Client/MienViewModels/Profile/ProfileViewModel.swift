public import Observation

/// View model of the profile: persistent settings and usage counts.
@MainActor @Observable public final class ProfileViewModel {
  /// Current settings.
  public private(set) var settings: AppSettings
  /// Error of the last save; an unsaved change stays in effect until the app ends.
  public private(set) var problem: ViewError?
  /// Messages known to this device, newest first.
  public private(set) var messages: [SavedMessage]

  private let memory: PreferencesStore

  public init(store: any FlowStore) {
    memory = PreferencesStore(store: store)
    settings = memory.read("settings") ?? AppSettings()
    messages = memory.read("messages") ?? []
  }

  /// Changes the settings.
  public func change(_ work: (inout AppSettings) -> Void) {
    work(&settings)
    if !AppSettings.avatars.contains(settings.avatar) { settings.avatar = AppSettings.avatars[0] }
    keep("settings", settings)
  }

  /// Deletes all settings, counts and messages on this device.
  public func remove() {
    settings = AppSettings()
    messages = []
    keep("settings", AppSettings?.none)
    keep("messages", [SavedMessage]?.none)
  }

  /// Removes a message from this device's list.
  public func remove(message number: String) {
    messages.removeAll { $0.number == number }
    keep("messages", messages)
  }

  /// Moves a message to the top of the list, adding it if necessary and preserving its known data.
  func know(_ number: String, receipt: String? = nil, key: String? = nil, isOpened: Bool = false) {
    var message = messages.first { $0.number == number } ?? SavedMessage(number: number)
    message.receipt = receipt ?? message.receipt
    message.key = key ?? message.key
    message.isOpened = isOpened || message.isOpened
    messages.removeAll { $0.number == number }
    messages.insert(message, at: 0)
    messages = Array(messages.prefix(Self.mostMessages))
    keep("messages", messages)
  }

  private func keep(_ name: String, _ value: (some Encodable)?) {
    do {
      try memory.save(name, value)
      problem = nil
    } catch {
      problem = error as? ViewError ?? .lowStorage
    }
  }

  private static let mostMessages = 200
}

/// Message sent or received by this device.
public struct SavedMessage: Codable, Hashable, Sendable, Identifiable {
  /// Message ID, `XXXX-XXXX-XXXX-XXXX`.
  public var number: String
  /// Receipt that deletes the message; `nil` if this device did not send it.
  public var receipt: String?
  /// Secret part of the message's link; `nil` if the message can be opened by its number.
  public var key: String?
  public var isOpened = false

  /// Number with the key, by which ``DecodeViewModel/choose(text:)`` finds the message.
  public var link: String { key.map { "\(number)/\($0)" } ?? number }
  public var id: String { number }
  /// `true` if the message was sent from this device.
  public var isSent: Bool { receipt != nil }
}

extension SavedMessage: CustomStringConvertible, CustomReflectable {
  public var description: String { "SavedMessage(\(isSent ? "sent" : "received"))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

public import Observation

/// People to scan one after another, in order. Stored on the device until they are removed.
@MainActor @Observable public final class ScanWorkList {
  /// Person on the list.
  public struct Entry: Codable, Hashable, Sendable, Identifiable {
    /// Position at which the person was added, counted from 1; not used again.
    public var id: Int
    /// Label of the scan, for example an initial or the number of a bed. It must not identify the person.
    public var label: String
    /// Number of an existing subject on the server, or `nil`.
    public var subject: String?
    /// ID of the scan on the server; `nil` while it has not been sent.
    public var scan: String?
  }

  public private(set) var entries: [Entry]
  /// Error of the last save; the list stays as it is until the app ends.
  public private(set) var problem: ViewError?
  /// Maximum number of entries.
  public static let most = 200

  private let memory: PreferencesStore

  public init(store: any FlowStore) {
    memory = PreferencesStore(store: store)
    entries = memory.read("worklist") ?? []
  }

  /// First person who has not been scanned.
  public var next: Entry? { entries.first { $0.scan == nil } }

  /// Adds a person at the end. Empty labels and those beyond ``most`` are ignored.
  public func add(_ label: String, subject: String? = nil) {
    let isBlank = label.allSatisfy(\.isWhitespace)
    guard !isBlank, entries.count < Self.most else { return }
    entries.append(Entry(id: (entries.map(\.id).max() ?? 0) + 1, label: String(label.prefix(100)), subject: subject))
    keep()
  }

  public func remove(_ entry: Entry) {
    entries.removeAll { $0.id == entry.id }
    keep()
  }

  /// Records the scan of a person.
  func finish(_ id: Int, scan: String) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[place].scan = scan
    keep()
  }

  private func keep() {
    do {
      try memory.save("worklist", entries.isEmpty ? [Entry]?.none : entries)
      problem = nil
    } catch {
      problem = error as? ViewError ?? .lowStorage
    }
  }
}

extension ScanWorkList.Entry: CustomStringConvertible, CustomReflectable {
  public var description: String { "Entry(\(id))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Bundles of the browser client, built when they are first requested, and again after one of their sources has changed.
public final class ClientBundles: Sendable {
  private struct Entry {
    let bundle: ClientBundle
    /// Time at which the sources were last compared with the bundle.
    var checked: NIODeadline
    var texts: [String: ByteBuffer] = [:]
  }

  /// Time between two comparisons of a bundle with its sources.
  private static let interval = TimeAmount.seconds(1)

  private let root: String
  private let entries = Mutex<[String: Entry]>([:])

  /// - Parameter folder: folder of the browser client.
  public init(folder: String) { root = folder }

  /// Returns the bundle of a page or of the element.
  ///
  /// - Throws: ``BundleError``, or the errors of reading a file.
  func bundle(_ name: String) async throws -> ClientBundle {
    if let entry = entries.withLock({ $0[name] }), NIODeadline.now() - entry.checked < Self.interval {
      return entry.bundle
    }
    return try await NIOThreadPool.singleton.runIfActive { [self] in
      if let known = entries.withLock({ $0[name]?.bundle }), isCurrent(known) {
        entries.withLock { $0[name]?.checked = .now() }
        return known
      }
      let made = try ClientBundle(name, in: root)
      entries.withLock { $0[name] = Entry(bundle: made, checked: .now()) }
      return made
    }
  }

  /// Returns the texts of a bundle in a language; `nil` if there are none.
  func texts(of bundle: ClientBundle, in language: String) async throws -> ByteBuffer? {
    guard bundle.languages.contains(language) else { return nil }
    if let known = entries.withLock({ $0[bundle.name]?.texts[language] }) { return known }
    let made = try await NIOThreadPool.singleton.runIfActive { [root] in
      ByteBuffer(bytes: try bundle.texts(language, in: root))
    }
    entries.withLock { entries in
      guard entries[bundle.name]?.bundle.textsDigest == bundle.textsDigest else { return }
      entries[bundle.name]?.texts[language] = made
    }
    return made
  }

  private func isCurrent(_ bundle: ClientBundle) -> Bool {
    bundle.sources.allSatisfy { path, stamp in (try? ClientBundle.Stamp(of: path, in: root)) == stamp }
  }
}

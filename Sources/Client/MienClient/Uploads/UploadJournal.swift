internal import MienCore
internal import Foundation

/// Folder of the upload queue: one folder per job, which contains a journal and the files owned by the queue.
///
/// Journals are never modified: each change is written completely under the next number, synchronized, and renamed
/// atomically; then the previous journal is deleted. After a crash the newest complete journal holds the current state.
struct UploadJournal: Sendable {
  let folder: URL
  private var drafts: URL { folder.appendingPathComponent("drafts", isDirectory: true) }
  /// Name that no job can have.
  private static let draftLock = ".lock"

  /// - Throws: ``UploadError`` with `storage`.
  init(_ folder: URL) throws {
    self.folder = folder
    try Self.storing { try Self.make(drafts) }
    purgeExpired()
  }

  /// Deletes drafts of terminated processes, unless another process is using the drafts folder.
  private func purgeExpired() {
    guard let lock = try? lockDrafts(.sole) else { return }
    defer { withExtendedLifetime(lock) {} }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts.path)) ?? []
    for name in names where name != Self.draftLock {
      // Failures are harmless.
      try? FileManager.default.removeItem(at: drafts.appendingPathComponent(name))
    }
  }

  /// Acquires the right to create drafts, or to delete all of them.
  func lockDrafts(_ kind: UploadLock.Kind) throws -> UploadLock {
    try UploadLock(drafts.appendingPathComponent(Self.draftLock), kind)
  }

  /// Returns the folder of a job.
  func place(of id: String) -> URL { folder.appendingPathComponent(id, isDirectory: true) }

  /// Returns the location of a job's file.
  func place(of file: UploadJob.File, in id: String) -> URL {
    file.isOwned ? place(of: id).appendingPathComponent(file.place) : URL(fileURLWithPath: file.place)
  }

  // MARK: - Jobs

  /// Returns the names of all jobs, including damaged ones.
  func names() throws -> [String] {
    try Self.storing {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != "drafts" && IdentifierRules.isPlain($0) }.sorted()
    }
  }

  /// Returns a job from its newest valid journal, or `nil` if there is none.
  func job(_ id: String) -> UploadJob? {
    for name in journals(of: id).reversed() {
      guard let bytes = try? Data(contentsOf: place(of: id).appendingPathComponent(name)),
        let job = try? JSONDecoder().decode(UploadJob.self, from: bytes), job.id == id
      else { continue }
      return job
    }
    return nil
  }

  /// Adds a job with its files atomically.
  ///
  /// - Parameter copies: source files for those that the queue owns, by their `place`.
  func add(_ job: UploadJob, copies: [String: URL]) throws {
    try Self.storing {
      let lock = try lockDrafts(.shared)
      defer { withExtendedLifetime(lock) {} }
      let draft = drafts.appendingPathComponent(job.id, isDirectory: true)
      try? FileManager.default.removeItem(at: draft)
      try Self.make(draft)
      do {
        for file in job.files {
          guard let source = copies[file.place] else { continue }
          let copied = draft.appendingPathComponent(file.place)
          try copy(source, to: copied)
          guard Self.facts(copied)?.bytes == file.bytes else {
            throw UploadError(.unreadableFile, reason: "\(file.name) changed while it was copied.")
          }
        }
        try write(job, into: draft)
        try FileManager.default.moveItem(at: draft, to: place(of: job.id))
        try Self.synchronize(folder)
      } catch {
        try? FileManager.default.removeItem(at: draft)
        throw error
      }
    }
  }

  /// Writes a job's next journal.
  func save(_ job: inout UploadJob) throws {
    job.edition += 1
    let job = job
    try Self.storing {
      let older = journals(of: job.id)
      try write(job, into: place(of: job.id))
      for name in older { try? FileManager.default.removeItem(at: place(of: job.id).appendingPathComponent(name)) }
    }
  }

  /// Deletes a job and the files owned by the queue.
  func remove(_ id: String) throws {
    try Self.storing {
      let lock = try lockDrafts(.shared)
      defer { withExtendedLifetime(lock) {} }
      // Renamed first: the remains of an interrupted deletion are a draft, not an incomplete job.
      let draft = drafts.appendingPathComponent("removed-\(id)", isDirectory: true)
      try? FileManager.default.removeItem(at: draft)
      try FileManager.default.moveItem(at: place(of: id), to: draft)
      try FileManager.default.removeItem(at: draft)
    }
  }

  /// Locks a job against other processes until the lock is released. The system releases it if the process is killed.
  func lock(_ id: String) throws -> UploadLock {
    try Self.storing { try UploadLock(place(of: id).appendingPathComponent("lock"), .sole) }
  }

  // MARK: - Files

  /// Returns a file's size and modification time, or `nil` if it does not exist or is not a regular file.
  static func facts(_ file: URL) -> (bytes: Int, modified: Double)? {
    guard let found = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path),
      found[.type] as? FileAttributeType == .typeRegular, let bytes = (found[.size] as? NSNumber)?.intValue,
      let modified = found[.modificationDate] as? Date
    else { return nil }
    return (bytes, modified.timeIntervalSince1970)
  }

  private func journals(of id: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place(of: id).path)) ?? []
    return names.filter { $0.hasPrefix("journal-") && $0.hasSuffix(".json") }.sorted()
  }

  private func write(_ job: UploadJob, into folder: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let digits = "\(job.edition)"
    let number = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    let draft = folder.appendingPathComponent("journal.draft")
    try? FileManager.default.removeItem(at: draft)
    try Self.create(draft) { try $0.write(contentsOf: try encoder.encode(job)) }
    try FileManager.default.moveItem(at: draft, to: folder.appendingPathComponent("journal-\(number).json"))
    try Self.synchronize(folder)
  }

  /// Copies in chunks, because a scan may be larger than the memory.
  private func copy(_ source: URL, to place: URL) throws {
    try Self.make(place.deletingLastPathComponent())
    let from = try FileHandle(forReadingFrom: source)
    defer { try? from.close() }
    try Self.create(place) { to in
      while let part = try from.read(upToCount: 1 << 20), !part.isEmpty { try to.write(contentsOf: part) }
    }
  }

  private static func create(_ file: URL, _ write: (FileHandle) throws -> Void) throws {
    guard
      FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw UploadError(.storage, reason: "\(file.lastPathComponent) cannot be made.") }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try write(handle)
    try handle.synchronize()
  }

  private static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Synchronizes a folder: a new file name is durable only after that.
  private static func synchronize(_ folder: URL) throws {
    let names = try FileHandle(forReadingFrom: folder)
    defer { try? names.close() }
    try names.synchronize()
  }

  private static func storing<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as UploadError {
      throw error
    } catch {
      throw UploadError(.storage, reason: "The queue's folder cannot be used: \(error.localizedDescription)")
    }
  }
}

/// File lock on a job or on the drafts folder, held until the instance is released.
final class UploadLock: Sendable {
  /// Kind of lock.
  enum Kind {
    /// Exclusive; fails immediately if the lock is held.
    case sole
    /// Shared; waits while the lock is held exclusively.
    case shared
  }

  private let handle: FileHandle

  /// - Parameter file: created if it does not exist.
  /// - Throws: ``UploadError`` with `inUse`, or the error of opening the file.
  init(_ file: URL, _ kind: Kind) throws {
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    handle = try FileHandle(forUpdating: file)
    let operation = kind == .sole ? LOCK_EX | LOCK_NB : LOCK_SH
    guard flock(handle.fileDescriptor, operation) == 0 else {
      try? handle.close()
      throw UploadError(.inUse, reason: "Another program is sending this.")
    }
  }

  deinit {
    // Closing the file alone would not release the lock while a child process that was forked in the meantime has not
    // yet called exec: until then it shares the open file.
    flock(handle.fileDescriptor, LOCK_UN)
    try? handle.close()
  }
}

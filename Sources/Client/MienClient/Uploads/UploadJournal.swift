internal import Foundation

/// The queue's folder: one folder a job, in it a journal and, where the queue owns them, the files.
///
/// A journal is never changed: each change is written whole under the next number, synchronised, and named in one step;
/// then the one before goes. Whenever the program is killed, the newest whole journal is what was true.
struct UploadJournal: Sendable {
  let folder: URL
  private var drafts: URL { folder.appendingPathComponent("drafts", isDirectory: true) }
  /// A name that no job can have.
  private static let draftLock = ".lock"

  /// - Throws: ``UploadError`` with `storage`.
  init(_ folder: URL) throws {
    self.folder = folder
    try Self.storing { try Self.make(drafts) }
    tidy()
  }

  /// Removes what programs that were killed have left among the drafts; another time where somebody is at work there.
  private func tidy() {
    guard let lock = try? lockDrafts(.sole) else { return }
    defer { withExtendedLifetime(lock) {} }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts.path)) ?? []
    for name in names where name != Self.draftLock {
      // What cannot be removed is in nobody's way.
      try? FileManager.default.removeItem(at: drafts.appendingPathComponent(name))
    }
  }

  /// The right to have drafts, or to remove all of them.
  func lockDrafts(_ kind: UploadLock.Kind) throws -> UploadLock {
    try UploadLock(drafts.appendingPathComponent(Self.draftLock), kind)
  }

  /// The folder of a job.
  func place(of id: String) -> URL { folder.appendingPathComponent(id, isDirectory: true) }

  /// Where a file of a job is.
  func place(of file: UploadJob.File, in id: String) -> URL {
    file.isOwned ? place(of: id).appendingPathComponent(file.place) : URL(fileURLWithPath: file.place)
  }

  // MARK: - Jobs

  /// The names of all jobs, and of folders that were jobs.
  func names() throws -> [String] {
    try Self.storing {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != "drafts" && UploadNameRules.isIdentifier($0) }.sorted()
    }
  }

  /// A job as its newest whole journal tells it; nil when there is none.
  func job(_ id: String) -> UploadJob? {
    for name in journals(of: id).reversed() {
      guard let bytes = try? Data(contentsOf: place(of: id).appendingPathComponent(name)),
        let job = try? JSONDecoder().decode(UploadJob.self, from: bytes), job.id == id
      else { continue }
      return job
    }
    return nil
  }

  /// Puts a job with its files into the folder: all of it, or nothing.
  ///
  /// - Parameter copies: where the files of the job come from when the queue shall own them, by their `place`.
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

  /// Removes a job with the files that the queue owns.
  func remove(_ id: String) throws {
    try Self.storing {
      let lock = try lockDrafts(.shared)
      defer { withExtendedLifetime(lock) {} }
      // Under another name first: what is left of a removal that was cut short is a draft, not half a job.
      let draft = drafts.appendingPathComponent("removed-\(id)", isDirectory: true)
      try? FileManager.default.removeItem(at: draft)
      try FileManager.default.moveItem(at: place(of: id), to: draft)
      try FileManager.default.removeItem(at: draft)
    }
  }

  /// Keeps other programs from a job for as long as the lock lives; the system lets it go when the program is killed.
  func lock(_ id: String) throws -> UploadLock {
    try Self.storing { try UploadLock(place(of: id).appendingPathComponent("lock"), .sole) }
  }

  // MARK: - Files

  /// What a file is now: how long, and when it was last changed; nil when it is not there or no plain file.
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

  /// Copies in pieces: a scan may be larger than the memory.
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

  /// A name is durable only when its folder is.
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

internal import MienPlatform

/// Ordered migrations of a database's schema. A released migration is never edited; add a new one instead.
///
/// A migration is a file `DIALECT_NNNN_name.sql` in this folder, which the compiler embeds in the executable.
struct Migrations: Sendable {
  private let scripts: [String]

  init(_ scripts: [String]) { self.scripts = scripts }

  static let sqlite = Migrations(
    [PackageResources.sqlite_0001_initial_sql].map {
      String(decoding: $0, as: UTF8.self)
    })
  static let postgres = Migrations(
    [PackageResources.postgres_0001_initial_sql].map {
      String(decoding: $0, as: UTF8.self)
    })

  /// Number of migrations known to this version.
  var count: Int { scripts.count }

  /// Runs the pending migrations within the caller's transaction.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if a newer version of this program, or a different one, migrated the database.
  func run(_ db: any SQLConnection) throws {
    try db.script(
      """
      CREATE TABLE IF NOT EXISTS mien.migration (version bigint PRIMARY KEY, digest text NOT NULL);
      """)
    for (index, script) in scripts.enumerated().dropFirst(try countCompleted(in: db)) {
      try db.script(script)
      try db.insert("migration", ["version", "digest"], [index + 1, Self.digest(script)])
    }
  }

  /// Reports whether no migration is pending in a database that has the table of migrations.
  func areComplete(in db: any SQLConnection) throws -> Bool { try countCompleted(in: db) == scripts.count }

  /// Returns the number of completed migrations, all of which are known.
  private func countCompleted(in db: any SQLConnection) throws -> Int {
    let done = try db.rows("SELECT version, digest FROM mien.migration ORDER BY version")
    guard done.count <= scripts.count else {
      throw StoreError(.unavailable, reason: "A newer version of Mien wrote this database; use that version.")
    }
    for (index, row) in done.enumerated() {
      guard try row["version"] == index + 1, try row["digest"] == Self.digest(scripts[index]) else {
        throw StoreError(
          .unavailable,
          reason: "Another version of Mien wrote this database: its migration \(index + 1) differs. Use that version.")
      }
    }
    return done.count
  }

  /// Reports whether a database has migrations that are unknown to this version.
  func areExceeded(in db: any SQLConnection) throws -> Bool {
    try db.count("SELECT count(*) AS count FROM mien.migration") > scripts.count
  }

  private static func digest(_ script: String) -> String { ContentDigest(of: Array(script.utf8)).description }
}

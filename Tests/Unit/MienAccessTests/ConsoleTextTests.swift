import Foundation
import MienAccess
import MienCore
import Testing

/// Words of the console for the server's codes.
@Suite struct `Console texts` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web/assets/texts")

  private static let codes: [String: [String]] = [
    "console.action.": AuditAction.allCases.map(\.rawValue),
    "console.actor.": AuditActorKind.allCases.map(\.rawValue),
    "console.feedback.": CaptureCondition.allCases.map(\.rawValue),
  ]

  @Test func `every code has a text in every language and every text a code`() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
    #expect(files.count >= 20)
    for file in files {
      let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
      for (prefix, codes) in Self.codes {
        let found = texts.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        #expect(Set(found) == Set(codes), "\(prefix) in \(file.lastPathComponent)")
      }
    }
  }

  @Test func `actors have the names of the audit log`() {
    #expect(AuditActorKind.key.actor("key_1") == "key_1")
    #expect(AuditActorKind.user.actor("anna") == "user/anna")
    #expect(AuditActorKind.commandLine.actor() == "command-line")
    #expect(AuditLog.commandLine == "command-line")
  }
}

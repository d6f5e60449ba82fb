/// Validation rules for job IDs, file names on the server, and upload paths returned by the server.
enum UploadNameRules {
  /// Reports whether a text is 1…64 characters of `A–Z a–z 0–9 - _`: safe as a folder name and as a path component.
  static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Reports whether a text is a plain name or a relative path that stays within its folder.
  static func isRelativePath(_ text: String) -> Bool {
    guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x5C })
    else { return false }
    return text.split(separator: "/", omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 }
  }

  /// Reports whether a path is that of an upload on the same server: the API key must not be sent to another server.
  static func isUpload(_ path: String) -> Bool {
    let start = "/v1/uploads/"
    return path.hasPrefix(start) && isIdentifier(String(path.dropFirst(start.count)))
  }
}

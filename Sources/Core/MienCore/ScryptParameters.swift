/// Parameters of scrypt (RFC 7914), stored with what was derived with them.
public struct ScryptParameters: Hashable, Sendable {
  /// N is two to this power, 1…17: at most 128 MiB with a block size of 8.
  public let logRounds: Int
  /// r, 1…8.
  public let blockSize: Int
  /// p, 1…4.
  public let parallelism: Int

  /// Returns `nil` for values outside the ranges: stored parameters must not determine how much memory an attempt takes.
  public init?(logRounds: Int, blockSize: Int, parallelism: Int) {
    guard (1...17).contains(logRounds), (1...8).contains(blockSize), (1...4).contains(parallelism) else { return nil }
    self.logRounds = logRounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// N = 2¹⁵, r = 8, p = 1: 32 MiB of memory and about a tenth of a second for each attempt.
  public static let standard = ScryptParameters(parallelism: 1)
  /// N = 2¹⁵, r = 8, p = 3: one of the equally strong sets that OWASP recommends for passwords; uses 32 MiB of memory.
  public static let password = ScryptParameters(parallelism: 3)

  private init(parallelism: Int) {
    logRounds = 15
    blockSize = 8
    self.parallelism = parallelism
  }

  /// Parses ``text``; returns `nil` for anything else.
  public init?(text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "scrypt" else { return nil }
    let pairs = parts.dropFirst().map { $0.split(separator: "=", omittingEmptySubsequences: false) }
    guard pairs.allSatisfy({ $0.count == 2 }), pairs.map({ $0[0] }) == ["ln", "r", "p"],
      let logRounds = Int(pairs[0][1]), let blockSize = Int(pairs[1][1]), let parallelism = Int(pairs[2][1])
    else { return nil }
    self.init(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
  }

  /// `scrypt,ln=15,r=8,p=1`.
  public var text: String { "scrypt,ln=\(logRounds),r=\(blockSize),p=\(parallelism)" }
}

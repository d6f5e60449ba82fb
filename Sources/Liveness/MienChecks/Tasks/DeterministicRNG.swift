internal import Crypto

/// A random number generator with a secret seed: SHA-256 blocks over the seed and a counter (similar to Hash_DRBG of
/// NIST SP 800-90A). Observing some outputs reveals neither the seed nor the others.
struct DeterministicRNG: RandomNumberGenerator {
  private let seed: [UInt8]
  private var counter: UInt64 = 0
  private var block: [UInt8] = []

  init(seed: [UInt8]) {
    self.seed = seed
  }

  mutating func next() -> UInt64 {
    if block.count < 8 {
      counter += 1
      block = Array(SHA256.hash(data: seed + (0..<8).map { UInt8(truncatingIfNeeded: counter >> ($0 * 8)) }))
    }
    let word = block.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    block.removeLast(8)
    return word
  }
}

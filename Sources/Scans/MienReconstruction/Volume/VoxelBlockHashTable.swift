/// Maps block positions to block indices: a hash table with open addressing in two flat arrays.
struct VoxelBlockHashTable: Sendable {
  private var keys: ContiguousArray<UInt64>
  private var values: ContiguousArray<Int32>
  private(set) var count = 0
  private var shift: UInt64

  /// Maximum distance of a block from the origin in each axis.
  static let reach: Int32 = 1 << 20

  init() {
    keys = ContiguousArray(repeating: 0, count: 1 << 12)
    values = ContiguousArray(repeating: -1, count: 1 << 12)
    shift = 64 - 12
  }

  /// Returns the key of a block: 21 bits per axis, and a bit that distinguishes it from an empty slot.
  @inline(__always) static func key(_ x: Int32, _ y: Int32, _ z: Int32) -> UInt64 {
    let (a, b, c) = (
      UInt64(UInt32(bitPattern: x &+ reach)) & 0x1F_FFFF, UInt64(UInt32(bitPattern: y &+ reach)) & 0x1F_FFFF,
      UInt64(UInt32(bitPattern: z &+ reach)) & 0x1F_FFFF
    )
    return a | b << 21 | c << 42 | 1 << 63
  }

  /// Returns the index of a block, or -1 if there is none.
  @inline(__always) func find(_ key: UInt64) -> Int32 {
    let mask = keys.count &- 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while true {
      let there = keys[slot]
      if there == key { return values[slot] }
      if there == 0 { return -1 }
      slot = (slot &+ 1) & mask
    }
  }

  /// Inserts a block, which must not be in the table yet.
  mutating func insert(_ key: UInt64, _ value: Int32) {
    if (count + 1) * 2 > keys.count { grow() }
    place(key, value)
    count += 1
  }

  private mutating func place(_ key: UInt64, _ value: Int32) {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while keys[slot] != 0 { slot = (slot + 1) & mask }
    keys[slot] = key
    values[slot] = value
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = ContiguousArray(repeating: 0, count: oldKeys.count * 2)
    values = ContiguousArray(repeating: -1, count: oldKeys.count * 2)
    shift -= 1
    for slot in oldKeys.indices where oldKeys[slot] != 0 { place(oldKeys[slot], oldValues[slot]) }
  }
}

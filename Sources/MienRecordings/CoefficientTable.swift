import MienModel

/// Finds a coefficient by its name, first where a canonical writer would have put it, then by hash.
struct CoefficientTable: Sendable {
  /// ARKit's spelling, `jawOpen`.
  static let lowerCamel = CoefficientTable { $0.text }
  /// Live Link Face's spelling, `JawOpen`.
  static let upperCamel = CoefficientTable { upperCamelName($0) }

  private let names: ContiguousArray<BlendshapeName>
  private let keys: ContiguousArray<PackedKey>
  /// 256 slots with open addressing; 255 = empty, else an index into `names`.
  private let slots: ContiguousArray<UInt8>

  private init(_ spelling: (BlendshapeName) -> String) {
    names = ContiguousArray(BlendshapeName.allCases)
    keys = ContiguousArray(names.map { PackedKey(spelling($0)) })
    var slots = ContiguousArray(repeating: UInt8(255), count: 256)
    for (index, key) in keys.enumerated() {
      var slot = key.slot
      while slots[slot] != 255 { slot = (slot + 1) & 255 }
      slots[slot] = UInt8(index)
    }
    self.slots = slots
  }

  /// The coefficient called `key`, or nil; `expected` is the index to try first and becomes the one after the hit.
  @inline(__always)
  func find(_ key: PackedKey, expected: inout Int) -> BlendshapeName? {
    if expected < keys.count, keys[expected] == key {
      expected += 1
      return names[expected - 1]
    }
    var slot = key.slot
    while slots[slot] != 255 {
      let index = Int(slots[slot])
      if keys[index] == key {
        expected = index + 1
        return names[index]
      }
      slot = (slot + 1) & 255
    }
    return nil
  }
}

/// The name as Live Link Face spells it: ARKit's with a capital.
func upperCamelName(_ name: BlendshapeName) -> String {
  let text = name.text
  return text.prefix(1).uppercased() + text.dropFirst()
}

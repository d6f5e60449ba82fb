import MienCore

/// Looks up a coefficient by name, first at its position in canonical order, then by hash.
struct CoefficientTable: Sendable {
  /// ARKit's spelling, `jawOpen`.
  static let lowerCamel = CoefficientTable { $0.text }
  /// Live Link Face's spelling, `JawOpen`.
  static let upperCamel = CoefficientTable { upperCamelName($0) }

  private let names: ContiguousArray<BlendshapeName>
  private let keys: ContiguousArray<InlineString32>
  /// `"name":` of every coefficient, concatenated, and the start of each; the last start is the end of the text.
  private let members: ContiguousArray<UInt8>
  private let starts: ContiguousArray<Int>
  /// 256 slots with open addressing; 255 = empty, otherwise an index into `names`.
  private let slots: ContiguousArray<UInt8>

  private init(_ spelling: (BlendshapeName) -> String) {
    names = ContiguousArray(BlendshapeName.allCases)
    keys = ContiguousArray(names.map { InlineString32(spelling($0)) })
    var slots = ContiguousArray(repeating: UInt8(255), count: 256)
    for (index, key) in keys.enumerated() {
      var slot = key.slot
      while slots[slot] != 255 { slot = (slot + 1) & 255 }
      slots[slot] = UInt8(index)
    }
    self.slots = slots
    var members = ContiguousArray<UInt8>()
    var starts: ContiguousArray<Int> = [0]
    for name in names {
      members.append(contentsOf: "\"\(spelling(name))\":".utf8)
      starts.append(members.count)
    }
    self.members = members
    self.starts = starts
  }

  /// Returns the expected coefficient if its key and colon are at the cursor without escapes or spaces, as all writers
  /// produce them; otherwise `nil`, and ``find(_:expected:)`` has to be used. Comparing whole keys is twice as fast as
  /// packing them first.
  @inline(__always)
  func match(_ text: Span<UInt8>, _ cursor: inout TextPosition, expected: inout Int) -> BlendshapeName? {
    guard expected < names.count else { return nil }
    let start = starts[expected]
    let length = starts[expected &+ 1] &- start
    guard length <= text.count &- cursor.at else { return nil }
    let here = text.extracting(cursor.at..<(cursor.at &+ length))
    let wanted = members.span.extracting(start..<(start &+ length))
    var difference: UInt8 = 0
    for index in here.indices { difference |= here[index] ^ wanted[index] }
    guard difference == 0 else { return nil }
    cursor.at &+= length
    expected &+= 1
    return names[expected &- 1]
  }

  /// Returns the coefficient with this name, or `nil`; `expected` is the index to try first and is set to the one after
  /// the match.
  @inline(__always)
  func find(_ key: InlineString32, expected: inout Int) -> BlendshapeName? {
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

/// Returns the Live Link Face spelling: ARKit's with an initial capital.
func upperCamelName(_ name: BlendshapeName) -> String {
  let text = name.text
  return text.prefix(1).uppercased() + text.dropFirst()
}

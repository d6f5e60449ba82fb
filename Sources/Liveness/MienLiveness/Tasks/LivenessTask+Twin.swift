extension LivenessTask {
  /// A task that a person with these abilities can do and that has at least as many bits of choice.
  ///
  /// A task that asks for nothing they cannot do is its own twin. Otherwise it is a sequence of the small motions they
  /// can make, at a pace of chance where the motions alone have too few bits; whoever cannot nod is asked to blink and to
  /// open the mouth, whoever can only move the lids to blink and to close the eyes for a moment. Questions are not asked by a
  /// twin: their strength is kept, their answers are not.
  ///
  /// - Returns: nil when nothing is left to ask for.
  public func twin(for abilities: AccessibilityProfile, using generator: inout some RandomNumberGenerator)
    -> LivenessTask?
  {
    guard !needs.isSubset(of: abilities) else { return self }
    var able = Set([Motion.nod, .blink, .mouth].filter { $0.needs.isSubset(of: abilities) })
    // Blinks alone are a weak choice: people blink unasked, so a clip of many blinks answers many paces.
    if able == [.blink] { able.insert(.closure) }
    let twin = try? MotionsTask.random(of: able, bits: bitsOfChoice, using: &generator)
    return twin.map(LivenessTask.motions)
  }
}

extension LivenessTask {
  /// Returns an equivalent task that a subject with these abilities can perform and that has at least as many bits of choice.
  ///
  /// A task whose requirements are met is returned unchanged. Otherwise the result is a sequence of the small motions that the subject
  /// can make, with random pauses if the motions alone have too few bits. Without the neck, the motions are blinks and mouth openings;
  /// with the eyelids alone, blinks and longer eye closures. A replacement of a question task has the same strength but does not collect
  /// the answers.
  ///
  /// - Returns: `nil` if no motion is possible.
  public func twin(for abilities: AccessibilityProfile, using generator: inout some RandomNumberGenerator)
    -> LivenessTask?
  {
    guard !needs.isSubset(of: abilities) else { return self }
    var able = Set([Motion.nod, .blink, .mouth].filter { $0.needs.isSubset(of: abilities) })
    // Blinks alone are a weak choice: people blink spontaneously, so a clip of many blinks matches many sequences of pauses.
    if able == [.blink] { able.insert(.closure) }
    let twin = try? MotionsTask.random(of: able, bits: bitsOfChoice, using: &generator)
    return twin.map(LivenessTask.motions)
  }
}

extension ExpressionSettings {
  private typealias Lane = ExpressionCoefficients.Lane

  /// The first expression in the order of the settings that this look is; nil when it is none.
  ///
  /// The one that is held already counts down to its release levels. What was not measured is NaN, for which no comparison
  /// holds.
  func expression(in look: ExpressionCoefficients, held: FaceExpression?) -> FaceExpression? {
    if look[Lane.tongue] > tongue.level(held == .tongueOut) { return .tongueOut }
    let left = look[Lane.blinkLeft]
    let right = look[Lane.blinkRight]
    if isWink(closed: left, open: right, held == .winkLeft) { return .winkLeft }
    if isWink(closed: right, open: left, held == .winkRight) { return .winkRight }
    if look.roundMouth > smooch.level(held == .smooch) { return .smooch }
    if look[Lane.jaw] > surpriseJaw.level(held == .surprise), look.brow > surpriseBrow.level(held == .surprise) {
      return .surprise
    }
    let lesserSmile = look[Lane.smileLeft] < look[Lane.smileRight] ? look[Lane.smileLeft] : look[Lane.smileRight]
    if lesserSmile > smile.level(held == .smile), look[Lane.smileLeft] > smile.level(held == .smile) { return .smile }
    return nil
  }

  private func isWink(closed: Float, open: Float, _ isHeld: Bool) -> Bool {
    closed > winkClosed.level(isHeld) && 1 - open > winkOpen.level(isHeld)
      && closed - open >= winkDifference.level(isHeld)
  }

  /// True when nothing that was measured stands out.
  func isNeutral(_ look: ExpressionCoefficients) -> Bool {
    let left = look[Lane.blinkLeft]
    let right = look[Lane.blinkRight]
    // Written with "not above", so that what was not measured does not stand in the way.
    guard !(left >= neutralEye), !(right >= neutralEye), !(abs(left - right) >= neutralEyeDifference) else {
      return false
    }
    guard !(look.brow >= neutralBrow), !(look[Lane.tongue] >= neutralMouth), !(look.roundMouth >= neutralMouth) else {
      return false
    }
    return !(look[Lane.jaw] >= neutralMouth) && !(look[Lane.smileLeft] >= neutralMouth)
      && !(look[Lane.smileRight] >= neutralMouth)
  }
}

extension ExpressionSettings {
  private typealias Lane = ExpressionCoefficients.Lane

  /// Returns the first expression, in the order documented for the settings, that matches the coefficients, or `nil`.
  ///
  /// A held expression is compared with its release levels. Absent coefficients are NaN, for which every comparison is false.
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

  /// Reports whether no measured coefficient indicates an expression.
  func isNeutral(_ look: ExpressionCoefficients) -> Bool {
    let left = look[Lane.blinkLeft]
    let right = look[Lane.blinkRight]
    // The comparisons are negated so that absent coefficients do not prevent a neutral face.
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

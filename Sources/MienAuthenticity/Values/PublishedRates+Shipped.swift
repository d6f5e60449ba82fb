extension PublishedRates {
  /// What was measured of the shipped checks (Documentation/Authenticity.md); undecided attacks count as missed.
  public static let shipped: [PublishedRates] = [
    PublishedRates(
      check: .texture, version: TextureCheck.version, measuredOn: "recapture, one source held out at a time",
      bpcer: Rate(errors: 4, of: 126, lower: 0.0087, upper: 0.0793),
      apcer: [
        "screen": Rate(errors: 6, of: 8, lower: 0.35, upper: 0.97),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.48, upper: 1),
        "screen_face": Rate(errors: 44, of: 45, lower: 0.88, upper: 1),
        "screen_laptop": Rate(errors: 27, of: 37, lower: 0.56, upper: 0.86),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.29, upper: 1),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.02, upper: 1),
        "print_photo": Rate(errors: 1, of: 1, lower: 0.02, upper: 1),
      ])
  ]
}

public import MienReconstruction
public import MienViewModels

extension ScanGuidance {
  /// Converts the state of a guidance engine, with localizable advice.
  public init(_ guide: ScanGuidanceEngine) {
    self.init(
      advice: guide.advice.map { LocalizedText($0.text) }, isInRange: guide.isInRange, left: guide.seen.left,
      right: guide.seen.right, top: guide.seen.top, isEnough: guide.seen.isEverything)
  }
}

extension ScanGuidanceEngine.Advice {
  /// Localization key of the advice.
  public var text: String {
    switch self {
    case .findSubject: "scan.advice.holes"
    case .comeNearer: "hint.too-far"
    case .goBack: "hint.too-close"
    case .slower: "hint.slower"
    case .findPlace: "scan.advice.poses"
    case .findLight: "scan.advice.confidence"
    case .showLeft: "app.scan.show-left"
    case .showRight: "app.scan.show-right"
    case .showTop: "app.scan.show-top"
    case .enough: "app.scan.enough"
    }
  }
}

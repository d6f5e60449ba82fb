internal import MienCore

/// Holds the best few pictures of one check while it runs: bounded in number, in bytes, and apart in time.
struct AuditImageSelector: Sendable {
  private struct Item: Sendable {
    let bytes: [UInt8]
    let box: FaceBox
    let quality: Float
    let at: MonotonicInstant
  }

  /// Two kept pictures lie at least this far apart, so that four of them are not the same moment four times.
  static let spacing = Interval.milliseconds(400)

  private let capacity: Int
  private var items: [Item] = []
  /// The best picture of whoever does what is asked; it has a place of its own, so that no better one of somebody who stood
  /// before the camera earlier takes it.
  private var reference: Item?

  /// - Parameter audits: how many pictures are wanted besides the reference, 0…4.
  init(audits: Int) {
    capacity = 1 + max(0, min(audits, 4))
  }

  /// Shows a picture to the shelf, which keeps it when it is good enough.
  ///
  /// - Parameter mayBeReference: true while the face is held to be one and the same, doing what is asked.
  mutating func offer(_ bytes: [UInt8], _ observation: FaceObservation, mayBeReference: Bool = true) {
    guard bytes.count <= StoredImage.maximumBytes, observation.faceCount == 1, let face = observation.face,
      let quality = Self.quality(of: observation), quality > 0
    else { return }
    let item = Item(bytes: bytes, box: face.box, quality: quality, at: observation.at)
    if mayBeReference, reference.map({ $0.quality < quality }) ?? true { reference = item }
    let near = items.indices.filter { abs(items[$0].at.since(item.at).nanoseconds) < Self.spacing.nanoseconds }
    if !near.isEmpty {
      // It takes the place of all it is too near to, or of none.
      guard near.allSatisfy({ items[$0].quality < quality }) else { return }
      for index in near.reversed() { items.remove(at: index) }
    } else if items.count == capacity {
      guard let worst = items.indices.min(by: { items[$0].quality < items[$1].quality }),
        items[worst].quality < quality
      else { return }
      items.remove(at: worst)
    }
    items.append(item)
  }

  /// True when there is a picture of whoever does what is asked.
  var hasReference: Bool { reference != nil }

  /// Forgets who was held to be one and the same: somebody else may stand there now.
  mutating func clearReference() { reference = nil }

  /// What to keep: the best picture of whoever did the tasks as the reference when the check passed, and as many more as were
  /// asked for.
  func images(passed: Bool) -> [StoredImage] {
    let reference = passed ? [reference].compactMap(\.self) : []
    let audits = items.sorted { $0.quality > $1.quality }
      .filter { item in reference.allSatisfy { abs($0.at.since(item.at).nanoseconds) >= Self.spacing.nanoseconds } }
      .prefix(capacity - 1)
    return reference.map { StoredImage(kind: .reference, bytes: $0.bytes, box: $0.box) }
      + audits.map { StoredImage(kind: .audit, bytes: $0.bytes, box: $0.box) }
  }

  /// How well a picture shows a face, 0…1; only good for comparing pictures of one check.
  ///
  /// The product of frontality (cos² of yaw and of pitch, as ISO/IEC 29794-5 scores head pose), sharpness s / (s + 10),
  /// size (1 from 200 pixels of height on), and a quarter of that when the eyes are shut; nil without a sharpness, 0 for a face cut by the edge.
  static func quality(of observation: FaceObservation) -> Float? {
    guard let face = observation.face, let sharpness = observation.sharpness else { return nil }
    let box = face.box
    guard box.x >= 0, box.y >= 0, box.x + box.width <= 1, box.y + box.height <= 1 else { return 0 }
    let turned = max(abs(face.pose.yaw), abs(face.pose.pitch))
    guard turned < 80 else { return 0 }
    let frontality = squaredCosine(face.pose.yaw) * squaredCosine(face.pose.pitch)
    let size = min(1, box.height * Float(observation.frameHeight) / 200)
    let quality = frontality * sharpness / (sharpness + 10) * size
    // A source that does not measure the eyes says nothing against the picture.
    let shut = [BlendshapeName.eyeBlinkLeft, .eyeBlinkRight].compactMap { face.blendshapes[$0] }.max()
    guard let shut, shut > 0.5 else { return quality }
    return quality / 4
  }

  /// cos² of an angle in degrees below 80°, by the series of cos 2x.
  private static func squaredCosine(_ degrees: Float) -> Float {
    let square = 4 * (degrees * .pi / 180) * (degrees * .pi / 180)
    let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
    return max(0, (1 + cosine) / 2)
  }
}

internal import MienCore
internal import RealModule

/// Selects the best few images of one running check, limited in number and size and separated in time.
struct AuditImageSelector: Sendable {
  private struct Item: Sendable {
    let bytes: [UInt8]
    let box: FaceBox
    let quality: Float
    let at: MonotonicInstant
  }

  /// Minimum interval between two stored images, so that four of them do not show the same moment.
  static let spacing = Interval.milliseconds(400)

  private let capacity: Int
  private var items: [Item] = []
  /// The best image of the face that performs the tasks; stored separately, so that a better image of another person
  /// who was in front of the camera earlier does not replace it.
  private var reference: Item?

  /// - Parameter audits: number of images besides the reference, 0…4.
  init(audits: Int) {
    capacity = 1 + max(0, min(audits, 4))
  }

  /// Offers an image, which is stored if it is good enough.
  ///
  /// - Parameter mayBeReference: `true` while the face is considered the same one performing the tasks.
  mutating func offer(_ bytes: [UInt8], _ observation: FaceObservation, mayBeReference: Bool = true) {
    guard bytes.count <= StoredImage.maximumBytes, observation.faceCount == 1, let face = observation.face,
      let quality = Self.quality(of: observation), quality > 0
    else { return }
    let item = Item(bytes: bytes, box: face.box, quality: quality, at: observation.at)
    if mayBeReference, reference.map({ $0.quality < quality }) ?? true { reference = item }
    let near = items.indices.filter { abs(items[$0].at.since(item.at).nanoseconds) < Self.spacing.nanoseconds }
    if !near.isEmpty {
      // Replaces all images that are too close in time, or none.
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

  /// `true` if there is an image of the face that performs the tasks.
  var hasReference: Bool { reference != nil }

  /// Discards the reference image, since another person may be in front of the camera now.
  mutating func clearReference() { reference = nil }

  /// Returns the images to store: if the check passed, the best image of the face that performed the tasks as the
  /// reference, and up to the requested number of others.
  func images(passed: Bool) -> [StoredImage] {
    let reference = passed ? [reference].compactMap(\.self) : []
    let audits = items.sorted { $0.quality > $1.quality }
      .filter { item in reference.allSatisfy { abs($0.at.since(item.at).nanoseconds) >= Self.spacing.nanoseconds } }
      .prefix(capacity - 1)
    return reference.map { StoredImage(kind: .reference, bytes: $0.bytes, box: $0.box) }
      + audits.map { StoredImage(kind: .audit, bytes: $0.bytes, box: $0.box) }
  }

  /// Returns the quality of a face image, 0…1; only meaningful for comparing images of one check.
  ///
  /// The product of frontality (cos² of yaw and of pitch, as ISO/IEC 29794-5 scores head pose), sharpness s / (s + 10)
  /// and size (1 from 200 pixels of height); a quarter of that if the eyes are closed; `nil` without a sharpness, 0 for
  /// a face cut off by the edge of the image.
  static func quality(of observation: FaceObservation) -> Float? {
    guard let face = observation.face, let sharpness = observation.sharpness else { return nil }
    let box = face.box
    guard box.x >= 0, box.y >= 0, box.x + box.width <= 1, box.y + box.height <= 1 else { return 0 }
    let turned = max(abs(face.pose.yaw), abs(face.pose.pitch))
    guard turned < 80 else { return 0 }
    let frontality = squaredCosine(face.pose.yaw) * squaredCosine(face.pose.pitch)
    let size = min(1, box.height * Float(observation.frameHeight) / 200)
    let quality = frontality * sharpness / (sharpness + 10) * size
    // A source that does not measure the eyes does not lower the quality.
    let shut = [BlendshapeName.eyeBlinkLeft, .eyeBlinkRight].compactMap { face.blendshapes[$0] }.max()
    guard let shut, shut > 0.5 else { return quality }
    return quality / 4
  }

  private static func squaredCosine(_ degrees: Float) -> Float {
    let cosine = Float.cos(degrees * .pi / 180)
    return cosine * cosine
  }
}

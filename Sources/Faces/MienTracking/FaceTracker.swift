internal import MienAuthenticity
public import MienCodecs
public import MienCore
internal import MienFaceMatch
public import MienImaging
public import MienInference

/// Tracks one face in images; owns inference requests and buffers, and must be used by one thread at a time.
public struct FaceTracker: ~Copyable {
  private let geometry: HeadGeometry
  private let settings: TrackingSettings
  private var decoder: ImageDecoder
  private var detector: FaceDetector
  private var mesh: FaceMesh
  private var blendshapes: BlendshapeEstimator
  private var frame = Frame()
  private var scorer = FrameScorer()

  /// - Throws: ``TrackingFailure`` if a decoder or a model cannot be used.
  public init(
    _ models: FaceModels, settings: TrackingSettings = TrackingSettings(), limits: ImageLimits = ImageLimits()
  ) throws(TrackingFailure) {
    // Throwing initializers first, so that an error does not leave a partially initialized tracker.
    let decoder = try attempt { () throws(ImageCodecError) in try ImageDecoder(limits: limits) }
    let detector = try attempt { () throws(InferenceError) in try FaceDetector(models.detector) }
    let mesh = try attempt { () throws(InferenceError) in try FaceMesh(models.mesh) }
    let blendshapes = try attempt { () throws(InferenceError) in try BlendshapeEstimator(models.blendshapes) }
    geometry = models.geometry
    self.settings = settings
    self.decoder = decoder
    self.detector = detector
    self.mesh = mesh
    self.blendshapes = blendshapes
  }

  /// Decodes an image and finds the face that `track` follows, or any face if it follows none.
  ///
  /// - Parameters:
  ///   - image: the encoded image and its time.
  ///   - mostPixels: maximum number of pixels of the image; applies if lower than the tracker's own limit. Larger
  ///     images are rejected by their header.
  ///   - formats: formats of the image; others are rejected.
  ///   - aligning: `true` to add the face cut out for comparison.
  ///   - track: the followed face, which is updated.
  /// - Throws: ``TrackingFailure``; `track` is unchanged in that case.
  public mutating func observe(
    _ image: EncodedFrame, mostPixels: Int = .max, formats: Set<ImageFormat> = ImageFormat.common,
    aligning: Bool = false, after track: inout FaceTrackState
  ) throws(TrackingFailure) -> FaceObservation {
    decoder.mostPixels = mostPixels
    decoder.formats = formats
    do throws(ImageCodecError) { try decoder.decode(image.bytes, into: &frame) } catch { throw .image(error) }
    var next = track
    do throws(InferenceError) {
      var observation = try process(
        at: image.at, measuresLight: image.measuresLight, aligning: aligning, &next)
      observation.recapture = score(image.bytes, &next)
      track = next
      return observation
    } catch {
      throw .inference(error)
    }
  }

  /// Processes pixels instead of an encoded image; otherwise like ``observe(_:mostPixels:formats:aligning:after:)``.
  public mutating func observe(
    _ frame: Frame, at: MonotonicInstant, after track: inout FaceTrackState
  ) throws(TrackingFailure) -> FaceObservation {
    self.frame = frame
    var next = track
    do throws(InferenceError) {
      let observation = try process(at: at, measuresLight: false, &next)
      track = next
      return observation
    } catch {
      throw .inference(error)
    }
  }

  /// Decodes a still image and returns its faces, largest first, cut out for comparison.
  ///
  /// - Parameters:
  ///   - image: the encoded image.
  ///   - most: maximum number of faces; further ones are ignored.
  public mutating func faces(in image: [UInt8], most: Int) throws(TrackingFailure) -> [FaceObservation] {
    decoder.mostPixels = .max
    decoder.formats = ImageFormat.all
    do throws(ImageCodecError) { try decoder.decode(image, into: &frame) } catch { throw .image(error) }
    do throws(InferenceError) { return try facesInFrame(most: most) } catch { throw .inference(error) }
  }

  private mutating func facesInFrame(most: Int) throws(InferenceError) -> [FaceObservation] {
    var found: [DetectedFace] = []
    for detection in order(try detector.faces(in: frame, settings), near: nil) where found.count < most {
      // The second pass examines the region around the points of the first, as in a sequence of frames.
      guard let square = detection.square, let first = try process(square) else { continue }
      let seen = try process(first.next) ?? first
      let isKnown = found.contains { other in
        let offset = other.center - seen.center
        return (offset * offset).sum().squareRoot() < max(other.side, seen.side) / 2
      }
      if !isKnown { found.append(seen) }
    }
    return try found.sorted { $0.side > $1.side }.map { (seen) throws(InferenceError) in
      let face = try describe(seen)
      return FaceObservation(
        at: .zero, frameWidth: frame.width, frameHeight: frame.height, brightness: brightness(of: face.box),
        sharpness: sharpness(of: face.box), faceCount: found.count, face: face, aligned: frame.aligned(face.landmarks))
    }
  }

  private mutating func process(
    at: MonotonicInstant, measuresLight: Bool, aligning: Bool = false, _ track: inout FaceTrackState
  ) throws(InferenceError) -> FaceObservation {
    let size = SIMD2(frame.width, frame.height)
    if track.frameSize != size {  // the square is in pixels of the previous frame
      track.square = nil
      track.frameSize = size
      track.forgetSmallFaces()
    }
    let isNew = track.square == nil
    let seen = try find(&track)
    // A small face found earlier may be the subject, who has come closer since.
    if isNew, seen != nil { track.forgetSmallFaces() }
    try findSmallFaces(beside: seen, &track)
    guard let seen else {
      track.square = nil
      track.box = nil
      track.faceCount = 0
      track.smoother = nil
      return FaceObservation(
        at: at, frameWidth: size.x, frameHeight: size.y, brightness: brightness(of: nil), faceCount: 0, face: nil,
        smallFaces: track.smallFaces.reduce(0, +))
    }
    var face = try describe(seen)
    track.box = face.box
    let brightness = brightness(of: face.box)
    let sharpness = sharpness(of: face.box)
    // Measured before smoothing, which lags slightly: the values belong to these pixels.
    let contrast = frame.contrast(at: face.landmarks)
    let light = measuresLight ? frame.light(at: face.landmarks) : nil
    let aligned = aligning ? frame.aligned(face.landmarks) : nil
    if case .oneEuro(let strengths) = settings.smoothing {
      if track.smoother == nil { track.smoother = FaceSmoother(face, at: at) }
      track.smoother?.smooth(&face, at: at, strengths)
    }
    return FaceObservation(
      at: at, frameWidth: size.x, frameHeight: size.y, brightness: brightness, sharpness: sharpness,
      faceCount: track.faceCount, face: face, contrast: contrast,
      smallFaces: track.smallFaces.reduce(0, +), fingerprint: frame.fingerprint, light: light, aligned: aligned)
  }

  /// Looks for signs of a screen or print in one of every ``TrackingSettings/framesBetweenScores`` frames with exactly
  /// one face.
  private mutating func score(_ bytes: [UInt8], _ track: inout FaceTrackState) -> RecaptureReading? {
    guard settings.framesBetweenScores > 0, track.faceCount == 1, let box = track.box else { return nil }
    track.framesUntilScore -= 1
    guard track.framesUntilScore <= 0 else { return nil }
    track.framesUntilScore = settings.framesBetweenScores
    return scorer.score(frame, face: box, lumaSteps: JPEGTables.lumaSteps(bytes))
  }

  /// Returns the tracked face with its mesh, or `nil` if no face is visible. Updates the track's square and count.
  private mutating func find(_ track: inout FaceTrackState) throws(InferenceError) -> DetectedFace? {
    track.framesSinceDetection += 1
    let interval =
      track.faceCount > 1 ? settings.framesBetweenDetectionsOfSeveral : settings.framesBetweenDetections
    var detections: [Detection]?
    if track.square == nil || track.framesSinceDetection >= interval {
      detections = try detector.faces(in: frame, settings)
    }
    var seen: DetectedFace?
    if let square = track.square, agrees(detections, with: square) { seen = try process(square) }
    if seen == nil {
      // Nothing is tracked, or the face was lost in this frame: the detector provides new starting points.
      if detections == nil { detections = try detector.faces(in: frame, settings) }
      let found = detections ?? []
      for detection in order(found, near: track.square).prefix(settings.mostFacesLookedAt) where seen == nil {
        if let square = detection.square { seen = try process(square) }
      }
      track.smoother = nil
    }
    guard let seen else { return nil }
    if let detections {
      track.faceCount = 1 + (try others(detections, than: seen))
      track.framesSinceDetection = 0
    }
    track.square = seen.next
    return seen
  }

  /// Searches the next part of the image for faces that are too small to be found in the whole: people in the background, or a
  /// subject who is too far away.
  private mutating func findSmallFaces(beside seen: DetectedFace?, _ track: inout FaceTrackState) throws(InferenceError)
  {
    track.framesSincePartSearch += 1
    guard track.framesSincePartSearch >= settings.framesBetweenPartSearches else { return }
    track.framesSincePartSearch = 0
    let part = track.nextPart
    track.nextPart = (part + 1) % FaceTrackState.partCount
    let size = SIMD2(Float(frame.width), Float(frame.height))
    let side = settings.partSize * size.max()
    let reach = pointwiseMax(size - side, .zero) / 2
    let corner = SIMD2<Float>(part % 2 == 0 ? -1 : 1, part < 2 ? -1 : 1)
    var strict = settings
    strict.detectionScore = settings.partDetectionScore
    let found = try detector.faces(
      in: frame, within: RotatedRect(center: size / 2 + reach * corner, side: side), strict)
    if let seen {
      track.smallFaces[part] = try others(found, than: seen)
    } else {
      var count = 0
      for detection in found.prefix(settings.mostFacesLookedAt) {
        if let square = detection.square, try mesh.presence(at: square, in: frame) >= settings.presence { count += 1 }
      }
      track.smallFaces[part] = count
    }
  }

  /// Returns `false` if the detector finds faces, but none at the tracked position.
  private func agrees(_ detections: [Detection]?, with square: RotatedRect) -> Bool {
    guard let detections, !detections.isEmpty else { return true }
    return detections.contains { detection in
      let offset = detection.center - square.center
      return (offset * offset).sum().squareRoot() < max(square.side / 1.5, detection.side) / 2
    }
  }

  /// Sorts by distance to the tracked face, or by descending size if none is tracked.
  private func order(_ detections: [Detection], near square: RotatedRect?) -> [Detection] {
    guard let square else { return detections.sorted { $0.area > $1.area } }
    func distance(_ detection: Detection) -> Float {
      let offset = detection.center - square.center
      return (offset * offset).sum()
    }
    return detections.sorted { distance($0) < distance($1) }
  }

  /// Returns the number of detections that are other faces than the tracked one, as confirmed by the mesh model.
  private mutating func others(_ detections: [Detection], than seen: DetectedFace) throws(InferenceError) -> Int {
    var count = 0
    let elsewhere = detections.filter { detection in
      let offset = detection.center - seen.center
      return (offset * offset).sum().squareRoot() > max(seen.side, detection.side) / 2
    }
    for detection in elsewhere.prefix(settings.mostFacesLookedAt) {
      if let square = detection.square, try mesh.presence(at: square, in: frame) >= settings.presence { count += 1 }
    }
    return count
  }

  private mutating func process(_ square: RotatedRect) throws(InferenceError) -> DetectedFace? {
    let answer = try mesh.look(at: square, in: frame)
    guard answer.presence >= settings.presence else { return nil }
    return DetectedFace(answer)
  }

  /// Computes all published measurements of a face.
  private mutating func describe(_ seen: DetectedFace) throws(InferenceError) -> ObservedFace {
    let (width, height) = (Float(frame.width), Float(frame.height))
    let points = seen.answer.points.map { SIMD3($0.x / width, $0.y / height, $0.z / width) }
    var coefficients = try blendshapes.estimate(seen.answer.points)
    coefficients[.tongueOut] = settings.tongue.tongueOut(
      score: seen.answer.tongue, jawOpen: coefficients[.jawOpen], points: seen.answer.points)
    guard let landmarks = Landmarks(points), let presence = Score(Double(seen.answer.presence)),
      let pose = geometry.pose(points, width: frame.width, height: frame.height)
    else {
      throw InferenceError(
        .inferenceFailed, name: CanonicalFace.fileName, reason: "the landmarks do not describe a face")
    }
    let box = FaceBox(
      x: seen.first.x / width, y: seen.first.y / height, width: (seen.last.x - seen.first.x) / width,
      height: (seen.last.y - seen.first.y) / height)
    return ObservedFace(box: box, presence: presence, pose: pose, blendshapes: coefficients, landmarks: landmarks)
  }

  private func sharpness(of box: FaceBox) -> Float? {
    let (width, height) = (Float(frame.width), Float(frame.height))
    return frame.sharpness(
      x: box.x * width..<(box.x + box.width) * width, y: box.y * height..<(box.y + box.height) * height)
  }

  /// Returns the mean luma of a face's box, or of the whole image.
  private func brightness(of box: FaceBox?) -> Float {
    let (width, height) = (Float(frame.width), Float(frame.height))
    let part = box.flatMap { box in
      frame.meanLuma(
        x: box.x * width..<(box.x + box.width) * width, y: box.y * height..<(box.y + box.height) * height)
    }
    // A decoded image has pixels, so there is a mean.
    guard let mean = part ?? frame.meanLuma else { preconditionFailure("a decoded image has no pixels") }
    return mean
  }
}

/// A face confirmed by the mesh model, and the region to search next.
private struct DetectedFace {
  let answer: FaceMesh.Answer
  /// Corners of the box around all points, in pixels.
  let first: SIMD2<Float>
  let last: SIMD2<Float>
  let next: RotatedRect

  /// Returns `nil` if the points do not describe a face.
  init?(_ answer: FaceMesh.Answer) {
    self.answer = answer
    var (first, last) = (SIMD2(repeating: Float.infinity), SIMD2(repeating: -Float.infinity))
    for point in answer.points {
      first = pointwiseMin(first, SIMD2(point.x, point.y))
      last = pointwiseMax(last, SIMD2(point.x, point.y))
    }
    self.first = first
    self.last = last
    // The outer corners of the eyes, from the subject's right to the left.
    let eyes = answer.points[263] - answer.points[33]
    guard let next = RotatedRect.aroundFace(first: first, last: last, eyes: SIMD2(eyes.x, eyes.y)) else { return nil }
    self.next = next
  }

  var center: SIMD2<Float> { (first + last) / 2 }
  var side: Float { (last - first).max() }
}

private func attempt<Value: ~Copyable>(_ body: () throws(ImageCodecError) -> Value) throws(TrackingFailure) -> Value {
  do throws(ImageCodecError) { return try body() } catch { throw .image(error) }
}

private func attempt<Value: ~Copyable>(_ body: () throws(InferenceError) -> Value) throws(TrackingFailure) -> Value {
  do throws(InferenceError) { return try body() } catch { throw .inference(error) }
}

/// The reason why a frame could not be processed.
public enum TrackingFailure: Error, Hashable, Sendable {
  case image(ImageCodecError)
  case inference(InferenceError)
  /// All trackers are busy and the associated number of frames is already waiting.
  case busy(waiting: Int)
}

/// The tracking state of a session between two frames: a value of a few hundred bytes.
public struct FaceTrackState: Sendable {
  /// Region in which to search for the face in the next frame, in pixels; `nil` if no face is tracked.
  public internal(set) var square: RotatedRect?
  /// Number of faces when the detector last ran.
  public internal(set) var faceCount = 0
  /// Number of frames since the detector last ran.
  public internal(set) var framesSinceDetection = 0
  /// Number of parts of the image that are searched for small faces.
  static let partCount = 4
  /// Number of small faces in each part when it was last searched.
  var smallFaces = [Int](repeating: 0, count: partCount)
  var nextPart = 0
  var framesSincePartSearch = 0
  /// Size of the frame that `square` refers to.
  var frameSize = SIMD2<Int>(0, 0)
  var smoother: FaceSmoother?
  /// Box of the face in the last frame, without smoothing.
  var box: FaceBox?
  /// Number of frames with one face until the next one is scored.
  var framesUntilScore = 0

  /// Creates the initial state, without a face.
  public init() {}

  mutating func forgetSmallFaces() { smallFaces = [Int](repeating: 0, count: Self.partCount) }
}

extension FaceTrackState: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTrackState(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

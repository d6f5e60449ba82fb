/// What the work on a scan found, as it is kept and told: names in JSON are those of the API.
public struct ScanReport: Codable, Hashable, Sendable {
  public struct Photo: Codable, Hashable, Sendable {
    /// Something that was measured in a photo, by the name that the reference implementation of ISO/IEC 29794-5 has for it.
    public struct Measure: Codable, Hashable, Sendable {
      public let name: String
      public let value: Double
      /// `px`, `°`, `share`, `bit`, `Laplacian` or empty.
      public let unit: String
      /// 0 to 100, more is better; nil where the standard has no closed form.
      public let score: Double?

      public init(name: String, value: Double, unit: String, score: Double?) {
        self.name = name
        self.value = value
        self.unit = unit
        self.score = score
      }
    }

    public let name: String
    /// In pixels.
    public let width: Int
    public let height: Int
    /// Nil where the photo was not looked at, and in outcomes that versions before this one kept.
    public var measures: [Measure]?

    public init(name: String, width: Int, height: Int, measures: [Measure]? = nil) {
      self.name = name
      self.width = width
      self.height = height
      self.measures = measures
    }
  }

  /// The depth maps that were read.
  public struct Depth: Codable, Hashable, Sendable {
    public let frames: Int
    /// In pixels.
    public let width: Int
    public let height: Int
    public let sensor: String
    public let device: String
    /// What the scan was read as.
    public let format: String
    /// One step of a sample, in micrometres.
    public let micrometersPerStep: Int

    public init(
      frames: Int, width: Int, height: Int, sensor: String, device: String, format: String, micrometersPerStep: Int
    ) {
      self.frames = frames
      self.width = width
      self.height = height
      self.sensor = sensor
      self.device = device
      self.format = format
      self.micrometersPerStep = micrometersPerStep
    }

    private enum CodingKeys: String, CodingKey {
      case frames, width, height, sensor, device, format
      case micrometersPerStep = "unit_micrometres"
    }
  }

  /// A sentence for a person, by a code that pages and apps have words for.
  public struct Remark: Codable, Hashable, Sendable {
    public let code: String
    /// What stands in the sentence's places.
    public let values: [String: String]
    /// The sentence in English.
    public let words: String

    public init(code: String, values: [String: String], words: String) {
      self.code = code
      self.values = values
      self.words = words
    }
  }

  /// The grades of a scan's quality.
  public struct Report: Codable, Hashable, Sendable {
    public struct Item: Codable, Hashable, Sendable {
      public let name: String
      /// `pass`, `warn`, `fail` or `not-assessed`.
      public let outcome: String
      public let value: Double?
      public let unit: String?
      /// Item and grade in one.
      public let wordsCode: String
      /// What was found and what to do about it, in English.
      public let words: String
      /// The same sentence by sentence; nil in outcomes that versions before this one kept.
      public let remarks: [Remark]?

      public init(name: String, outcome: String, value: Double?, unit: String?, remarks: [Remark]) {
        self.name = name
        self.outcome = outcome
        self.value = value.flatMap { $0.isFinite ? $0 : nil }
        self.unit = unit
        wordsCode = "\(name).\(outcome)"
        words = remarks.map(\.words).joined(separator: " ")
        self.remarks = remarks
      }

      private enum CodingKeys: String, CodingKey {
        case name, outcome, value, unit, words, remarks
        case wordsCode = "words_code"
      }
    }

    /// The worst grade of all that were assessed.
    public let outcome: String
    public let items: [Item]

    public init(outcome: String, items: [Item]) {
      self.outcome = outcome
      self.items = items
    }
  }

  /// A distance between two landmarks of a face.
  public struct Measurement: Codable, Hashable, Sendable {
    public let name: String
    public let millimeters: Double
    /// One standard deviation.
    public let uncertainty: Double

    /// Refuses (nil) what is not finite.
    public init?(name: String, millimeters: Double, uncertainty: Double) {
      guard millimeters.isFinite, uncertainty.isFinite else { return nil }
      self.name = name
      self.millimeters = millimeters
      self.uncertainty = uncertainty
    }

    private enum CodingKeys: String, CodingKey {
      case name, millimeters = "millimetres"
      case uncertainty = "uncertainty_millimetres"
    }
  }

  /// How the surface came about; lengths in millimetres.
  public struct Surface: Codable, Hashable, Sendable {
    public let triangles: Int
    public let vertices: Int
    public let voxel: Double
    public let framesFused: Int
    public let framesLost: Int
    /// How far points lie off the surface, root mean square; nil when no frame was placed.
    public let residual: Double?
    /// How far the end of the camera's way is off its beginning; nil when the two do not see the same.
    public let drift: Double?
    /// Edges of the box around it: right, up, back.
    public let size: [Double]

    public init(
      triangles: Int, vertices: Int, voxel: Double, framesFused: Int, framesLost: Int, residual: Double?,
      drift: Double?, size: [Double]
    ) {
      self.triangles = triangles
      self.vertices = vertices
      self.voxel = voxel
      self.framesFused = framesFused
      self.framesLost = framesLost
      self.residual = residual.flatMap { $0.isFinite ? $0 : nil }
      self.drift = drift.flatMap { $0.isFinite ? $0 : nil }
      self.size = size
    }

    private enum CodingKeys: String, CodingKey {
      case triangles, vertices
      case voxel = "voxel_millimetres"
      case framesFused = "frames_fused"
      case framesLost = "frames_lost"
      case residual = "residual_millimetres"
      case drift = "drift_millimetres"
      case size = "size_millimetres"
    }
  }

  public var photos: [Photo]
  public var depth: Depth?
  public var report: Report?
  public var measurements: [Measurement]
  public var surface: Surface?
  /// What the recording does not say or what was left out, in English.
  public private(set) var notes: [String]
  /// The same with codes; nil in outcomes that versions before this one kept.
  public private(set) var remarks: [Remark]?

  public init(
    photos: [Photo] = [], depth: Depth? = nil, report: Report? = nil, measurements: [Measurement] = [],
    surface: Surface? = nil, remarks: [Remark] = []
  ) {
    self.photos = photos
    self.depth = depth
    self.report = report
    self.measurements = measurements
    self.surface = surface
    notes = remarks.map(\.words)
    self.remarks = remarks
  }

  /// Adds a note.
  public mutating func note(_ remark: Remark) {
    notes.append(remark.words)
    remarks = (remarks ?? []) + [remark]
  }
}

extension ScanReport: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanOutcome(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The results of processing a scan, as stored and returned: the JSON names are those of the API.
public struct ScanReport: Codable, Hashable, Sendable {
  public struct Photo: Codable, Hashable, Sendable {
    /// A quality measure of a photo, named as in the reference implementation of ISO/IEC 29794-5.
    public struct Measure: Codable, Hashable, Sendable {
      public let name: String
      public let value: Double
      /// `px`, `°`, `share`, `bit`, `Laplacian` or empty.
      public let unit: String
      /// Score from 0 to 100, higher is better; `nil` if the standard has no closed form.
      public let score: Double?

      public init(name: String, value: Double, unit: String, score: Double?) {
        self.name = name
        self.value = value
        self.unit = unit
        self.score = score
      }
    }

    public let name: String
    /// Width in pixels.
    public let width: Int
    public let height: Int
    /// Quality measures; `nil` if the photo was not assessed.
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
    /// Width in pixels.
    public let width: Int
    public let height: Int
    public let sensor: String
    public let device: String
    /// The scan format that was detected.
    public let format: String
    /// Size of one sample step in micrometers.
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
      case micrometersPerStep = "unit_micrometers"
    }
  }

  /// A message for users, with a code that web pages and apps localize.
  public struct Remark: Codable, Hashable, Sendable {
    public let code: String
    /// Values for the placeholders of the message.
    public let values: [String: String]
    /// The message in English.
    public let text: String

    public init(code: String, values: [String: String], text: String) {
      self.code = code
      self.values = values
      self.text = text
    }
  }

  /// The quality grades of a scan.
  public struct Report: Codable, Hashable, Sendable {
    public struct Item: Codable, Hashable, Sendable {
      public let name: String
      /// `pass`, `warn`, `fail` or `not-assessed`.
      public let outcome: String
      public let value: Double?
      public let unit: String?
      /// Item and grade combined.
      public let textCode: String
      /// Finding and remedy, in English.
      public let text: String
      /// The same text as separate messages.
      public let remarks: [Remark]

      public init(name: String, outcome: String, value: Double?, unit: String?, remarks: [Remark]) {
        self.name = name
        self.outcome = outcome
        self.value = value.flatMap { $0.isFinite ? $0 : nil }
        self.unit = unit
        textCode = "\(name).\(outcome)"
        text = remarks.map(\.text).joined(separator: " ")
        self.remarks = remarks
      }

      private enum CodingKeys: String, CodingKey {
        case name, outcome, value, unit, text, remarks
        case textCode = "text_code"
      }
    }

    /// The worst grade of all assessed items; an object or a room with a surface is at least `warn`.
    public let outcome: String
    public let items: [Item]

    public init(outcome: String, items: [Item]) {
      self.outcome = outcome
      self.items = items
    }
  }

  /// A distance between two facial landmarks.
  public struct Measurement: Codable, Hashable, Sendable {
    public let name: String
    public let millimeters: Double
    /// One standard deviation, in millimeters.
    public let uncertainty: Double

    /// Returns `nil` if a value is not finite.
    public init?(name: String, millimeters: Double, uncertainty: Double) {
      guard millimeters.isFinite, uncertainty.isFinite else { return nil }
      self.name = name
      self.millimeters = millimeters
      self.uncertainty = uncertainty
    }

    private enum CodingKeys: String, CodingKey {
      case name, millimeters = "millimeters"
      case uncertainty = "uncertainty_millimeters"
    }
  }

  /// Properties of the reconstructed surface; lengths in millimeters.
  public struct Surface: Codable, Hashable, Sendable {
    public let triangles: Int
    public let vertices: Int
    public let voxel: Double
    public let framesFused: Int
    public let framesLost: Int
    /// Number of pieces: one more than the times at which the camera's path was lost. The surface is the piece with the
    /// most frames.
    public let pieces: Int
    /// Root-mean-square distance of points from the surface; `nil` if no frame was registered.
    public let residual: Double?
    /// Misalignment of the last frame relative to the first, measured by registering them; `nil` if they do not view
    /// the same area.
    public let drift: Double?
    /// Edge lengths of the bounding box: right, up, back.
    public let size: [Double]
    /// Region that holds the subject; `nil` for a room, and if the cameras faced no common point.
    public let subject: Subject?

    /// A cube in the coordinates of the model, in millimeters: the model files have meters.
    public struct Subject: Codable, Hashable, Sendable {
      /// Center: right, up, back.
      public let center: [Double]
      /// Half of an edge.
      public let radius: Double

      public init(center: [Double], radius: Double) {
        self.center = center
        self.radius = radius
      }
    }

    public init(
      triangles: Int, vertices: Int, voxel: Double, framesFused: Int, framesLost: Int, pieces: Int,
      residual: Double?, drift: Double?, size: [Double], subject: Subject? = nil
    ) {
      self.triangles = triangles
      self.vertices = vertices
      self.voxel = voxel
      self.framesFused = framesFused
      self.framesLost = framesLost
      self.pieces = pieces
      self.residual = residual.flatMap { $0.isFinite ? $0 : nil }
      self.drift = drift.flatMap { $0.isFinite ? $0 : nil }
      self.size = size
      self.subject = subject
    }

    private enum CodingKeys: String, CodingKey {
      case triangles, vertices, pieces
      case voxel = "voxel_millimeters"
      case framesFused = "frames_fused"
      case framesLost = "frames_lost"
      case residual = "residual_millimeters"
      case drift = "drift_millimeters"
      case size = "size_millimeters"
      case subject = "subject_millimeters"
    }
  }

  public var photos: [Photo]
  public var depth: Depth?
  public var report: Report?
  public var measurements: [Measurement]
  public var surface: Surface?
  /// Missing metadata and skipped data, in English.
  public private(set) var notes: [String]
  /// The same notes with codes.
  public private(set) var remarks: [Remark]

  public init(
    photos: [Photo] = [], depth: Depth? = nil, report: Report? = nil, measurements: [Measurement] = [],
    surface: Surface? = nil, remarks: [Remark] = []
  ) {
    self.photos = photos
    self.depth = depth
    self.report = report
    self.measurements = measurements
    self.surface = surface
    notes = remarks.map(\.text)
    self.remarks = remarks
  }

  /// Adds a note.
  public mutating func note(_ remark: Remark) {
    notes.append(remark.text)
    remarks.append(remark)
  }
}

extension ScanReport: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanReport(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

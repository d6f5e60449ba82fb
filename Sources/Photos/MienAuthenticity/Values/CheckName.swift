/// The checks there are, by the stable names that interfaces, tables and settings use.
public enum CheckName: String, Codable, Hashable, Sendable, CaseIterable {
  /// Periodic patterns of a display's pixel grid against the camera's.
  case moire
  /// A trained classifier over statistics of full-scale tiles.
  case texture
  /// Rolling-shutter bands of a display or lamp dimmed by pulses.
  case banding
  /// Reflections as flat glossy surfaces make them.
  case specular
  /// The dots of a print.
  case halftone
  /// Long straight borders of a screen or sheet around the content.
  case bezel
  /// Traces of an earlier JPEG compression.
  case doubleCompression = "double-compression"
  /// The shape of the scene in a depth map.
  case depth
  /// Over a burst: movement as of one plane, or with parallax.
  case parallax
  /// Over a burst: bands that move differently from the content.
  case bandMotion = "band-motion"
  /// Over a burst: brightness that beats in time.
  case flicker
  /// Over a burst: how focus and exposure react.
  case focus
}

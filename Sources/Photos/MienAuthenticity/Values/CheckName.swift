/// Available checks, by the stable names used in interfaces, tables and settings.
public enum CheckName: String, Codable, Hashable, Sendable, CaseIterable {
  /// Periodic patterns of a display's pixel grid against the camera's.
  case moire
  /// Trained classifier over statistics of the image and its full-scale tiles.
  case texture
  /// Rolling-shutter bands of a pulse-width-modulated display or lamp.
  case banding
  /// Reflections typical of flat glossy surfaces.
  case specular
  /// Halftone dots of a print.
  case halftone
  /// Long straight borders of a screen or sheet around the content.
  case bezel
  /// Traces of an earlier JPEG compression.
  case doubleCompression = "double-compression"
  /// Shape of the scene in a depth map.
  case depth
  /// Burst: planar motion, or motion with parallax.
  case parallax
  /// Burst: bands that move differently from the content.
  case bandMotion = "band-motion"
  /// Burst: brightness flicker over time.
  case flicker
  /// Burst: spatial variation of the sharpness change during refocusing.
  case focus
}

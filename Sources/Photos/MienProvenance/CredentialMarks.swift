/// Byte sequences of which every image with a content credential contains at least one (C2PA 2.2, appendix A).
enum CredentialMarks {
  /// Returns `false` if the file has no content credential; `true` does not mean that it has one.
  ///
  /// Four bytes of each mark are compared, in a single pass.
  static func occur(in file: [UInt8]) -> Bool {
    var last: UInt32 = 0
    for byte in file {
      last = last << 8 | UInt32(byte)
      switch last {
      case 0x6A75_6D62, 0x6332_7061: return true  // "jumb" and "c2pa": boxes of a manifest store
      case 0x6361_4258: return true  // "caBX": chunk of PNG with a store
      case 0x4332_5041: return true  // "C2PA": block of GIF, or chunk of WebP, with a store
      case 0xD8FE_C3D6: return true  // UUID of the box of HEIF with a store, D8FEC3D6-1B0E-483C-9297-5828877EC481
      case 0x7072_6F76: return true  // "prov" of dcterms:provenance in XMP, the address of a store elsewhere
      case 0x6954_5874: return true  // "iTXt": chunk of PNG that may hold compressed XMP
      default: continue
      }
    }
    return false
  }
}

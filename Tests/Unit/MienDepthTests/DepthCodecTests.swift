import MienTestGenerators
import MienScanFormat
import Testing

@Suite struct DepthCodecTests {
  @Test(
    arguments: Maps.allCases,
    [(1, 1), (1, 9), (9, 1), (2, 2), (17, 3), (33, 24), (16, 8), (64, 48), (100, 75)])
  func `decoding restores what was encoded`(map: Maps, size: (Int, Int)) throws {
    let (width, height) = size
    var encoder = DepthEncoder(width: width, height: height, micrometersPerStep: 1000)
    var decoder = DepthDecoder(width: width, height: height, micrometersPerStep: 1000)
    for index in 0..<5 {
      let frame = map.frame(index, width: width, height: height)
      let coded = encoder.encode(frame, asKey: index == 3)
      #expect(coded.isKey || (index != 0 && index != 3))
      #expect(try decoder.decode(coded.bytes[...]) == frame)
    }
  }

  /// FNV-1a over all bytes of version 1 of the bundle: any change to these values requires a new format version.
  @Test(
    arguments: [
      (.flat, 0xE8B8_3C42_2E5F_A7D9), (.slope, 0x412C_161E_A85F_1A34), (.sphere, 0xC544_2378_804D_B152),
      (.noise, 0x31EE_7F92_7DAB_F1E6), (.holes, 0xE2DC_6F8C_CDD4_8786), (.halves, 0xEE5A_D5E5_886A_A66B),
      (.cutHalves, 0x26E0_8D7F_E0F0_0939), (.sparseValues, 0x8832_76DF_627D_C9C2), (.empty, 0xAB29_B871_D629_70CD),
      (.extremes, 0x5B60_2D2A_DCF7_2994), (.still, 0x0702_0CA8_1A02_C810),
    ] as [(Maps, UInt64)])
  func `encoded bytes match existing bundles`(map: Maps, digest: UInt64) throws {
    var found: UInt64 = 0xCBF2_9CE4_8422_2325
    for (width, height) in [(1, 1), (1, 9), (9, 1), (17, 3), (33, 24), (64, 48), (100, 75)] {
      var encoder = DepthEncoder(width: width, height: height, micrometersPerStep: 1000)
      for index in 0..<6 {
        let frame = map.frame(index, width: width, height: height)
        for byte in encoder.encode(frame, asKey: index == 3).bytes {
          found = (found ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    #expect(found == digest)
  }

  @Test func `different map types can follow one another`() throws {
    var encoder = DepthEncoder(width: 40, height: 30, micrometersPerStep: 1000)
    var decoder = DepthDecoder(width: 40, height: 30, micrometersPerStep: 1000)
    for index in 0..<40 {
      let frame = Maps.allCases[index * 7 % Maps.allCases.count].frame(index, width: 40, height: 30)
      #expect(try decoder.decode(encoder.encode(frame, asKey: false).bytes[...]) == frame)
    }
  }

  @Test func `a key frame decodes the same regardless of earlier frames`() throws {
    var encoder = DepthEncoder(width: 20, height: 14, micrometersPerStep: 1000)
    let noise = encoder.encode(Maps.noise.frame(0, width: 20, height: 14), asKey: true).bytes
    let key = encoder.encode(Maps.sphere.frame(0, width: 20, height: 14), asKey: true).bytes
    let fresh = DepthDecoder(width: 20, height: 14, micrometersPerStep: 1000)
    var used = fresh
    _ = try used.decode(noise[...])
    for place in key.indices.dropFirst() {
      for bit in 0..<8 {
        var damaged = key
        damaged[place] ^= 1 << UInt8(bit)
        var (first, later) = (fresh, used)
        #expect((try? first.decode(damaged[...])) == (try? later.decode(damaged[...])))
      }
    }
  }

  @Test func `a static scene is predicted from the previous frame`() throws {
    var encoder = DepthEncoder(width: 64, height: 48, micrometersPerStep: 1000)
    let first = encoder.encode(Maps.still.frame(0, width: 64, height: 48), asKey: false)
    let second = encoder.encode(Maps.still.frame(1, width: 64, height: 48), asKey: false)
    #expect(second.bytes.count * 4 < first.bytes.count)
  }

  @Test func `millimeters from 16-bit floats need fewer bits than arbitrary millimeters`() throws {
    func size(_ map: Maps, _ factor: UInt16) -> Int {
      var encoder = DepthEncoder(width: 64, height: 48, micrometersPerStep: 1000)
      return encoder.encode(map.frame(0, width: 64, height: 48).map { $0 * factor }, asKey: true).bytes.count
    }
    // At three meters, a 16-bit float has a resolution of 2 mm: the same surface at 1 mm is larger.
    #expect(size(.sparseValues, 1) < size(.sphere, 1))
  }

  @Test func `a delta frame alone is rejected`() {
    var encoder = DepthEncoder(width: 16, height: 8, micrometersPerStep: 1000)
    _ = encoder.encode(Maps.sphere.frame(0, width: 16, height: 8), asKey: true)
    let second = encoder.encode(Maps.sphere.frame(1, width: 16, height: 8), asKey: false)
    var decoder = DepthDecoder(width: 16, height: 8, micrometersPerStep: 1000)
    #expect(throws: DepthCodecError.needsKeyFrame) { try decoder.decode(second.bytes[...]) }
  }

  @Test(arguments: [Maps.sphere, .holes, .sparseValues, .still])
  func `truncated or modified bytes only cause errors`(map: Maps) throws {
    var encoder = DepthEncoder(width: 20, height: 14, micrometersPerStep: 1000)
    let key = encoder.encode(map.frame(0, width: 20, height: 14), asKey: true).bytes
    let next = encoder.encode(map.frame(1, width: 20, height: 14), asKey: false).bytes
    for (before, bytes) in [(nil, key), (key, next)] {
      var ready = DepthDecoder(width: 20, height: 14, micrometersPerStep: 1000)
      if let before { _ = try ready.decode(before[...]) }
      for cut in 0..<bytes.count {
        var decoder = ready
        #expect(throws: DepthCodecError.self) { try decoder.decode(bytes[..<cut]) }
      }
      var generator = SplitMixGenerator(seed: 5)
      for place in bytes.indices {
        var damaged = bytes
        damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
        var decoder = ready
        if let map = try? decoder.decode(damaged[...]) { #expect(map.count == 280) }
      }
    }
  }

  @Test func `malformed bytes give an error or a map`() {
    var generator = SplitMixGenerator(seed: 11)
    for _ in 0..<300 {
      var bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if !bytes.isEmpty { bytes[0] = [1, 3, 0x11, 0x21, 0x31].randomElement(using: &generator) ?? 1 }
      var decoder = DepthDecoder(width: 9, height: 7, micrometersPerStep: 1000)
      if let map = try? decoder.decode(bytes[...]) { #expect(map.count == 63) }
    }
  }
}

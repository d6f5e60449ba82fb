import Foundation
import MienImaging
import Testing

@Suite struct `Tile spectrum` {
  @Test(arguments: [16, 32, 128, 512])
  func `a wave has its power in its own bin and the two adjacent ones`(size: Int) throws {
    // cos(2π/8): eight samples per wave, so size/8 cycles per tile.
    let wave = (0..<size + 8).map { cos(Double($0) * .pi / 4) }
    var samples = ContiguousArray<UInt8>()
    for _ in 0..<size + 3 {
      for x in 0..<size + 5 { samples.append(UInt8((128 + 100 * wave[x]).rounded())) }
    }
    let plane = try #require(Plane(width: size + 5, height: size + 3, samples: samples))
    var spectrum = TileSpectrum(size: size)
    spectrum.measure(plane, x: 5, y: 3)
    let row = spectrum.logPower[..<spectrum.columns]
    let best = try #require(row.indices.max { row[$0] < row[$1] })
    #expect(best == size / 8)
    // |F|² of a cosine of amplitude a under a Hann window in both directions is (a·size²/8)², Σw² is (3/8·size)².
    let expected = 100.0 * Double(size) * Double(size) / 8 / (0.375 * Double(size))
    #expect(abs(Double(row[best]) - 2 * log(expected)) < 0.05)
    // Away from the wave, only the rounding of tones remains.
    #expect(spectrum.logPower[size / 2 * spectrum.columns + size / 4] < 1)
  }

  @Test func `a flat tile has no power`() throws {
    let plane = try #require(Plane(width: 64, height: 64, samples: ContiguousArray(repeating: 77, count: 64 * 64)))
    var spectrum = TileSpectrum(size: 64)
    spectrum.measure(plane, x: 0, y: 0)
    #expect(spectrum.mean == 77)
    #expect(spectrum.logPower.allSatisfy { abs($0 + 2.9957) < 0.001 })
  }

  @Test func `rows, columns and both signs are distinguished`() throws {
    func peak(_ tone: (Int, Int) -> Bool) -> Int {
      var plane = Plane()
      plane.reshape(width: 32, height: 32)
      plane.writeSamples { samples in
        for index in samples.indices { samples[index] = tone(index % 32, index / 32) ? 200 : 50 }
      }
      var spectrum = TileSpectrum(size: 32)
      spectrum.measure(plane, x: 0, y: 0)
      return spectrum.logPower.indices.max { spectrum.logPower[$0] < spectrum.logPower[$1] } ?? 0
    }
    #expect(peak { x, _ in x % 8 < 4 } == 4)
    #expect([4 * 16, 28 * 16].contains(peak { _, y in y % 8 < 4 }))
    #expect(peak { x, y in (x + y) % 8 < 4 } == 4 * 16 + 4)
    #expect(peak { x, y in (x - y + 32) % 8 < 4 } == 28 * 16 + 4)
  }

  @Test func `cropping a plane keeps the remaining samples`() throws {
    var plane = try #require(Plane(width: 4, height: 3, samples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))
    plane.crop(width: 2, height: 2)
    #expect(plane.samples == [1, 2, 5, 6])
    plane.crop(width: 9, height: 9)
    #expect(plane.samples == [1, 2, 5, 6])
    #expect(Plane(width: 2, height: 2, samples: [1]) == nil)
  }
}

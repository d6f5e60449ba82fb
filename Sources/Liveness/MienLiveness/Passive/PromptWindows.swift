import MienCore

/// Compares the largest values of the windows after prompts with those of the other windows of the same check.
struct PromptWindows: Sendable {
  /// Time in seconds after a prompt within which the first value counts even if it comes after the window.
  private static let longestWait = 0.5

  /// Window to which values are attributed: its start, its number after a prompt, 0 for none, and its largest value.
  private var start: MonotonicInstant?
  private var number = 0
  private var largest: Float?
  /// Count, sum and sum of squares of the largest values of all windows, and of the first, second and third ones after prompts.
  private var all = SIMD3<Double>.zero
  private var first = SIMD3<Double>.zero
  private var second = SIMD3<Double>.zero
  private var third = SIMD3<Double>.zero

  /// Attributes the value of a frame to its window.
  ///
  /// - Parameters:
  ///   - value: `nil` if it could not be measured.
  ///   - prompt: time of the prompt since which this is the first frame.
  mutating func process(_ value: Float?, at time: MonotonicInstant, prompt: MonotonicInstant?, _ settings: CutSettings)
  {
    if let prompt {
      closeWindow()
      (start, number) = (prompt, 1)
    } else if let start {
      let age = time.since(start).inSeconds
      let isAwaited = number == 1 && largest == nil && age <= Self.longestWait
      if age > settings.window, !isAwaited {
        closeWindow()
        if (1...2).contains(number) {
          self.start = start + .seconds(settings.window)
          number += 1
        } else {
          (self.start, number) = (time, 0)
        }
      }
    } else {
      start = time
    }
    guard let value else { return }
    largest = largest.map { max($0, value) } ?? value
  }

  private mutating func closeWindow() {
    guard let largest else { return }
    self.largest = nil
    let value = Double(largest)
    let sums = SIMD3(1, value, value * value)
    all += sums
    switch number {
    case 1: first += sums
    case 2: second += sums
    case 3: third += sums
    default: break
    }
  }

  /// Returns the standard errors by which the values after prompts exceed the others; `nil` if there are too few.
  ///
  /// - Parameters:
  ///   - noise: uncertainty of a value, in its unit.
  ///   - countsLater: `true` if the second and the third window after a prompt count as well.
  func excess(noise: Double, countsLater: Bool, _ settings: CutSettings) -> Double? {
    guard var excess = excess(of: first, noise, settings) else { return nil }
    guard countsLater else { return excess }
    for windows in [second, third] {
      if let later = self.excess(of: windows, noise, settings) { excess = max(excess, settings.laterWeight * later) }
    }
    return excess
  }

  private func excess(of windows: SIMD3<Double>, _ noise: Double, _ settings: CutSettings) -> Double? {
    let others = all - windows
    guard windows.x >= Double(settings.minimumPrompts), others.x >= Double(settings.minimumWindows) else { return nil }
    let mean = others.y / others.x
    let variance = max(others.z / others.x - mean * mean, 0) + noise * noise
    return (windows.y / windows.x - mean) * (windows.x / variance).squareRoot()
  }
}

extension PromptWindows: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&start)
    coder.pass(&number)
    coder.pass(&largest)
    coder.pass(&all)
    coder.pass(&first)
    coder.pass(&second)
    coder.pass(&third)
    coder.require((0...3).contains(number))
  }
}

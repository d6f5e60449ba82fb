internal import MienCore

/// Comparison of all bona fide clips with each other.
struct ClipComparison {
  struct Pair {
    var first: Int
    var second: Int
    var similarity: Float
    var isSamePerson: Bool
  }

  private let clips: [ClipGroup]
  /// In ascending order.
  private let thresholds: [Double]
  /// Index of each requested threshold in ``thresholds``.
  private let order: [Int]
  private(set) var pairs: [Pair] = []
  private(set) var people = 0
  /// Counts of pairs of frames by the number of thresholds that their similarity reaches.
  private var sameClip: [Int]
  private var samePerson: [Int]
  private var otherPerson: [Int]
  /// Greatest similarity of each person's clips to another person's, and lowest to the person's own.
  private var greatest: [Float] = []
  private var lowest: [Float] = []
  /// Greatest similarity of each pair of people.
  private var greatestOfPairs: [Float] = []

  init(_ clips: [ClipGroup], thresholds: [Double]) {
    self.clips = clips
    let sorted = Set(thresholds).sorted()
    self.thresholds = sorted
    order = thresholds.map { threshold in sorted.firstIndex(of: threshold) ?? 0 }
    sameClip = Array(repeating: 0, count: sorted.count + 1)
    samePerson = sameClip
    otherPerson = sameClip
    compare()
  }

  private mutating func compare() {
    var numbers: [String: Int] = [:]
    let person = clips.map { clip -> Int in
      let number = numbers[clip.person] ?? numbers.count
      numbers[clip.person] = number
      return number
    }
    people = numbers.count
    greatest = Array(repeating: -2, count: people)
    lowest = Array(repeating: 2, count: people)
    var ofPeople: [Float] = Array(repeating: -2, count: people * people)
    for first in clips.indices {
      let own = clips[first].templates
      for (index, template) in own.enumerated() {
        for other in own[(index + 1)...] { sameClip[reached(template.similarity(to: other))] += 1 }
      }
      for second in clips.indices[(first + 1)...] {
        let found = clips[first].similarities(to: clips[second])
        guard let similarity = ClipGroup.median(found) else { continue }
        let (one, other) = (person[first], person[second])
        pairs.append(Pair(first: first, second: second, similarity: similarity, isSamePerson: one == other))
        if one == other {
          for value in found { samePerson[reached(value)] += 1 }
          lowest[one] = min(lowest[one], similarity)
        } else {
          for value in found { otherPerson[reached(value)] += 1 }
          for number in [one, other] { greatest[number] = max(greatest[number], similarity) }
          let place = min(one, other) * people + max(one, other)
          ofPeople[place] = max(ofPeople[place], similarity)
        }
      }
    }
    greatestOfPairs = ofPeople.filter { $0 > -2 }
  }

  /// Returns the number of thresholds that a similarity reaches.
  private func reached(_ similarity: Float) -> Int {
    var (low, high) = (0, thresholds.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(similarity) >= thresholds[middle] { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The rates at each requested threshold, in their order.
  var rows: [MatchEvaluation.Row] {
    order.map { index in
      let threshold = thresholds[index]
      /// Pairs below the threshold reach at most `index` thresholds.
      func below(_ counts: [Int]) -> Int { counts[...index].reduce(0, +) }
      let (own, others) = (samePerson.reduce(0, +), otherPerson.reduce(0, +))
      let withTwo = lowest.filter { $0 < 2 }
      return MatchEvaluation.Row(
        threshold: threshold, clips: rates(at: threshold),
        frames: MatchEvaluation.Rates(
          falseMatches: .init(others - below(otherPerson), of: others),
          falseNonMatches: .init(below(samePerson), of: own)),
        framesOfOneClip: .init(below(sameClip), of: sameClip.reduce(0, +)),
        peopleWithFalseMatch: ErrorRate(
          people > 1 ? greatest.count { Double($0) >= threshold } : 0, of: people > 1 ? people : 0),
        peopleWithFalseNonMatch: ErrorRate(withTwo.count { Double($0) < threshold }, of: withTwo.count),
        pairsOfPeopleWithFalseMatch: ErrorRate(
          greatestOfPairs.count { Double($0) >= threshold }, of: greatestOfPairs.count))
    }
  }

  private func rates(at threshold: Double) -> MatchEvaluation.Rates {
    var (matches, nonMatches, own) = (0, 0, 0)
    for pair in pairs {
      let isMatch = Double(pair.similarity) >= threshold
      if pair.isSamePerson {
        own += 1
        if !isMatch { nonMatches += 1 }
      } else if isMatch {
        matches += 1
      }
    }
    return MatchEvaluation.Rates(
      falseMatches: .init(matches, of: pairs.count - own), falseNonMatches: .init(nonMatches, of: own))
  }

  /// Returns the rates at the lowest thresholds with at most the given false match rates; omits rates of less than one
  /// pair.
  func detection(_ targets: [Double]) -> [MatchEvaluation.DETPoint] {
    let others = pairs.filter { !$0.isSamePerson }.map(\.similarity).sorted(by: >)
    guard others.count < pairs.count else { return [] }
    return targets.compactMap { target in
      // A rate below one error in all pairs cannot be measured.
      let allowed = Int(target * Double(others.count))
      guard allowed > 0, allowed < others.count else { return nil }
      // The first similarity above the one that may no longer match.
      let threshold = Double(others[allowed].nextUp)
      return MatchEvaluation.DETPoint(falseMatchRate: target, threshold: threshold, rates: rates(at: threshold))
    }
  }

  /// Returns the least similar pairs of one person, or the most similar of different people.
  func extremes(ofOnePerson isSame: Bool, most: Int) -> [MatchEvaluation.Pair] {
    pairs.filter { $0.isSamePerson == isSame }
      .sorted { isSame ? $0.similarity < $1.similarity : $0.similarity > $1.similarity }
      .prefix(most)
      .map { pair in
        MatchEvaluation.Pair(
          first: clips[pair.first].clip, second: clips[pair.second].clip,
          similarity: (Double(pair.similarity) * 10_000).rounded() / 10_000)
      }
  }
}

/// How long and how often to measure.
struct Effort {
    let samples: Int
    /// The least that one sample takes, in nanoseconds.
    let sampleTime: Double

    static let full = Effort(samples: 7, sampleTime: 50e6)
    static let quick = Effort(samples: 3, sampleTime: 2e6)
}

/// What one try at a workload gave; medians over its rounds.
struct Measurement {
    /// Nanoseconds for each operation.
    let subject: Double
    let byHand: Double
    /// The median of the rounds' ratios, not the ratio of the medians: the two samples of a round are neighbours in
    /// time, so a machine that slows down between rounds spoils neither.
    let ratio: Double
}

extension Workload {
    /// Takes the two sides in turns; which of them begins changes from round to round.
    func measure(_ effort: Effort) -> Measurement {
        let rounds = (subject.calibrate(effort), byHand.calibrate(effort))
        var samples: [(subject: Double, byHand: Double)] = []
        for sample in 0..<effort.samples {
            if sample.isMultiple(of: 2) {
                let subject = subject.sample(rounds.0)
                samples.append((subject, byHand.sample(rounds.1)))
            } else {
                let byHand = byHand.sample(rounds.1)
                samples.append((subject.sample(rounds.0), byHand))
            }
        }
        return Measurement(
            subject: median(samples.map(\.subject)),
            byHand: median(samples.map(\.byHand)),
            ratio: median(samples.map { comparesThroughput ? $0.byHand / $0.subject : $0.subject / $0.byHand }))
    }
}

extension Workload.Side {
    /// Nanoseconds for each operation, over so many rounds.
    func sample(_ rounds: Int) -> Double {
        run(rounds) / Double(rounds * operations)
    }

    /// How many rounds fill the time of a sample. Doubles as the warm-up.
    func calibrate(_ effort: Effort) -> Int {
        var rounds = 1
        while true {
            let time = max(run(rounds), 1)
            if time >= effort.sampleTime { return rounds }
            // A tenth more than is expected to suffice, but never a leap from a sample too short to tell.
            let factor = min(1.1 * effort.sampleTime / time, 100)
            rounds = max(rounds + 1, Int(Double(rounds) * factor))
        }
    }
}

/// The middle value; of an even number of values, the mean of the two in the middle.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

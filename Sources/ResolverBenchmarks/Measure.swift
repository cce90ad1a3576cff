/// The length and number of measurements.
struct Effort {
    let samples: Int
    /// The shortest time of one sample, in nanoseconds.
    let sampleTime: Double

    static let full = Effort(samples: 7, sampleTime: 50e6)
    static let quick = Effort(samples: 3, sampleTime: 2e6)
}

/// The result of one try at a workload: medians over its rounds.
struct Measurement {
    /// Nanoseconds for each operation.
    let subject: Double
    let byHand: Double
    /// The median of the rounds' ratios, and not the ratio of the medians. The two samples of a round are close in time, so a
    /// machine that slows down between rounds does not affect their ratio.
    let ratio: Double
}

extension Workload {
    /// Measures the two sides in turns. The side that begins alternates.
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
    /// Returns nanoseconds for each operation, over `rounds` rounds.
    func sample(_ rounds: Int) -> Double {
        run(rounds) / Double(rounds * operations)
    }

    /// Returns the number of rounds that fills the time of a sample. Also warms up.
    func calibrate(_ effort: Effort) -> Int {
        var rounds = 1
        while true {
            let time = max(run(rounds), 1)
            if time >= effort.sampleTime { return rounds }
            // A tenth more than expected to suffice, but limited, because a very short sample says little.
            let factor = min(1.1 * effort.sampleTime / time, 100)
            rounds = max(rounds + 1, Int(Double(rounds) * factor))
        }
    }
}

/// Returns the middle value, or the mean of the two middle values of an even number.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

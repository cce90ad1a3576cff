import Resolver

/// Several threads ask at the same moment for a service that is not there yet.
func rushHour() {
    section("Rush hour")

    step("Eight customers ask for recommendations at once")
    let customers = 8
    claim("there are none yet", Resolver.existing(Recommendations.self) == nil)
    let answers = Box<[Recommendations]>([])
    Threads.run(customers) { _ in
        let recommendations: Recommendations = Resolver.resolve()
        answers.append(recommendations)
    }
    let given = answers.value
    claim("all eight were answered", given.count == customers)
    claim("they were made once", Journal.made == ["Recommendations"])
    claim("all eight got the same instance", Set(given.map(ObjectIdentifier.init)).count == 1)
    claim("with sencha, people buy a pot", given.first?.with("sencha") == ["pot"])
}

import Resolver

/// Shared scope: one instance as long as somebody holds it.
func sendTheMail() {
    section("Sending the mail")
    let desk = OrderDesk()

    step("Two users of one connection")
    weak var connection: MailConnection?
    do {
        let newsletter: MailConnection = Resolver.resolve()
        newsletter.send("Sale!")
        connection = newsletter
        claim("the desk, which looks only now, gets the newsletter's connection", desk.mail === newsletter)
        claim("one connection was made", Journal.shared.madeInThisStep == ["MailConnection"])
    }

    step("The newsletter is done, the desk is not")
    claim("the connection is open", connection != nil)
    claim("it is the one that is handed out", Resolver.resolve(MailConnection.self) === connection)

    step("The desk lets go of it")
    desk.closeMail()
    claim("the connection is closed", connection == nil)

    step("The desk needs it again")
    desk.mail.send("One more thing")
    claim("a new one was made", Journal.shared.madeInThisStep == ["MailConnection"])
}

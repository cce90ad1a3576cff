import Resolver

/// Shared scope: one instance as long as a reference exists.
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
        claim("one connection was made", Journal.made == ["MailConnection"])
    }

    step("The newsletter is done, the desk is not")
    claim("the connection is open", connection != nil)
    claim("calls return it", Resolver.resolve(MailConnection.self) === connection)

    step("The desk releases it")
    desk.$mail.release()
    claim("the connection is closed", connection == nil)

    step("The desk needs it again")
    desk.mail.send("One more thing")
    claim("a new one was made", Journal.made == ["MailConnection"])
}

package io.bloomgate.gateway.smtp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of MAIL, RCPT, HELO and XCLIENT. */
final class CommandParsersTest {

  /** Reads an argument. */
  private interface Parser<T> {
    T parse() throws ArgumentException;
  }

  private static <T> T valid(Parser<T> argument) {
    return assertDoesNotThrow(argument::parse);
  }

  private static MailCommand mail(String argument) {
    return valid(() -> MailCommand.parse(argument));
  }

  private static RcptCommand rcpt(String argument) {
    return valid(() -> RcptCommand.parse(argument, false));
  }

  private static String refusal(Parser<?> argument) {
    return assertThrows(ArgumentException.class, argument::parse).reply().toString();
  }

  // ---- MAIL

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "FROM:<a@b.example>|a@b.example|a@b.example",
        "from: <A.b+c@B.example>|A.b+c@B.example|a.b+c@b.example",
        "FROM:<\"a b\"@c.example>|\"a b\"@c.example|\"a b\"@c.example",
        "FROM:<@x.example,@y.example:a@b.example>|a@b.example|a@b.example",
        "FROM:<a@[192.0.2.1]>|a@[192.0.2.1]|a@[192.0.2.1]",
        "FROM:<a@[IPv6:2001:db8::1]>|a@[IPv6:2001:db8::1]|a@[IPv6:2001:db8::1]",
        "FROM: \ta@b.example> SIZE=1|a@b.example|a@b.example",
        "FROM:<< a@B.example. >>\tSIZE=1|a@B.example|a@b.example",
        "FROM:@x.example.:a@b.example.|a@b.example|a@b.example",
        "FROM:<a..b@c.example>|a..b@c.example|a..b@c.example",
        "FROM:<.A@c.example>|.A@c.example|.a@c.example",
        "FROM:<root>|root|null",
      })
  void reversePathsAreKeptAsTheyCame(String argument, String text, String normal) {
    MailCommand mail = mail(argument);
    assertEquals(text, mail.from());
    assertEquals(normal, String.valueOf(mail.sender()));
  }

  @Test
  void everyCharacterOfAnAtomIsTaken() {
    String local = "!#$%&'*+-/=?^_`{|}~.x";
    assertEquals(local + "@b_c.example", mail("FROM:<" + local + "@b_c.example>").from());
  }

  @Test
  void nullReversePathHasNoAddress() {
    assertEquals(new MailCommand(""), mail("FROM:<>"));
    assertTrue(mail("FROM: < > SIZE=1").isFromNobody());
  }

  @Test
  void singleLabelDomainIsRelayedButNoKey() {
    assertEquals(new MailCommand("root@localhost"), mail("FROM:<root@localhost>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "TO:<a@b.example>",
        "FROM:<@b.example>",
        "FROM:a b@c.example",
        "FROM:<a@b.example..>",
        "FROM:<a@.>",
        "FROM:<a@[192.0.2.1].>",
        "FROM:a@b.example<",
        "FROM:\"a b\" <a@b.example>",
        "FROM:<a@b@c.example>",
        "FROM:<\"a@c.example>",
        "FROM:<\"a\"b@c.example>",
        "FROM:<a@-b.example>",
        "FROM:<a@b..example>",
        "FROM:<a@[192.0.2.256]>",
        "FROM:<a@[2001:db8::1]>",
        "FROM:<a@[IPv6:192.0.2.1]>",
        "FROM:<a@[192.0.2.1>",
        "FROM:<@x.example:>",
        "FROM:<@x.example a@b.example>",
        "FROM:<a@b.example>SIZE=1",
        "FROM:<a@b.example> =1",
        "FROM:<a@b.example> SIZE=",
        "FROM:<a@b.example> SIZE=-1",
        "FROM:<a@b.example> BODY=BINARYMIME",
        "FROM:<a@b.example> X\u00e4=1",
      })
  void malformedMailIsFiveHundredOne(String argument) {
    assertTrue(refusal(() -> MailCommand.parse(argument)).startsWith("501 5.5.4 "), argument);
  }

  @Test
  void lengthsAreThoseOfTheStandard() {
    String label = "d".repeat(63);
    String longLocal = "l".repeat(256 - "<@b.xyz>".length());
    assertEquals(254, mail("FROM:<" + longLocal + "@b.xyz>").from().length());
    assertTrue(refusal(() -> MailCommand.parse("FROM:<l" + longLocal + "@b.xyz>")).contains("256"));
    assertTrue(refusal(() -> MailCommand.parse("FROM:<a@" + label + "d.xyz>")).contains("63"));
    String domain = label + "." + label + "." + label + ".";
    int room = 256 - "<a@>".length() - domain.length();
    mail("FROM:<a@" + domain + "e".repeat(room) + ">");
    assertTrue(
        refusal(() -> MailCommand.parse("FROM:<a@" + domain + "e".repeat(room + 1) + ">"))
            .contains("256"));
  }

  @Test
  void parametersOfMail() {
    MailCommand all =
        mail("FROM:<a@b.example>  size=17 Body=8bitmime SMTPUTF8 RET=hdrs ENVID=QQ+2B314");
    assertEquals(
        new MailCommand(
            all.from(),
            all.sender(),
            all.senderDomain(),
            17,
            MailCommand.Body.EIGHT_BIT_MIME,
            true,
            "HDRS",
            "QQ+2B314"),
        all);
    assertEquals(Long.MAX_VALUE, mail("FROM:<a@b.example> SIZE=99999999999999999999").sizeOctets());
    assertEquals(
        Long.MAX_VALUE, mail("FROM:a@b.example SIZE=1\tSIZE=" + "9".repeat(99)).sizeOctets());
    assertEquals(
        Replies.UNKNOWN_PARAMETER.toString(),
        refusal(() -> MailCommand.parse("FROM:<a@b.example> AUTHS=<>")));
  }

  @Test
  void internationalAddressesNeedTheirParameter() {
    assertTrue(
        refusal(() -> MailCommand.parse("FROM:<j\u00f6rg@b.example>")).startsWith("553 5.6.7"));
    assertEquals(
        "j\u00f6rg@b\u00fccher.example",
        mail("FROM:<j\u00f6rg@b\u00fccher.example> SMTPUTF8").from());
    assertTrue(
        refusal(() -> RcptCommand.parse("TO:<j\u00f6rg@b.example>", false))
            .startsWith("553 5.6.7"));
    valid(() -> RcptCommand.parse("TO:<j\u00f6rg@b\u00fccher.example>", true));
    // 122 letters of two octets and twelve signs are 256.
    valid(() -> RcptCommand.parse("TO:<" + "\u00f6".repeat(122) + "@b.example>", true));
    refusal(() -> RcptCommand.parse("TO:<" + "\u00f6".repeat(123) + "@b.example>", true));
  }

  @Test
  void noLocalPartHidesTheSendersDomain() {
    for (String local : List.of("a", "\"a b\"", "\u0081", "\"\u0081\"", "a".repeat(200))) {
      MailCommand mail = mail("FROM:<" + local + "@bad.example> SMTPUTF8");
      assertEquals("bad.example", String.valueOf(mail.senderDomain()), local);
    }
    assertNull(mail("FROM:<a@[192.0.2.1]>").senderDomain());
  }

  // ---- RCPT

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "TO:<Bob@Example.COM>|Bob@Example.COM|bob|example.com|false",
        "to: <Postmaster>|Postmaster|postmaster||false",
        "TO:Bob@Example.COM.|Bob@Example.COM|bob|example.com|false",
        "TO:< .bob.@example.com. >|.bob.@example.com|.bob.|example.com|false",
        "TO:a%b@example.com.|a%b@example.com|a%b|example.com|true",
        "TO:<\"a@b\"@example.com>|\"a@b\"@example.com|a@b|example.com|true",
        "TO:<\"a\\@b\"@example.com>|\"a\\@b\"@example.com|a@b|example.com|true",
        "TO:<@r.example:a@example.com>|a@example.com|a|example.com|true",
        "TO:<a@[192.0.2.1]>|a@[192.0.2.1]|a|[192.0.2.1]|true",
        "TO:<a+b=c@example.com>|a+b=c@example.com|a+b=c|example.com|false",
      })
  void forwardPaths(String argument, String text, String local, String domain, boolean trick) {
    RcptCommand command = rcpt(argument);
    assertEquals(text, command.to());
    assertEquals(local, command.localPart());
    assertEquals(domain == null ? "" : domain, command.domain());
    assertEquals(trick, command.relayTrick());
  }

  @ParameterizedTest
  @CsvSource({
    "local.test, CANONICAL",
    "LOCAL.Test, CANONICAL",
    "xn--bcher-kva.test, CANONICAL",
    "b\u00fccher.test, CANONICAL",
    "bu\u0308cher.test, DISGUISED",
    "loca\u217c.test, DISGUISED",
    "local\u3002test, DISGUISED",
    "loc\u00adal.test, DISGUISED",
    "\uff4cocal.test, DISGUISED",
    "\u212aelvin.test, DISGUISED",
    "b\u00fccher-\u212a.test, DISGUISED",
    "\u217c.local.test, DISGUISED",
    "xn--0.test, INVALID",
    "a.192.0.2.1, INVALID",
    "loc\u2028al.test, INVALID",
    "\u217clocalhost, INVALID",
  })
  void aDomainIsWhatItIsWrittenAs(String domain, RcptCommand.Spelling spelling) {
    RcptCommand command = valid(() -> RcptCommand.parse("TO:<a@" + domain + ">", true));
    assertEquals(spelling, command.spelling(), domain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\uff05b", "a\ufe6ab", "a\uff01b", "a\uff20b", "\"a\ufe6bb\""})
  void relayTricksAreSeenBehindCompatibilityForms(String local) {
    assertTrue(
        valid(() -> RcptCommand.parse("TO:<" + local + "@local.test>", true)).relayTrick(), local);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TO:<bob>",
        "TO:<\"Postmaster@example.com>",
        "FROM:<a@b.example>",
      })
  void malformedRcptIsFiveHundredOne(String argument) {
    assertTrue(
        refusal(() -> RcptCommand.parse(argument, false)).startsWith("501 5.5.4 "), argument);
  }

  @Test
  void parametersOfRcpt() {
    RcptCommand all = rcpt("TO:<a@b.example> NOTIFY=SUCCESS,delay ORCPT=rfc822;a+2Bb@c.example");
    assertEquals(
        new RcptCommand(
            all.to(),
            all.localPart(),
            all.domain(),
            all.spelling(),
            "SUCCESS,delay",
            "rfc822;a+2Bb@c.example",
            false),
        all);
    assertTrue(
        refusal(() -> RcptCommand.parse("TO:<a@b.example> SIZE=1", false)).startsWith("555 5.5.4"));
  }

  // ---- the others

  @ParameterizedTest
  @CsvSource({
    "mail.Example.COM, mail.example.com",
    "[192.0.2.1], 192.0.2.1",
    "[IPv6:2001:db8::1], 2001:db8::1",
    "localhost,",
    "192.0.2.1,",
    "[192.0.2.999],",
    "under_score.example, under_score.example",
    "b\u00fcro.example, xn--bro-hoa.example",
    "mail.example., mail.example",
  })
  void heloKeys(String text, String key) {
    HeloName name = valid(() -> HeloName.parse(text));
    assertEquals(text, name.text());
    assertEquals(key, name.key() == null ? null : name.key().toString());
    assertEquals(name, valid(() -> HeloName.parse(text + "\t(office) [203.0.113.7]")));
  }

  @Test
  void helosBeyondTheirLengthAreCutAndAsked() {
    HeloName name = valid(() -> HeloName.parse("a".repeat(600) + ".b.example"));
    assertEquals("a".repeat(255), name.text());
    assertEquals("?.b.example", String.valueOf(name.key()));
  }

  @Test
  void verbsAreWholeWordsInAnyCase() {
    assertEquals(
        new CommandInput.Line("mAiL \t FROM:<a@b>  ", "MAIL", "FROM:<a@b>"),
        CommandInput.Line.parse("mAiL \t FROM:<a@b>  "));
    assertEquals(new CommandInput.Line("quit", "QUIT", ""), CommandInput.Line.parse("quit"));
    assertEquals(
        new CommandInput.Line(" \tnoop x", "NOOP", "x"), CommandInput.Line.parse(" \tnoop x"));
    for (String none : new String[] {"", " \t", "QUIT1", "MAIL:", " 1", "\u00e4"}) {
      assertEquals("", CommandInput.Line.parse(none).verb(), none);
    }
  }

  @Test
  void xclientAttributes() {
    XclientCommand command =
        valid(() ->
            XclientCommand.parse(
                "name=x+2By addr=IPV6:2001:db8::1 PORT=25 PROTO=SMTP HELO=[UNAVAILABLE]"
                    + " DESTADDR=[UNAVAILABLE] DESTPORT=[UNAVAILABLE]"));
    assertEquals("2001:db8::1", String.valueOf(command.address()));
    assertEquals(25, command.port());
    assertEquals(false, command.esmtp());
    assertEquals(-1, command.destinationPort());
    HeloName odd = valid(() -> XclientCommand.parse("NAME=+c3+a9 HELO=caf+E9.test")).helo();
    assertEquals(valid(() -> HeloName.parse("caf\u00e9.test")), odd, "as EHLO takes it");
    assertEquals(
        "", Objects.requireNonNull(valid(() -> XclientCommand.parse("HELO=")).helo()).text());
    for (String bad :
        new String[] {
          "",
          "ADDR",
          "ADDR=",
          "ADDR=1.2.3",
          "PORT=65536",
          "PORT=x",
          "PROTO=LMTP",
          "HELO=+20",
          "=x",
          "ADDR=1.2.3.4+0",
          "DESTADDR=x"
        }) {
      assertThrows(ArgumentException.class, () -> XclientCommand.parse(bad), bad);
    }
  }
}

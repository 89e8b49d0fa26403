package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.session;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signs that a mail shows by its links, its addresses and the letters of its header. */
class MailSignsTest {

  private static final String IP = "203.0.113.7";

  @TempDir private Path directory;

  private static MailEvidence evidence(String mail) {
    MailReader reader =
        new MailReader(MimeLimits.DEFAULTS, Check.OF_CONTENT, 7, false, Runnable::run);
    byte[] octets = mail.getBytes(UTF_8);
    reader.put(octets, 0, octets.length);
    return reader.end();
  }

  private static List<Content.Shown> shown(String mail) {
    return MailSigns.of(
        evidence(mail),
        OwnDomains.of(List.of("example.com")),
        List.of(
            World.domain("paypal.example"),
            World.domain("bank.example"),
            World.domain("north-pay.example")));
  }

  private static String found(String mail) {
    return shown(mail).stream()
        .map(sign -> sign.sign().key() + ": " + sign.seen())
        .collect(Collectors.joining("; "));
  }

  private static String header(String from, String subject) {
    return "From: " + from + "\r\nSubject: " + subject + "\r\n\r\ntext\r\n";
  }

  @ParameterizedTest
  @CsvSource({
    "http://198.51.100.9/login, link_to_address: 198.51.100.9",
    "http://198.51.100.9:8080/, link_to_address: 198.51.100.9",
    "http://3325256713/, link_to_address: 198.51.100.9",
    "http://[2001:db8::9]/a, link_to_address: 2001:db8::9",
    "http://192.168.1.1/, ''",
    "http://127.0.0.1:2525/, ''",
    "https://198.51.100.9.example/, ''",
    "198.51.100.9, ''",
  })
  void aLinkToAnAddress(String link, String expected) {
    assertEquals(expected, found("From: a@b.example\r\n\r\nSee " + link + " now.\r\n"));
  }

  @Test
  void aNestedMailShowsNothing() {
    assertEquals(
        "",
        found(
            String.join(
                "\r\n",
                "From: a@b.example",
                "Content-Type: message/rfc822",
                "",
                "From: \"x@y.example\" <a@b.example>",
                "Reply-To: x@gmail.com",
                "Subject: \ud835\udc00",
                "",
                "http://198.51.100.9/")));
  }

  @ParameterizedTest
  @CsvSource({
    "a@b.example, x@gmail.com, free_mail_reply_to: gmail.com for b.example",
    "a@b.example, x@c.example, ''",
    "a@gmail.com, x@gmail.com, ''",
    "a@gmail.com, x@hotmail.com, ''",
    "a@b.example, 'x@c.example, y@hotmail.com', free_mail_reply_to: hotmail.com for b.example",
    "none, x@gmail.com, ''",
  })
  void answersToFreeMail(String from, String replyTo, String expected) {
    assertEquals(
        expected, found("From: " + from + "\r\nReply-To: " + replyTo + "\r\n\r\ntext\r\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"service@pay.example\" <a@b.example> | address_in_from_name: pay.example",
        "service@pay.example <a@b.example> | address_in_from_name: pay.example",
        "=?utf-8?q?service=40pay.example?= <a@b.example> | address_in_from_name: pay.example",
        "=?utf-8?b?c2VydmljZUBwYXkuZXhhbXBsZQ==?= <a@b.example> | address_in_from_name:"
            + " pay.example",
        "\"a@b.example\" <a@b.example> | ''",
        "\"A@B.Example\" <a@b.example> | ''",
        "\"a@b.example\" <a@mail.b.example> | ''",
        "\"Jim @ Work\" <a@b.example> | ''",
        "\"Jim@Work\" <a@b.example> | ''",
        "a@b.example (x@b.example) | ''",
      })
  void anAddressInTheName(String from, String expected) {
    assertEquals(expected, found(header(from, "s")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a@example.com | own_name_in_from: example.com",
        "a@sub.example.com | ''",
        "PayPal <a@b.example> | own_name_in_from: paypal.example",
        "\"Your PAYPAL team\" <a@b.example> | own_name_in_from: paypal.example",
        "\uff30\uff41\uff59\uff30\uff41\uff4c <a@b.example> | own_name_in_from: paypal.example",
        "Paypalace <a@b.example> | ''",
        "North-Pay service <a@b.example> | own_name_in_from: north-pay.example",
        "\"North Pay\" <a@b.example> | own_name_in_from: north-pay.example",
        "Pay North <a@b.example> | ''",
        "a@mail.bank.example | own_name_in_from: bank.example",
        "a@notbank.example | ''",
      })
  void oursOrABrandInFrom(String from, String expected) {
    assertEquals(expected, found(header(from, "s")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ihre Rechnung f\u00fcr M\u00e4rz",
        "\u0421\u0447\u0451\u0442 \u0437\u0430 IT-\u0443\u0441\u043b\u0443\u0433\u0438,"
            + " USB-\u043a\u0430\u0431\u0435\u043b\u044c",
        "\u8acb\u6c42\u66f8PDF\u306e\u304a\u77e5\u3089\u305b\u30ab\u30bf\u30ab\u30ca\uff28\uff29",
        "10 k\u03a9 and 5 \u03bcmol",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", // Persian, with a joiner
        "\u0915\u094d\u200d\u0937", // Hindi, with a joiner
        "\u05e9\u05dc\u05d5\u05dd \u200fabc", // Hebrew, with a mark of direction
        "\ud83d\udc69\u200d\ud83d\udcbb \ud83c\uddea\ud83c\uddfa \u2764\ufe0f party",
        "cafe\u0301 nai\u0308ve",
        "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u200b\u0e04\u0e23\u0e31\u0e1a",
        "\ufeffNews",
        "\u2460 one, \u2122 mark, \u212b, x\u00b2",
      })
  void lettersThatGoodMailNeeds(String text) {
    assertEquals("", found(header(text + " <a@b.example>", text)));
  }

  @ParameterizedTest
  @CsvSource({
    "\ud835\udd38\ud835\udd50 account, mathematical or enclosed letters",
    "\u24b6\u24d2\u24d2ount, mathematical or enclosed letters",
    "Pay\u200bPal, invisible characters inside a word",
    "In\u00advoice, invisible characters inside a word",
    "A\u2060\u2063ccount, invisible characters inside a word",
    "in\u202evoice, characters in another order",
    "P\u0430ypal, letters of two scripts in one word",
    "\u041c\u0456cr\u043esoft, letters of two scripts in one word",
    "G\u03bf\u03bfgle, letters of two scripts in one word",
  })
  void lettersThatImitate(String text, String expected) {
    assertEquals("odd_letters: " + expected, found(header("a@b.example", text)));
    assertEquals("odd_letters: " + expected, found(header(text + " <a@b.example>", "s")));
  }

  @Test
  void onlySignsOfTheSettingsCountAndAloneOrWithAListInARule() {
    String mail =
        "From: a@b.example\r\nReply-To: x@gmail.com\r\nSubject: s\r\n\r\nhttp://198.51.100.9/\r\n";
    World world = new World(directory).feed("weak", Action.OBSERVE, Set.of(Check.CLIENT_IP), IP);
    world.signs(Map.of(Sign.LINK_TO_ADDRESS, Action.OBSERVE));
    assertEquals(Set.of(Check.URL_HOST), Set.copyOf(world.policy().asked().contentChecks()));
    Content content = content(world.policy().signsOf(evidence(mail)));
    assertEquals(List.of(Sign.LINK_TO_ADDRESS), signs(content));
    Facts facts = session(IP, "h.example.org", "a@b.example").withContent(content);
    assertInstanceOf(Verdict.Accept.class, world.decide(facts));
    world.any("both", 2, Action.REJECT, "weak", "link_to_address");
    assertInstanceOf(Verdict.Reject.class, world.decide(facts));
    Facts other = session("203.0.113.8", "h.example.org", "a@b.example").withContent(content);
    assertInstanceOf(Verdict.Accept.class, world.decide(other));
  }

  private static Content content(List<Content.Shown> signs) {
    return new Content(List.of(), Action.REJECT, null, signs);
  }

  private static List<Sign> signs(Content content) {
    return content.signs().stream().map(Content.Shown::sign).toList();
  }

  @Test
  void theNetworkOfTheNameMayClaimIt() {
    World world = new World(directory).signs(Map.of(Sign.OWN_NAME_IN_FROM, Action.TAG));
    Content content = content(shown(header("a@example.com", "s")));
    Facts facts = session(IP, "h.example.org", "a@b.example").withContent(content);
    assertInstanceOf(Verdict.Tag.class, world.decide(facts));
    assertInstanceOf(Verdict.Tag.class, world.decide(named(facts, "example.com.evil.example")));
    assertInstanceOf(Verdict.Accept.class, world.decide(named(facts, "out.example.com")));
  }

  private static Facts named(Facts facts, String name) {
    return facts.withSeen(facts.seen().withName(new ClientName(name, ClientName.State.CONFIRMED)));
  }

  @Test
  void whatAMailShowsIsNotTheProvidersOfItsSender() {
    World world = new World(directory).signs(Map.of(Sign.LINK_TO_ADDRESS, Action.TAG));
    world.protect("mail-providers", IP + "/32");
    Content content = content(shown("From: a@b.example\r\n\r\nhttp://198.51.100.9/\r\n"));
    Facts facts = session(IP, "h.example.org", "a@b.example").withContent(content);
    assertInstanceOf(Verdict.Tag.class, world.decide(facts));
  }
}

package io.bloomgate.gateway.log;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionLine.DecisionFields;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that other tools read, letter by letter, and what forgers try on them. */
final class DecisionLineTest {

  /** The stock filter of fail2ban 1.0.2, postfix.conf: its prefix and first expressions. */
  private static final Pattern FAIL2BAN =
      Pattern.compile(
          "^\\w{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\S+ postfix(?:/\\w+)*/smtpd\\[\\d+\\]: "
              + "\\w+: (?:milter-)?reject: "
              + "RCPT from [^\\[]*\\[(?<host>[0-9a-f.:]+)\\](?::\\d+)?: 55[04] 5\\.7\\.1\\s.*$");

  private static final String TAG = "postfix/bloomgate/smtpd";
  private static final String HEAD = "Nov  1 07:39:01 mx1 postfix/bloomgate/smtpd[4121]: ";
  private static final String CLIENT = "203.0.113.7";
  private static final Reply OK = Reply.of(250, "2.0.0", "Ok: queued as 4X");

  private static DecisionLine line(Format format, Privacy privacy) {
    return new DecisionLine(format, privacy, "mx1", TAG, 4121, false, ZoneOffset.UTC, false);
  }

  private static String postfix(DecisionRecord record) {
    return line(Format.POSTFIX, Privacy.FULL).of(record);
  }

  @Test
  void refusalIsTheLineOfPostfix() {
    assertEquals(
        HEAD
            + "NOQUEUE: reject: RCPT from unknown[203.0.113.7]: 554 5.7.1 Service unavailable;"
            + " Client host [203.0.113.7] blocked using drop [7K3Q9ZT2AB]; from=<a@spam.example>"
            + " to=<bob@example.com> proto=ESMTP helo=<spam.example>",
        postfix(Decisions.refused(CLIENT, "drop")));
  }

  @ParameterizedTest
  @ValueSource(strings = {CLIENT, "2001:db8::7"})
  void stockFilterBansTheClientOfARefusal(String client) {
    var match = FAIL2BAN.matcher(postfix(refusedOf(client)));
    assertTrue(match.matches());
    assertEquals(client, match.group("host"));
  }

  /** Who forwards mail is not who wrote it: the filter takes any command of four letters. */
  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"REFUSED", "WOULD_REFUSE", "TURNED_AWAY"})
  void stockFilterBansNoForwarderOfListedContent(Outcome outcome) {
    Pattern anyCommand = Pattern.compile(FAIL2BAN.pattern().replace("RCPT", "[A-Z]{4}"));
    assertTrue(anyCommand.matcher(postfix(refusedOf(CLIENT))).matches(), "by the client");
    String line = postfix(Decisions.refusedByContent(CLIENT, outcome));
    assertHas(line, ": END-OF-MESSAGE from unknown[203.0.113.7]: 554 5.7.1 ");
    assertFalse(anyCommand.matcher(line).matches(), line);
  }

  private static DecisionRecord refusedOf(String client) {
    return listed(client, Outcome.REFUSED, client, "");
  }

  private static DecisionRecord listed(String client, Outcome outcome, String entry, String from) {
    return Decisions.record(
        client,
        outcome,
        Decisions.rejectedBy("drop", entry, client),
        Decisions.refusal(client, "drop", Decisions.ID),
        "spam.example",
        from,
        "bob@example.com");
  }

  /** Whatever the reply says: only what we refused ourselves may ban. */
  @ParameterizedTest
  @EnumSource(Outcome.class)
  void stockFilterBansNoOtherClient(Outcome outcome) {
    DecisionRecord record = listed(CLIENT, outcome, CLIENT, "a@spam.example");
    boolean ours = outcome == Outcome.REFUSED || outcome == Outcome.PROTOCOL;
    assertEquals(
        ours && record.stage().name().equals("RCPT"), FAIL2BAN.matcher(postfix(record)).matches());
  }

  @Test
  void observedRefusalIsAWarning() {
    DecisionRecord record = listed(CLIENT, Outcome.WOULD_REFUSE, "203.0.113.0/24", "");
    assertEquals(
        HEAD
            + "NOQUEUE: reject_warning: RCPT from unknown[203.0.113.7]: 554 5.7.1 Service"
            + " unavailable; Client host [203.0.113.7] blocked using drop [7K3Q9ZT2AB]; from=<>"
            + " to=<bob@example.com> proto=ESMTP helo=<spam.example>",
        postfix(record));
  }

  @Test
  void theLineOfRelayedMailHasItsOutcome() {
    DecisionRecord record =
        Decisions.mail(
            "192.0.2.1",
            Outcome.DELIVERED,
            Decisions.taggedBy("throwaway", "192.0.2.0/28", "192.0.2.1"),
            OK,
            "bob@example.com",
            "eve@example.com");
    assertEquals(
        HEAD
            + "NOQUEUE: tag: DATA from unknown[192.0.2.1]: 250 2.0.0 Ok: queued as 4X;"
            + " from=<a@b.example> to=<bob@example.com> to=<eve@example.com> proto=ESMTP"
            + " helo=<mail.example> feed=throwaway entry=192.0.2.0/28 id=7K3Q9ZT2AB nrcpt=2"
            + " size=4096 ms=12 outcome=delivered",
        postfix(record));
    String observed = postfix(Decisions.observed(record));
    assertTrue(observed.startsWith(HEAD + "NOQUEUE: tag_warning: DATA from"), observed);
    assertTrue(observed.endsWith(" outcome=delivered would=tag"), observed);
    assertFalse(FAIL2BAN.matcher(observed).matches());
  }

  @Test
  void theLineOfMailThatQuotesRefusalsNamesThem() {
    DecisionRecord record =
        Decisions.quoting(
            Decisions.mail(
                "192.0.2.1", Outcome.DELIVERED, Decisions.accepted(), OK, "postmaster@example.com"),
            "7K3Q9ZT2AC",
            "7K3Q9ZT2AD");
    String end = " outcome=delivered incident=7K3Q9ZT2AC,7K3Q9ZT2AD";
    assertTrue(postfix(record).endsWith(end), postfix(record));
    JsonObject fields = DecisionFields.of(record.standingFor(2), Privacy.FULL, false);
    assertEquals("7K3Q9ZT2AC,7K3Q9ZT2AD", fields.text("incident").orElseThrow());
  }

  @Test
  void lostAfterTheFinalDotIsUnknown() {
    DecisionRecord record =
        Decisions.mail(
            "192.0.2.1",
            Outcome.UNKNOWN,
            Decisions.accepted(),
            Reply.of(451, "4.4.2", "Lost connection"),
            "bob@example.com");
    assertTrue(postfix(record).endsWith(" outcome=unknown"), postfix(record));
  }

  @Test
  void underTheJournalTheLineBeginsAtNoqueue() {
    DecisionLine line =
        new DecisionLine(
            Format.POSTFIX, Privacy.FULL, "mx1", TAG, 4121, true, ZoneOffset.UTC, false);
    assertTrue(line.of(Decisions.refused(CLIENT, "drop")).startsWith("NOQUEUE: reject: "));
  }

  @Test
  void keyValueHasTheFieldsThatAreDocumentedInOrder() {
    assertEquals(
        "ts=2026-11-01T07:39:01Z event=verdict verdict=reject stage=rcpt client_ip=203.0.113.7"
            + " helo=spam.example from=a@spam.example to=bob@example.com feed=drop"
            + " entry=203.0.113.0/24 generation=412 code=554 enhanced=5.7.1 id=7K3Q9ZT2AB size=0"
            + " ms=12 outcome=refused mode=enforce proto=ESMTP",
        line(Format.KV, Privacy.FULL).of(Decisions.refused(CLIENT, "drop")));
  }

  @Test
  void jsonIsOneObjectWithTheSameFields() throws Exception {
    String text = line(Format.JSON, Privacy.FULL).of(Decisions.refused(CLIENT, "drop"));
    assertFalse(text.contains("\n"));
    JsonObject json = (JsonObject) Json.parse(text);
    assertEquals("reject", json.text("verdict").orElseThrow());
    assertEquals("drop", json.text("feed").orElseThrow());
    assertEquals(19, json.members().size());
  }

  /** A forged HELO or address makes neither a further line nor a further field, in no format. */
  @ParameterizedTest
  @EnumSource(Format.class)
  void forgedValuesStayValues(Format format) {
    String forged =
        "x> from=<victim@example.org>\r\nNov  1 00:00:00 mx1 postfix/smtpd[1]: NOQUEUE: reject:"
            + " RCPT from unknown[192.0.2.99]: 554 5.7.1 \" verdict=accept ; \u00e9\u0000\\x41";
    DecisionRecord honest = Decisions.refused(CLIENT, "drop");
    DecisionRecord record =
        Decisions.record(
            CLIENT, Outcome.REFUSED, honest.verdict(), honest.reply(), forged, forged, forged);
    String text = line(format, Privacy.FULL).of(record);
    String plain = line(format, Privacy.FULL).of(honest);
    assertTrue(text.chars().allMatch(c -> c >= ' ' && c <= '~'), text);
    assertEquals(plain.split(" ", -1).length, text.split(" ", -1).length, text);
    assertEquals(count(plain, '='), count(text, '='), text);
    assertEquals(count(plain, '<'), count(text, '<'), text);
    if (format == Format.POSTFIX) {
      var match = FAIL2BAN.matcher(text);
      assertTrue(match.matches());
      assertEquals(CLIENT, match.group("host"));
    }
  }

  /** An upstream may quote a recipient that looks like a field. */
  @Test
  void aReplyCannotOpenAField() {
    DecisionRecord record =
        Decisions.record(
            "192.0.2.1",
            Outcome.UPSTREAM_REFUSED,
            Decisions.accepted(),
            Reply.of(550, "5.1.1", "<x; from=<victim@example.org> to=<y>: unknown"),
            "mail.example",
            "a@b.example",
            "bob@example.com");
    String text = postfix(record);
    assertEquals(1, Arrays.stream(text.split(" ", -1)).filter(w -> w.startsWith("from=<")).count());
    assertHas(text, "from\\x3D<victim@example.org>");
  }

  @Test
  void privacyShortensAddressesEverywhere() {
    DecisionRecord record =
        Decisions.record(
            "192.0.2.1",
            Outcome.PROTOCOL,
            null,
            Reply.of(554, "5.7.1", "<\"b o\"@elsewhere.example>: Relay access denied"),
            "joe@b.example",
            "a@b.example",
            "\"b o\"@elsewhere.example");
    for (Format format : Format.values()) {
      String domainOnly = line(format, Privacy.NO_LOCALPART).of(record);
      assertFalse(domainOnly.contains("b o") || domainOnly.contains("a@b"), domainOnly);
      assertLacks(domainOnly, "joe@");
      String none = line(format, Privacy.NO_ADDRESSES).of(record);
      assertFalse(none.contains("elsewhere") || none.contains("b.example"), none);
    }
    assertTrue(
        line(Format.POSTFIX, Privacy.NO_LOCALPART)
            .of(record)
            .contains(
                ": 554 5.7.1 <*@elsewhere.example>: Relay access denied; from=<*@b.example>"));
  }

  @Test
  void theRuleThatRefusedIsNamedAtTheEnd() {
    String text = postfix(Decisions.refusedByRule(CLIENT, "weak", "zen", "dbl"));
    assertTrue(text.endsWith(" helo=<spam.example> rule=weak"), text);
    assertTrue(FAIL2BAN.matcher(text).matches(), text);
  }

  private static DecisionRecord delivered(Verdict verdict) {
    return Decisions.mail(CLIENT, Outcome.DELIVERED, verdict, OK, "postmaster@example.com");
  }

  static List<Arguments> passed() {
    return List.of(
        Arguments.of(Decisions.letIn("weak", CLIENT), " greylist=let_in"),
        Arguments.of(Decisions.exemptRecipient("drop", CLIENT), " listed=drop exempt=recipient"),
        Arguments.of(Decisions.allowed("drop", CLIENT, "a19"), " listed=drop allowed=a19"),
        Arguments.of(Decisions.exemptAmong("evil.example"), " exempt=recipient"));
  }

  @ParameterizedTest
  @MethodSource("passed")
  void mailOfAListedClientSaysWhyItPassed(Verdict verdict, String end) {
    String members = end.replaceAll(" (\\w+)=(\\w+)", ",\"$1\":\"$2\"") + "}";
    for (Format format : Format.values()) {
      String line = line(format, Privacy.FULL).of(delivered(verdict));
      assertTrue(line.endsWith(format == Format.JSON ? members : end), line);
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theProfileOfTheRecipientIsNamed(Format format) {
    Verdict verdict = Decisions.ofProfile("drop", CLIENT, "off", "quiet@b.example");
    String full = line(format, Privacy.FULL).of(delivered(verdict)).replace("\":\"", "=");
    assertHas(full, "profile=off(quiet@b.example)");
    String masked = line(format, Privacy.NO_LOCALPART).of(delivered(verdict));
    assertHas(masked, "off(*@b.example)");
    assertLacks(masked, "quiet");
  }

  private static long count(String text, char wanted) {
    return text.chars().filter(c -> c == wanted).count();
  }

  private static DecisionLine line(Format format, Privacy privacy, boolean connections) {
    return new DecisionLine(
        format, privacy, "mx1", "postfix/smtpd", 4121, false, ZoneOffset.UTC, connections);
  }

  private static final ConnectionEnd END =
      new ConnectionEnd(
          Decisions.NOW,
          "8M4R0AV3BC",
          IpAddress.parse("203.0.113.7").toOptional().orElseThrow(),
          "a b@spam.example",
          false,
          Reply.of(421, "4.7.0", "Too many errors"),
          2,
          Duration.ofMillis(1500));

  /** Neither the stock filter of fail2ban nor its stricter modes take it for a refusal. */
  @Test
  void theEndOfAConnectionIsALineLikeThatOfPostfix() {
    assertEquals(
        "Nov  1 07:39:01 mx1 postfix/smtpd[4121]: disconnect from unknown[203.0.113.7]"
            + " helo=<*@spam.example> connection=8M4R0AV3BC end=cut code=421 enhanced=4.7.0"
            + " transactions=2 ms=1500",
        line(Format.POSTFIX, Privacy.NO_LOCALPART, true).of(END));
    assertEquals(
        "ts=2026-11-01T07:39:01Z event=connection client_ip=203.0.113.7"
            + " helo=a\\x20b@spam.example connection=8M4R0AV3BC end=cut code=421 enhanced=4.7.0"
            + " transactions=2 ms=1500",
        line(Format.KV, Privacy.FULL, true).of(END));
    assertEquals(
        "{\"ts\":\"2026-11-01T07:39:01Z\",\"event\":\"connection\",\"client_ip\":\"203.0.113.7\","
            + "\"helo\":\"*\",\"connection\":\"8M4R0AV3BC\",\"end\":\"cut\",\"code\":421,"
            + "\"enhanced\":\"4.7.0\",\"transactions\":2,\"ms\":1500}",
        line(Format.JSON, Privacy.NO_ADDRESSES, true).of(END));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void linesNameTheConnectionWhereTheSettingsAskForIt(Format format) {
    DecisionRecord plain = Decisions.refused("203.0.113.7", "drop");
    DecisionRecord record =
        Decisions.with(
            plain, plain.id(), plain.time(), Decisions.trace("[::]:25", null, null, "8M4R0AV3BC"));
    assertEquals(
        line(format, Privacy.FULL, false).of(plain), line(format, Privacy.FULL, false).of(record));
    String named = line(format, Privacy.FULL, true).of(record);
    assertTrue(
        named.contains(
            format == Format.JSON ? "\"connection\":\"8M4R0AV3BC\"" : "connection=8M4R0AV3BC"),
        named);
  }
}

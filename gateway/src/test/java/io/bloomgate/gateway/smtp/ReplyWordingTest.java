package io.bloomgate.gateway.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.ListRule;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.decision.Whereabouts;
import io.bloomgate.blocklists.index.ListingFixture;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Sign;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What refusals say, and that nothing from outside breaks a line of them. */
final class ReplyWordingTest {

  private static Verdict.Reject reject(Check check, ListKey subject) {
    Ground.Listed ground =
        new Ground.Listed(
            check, subject, ListingFixture.network("drop", "203.0.113.0/24", 3), Action.REJECT);
    return new Verdict.Reject(ground, new Grounds(1, List.of(ground), List.of(), List.of(), null));
  }

  private static ListKey ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static ListKey address(String text) {
    return MailAddress.parse(text).toOptional().orElseThrow();
  }

  @Test
  void verdictsNameSubjectAndFeed() {
    ListKey domain = DomainName.parse("spam.example").toOptional().orElseThrow();
    String[][] cases = {
      {"Client host [203.0.113.7]", say(Check.CLIENT_IP, ip("203.0.113.7"))},
      {"Client host [2001:db8::7]", say(Check.CLIENT_IP, ip("2001:db8::7"))},
      {"Helo command [spam.example]", say(Check.HELO, domain)},
      {"Sender address [a@spam.example]", say(Check.SENDER, address("a@spam.example"))},
      {"Sender domain [spam.example]", say(Check.SENDER_DOMAIN, domain)},
      {"AS number of client [203.0.113.7]", say(Check.ASN, ip("203.0.113.7"))},
    };
    for (String[] each : cases) {
      assertEquals(
          "554 5.7.1 Service unavailable; " + each[0] + " blocked using drop [7K3Q9ZT2AB]",
          each[1]);
    }
  }

  /** What the sender reads: no hash of a text, and a query as it is in the mail. */
  @Test
  void whatAMailCarriesIsNamedInWords() {
    ListKey hash = Fingerprint.parse("0123456789abcdef".repeat(4)).toOptional().orElseThrow();
    ListKey like = Likeness.of(new short[Likeness.MINIMA]);
    String[][] cases = {
      {"URL [evil.example/a?x=1&y=]", say(Check.URL, url("http://evil.example/a?x=1&y= "))},
      {
        "URL [evil.example/\\x5Ba;b\\x5D]".replace(";", "\\x3B"),
        say(Check.URL, url("http://evil.example/[a;b]"))
      },
      {"Subject of this mail", say(Check.SUBJECT, hash)},
      {"Text of this mail", say(Check.BODY, hash)},
      {"Text of this mail (like one that was blocked)", say(Check.BODY, like)},
      {"Attachment [SHA-256 0123456789ab...]", say(Check.ATTACHMENT, hash)},
    };
    for (String[] each : cases) {
      assertEquals(
          "554 5.7.1 Service unavailable; " + each[0] + " blocked using drop [7K3Q9ZT2AB]",
          each[1]);
    }
    String whole = say(Check.URL, url("http://evil.example/" + "=[".repeat(2_000)));
    assertTrue(whole.length() < Reply.MAX_LINE_OCTETS, whole);
  }

  private static ListKey url(String text) {
    return WebUrl.parse(text).toOptional().orElseThrow();
  }

  @Test
  void aBlockOfTheOperatorIsLocalPolicy() {
    ListKey client = ip("203.0.113.7");
    IpPrefix network = IpPrefix.parse("203.0.113.0/24").toOptional().orElseThrow();
    OperatorEntry block =
        new NewEntry(ListKind.BLOCK, network, null, Set.of(), false, "", null)
            .entry("b1", "alice", Instant.EPOCH);
    Ground.Blocked ground = new Ground.Blocked(Check.CLIENT_IP, client, block);
    Verdict.Reject verdict =
        new Verdict.Reject(ground, new Grounds(1, List.of(ground), List.of(), List.of(), null));
    assertEquals(
        "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using local policy [X]",
        VerdictReplies.reject(verdict, "", "X").toString());
  }

  @Test
  void aRuleNamesTheListsThatCountedAsFarAsALineHasRoom() {
    assertEquals(
        "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using a, b [7K3Q9ZT2AB]",
        sayRule("a", "b"));
    String long60 = "x".repeat(60);
    String reply = sayRule(long60 + "1", long60 + "2", long60 + "3", long60 + "4");
    assertTrue(reply.contains("blocked using " + long60 + "1 and 3 more ["), reply);
    assertTrue(reply.length() < Reply.MAX_LINE_OCTETS, reply);
  }

  @Test
  void aRuleSaysInWordsWhatTheClientShowed() {
    assertEquals(
        "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using a; it has no"
            + " reverse name (PTR) in DNS; Helo command [192.0.2.9] is not the address of the"
            + " client [7K3Q9ZT2AB]",
        sayRule(
            List.of(
                listed("a"),
                sign(Sign.NO_REVERSE_NAME, "203.0.113.7", ""),
                sign(Sign.HELO_LITERAL_OF_OTHER, "192.0.2.9", ""))));
    assertEquals(
        "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked: it spoke before the"
            + " greeting of this server; it has no reverse name (PTR) in DNS [7K3Q9ZT2AB]",
        sayRule(
            List.of(
                sign(Sign.NO_REVERSE_NAME, "203.0.113.7", ""),
                sign(Sign.EARLY_TALKER, "203.0.113.7", ""))));
  }

  @Test
  void aRuleWithLongNamesKeepsTheLineLimit() {
    String seen = "x".repeat(60) + "." + "y".repeat(60) + ".example";
    List<Ground> all =
        List.of(
            listed("l".repeat(60) + "1"),
            listed("l".repeat(30) + "2"),
            listed("l".repeat(60) + "3"),
            sign(Sign.UNCONFIRMED_NAME, "203.0.113.7", seen),
            sign(Sign.GENERIC_NAME, "203.0.113.7", seen),
            sign(Sign.HELO_LITERAL_OF_OTHER, "192.0.2.9", ""),
            sign(Sign.EARLY_TALKER, "203.0.113.7", ""));
    String reply = sayRule(all, "https://help.example/" + "p".repeat(100));
    assertTrue(reply.length() + 2 <= Reply.MAX_LINE_OCTETS, reply.length() + " " + reply);
    assertTrue(
        reply.endsWith(" more; see https://help.example/" + "p".repeat(100) + " [7K3Q9ZT2AB]"),
        reply);
  }

  private static Ground sign(Sign sign, String subject, String seen) {
    IpAddress client = IpAddress.parse("203.0.113.7").toOptional().orElseThrow();
    return new Ground.BySign(sign, ip(subject), client, seen, Action.OBSERVE);
  }

  private static Ground listed(String list) {
    return new Ground.Listed(
        Check.CLIENT_IP,
        ip("203.0.113.7"),
        ListingFixture.network(list, "203.0.113.0/24", 3),
        Action.OBSERVE);
  }

  private static String sayRule(String... lists) {
    return sayRule(Stream.of(lists).map(ReplyWordingTest::listed).toList());
  }

  private static String sayRule(List<Ground> listed) {
    return sayRule(listed, "");
  }

  private static String sayRule(List<Ground> listed, String helpUrl) {
    List<String> names =
        listed.stream().map(Ground.Found.class::cast).map(Ground.Found::source).toList();
    Rule rule = new Rule("weak", 2, false, names, Action.REJECT);
    Ground.Found met =
        Objects.requireNonNull(new ListRule(rule, Map.of(), 9).met(listed, Whereabouts.UNKNOWN));
    Grounds grounds = new Grounds(1, List.of(met), List.of(), List.of(), null);
    return VerdictReplies.reject(new Verdict.Reject(met, grounds), helpUrl, "7K3Q9ZT2AB")
        .toString();
  }

  private static String say(Check check, ListKey subject) {
    return VerdictReplies.reject(reject(check, subject), "", "7K3Q9ZT2AB").toString();
  }

  @Test
  void theHelpPageFollowsTheFeed() {
    Verdict.Reject verdict = reject(Check.CLIENT_IP, ip("203.0.113.7"));
    String url = "https://help.example/?a=b";
    assertEquals(
        "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using drop; see "
            + url
            + " [X]",
        VerdictReplies.reject(verdict, url, "X").toString());
    assertFalse(
        VerdictReplies.reject(verdict, "https://x/\r\nQUIT", "X").toString().contains("see"));
  }

  @Test
  void tempfailIsNeverFourFifty() {
    Verdict.Reject verdict = reject(Check.CLIENT_IP, ip("203.0.113.7"));
    Verdict.Tempfail listed = new Verdict.Tempfail(verdict.ground(), verdict.grounds());
    assertEquals(
        "451 4.7.1 Service unavailable; Client host [203.0.113.7] blocked using drop [X]",
        VerdictReplies.tempfail(listed, "", "X").toString());
    Verdict.Tempfail failed =
        new Verdict.Tempfail(
            new Ground.Failed(Check.CLIENT_IP, ip("203.0.113.7"), "I/O error"), verdict.grounds());
    assertTrue(VerdictReplies.tempfail(failed, "", "X").toString().startsWith("451 4.3.0 "));
    assertEquals(421, VerdictReplies.closing(VerdictReplies.tempfail(listed, "", "X")).code());
  }

  @Test
  void longSubjectsKeepTheLineLimit() {
    String local = "\"" + "<]=\\\\".repeat(12) + "\"";
    String reply = say(Check.SENDER, address(local + "@" + "d".repeat(60) + ".example"));
    assertTrue(reply.length() + 2 <= Reply.MAX_LINE_OCTETS, reply);
    assertTrue(reply.endsWith("[7K3Q9ZT2AB]"), reply);
    assertTrue(
        Replies.relayDenied("<".repeat(250)).toString().length() + 2 <= Reply.MAX_LINE_OCTETS);
  }

  @ParameterizedTest
  @CsvSource({
    "a@b.example, a@b.example",
    "'a b', a\\x20b",
    "'<x>[y]', \\x3Cx\\x3E\\x5By\\x5D",
    "'\"=\\;', \\x22\\x3D\\x5C\\x3B",
    "'\u00e4\u20ac', \\xC3\\xA4\\xE2\\x82\\xAC",
    "'\r\n\t\u007f', \\x0D\\x0A\\x09\\x7F",
  })
  void everyUnsafeOctetIsEscaped(String text, String escaped) {
    assertEquals(escaped, Escape.text(text));
  }

  @Test
  void escapesAreCutBetweenNeverInside() {
    for (int max = 8; max < 30; max++) {
      String cut = Escape.text("ab <<<<<< cd", max);
      assertTrue(cut.length() <= max, cut);
      assertTrue(cut.matches("(?:[a-d]|\\\\x[0-9A-F]{2})*\\.\\.\\."), cut);
    }
    assertEquals("abc", Escape.text("abc", 3));
  }

  @Test
  void xtextGoesThereAndBack() {
    String odd = "a+b=c d\u00e4\u0001";
    assertEquals("a+2Bb+3Dc+20d+C3+A4+01", Xtext.encode(odd));
    assertEquals(odd, Xtext.decode(Xtext.encode(odd)).orElseThrow());
    for (String bad : new String[] {"+", "+4", "+4g", "a=b", "a b"}) {
      assertTrue(Xtext.decode(bad).isEmpty(), bad);
    }
    assertEquals("J\u00e9", Xtext.decode("+4a+E9").orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "554, 5.7.1, 451, 4.7.1",
    "550, 5.5.2, 451, 4.5.2",
    "552, 5.3.4, 452, 4.3.4",
    "555, 5.5.4, 455, 4.5.4",
    "503, 5.5.1, 451, 4.5.1",
    "421, 4.7.0, 421, 4.7.0",
    "250, 2.0.0, 250, 2.0.0",
  })
  void softKnowsNoPermanentRefusal(int code, String enhanced, int softCode, String softEnhanced) {
    Reply soft = Replies.softened(Reply.of(code, enhanced, "x"));
    assertEquals(softCode, soft.code());
    assertEquals(softEnhanced, soft.enhanced());
  }
}

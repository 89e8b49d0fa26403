package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.block;
import static io.bloomgate.blocklists.operator.Entries.prefix;
import static io.bloomgate.blocklists.operator.Entries.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.PublicSuffixes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules of decision in gateway/README.md: too wide, allow NAME with from, block inside an allow.
 */
class OperatorRulesTest {

  private static final WidthRules WIDTHS =
      new WidthRules(
          List.of("example.com", ".corp.example"),
          List.of(prefix("10.0.0.5"), prefix("2001:db8:5::/48")),
          PublicSuffixes::contains);

  private static Optional<Refusal> check(NewEntry entry, boolean force, OperatorEntry... present) {
    return OperatorRules.check(entry, WIDTHS, OperatorView.of(List.of(present)), NOW, force);
  }

  private static void assertNeedsForce(NewEntry entry, OperatorEntry... present) {
    Optional<Refusal> refusal = check(entry, false, present);
    assertTrue(refusal.isPresent(), entry.toString());
    assertTrue(refusal.get().forceable(), refusal.get().message());
    assertFalse(refusal.get().hint().isEmpty());
    assertEquals(Optional.empty(), check(entry, true, present), entry.toString());
  }

  /** Too wide, or of the operator's domains and mail server; or an entry that means nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allow | force | 203.0.0.0/15
          allow | force | 0.0.0.0/0
          allow | force | 2001:db0::/31
          allow | force | ::/0
          allow | force | co.uk
          allow | force | github.io
          allow | force | partner.example from=203.0.0.0/15
          allow | force | partner.example from=2001:db0::/31
          block | force | 202.0.0.0/7
          block | force | 2001:c000::/18
          block | force | example.com
          block | force | corp.example
          block | force | mail.corp.example
          block | force | 10.0.0.5
          block | force | 10.0.0.0/24
          block | force | 2001:db8:5:1::/64
          block | force | 2001:db8::/32
          allow | taken | 203.0.0.0/16
          allow | taken | 2001:db8::/32
          allow | taken | registered.co.uk
          allow | taken | 10.0.0.5
          allow | taken | example.com
          allow | taken | bob@example.com
          allow | taken | partner.example from=203.0.113.0/24
          allow | taken | partner.example scope=helo
          block | taken | 11.0.0.0/8
          block | taken | 2001:a000::/19
          block | taken | co.uk
          block | taken | sub.example.com
          block | taken | ceo@example.com
          block | taken | 10.0.0.6
          block | taken | spam.example scope=helo
          block | taken | 203.0.113.7 scope=helo
          block | never | 203.0.113.7 from=203.0.113.0/24
          block | never | a@b.example scope=helo
          block | never | b.example scope=any
          block | never | 203.0.113.7 scope=sender
          block | never | b.example scope=client_ip
          """)
  void widthsAndMeaning(String list, String expected, String line) {
    NewEntry entry = list.equals("allow") ? allow(line) : block(line);
    switch (expected) {
      case "force" -> assertNeedsForce(entry);
      case "taken" -> assertEquals(Optional.empty(), check(entry, false));
      default -> assertFalse(check(entry, true).orElseThrow().forceable(), line);
    }
  }

  @Test
  void aBlockOfAnExemptClientIsNotCalledABlockOfTheMailServer() {
    WidthRules widths =
        new WidthRules(
            List.of(),
            List.of(prefix("10.0.0.0/24")),
            List.of(prefix("203.0.113.0/28")),
            _ -> false);
    assertEquals(
        "203.0.113.7 is in 203.0.113.0/28 of policy.exempt_networks, and nothing refuses its mail",
        message(widths, "203.0.113.7"));
    assertEquals(
        "203.0.113.0/24 holds 203.0.113.0/28 of policy.exempt_networks, and nothing refuses its"
            + " mail",
        message(widths, "203.0.113.0/24"));
    assertEquals(
        "10.0.0.5 is in 10.0.0.0/24, which is your mail server or a proxy that you trust",
        message(widths, "10.0.0.5"));
    assertEquals(
        "10.0.0.0/24 is your mail server or a proxy that you trust",
        message(widths, "10.0.0.0/24"));
  }

  private static String message(WidthRules widths, String subject) {
    return widths.check(block(subject)).orElseThrow().message();
  }

  @ParameterizedTest
  @ValueSource(strings = {"partner.example scope=any", "a@partner.example scope=client_ip"})
  void pardoningAConnectionOnANameAloneNeedsForce(String line) {
    assertNeedsForce(allow(line));
    assertEquals(Optional.empty(), check(allow(line + " from=203.0.113.0/24"), false));
  }

  @Test
  void blockInsideAnAllowNeedsForce() {
    OperatorEntry range = stored("a1", allow("203.0.113.0/24"));
    OperatorEntry domain = stored("a2", allow("partner.example"));
    OperatorEntry address = stored("a3", allow("bob@other.example"));
    assertNeedsForce(block("203.0.113.7"), range, domain, address);
    assertNeedsForce(block("203.0.113.0/24"), range, domain, address);
    assertNeedsForce(block("mail.partner.example"), range, domain, address);
    assertNeedsForce(block("x@partner.example"), range, domain, address);
    assertNeedsForce(block("bob@other.example"), range, domain, address);
    assertEquals(Optional.empty(), check(block("203.0.112.0/23"), false, range));
    assertEquals(Optional.empty(), check(block("other.example"), false, address));
    assertEquals(Optional.empty(), check(block("partner.example scope=helo"), false, domain));
  }

  @Test
  void anExpiredAllowIsNoObstacle() {
    OperatorEntry gone = stored("a1", allow("203.0.113.0/24 expires=2026-11-21T07:00:00Z"));
    assertEquals(Optional.empty(), check(block("203.0.113.7"), false, gone));
  }

  @Test
  void linesOfAnImportAreTakenOrNamed() {
    EntryLines read = EntryLines.ofImport(ListKind.ALLOW, (entry, force) -> check(entry, force));
    List<Integer> taken = new ArrayList<>();
    int number = 11;
    for (String line :
        List.of("# head", "203.0.113.7", "0.0.0.0/0", "0.0.0.0/0 force=yes", "nonsense", "")) {
      if (read.line(number, line) != null) {
        taken.add(number);
      }
      number++;
    }
    assertEquals(List.of(12, 14), taken);
    assertEquals(List.of(13, 15), read.problems().stream().map(EntryLines.BadLine::line).toList());
    assertTrue(
        read.problems().getFirst().text("x.list").startsWith("x.list:13: 0.0.0.0/0 is wider"),
        read.problems().getFirst().text("x.list"));
  }
}

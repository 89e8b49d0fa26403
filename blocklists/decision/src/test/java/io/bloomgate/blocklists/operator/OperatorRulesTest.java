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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.0.0/15",
        "0.0.0.0/0",
        "2001:db0::/31",
        "::/0",
        "co.uk",
        "github.io",
        "partner.example from=203.0.0.0/15",
        "partner.example from=2001:db0::/31",
      })
  void allowTooWideNeedsForce(String line) {
    assertNeedsForce(allow(line));
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
  @ValueSource(strings = {"202.0.0.0/7", "2001:c000::/18"})
  void blockTooWideNeedsForce(String line) {
    assertNeedsForce(block(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.com",
        "corp.example",
        "mail.corp.example",
        "10.0.0.5",
        "10.0.0.0/24",
        "2001:db8:5:1::/64",
        "2001:db8::/32"
      })
  void blockOfOwnDomainsAndDownstreamNeedsForce(String line) {
    assertNeedsForce(block(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.0.0/16",
        "2001:db8::/32",
        "registered.co.uk",
        "10.0.0.5",
        "example.com",
        "bob@example.com",
        "partner.example from=203.0.113.0/24",
        "partner.example scope=helo",
      })
  void allowOfTheRightWidthIsTaken(String line) {
    assertEquals(Optional.empty(), check(allow(line), false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "11.0.0.0/8",
        "2001:a000::/19",
        "co.uk",
        "sub.example.com",
        "ceo@example.com",
        "10.0.0.6",
        "spam.example scope=helo",
        "203.0.113.7 scope=helo"
      })
  void blockOfTheRightWidthIsTaken(String line) {
    assertEquals(Optional.empty(), check(block(line), false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"partner.example scope=any", "a@partner.example scope=client_ip"})
  void pardoningAConnectionOnANameAloneNeedsForce(String line) {
    assertNeedsForce(allow(line));
    assertEquals(Optional.empty(), check(allow(line + " from=203.0.113.0/24"), false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.113.7 from=203.0.113.0/24",
        "a@b.example scope=helo",
        "b.example scope=any",
        "203.0.113.7 scope=sender",
        "b.example scope=client_ip"
      })
  void whatMeansNothingIsRefusedEvenWithForce(String line) {
    Refusal refusal = check(block(line), true).orElseThrow();
    assertFalse(refusal.forceable(), refusal.message());
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

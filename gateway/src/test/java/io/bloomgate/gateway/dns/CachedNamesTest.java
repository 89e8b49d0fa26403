package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ReverseMap;

/** Names of clients, asked of a real name server on loopback. */
class CachedNamesTest {

  private final LoopbackDns dns = LoopbackDns.start();
  private final AtomicLong ahead = new AtomicLong();
  private final CachedNames names =
      new CachedNames(() -> List.of(dns.address()), Thread::startVirtualThread, this::nanoTime);

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  @AfterEach
  void close() {
    dns.close();
  }

  private ClientName nameOf(String address) {
    return names.lookUp(ip(address)).get();
  }

  private static IpAddress ip(String text) {
    return ((Parsed.Ok<IpAddress>) IpAddress.parse(text)).value();
  }

  @ParameterizedTest
  @CsvSource({"203.0.113.7", "2001:db8::7"})
  void aNameThatLeadsBackIsConfirmed(String address) {
    dns.reverse(address, "Mail.Partner.example").forward("mail.partner.example", address);
    assertEquals(new ClientName("Mail.Partner.example", State.CONFIRMED), nameOf(address));
  }

  @Test
  void aNameThatLeadsElsewhereIsOnlyClaimed() {
    dns.reverse("203.0.113.7", "forged.example").forward("forged.example", "192.0.2.1");
    assertEquals(new ClientName("forged.example", State.UNCONFIRMED), nameOf("203.0.113.7"));
    dns.reverse("203.0.113.8", "nowhere.example");
    assertEquals(new ClientName("nowhere.example", State.UNCONFIRMED), nameOf("203.0.113.8"));
  }

  @Test
  void aNameThatNobodyAnswersForLeavesTimeForTheNext() {
    dns.reverse("203.0.113.7", "silent.example", "two.example")
        .forward("two.example", "203.0.113.7")
        .mood("A silent.example", Mood.SILENT);
    assertEquals(new ClientName("two.example", State.CONFIRMED), nameOf("203.0.113.7"));
  }

  @Test
  void theTenthNameMayBeTheOneThatLeadsBack() {
    String[] names = new String[10];
    for (int i = 0; i < names.length; i++) {
      names[i] = "n" + i + ".example";
    }
    dns.reverse("203.0.113.7", names).forward("n9.example", "203.0.113.7");
    assertEquals(new ClientName("n9.example", State.CONFIRMED), nameOf("203.0.113.7"));
  }

  @Test
  void anAddressWithoutNameIsNotDnsInTrouble() {
    assertEquals(ClientName.NONE, nameOf("203.0.113.7"));
    dns.mood(Mood.SERVFAIL);
    assertEquals(ClientName.UNKNOWN, nameOf("203.0.113.8"));
  }

  @Test
  void whenOnlyTheWayBackIsInTroubleTheClaimStands() {
    dns.reverse("203.0.113.7", "mail.partner.example");
    dns.mood("A mail.partner.example", Mood.SERVFAIL);
    assertEquals(new ClientName("mail.partner.example", State.UNKNOWN), nameOf("203.0.113.7"));
  }

  @ParameterizedTest
  @CsvSource({"12345", "a\\032b.example", "x\\010y", "-a.example", "'a..b'", "1.2.3.4"})
  void aNameThatNoHostHasIsNone(String text) {
    if (!text.equals("a..b")) {
      dns.reverse("203.0.113.7", text);
    }
    assertEquals(ClientName.NONE, nameOf("203.0.113.7"), text);
    assertFalse(CachedNames.wellFormed(text), text);
  }

  @Test
  void anAnswerIsKeptForItsTime() {
    dns.reverse("203.0.113.7", "mail.partner.example")
        .forward("mail.partner.example", "203.0.113.7");
    nameOf("203.0.113.7");
    nameOf("203.0.113.7");
    assertEquals(
        List.of("PTR 7.113.0.203.in-addr.arpa", "A mail.partner.example"), dns.questions());
    ahead.addAndGet(Duration.ofSeconds(601).toNanos());
    nameOf("203.0.113.7");
    assertEquals(4, dns.questions().size());
  }

  @Test
  void deadDnsHoldsASessionForThreeSecondsFromTheBeginningOfTheLookUp() {
    dns.mood(Mood.SILENT);
    Supplier<ClientName> first = names.lookUp(ip("203.0.113.7"));
    ahead.addAndGet(CachedNames.WAIT.toNanos());
    assertEquals(ClientName.UNKNOWN, first.get());
    // The next session of that client waits for the same look-up, whose time is over.
    assertEquals(ClientName.UNKNOWN, names.lookUp(ip("203.0.113.7")).get());
  }

  @Test
  void oneClientNetworkHasAQuarterOfTheLookUps() {
    dns.reverse("2001:db8:10::7", "mail.partner.example")
        .forward("mail.partner.example", "2001:db8:10::7")
        .mood(Mood.SILENT);
    IpAddress first = ip("2001:db8::1");
    for (int i = 0; i < CachedNames.MAX_LOOKUPS; i++) {
      names.lookUp(new IpAddress(first.high() + i, i));
    }
    assertEquals(new ClientName("mail.partner.example", State.CONFIRMED), nameOf("2001:db8:10::7"));
    Supplier<ClientName> late = names.lookUp(ip("2001:db8:f:ffff::1"));
    ahead.addAndGet(CachedNames.WAIT.toNanos());
    assertEquals(ClientName.UNKNOWN, late.get());
    assertFalse(dns.questions().contains("PTR " + reverseOf("2001:db8:f:ffff::1")));
  }

  @Test
  void fiveNetworksWithoutAnswersLeaveAllOthersTheirNames() {
    dns.mood(Mood.SILENT);
    for (int host = 0; host < 256; host++) {
      for (int network = 1; network <= 5; network++) {
        names.lookUp(ip("198.51." + network + "." + host));
      }
    }
    int named = 0;
    for (int other = 0; other < 49; other++) {
      String address = "203.0." + other + ".7";
      dns.reverse(address, "mail.partner.example").forward("mail.partner.example", address);
      named += nameOf(address).state() == State.CONFIRMED ? 1 : 0;
    }
    assertEquals(49, named);
  }

  @Test
  void nameServersThatAnswerNothingAreAnAlarmUntilOneAnswers() {
    dns.mood(Mood.SERVFAIL);
    for (int i = 0; i < CachedNames.SILENT_LOOKUPS; i++) {
      assertEquals(ClientName.UNKNOWN, nameOf("198.51.100." + i));
    }
    assertEquals(List.of(), names.alarms(), "the first one was just now");
    ahead.addAndGet(CachedNames.ALARM_TIME.toNanos() + 1);
    assertTrue(names.alarms().getFirst().startsWith("no name server has answered"));
    dns.mood(Mood.NXDOMAIN);
    assertEquals(ClientName.NONE, nameOf("203.0.113.7"));
    assertEquals(List.of(), names.alarms());
  }

  @Test
  void namesThatWereNotLookedUpAreCountedAndAnAlarm() {
    dns.mood(Mood.SILENT);
    AtomicInteger missed = new AtomicInteger();
    names.countBy(missed::incrementAndGet);
    for (int i = 0; i <= CachedNames.MAX_LOOKUPS / 4; i++) {
      // One network of IPv6.
      names.lookUp(new IpAddress(ip("2001:db8::").high() + i, 1));
    }
    assertTrue(missed.get() > 0);
    assertTrue(names.alarms().getFirst().startsWith("names of clients are not looked up"));
    ahead.addAndGet(CachedNames.ALARM_TIME.toNanos() + 1);
    assertFalse(
        names.alarms().stream().anyMatch(each -> each.startsWith("names of clients are not")));
  }

  private static String reverseOf(String address) {
    try {
      return ReverseMap.fromAddress(address).toString(true);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void aLookUpThatEndedGivesItsPlaceBack() {
    for (int i = 0; i < 256; i++) {
      assertEquals(ClientName.NONE, nameOf("203.0.113." + i));
    }
  }
}

package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.gateway.relay.ReverseName;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ReverseMap;

/** Names of clients, asked of a real name server on loopback. */
class CachedNamesTest {

  private static final ThreadFactory THREADS = Thread.ofVirtual().factory();

  private final LoopbackDns dns = LoopbackDns.start();
  private final AtomicLong ahead = new AtomicLong();
  private final CachedNames names =
      new CachedNames(serversBy(this::nanoTime), THREADS, this::nanoTime);

  private NameServers serversBy(LongSupplier clock) {
    return new NameServers(
        new Resolvers(
            () -> List.of(dns.address()),
            NameServers.LOOK_UP_TIME,
            task -> THREADS.newThread(task).start(),
            clock),
        clock);
  }

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  @AfterEach
  void close() {
    dns.close();
  }

  private ReverseName nameOf(String address) {
    return names.lookUp(ip(address)).await();
  }

  private static IpAddress ip(String text) {
    return ((Parsed.Ok<IpAddress>) IpAddress.parse(text)).value();
  }

  @ParameterizedTest
  @CsvSource({"203.0.113.7", "2001:db8::7"})
  void aNameThatLeadsBackIsConfirmed(String address) {
    dns.reverse(address, "Mail.Partner.example").forward("mail.partner.example", address);
    assertEquals(
        new ReverseName("Mail.Partner.example", "Mail.Partner.example", false), nameOf(address));
  }

  @Test
  void aNameThatLeadsElsewhereIsOnlyClaimed() {
    dns.reverse("203.0.113.7", "forged.example").forward("forged.example", "192.0.2.1");
    assertEquals(new ReverseName("", "forged.example", false), nameOf("203.0.113.7"));
    dns.reverse("203.0.113.8", "nowhere.example");
    assertEquals(new ReverseName("", "nowhere.example", false), nameOf("203.0.113.8"));
  }

  @Test
  void ofSeveralNamesTheOneThatLeadsBackCounts() {
    dns.reverse("203.0.113.7", "one.example", "two.example").forward("two.example", "203.0.113.7");
    assertEquals("two.example", nameOf("203.0.113.7").confirmed());
  }

  @Test
  void aNameThatNobodyAnswersForLeavesTimeForTheNext() {
    dns.reverse("203.0.113.7", "silent.example", "two.example")
        .forward("two.example", "203.0.113.7")
        .mood("A silent.example", Mood.SILENT);
    assertEquals("two.example", nameOf("203.0.113.7").confirmed());
  }

  @Test
  void theTenthNameMayBeTheOneThatLeadsBack() {
    String[] names = new String[10];
    for (int i = 0; i < names.length; i++) {
      names[i] = "n" + i + ".example";
    }
    dns.reverse("203.0.113.7", names).forward("n9.example", "203.0.113.7");
    assertEquals("n9.example", nameOf("203.0.113.7").confirmed());
  }

  @Test
  void allQuestionsOfOneLookUpShareItsTime() {
    dns.reverse("203.0.113.7", "one.example", "two.example", "three.example");
    LongSupplier slowly =
        () -> NameServers.LOOK_UP_TIME.dividedBy(2).toNanos() * dns.questions().size();
    assertEquals(
        new ReverseName("", "one.example", true),
        serversBy(slowly).apply(ip("203.0.113.7")).name());
    assertEquals(List.of("PTR 7.113.0.203.in-addr.arpa", "A one.example"), dns.questions());
  }

  @Test
  void anAddressWithoutNameIsNotDnsInTrouble() {
    assertEquals(ReverseName.NONE, nameOf("203.0.113.7"));
    dns.mood(Mood.SERVFAIL);
    assertEquals(ReverseName.DEAD, nameOf("203.0.113.8"));
  }

  @Test
  void whenOnlyTheWayBackIsInTroubleTheClaimStands() {
    dns.reverse("203.0.113.7", "mail.partner.example");
    dns.mood("A mail.partner.example", Mood.SERVFAIL);
    assertEquals(new ReverseName("", "mail.partner.example", true), nameOf("203.0.113.7"));
  }

  @ParameterizedTest
  @CsvSource({"12345", "a\\032b.example", "x\\010y", "-a.example", "'a..b'", "1.2.3.4"})
  void aNameThatNoHostHasIsNone(String text) {
    if (!text.equals("a..b")) {
      dns.reverse("203.0.113.7", text);
    }
    assertEquals(ReverseName.NONE, nameOf("203.0.113.7"), text);
    assertFalse(NameServers.wellFormed(text), text);
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
  void deadDnsHoldsASessionForThreeSecondsFromTheBeginningOfTheLookUp() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    CachedNames stuck =
        new CachedNames(
            client -> {
              asked.incrementAndGet();
              return answeredAfter(never).apply(client);
            },
            THREADS,
            this::nanoTime);
    ReverseName.Pending first = stuck.lookUp(ip("203.0.113.7"));
    ahead.addAndGet(CachedNames.WAIT.toNanos());
    assertEquals(ReverseName.DEAD, first.await());
    // The next session of that client waits for the same look-up, whose time is over.
    assertEquals(ReverseName.DEAD, stuck.lookUp(ip("203.0.113.7")).await());
    for (int i = 1; i <= CachedNames.MAX_LOOKUPS; i++) {
      stuck.lookUp(IpAddress.ofV4(i << 8));
    }
    assertTrue(asked.get() <= CachedNames.MAX_LOOKUPS, () -> asked + " look-ups at a time");
    never.countDown();
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
    assertEquals("mail.partner.example", nameOf("2001:db8:10::7").confirmed());
    ReverseName.Pending late = names.lookUp(ip("2001:db8:f:ffff::1"));
    ahead.addAndGet(CachedNames.WAIT.toNanos());
    assertEquals(ReverseName.DEAD, late.await());
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
      named += nameOf(address).confirmed().equals("mail.partner.example") ? 1 : 0;
    }
    assertEquals(49, named);
  }

  @Test
  void aNetworkWhoseAnswersAreDeadHasOneLookUpUntilTheyAreForgotten() {
    LookupPlaces places = new LookupPlaces(CachedNames.MAX_LOOKUPS, this::nanoTime);
    int share = CachedNames.MAX_LOOKUPS / 4;
    for (int i = 0; i < share; i++) {
      assertTrue(places.take(ip("198.51.100.1")));
    }
    assertFalse(places.take(ip("198.51.100.1")));
    for (int i = 0; i < share; i++) {
      places.giveBack(ip("198.51.100.1"), true);
    }
    assertTrue(places.take(ip("198.51.100.2")));
    assertFalse(places.take(ip("198.51.100.3")));
    assertTrue(places.take(ip("198.51.101.1")));
    ahead.addAndGet(LookupPlaces.DEAD_TIME.toNanos() + 1);
    assertTrue(places.take(ip("198.51.100.3")));
  }

  @Test
  void namesThatWereNotLookedUpAreCountedAndAnAlarm() {
    CountDownLatch never = new CountDownLatch(1);
    CachedNames stuck = new CachedNames(answeredAfter(never), THREADS, this::nanoTime);
    AtomicInteger missed = new AtomicInteger();
    stuck.countBy(missed::incrementAndGet);
    for (int i = 0; i <= CachedNames.MAX_LOOKUPS / 4; i++) {
      // One network of IPv6.
      stuck.lookUp(new IpAddress(ip("2001:db8::").high() + i, 1));
    }
    assertTrue(missed.get() > 0);
    assertTrue(stuck.alarms().getFirst().startsWith("names of clients are not looked up"));
    ahead.addAndGet(CachedNames.ALARM_TIME.toNanos() + 1);
    assertEquals(List.of(), stuck.alarms());
    never.countDown();
  }

  private static Function<IpAddress, NameServers.Answer> answeredAfter(CountDownLatch end) {
    return client -> {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return new NameServers.Answer(ReverseName.NONE, Duration.ZERO);
    };
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
      assertEquals(ReverseName.NONE, nameOf("203.0.113." + i));
    }
  }
}

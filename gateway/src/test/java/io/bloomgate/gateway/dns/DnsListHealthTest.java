package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a DNS list is switched off, and by what it is not. */
class DnsListHealthTest extends DnsListsOnLoopback {

  @ParameterizedTest
  @CsvSource({
    "127.255.255.252, misspelled",
    "127.255.255.254, public resolver",
    "127.255.255.255, too many questions",
    "192.0.2.80, invent addresses"
  })
  void anErrorInAnAnswerIsNoListingAndBringsATest(String answer, String reason) {
    healthy("bl.example", "");
    dns.remove("A 2.0.0.127.bl.example").everythingIs(answer);
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    until(() -> lists.alarms().toString().contains(reason));
    ask(Check.CLIENT_IP, "203.0.113.9");
    assertEquals(List.of("bl error", "bl off"), counted);
    dns.forward("2.0.0.127.bl.example", "127.0.0.2").mood(Mood.NXDOMAIN);
    ahead.addAndGet(ZoneHealth.RETRY_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertEquals(List.of(), lists.alarms(), "its test entries are right: on again by itself");
  }

  /** A client chooses what is asked: one bad name of a client must not switch the list off. */
  @Test
  void anErrorAboutOneNameLeavesTheListOn() {
    healthy("bl.example", "");
    dns.forward("7.113.0.203.bl.example", "127.255.255.252")
        .forward("8.113.0.203.bl.example", "127.0.0.2");
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    until(() -> tests() == 2);
    assertEquals(List.of(), lists.alarms());
    assertEquals(1, ask(Check.CLIENT_IP, "203.0.113.8").size());
  }

  @Test
  void aListThatListsEverybodyIsOffFromItsFirstTestOn() {
    dns.everythingIs("127.0.0.2");
    configure("bl: {dns: bl.example}");
    test();
    assertTrue(lists.alarms().toString().contains("127.0.0.1, which no list may list"));
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
  }

  /** The networks that clients come from in these tests. */
  private int listedOf(int clients) {
    int listed = 0;
    for (int i = 0; i < clients; i++) {
      IpAddress client = ip("198.51." + i + ".1");
      listed += lists.ask(Check.CLIENT_IP, client, client).await().size();
    }
    return listed;
  }

  @ParameterizedTest
  @CsvSource({
    "bl: {dns: bl.example}",
    "'zen: {dns: bl.example}, pbl: {dns_of: zen, codes: [127.0.0.10-11]}'"
  })
  void aListThatDiesAtNoonIsSwitchedOffByWhatItLists(String sources) {
    dns.forward("2.0.0.127.bl.example", "127.0.0.2");
    configure(sources);
    test();
    assertEquals(0, listedOf(200));
    ahead.addAndGet(Duration.ofMinutes(10).toNanos());
    dns.everythingIs("127.0.0.2");
    int fewer = ZoneHealth.LAST - 1;
    assertEquals(fewer, listedOf(fewer), "one more is needed");
    // The test may be over before the answer about the last one is read.
    listedOf(ZoneHealth.LAST);
    until(() -> lists.alarms().toString().contains("127.0.0.1, which no list may list"));
    assertEquals(0, listedOf(200));
    dns.mood(Mood.NXDOMAIN);
    ahead.addAndGet(ZoneHealth.RETRY_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void aDeadListWithRightTestEntriesIsFoundByMailProvidersThatItLists() {
    healthy("bl.example", "");
    dns.everythingIs("127.0.0.2");
    dns.mood(
        question -> question.matches("A (1\\.0\\.0\\.127|.*\\.1[89]\\.198)\\.bl\\.example"),
        Mood.NXDOMAIN);
    listedOf(ZoneHealth.LAST);
    until(() -> lists.alarms().toString().contains("5 of 5 large mail providers"));
  }

  @Test
  void aListOfNamesThatListsEveryNameIsFoundToo() {
    dns.forward("test.dbl.example", "127.0.1.2");
    configure("dbl: {dns: dbl.example, checks: [helo, sender_domain], codes: [127.0.1.2-99]}");
    test();
    assertEquals(List.of(), lists.alarms());
    dns.everythingIs("127.0.1.2").mood("A invalid.dbl.example", Mood.NXDOMAIN);
    for (int i = 1; i < ZoneHealth.LAST; i++) {
      assertEquals(1, ask(Check.SENDER_DOMAIN, "name" + i + ".example").size());
    }
    ask(Check.SENDER_DOMAIN, "last.example");
    until(() -> lists.alarms().toString().contains("5 of 5 large mail providers"));
    assertEquals(List.of(), ask(Check.SENDER_DOMAIN, "other.example"));
  }

  /** Else a sender with many listed addresses could switch the list off and then send. */
  @Test
  void manyListedClientsOfAListThatWorksNeverSwitchItOff() {
    healthy("bl.example", "");
    for (int i = 0; i < 200; i++) {
      dns.forward("1." + i + ".51.198.bl.example", "127.0.0.2");
    }
    assertEquals(200, listedOf(200));
    until(() -> tests() == 2);
    assertEquals(List.of(), lists.alarms());
    assertEquals(200, listedOf(200));
    assertEquals(2, tests(), "one more test in two minutes at most");
  }

  @Test
  void aListOfGoodSendersMayListEverybodyWhoComes() {
    healthy("bl.example", ", action: trust");
    dns.mood(
        question -> !question.startsWith("A 1.0.0.127") && !question.contains(".198.bl"),
        Mood.EVERYTHING);
    for (int i = 0; i < 50; i++) {
      ask(Check.CLIENT_IP, "203.0." + i + ".1");
    }
    ahead.addAndGet(ZoneHealth.TEST_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void silenceBringsATest() {
    healthy("bl.example", ", timeout: 1s");
    dns.remove("A 2.0.0.127.bl.example").mood(Mood.SERVFAIL);
    for (int i = 0; i < ZoneHealth.MAX_SILENT; i++) {
      assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0." + i + ".1"));
    }
    until(() -> lists.alarms().toString().contains("does not answer"));
  }

  @Test
  void deadDnsSwitchesTheListOffAtItsNextTest() {
    healthy("bl.example", ", timeout: 1s");
    dns.remove("A 2.0.0.127.bl.example").mood(Mood.SERVFAIL);
    ahead.addAndGet(ZoneHealth.TEST_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertTrue(lists.alarms().toString().contains("does not answer"), lists.alarms().toString());
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(List.of("bl off"), counted);
  }

  @Test
  void aReloadBringsATest() {
    healthy("bl.example", "");
    dns.mood(Mood.SERVFAIL).remove("A 2.0.0.127.bl.example");
    configure("bl: {dns: bl.example}");
    assertEquals(List.of(), lists.alarms(), "as before until the test");
    test();
    assertTrue(lists.alarms().toString().contains("does not answer"), lists.alarms().toString());
  }
}

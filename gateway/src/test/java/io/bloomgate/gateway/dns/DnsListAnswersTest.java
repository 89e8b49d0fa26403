package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists that are asked by DNS: a real name server on loopback plays each of its troubles. */
class DnsListAnswersTest {

  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final IpAddress CLIENT = ip("203.0.113.7");
  private static final String CLIENT_QUESTION = "A 7.113.0.203.bl.example";

  @TempDir private Path folder;

  private final LoopbackDns dns = LoopbackDns.start();
  private final AtomicLong ahead = new AtomicLong();
  private final List<String> counted = new CopyOnWriteArrayList<>();

  private final DnsListAnswers lists =
      new DnsListAnswers(
          name -> !name.equals("switched-off"),
          Thread.ofVirtual().factory(),
          InstantSource.fixed(NOW),
          this::nanoTime,
          new Random(7));

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  @BeforeEach
  void count() {
    lists.countBy((list, result) -> counted.add(list + " " + result));
  }

  @AfterEach
  void close() {
    dns.close();
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static DomainName domain(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private void configure(String sources) {
    String yaml =
        "domains: [example.com]\ndownstream: {host: mail.example.com}\ndns: {servers: [\"127.0.0.1:"
            + dns.address().getPort()
            + "\"]}\nfeeds: {sources: {"
            + sources
            + "}}\n";
    SettingsResult result =
        SettingsFile.parse(
            folder.resolve("b.yaml").toString(), yaml, Map.of(), () -> "mx.example.com");
    Settings settings =
        switch (result) {
          case SettingsResult.Loaded loaded -> loaded.settings();
          case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.toString());
        };
    lists.configure(settings);
  }

  /** A list of addresses that has passed its test. */
  private void healthy(String zone, String more) {
    dns.forward("2.0.0.127." + zone, "127.0.0.2");
    configure("bl: {dns: " + zone + more + "}");
    test();
  }

  /** Runs the tests that are due. */
  private void test() {
    lists.dueTests().forEach(Runnable::run);
  }

  private List<DnsListing> ask(Check check, String subject) {
    return lists
        .ask(
            check,
            IpAddress.parse(subject).toOptional().isPresent() ? ip(subject) : domain(subject),
            CLIENT)
        .await();
  }

  @Test
  void anAnswerInTheCodesIsAListingWithItsEvidence() {
    healthy("bl.example", ", codes: [127.0.0.2-11]");
    dns.forward("7.113.0.203.bl.example", "127.0.0.4");
    assertEquals(
        List.of(
            new DnsListing(
                "bl",
                Check.CLIENT_IP,
                CLIENT,
                "bl.example",
                ip("127.0.0.4"),
                Duration.ofMinutes(10),
                NOW)),
        ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.8"), "NXDOMAIN is no listing");
    assertEquals(List.of("bl listed", "bl not_listed"), counted);
  }

  @Test
  void anIpv6ClientIsAskedByNibbles() {
    healthy("bl.example", "");
    dns.forward(
        "7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.bl.example", "127.0.0.2");
    assertEquals(1, ask(Check.CLIENT_IP, "2001:db8::7").size());
  }

  @Test
  void anAnswerOutsideTheCodesIsNoListing() {
    healthy("bl.example", ", codes: [127.0.0.2-3]");
    dns.forward("7.113.0.203.bl.example", "127.0.0.10");
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(List.of("bl other_code"), counted);
  }

  @Test
  void severalSourcesShareTheAnswerOfOneZone() {
    dns.forward("2.0.0.127.bl.example", "127.0.0.2").forward("7.113.0.203.bl.example", "127.0.0.4");
    configure(
        "zen: {dns: bl.example, codes: [127.0.0.2-3]}, xbl: {dns_of: zen, codes: [127.0.0.4-7]}");
    test();
    assertEquals(
        List.of("xbl"),
        ask(Check.CLIENT_IP, "203.0.113.7").stream().map(DnsListing::list).toList());
    assertEquals(
        1, dns.questions().stream().filter(CLIENT_QUESTION::equals).count(), "one question");
  }

  @Test
  void anAnswerIsKeptForItsTimeToLive() {
    healthy("bl.example", "");
    dns.forward("7.113.0.203.bl.example", "127.0.0.4");
    ask(Check.CLIENT_IP, "203.0.113.7");
    ask(Check.CLIENT_IP, "203.0.113.7");
    assertEquals(1, dns.questions().stream().filter(CLIENT_QUESTION::equals).count());
    ahead.addAndGet(Duration.ofSeconds(601).toNanos());
    ask(Check.CLIENT_IP, "203.0.113.7");
    assertEquals(2, dns.questions().stream().filter(CLIENT_QUESTION::equals).count());
  }

  @Test
  void aListOfNamesIsTestedByItsTestNameAndNeverAskedAboutAddresses() {
    dns.forward("dbltest.com.dbl.example", "127.0.1.2")
        .forward("spam.example.dbl.example", "127.0.1.2");
    configure(
        "dbl: {dns: dbl.example, checks: [helo, sender_domain], codes: [127.0.1.2-99], test_name:"
            + " dbltest.com}");
    test();
    assertEquals(List.of(), lists.alarms());
    assertEquals(1, ask(Check.SENDER_DOMAIN, "spam.example").size());
    assertEquals(1, ask(Check.HELO, "spam.example").size());
    assertEquals(List.of(), ask(Check.HELO, "203.0.113.7"));
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(
        List.of("A dbltest.com.dbl.example", "A invalid.dbl.example", "A spam.example.dbl.example"),
        dns.questions());
  }

  @ParameterizedTest
  @EnumSource(
      value = Mood.class,
      names = {"SERVFAIL", "SILENT", "WRONG_ID"})
  void noUsableAnswerIsNoListing(Mood trouble) {
    healthy("bl.example", ", timeout: 1s");
    dns.mood(CLIENT_QUESTION, trouble);
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(List.of("bl no_answer"), counted);
  }

  @ParameterizedTest
  @CsvSource({
    "127.255.255.252, misspelled",
    "127.255.255.254, public resolver",
    "127.255.255.255, too many questions",
    "192.0.2.80, invent addresses"
  })
  void anErrorInAnAnswerIsNoListingAndSwitchesTheListOff(String answer, String reason) {
    healthy("bl.example", "");
    dns.forward("7.113.0.203.bl.example", answer);
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertTrue(lists.alarms().toString().contains(reason), lists.alarms().toString());
    ask(Check.CLIENT_IP, "203.0.113.9");
    assertEquals(List.of("bl error", "bl off"), counted);
    ahead.addAndGet(ZoneHealth.RETRY_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertEquals(List.of(), lists.alarms(), "its test entries are right: on again by itself");
  }

  @Test
  void aListThatListsEverybodyIsOffFromItsFirstTestOn() {
    dns.everythingIs("127.0.0.2");
    configure("bl: {dns: bl.example}");
    test();
    assertTrue(lists.alarms().toString().contains("127.0.0.1, which no list may list"));
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
  }

  @Test
  void aListThatDiesAtNoonIsSwitchedOffByWhatItLists() {
    healthy("bl.example", "");
    dns.everythingIs("127.0.0.2");
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      refused +=
          lists
              .ask(Check.CLIENT_IP, ip("198.51." + i + ".1"), ip("198.51." + i + ".1"))
              .await()
              .size();
    }
    assertTrue(refused < ZoneHealth.MIN_NETWORKS, "refused " + refused);
    assertTrue(lists.alarms().toString().contains("client networks"), lists.alarms().toString());
    test();
    assertTrue(lists.alarms().toString().contains("which no list may list"));
    dns.mood(Mood.NXDOMAIN);
    ahead.addAndGet(ZoneHealth.RETRY_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertEquals(List.of(), lists.alarms());
  }

  @Test
  void manyListedClientsOfAListThatWorksSwitchItOffForOneTestOnly() {
    healthy("bl.example", "");
    for (int i = 0; i < 100; i++) {
      dns.forward("1." + i + ".51.198.bl.example", "127.0.0.2");
    }
    for (int i = 0; i < 100; i++) {
      lists.ask(Check.CLIENT_IP, ip("198.51." + i + ".1"), ip("198.51." + i + ".1")).await();
    }
    assertFalse(lists.alarms().isEmpty());
    test();
    assertEquals(List.of(), lists.alarms());
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
  void theKeyGoesInFrontOfTheZoneAndIsShownNowhere() throws IOException {
    Path key = folder.resolve("key");
    Files.writeString(key, "s3cretkey\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    dns.forward("2.0.0.127.s3cretkey.zen.example", "127.0.0.2")
        .forward("7.113.0.203.s3cretkey.zen.example", "127.0.0.4");
    configure("zen: {dns: zen.example, key_file: key}");
    test();
    List<DnsListing> listings = ask(Check.CLIENT_IP, "203.0.113.7");
    assertEquals("zen.example", listings.getFirst().zone());
    Files.writeString(key, "two labels.of it\n");
    ahead.addAndGet(ZoneHealth.TEST_INTERVAL.plusSeconds(1).toNanos());
    test();
    assertTrue(lists.alarms().toString().contains("a key for DNS is one label"));
    assertFalse(lists.alarms().toString().contains("two labels"), "no key in any output");
  }

  @Test
  void oneClientNetworkCannotTakeAllPlaces() {
    healthy("bl.example", ", timeout: 1s");
    dns.mood(Mood.SILENT);
    for (int i = 0; i < KeptAnswers.MAX_QUESTIONS; i++) {
      lists.ask(Check.SENDER_DOMAIN, domain("x" + i + ".example"), CLIENT);
      lists.ask(Check.CLIENT_IP, ip("10." + i / 250 + "." + i % 250 + ".1"), CLIENT);
    }
    assertTrue(counted.contains("bl no_place"));
    counted.clear();
    lists.ask(Check.CLIENT_IP, ip("198.51.100.1"), ip("198.51.100.1"));
    assertEquals(List.of(), counted, "another network still has its places");
  }

  @Test
  void aListThatIsSwitchedOffIsNotAsked() {
    dns.forward("2.0.0.127.bl.example", "127.0.0.2");
    configure("switched-off: {dns: bl.example}");
    test();
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertFalse(dns.questions().contains(CLIENT_QUESTION));
    assertEquals(1, lists.states().size());
    assertFalse(lists.states().getFirst().enabled());
  }

  @Test
  void withoutListsNothingIsAsked() {
    configure("");
    assertTrue(lists.isEmpty());
    lists.tick();
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.7"));
    assertEquals(List.of(), dns.questions());
  }
}

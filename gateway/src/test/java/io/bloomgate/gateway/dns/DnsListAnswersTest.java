package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What DNS lists answer, and how long an answer counts. */
class DnsListAnswersTest extends DnsListsOnLoopback {

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
        List.of("A dbltest.com.dbl.example", "A invalid.dbl.example"),
        dns.questions().subList(0, 2));
    assertEquals(1, dns.questions().stream().filter("A spam.example.dbl.example"::equals).count());
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

  @Test
  void aZoneThatIsSilentTakesNoPlacesOfOthers() {
    dns.forward("2.0.0.127.bl.example", "127.0.0.2")
        .forward("test.dbl.example", "127.0.1.2")
        .forward("7.113.0.203.bl.example", "127.0.0.4");
    configure("bl: {dns: bl.example}, dbl: {dns: dbl.example, checks: [sender_domain]}");
    test();
    dns.mood(question -> question.endsWith(".dbl.example"), Mood.SILENT);
    for (int i = 0; i < DnsZone.MAX_QUESTIONS; i++) {
      IpAddress client = ip("10." + i % 8 + ".0.1");
      lists.ask(Check.SENDER_DOMAIN, domain("x" + i + ".example"), client);
    }
    assertEquals(1, ask(Check.CLIENT_IP, "203.0.113.7").size());
  }

  @Test
  void theKeyGoesInFrontOfTheZoneAndIsShownNowhere() throws IOException {
    Path key = folder.resolve("key");
    Files.writeString(key, "s3cretkey\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    dns.forward("2.0.0.127.s3cretkey.zen.example", "127.0.0.2")
        .forward("7.113.0.203.s3cretkey.zen.example", "127.0.0.4");
    configure("zen: {dns: zen.example, key_file: " + key + "}");
    test();
    List<DnsListing> listings = ask(Check.CLIENT_IP, "203.0.113.7");
    assertEquals("zen.example", listings.getFirst().zone());
    Files.writeString(key, "two labels.of it\n");
    assertEquals(List.of(), ask(Check.CLIENT_IP, "203.0.113.8"), "it brings a test");
    until(() -> lists.alarms().toString().contains("a key for DNS is one label"));
    assertFalse(lists.alarms().toString().contains("two labels"), "no key in any output");
  }

  @Test
  void oneClientNetworkCannotTakeAllPlaces() {
    healthy("bl.example", ", timeout: 1s");
    dns.mood(Mood.SILENT);
    for (int i = 0; i < DnsZone.MAX_QUESTIONS; i++) {
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
}

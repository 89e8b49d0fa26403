package io.bloomgate.gateway.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What DNS lists are asked about the things that mails carry, and what their answers mean. */
class DnsContentListsTest extends DnsListsOnLoopback {

  private static final String URIBL =
      "uribl: {dns: multi.example, checks: [url_host, from_domain], hosts: [registered, addresses],"
          + " bits: [2], test_name: point.example}";

  private void uribl(String more) {
    dns.forward("point.example.multi.example", "127.0.0.14");
    configure(URIBL + more);
    test();
    assertEquals(List.of(), lists.alarms());
  }

  private List<DnsListing> host(String host) {
    ListKey key = WebUrl.asked("http://" + host + "/").orElseThrow().host();
    return lists.ask(Check.URL_HOST, key, CLIENT).await();
  }

  /** Names asked in the zone, without those of the test. */
  private List<String> asked(String zone) {
    return dns.questions().stream()
        .filter(question -> question.endsWith("." + zone))
        .map(question -> question.substring(2, question.length() - zone.length() - 1))
        .filter(name -> !name.equals("invalid") && !name.equals("point.example"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.2, true",
    "127.0.0.6, true",
    "127.0.0.14, true",
    "127.0.0.4, false",
    "127.0.0.8, false",
    "127.0.1.2, false",
  })
  void answersAreSumsOfBits(String answer, boolean listed) {
    uribl("");
    dns.forward("evil.example.multi.example", answer);
    assertEquals(listed, !host("evil.example").isEmpty());
    assertEquals(List.of(listed ? "uribl listed" : "uribl other_code"), counted);
  }

  /** Bit 1 is a refusal, whatever other bits are set; so is what Spamhaus answers to an address. */
  @ParameterizedTest
  @CsvSource({"127.0.0.1", "127.0.0.3", "127.0.0.255", "127.0.1.255", "127.255.255.254"})
  void aRefusalIsNoListingAndBringsATest(String answer) {
    uribl("");
    dns.remove("A point.example.multi.example").everythingIs(answer);
    assertEquals(List.of(), host("evil.example"));
    until(() -> !lists.alarms().isEmpty());
    assertEquals(List.of("uribl error"), counted);
    assertEquals(List.of(), host("other.example"), "it is off");
  }

  @Test
  void twoListsOfOneZoneShareItsQuestions() {
    uribl(", grey: {dns_of: uribl, bits: [4], action: tag}");
    dns.forward("evil.example.multi.example", "127.0.0.6");
    assertEquals(
        List.of("uribl", "grey"), host("www.evil.example").stream().map(DnsListing::list).toList());
    host("evil.example");
    assertEquals(1, asked("multi.example").stream().filter("evil.example"::equals).count());
  }

  @ParameterizedTest
  @CsvSource({
    "registered, www.evil.co.uk, evil.co.uk",
    "registered, x.y.github.io, y.github.io",
    "registered, a.shop.weebly.com, shop.weebly.com",
    "registered, b\u00fccher-spam.example, xn--bcher-spam-9db.example",
    "names, www.a.evil.example, www.a.evil.example",
    "'registered, shared', docs.google.com, docs.google.com",
    "'registered, shared', bit.ly, bit.ly",
    "registered, docs.google.com, ''",
    "'registered, shared', www.w3.org, ''",
    "'registered, names, shared', mail.router.home.arpa, ''",
    "addresses, www.evil.example, ''",
    "names, 198.51.100.7, ''",
    "addresses, 198.51.100.7, 7.100.51.198",
    "addresses, 0x7f.1, 1.0.0.127",
  })
  void aListIsAskedAboutWhatItKnows(String hosts, String host, String name) {
    dns.forward("point.example.bl.example", "127.0.0.2");
    configure(
        "bl: {dns: bl.example, checks: [url_host], test_name: point.example, hosts: ["
            + hosts
            + "]}");
    test();
    int before = asked("bl.example").size();
    host(host);
    List<String> all = asked("bl.example");
    assertEquals(name.isEmpty() ? List.of() : List.of(name), all.subList(before, all.size()));
  }

  /** It names senders: a name of a link is no question for it, and an address is. */
  @Test
  void aListOfClientsIsAskedAboutAddressesInLinksOnly() {
    healthy("bl.example", ", checks: [client_ip, url_host]");
    dns.forward("7.100.51.198.bl.example", "127.0.0.2");
    assertEquals(List.of(), host("evil.example"));
    assertEquals(1, host("198.51.100.7").size());
    assertFalse(dns.questions().contains("A evil.example.bl.example"));
  }

  @Test
  void aFileIsAskedAboutInBase32() {
    dns.forward("abc._cw.hbl.example", "127.0.3.20");
    configure(
        "hbl: {dns: hbl.example, checks: [attachment], codes: [127.0.3.10], test_name: abc._cw}");
    test();
    assertEquals(List.of(), lists.alarms(), "and no name is asked of it");
    Fingerprint empty = Fingerprint.ofText("");
    // printf '' | openssl sha256 -binary | base32
    String base32 = "4oymiquy7qobjgx36tejs35zeqt24qpemsnzgtfeswmrw6csxbkq";
    dns.forward(base32 + "._file.hbl.example", "127.0.3.10");
    List<DnsListing> listings = lists.ask(Check.ATTACHMENT, empty, CLIENT).await();
    assertEquals(empty, listings.getFirst().subject());
  }

  /** Three questions without an answer, and mail passes it at once; one answer, and it counts. */
  @Test
  void aSilentListIsNotWaitedForUntilItAnswersSomething() {
    uribl("");
    dns.mood(question -> question.contains("silent"), Mood.SERVFAIL);
    for (int i = 0; i < ZoneHealth.MAX_AWAITED; i++) {
      assertEquals(List.of(), host("silent" + i + ".example"));
    }
    ZoneHealth health = new ZoneHealth(0);
    for (int i = 0; i < ZoneHealth.MAX_AWAITED; i++) {
      assertTrue(health.isAwaited());
      health.silent(i, 0);
      health.answered(CLIENT, false, 0); // one that was kept
    }
    assertFalse(health.isAwaited());
    health.heard();
    assertTrue(health.isAwaited());
    dns.forward("evil.example.multi.example", "127.0.0.2");
    until(() -> !host("evil.example").isEmpty());
    dns.forward("next.example.multi.example", "127.0.0.2");
    assertEquals(1, host("next.example").size(), "awaited again");
  }

  /** Four lists of one zone hear of one lost question; it is one, and so is what is kept of it. */
  @Test
  void aQuestionOfSeveralListsIsOneWithoutAnAnswer() {
    String part = ", %s: {dns_of: uribl, bits: [4], action: tag}";
    uribl(part.formatted("b") + part.formatted("c") + part.formatted("d"));
    dns.mood(question -> question.contains("silent"), Mood.SERVFAIL);
    host("silent.example");
    host("silent.example");
    dns.forward("evil.example.multi.example", "127.0.0.2");
    assertEquals(1, host("evil.example").size(), "awaited");
  }

  @Test
  void explainAsksAboutTheContentToo() {
    uribl("");
    dns.forward("evil.example.multi.example", "127.0.0.2");
    ContentKey link =
        new ContentKey(Check.URL_HOST, domain("www.evil.example"), ContentKey.Place.NESTED);
    List<DnsListing> found = lists.about(Facts.of(new Content(List.of(link)))).listings();
    assertEquals(List.of(domain("evil.example")), found.stream().map(DnsListing::subject).toList());
    assertEquals(ContentKey.Place.NESTED, found.getFirst().place());
    assertTrue(found.getFirst().isAbout(link));
  }
}

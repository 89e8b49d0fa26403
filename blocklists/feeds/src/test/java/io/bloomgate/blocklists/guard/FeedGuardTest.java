package io.bloomgate.blocklists.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.guard.FeedGuard.Judgement;
import io.bloomgate.blocklists.guard.FeedGuard.Verdict;
import io.bloomgate.config.name.DomainName;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard formulas, each at its border. */
class FeedGuardTest extends GuardedVersions {

  @Test
  void shrinkGrowthAndTurnoverAtTheirBorders() {
    String live = entries(0, 100);
    assertEquals(Verdict.ACCEPT, verdict(entries(0, 50), live));
    assertEquals(Verdict.HOLD, verdict(entries(0, 49), live));
    IntFunction<Verdict> grownTo =
        n -> judge(NO_TURNOVER, version(entries(0, n)), version(live)).verdict();
    assertEquals(Verdict.ACCEPT, grownTo.apply(400));
    assertEquals(Verdict.HOLD, grownTo.apply(401));
    // 50 of 100 replaced: 100 changes of 200.
    assertEquals(Verdict.ACCEPT, verdict(entries(50, 150), live));
    assertEquals(Verdict.HOLD, verdict(entries(51, 151), live));
  }

  @Test
  void growthCountsCoveredAddressesToo() {
    // 100 hosts may become 400 addresses; a first /24 on top of few hosts is no growth.
    assertEquals(Verdict.ACCEPT, verdict(entries(0, 10) + "198.18.5.0/24\n", entries(0, 10)));
    Judgement grown = judge(version(entries(0, 99) + "198.18.0.0/15\n"), entries(0, 100));
    assertEquals(Verdict.HOLD, grown.verdict());
    assertEquals(
        List.of("growth: covers 131171 IPv4 addresses, 100 are live, max_growth is 300%"),
        grown.reasons());
    String v6 = "2001:db8:%d::/48\n";
    String live = v6.formatted(1) + v6.formatted(2) + v6.formatted(3);
    assertEquals(Verdict.ACCEPT, verdict(live + v6.formatted(4), live));
    Judgement wide = judge(version(live + "2001:db8:100::/40\n"), live);
    assertTrue(wide.reasons().getFirst().contains("IPv6 networks of /64"), wide.toString());
    // What is held back covers nothing.
    assertEquals(Verdict.ACCEPT_REST, verdict(entries(0, 100) + "0.0.0.0/0\n", entries(0, 100)));
  }

  @Test
  void whatIsHeldBackIsNamedWithItsLine() {
    DigestedVersion fresh =
        version("192.0.2.1\n10.0.0.1-10.0.0.9\ngmail.com\n" + "10.9.9.9\n".repeat(99));
    assertEquals(
        List.of(
            new HeldEntry("10.0.0.1-10.0.0.9", 2, "reserved network"),
            new HeldEntry("gmail.com", 3, "protected by never_block mail-providers"),
            new HeldEntry("10.9.9.9", 4, "reserved network")),
        fresh.digest().heldSamples().subList(0, 3));
    assertEquals(FeedLimits.SHOWN_HELD + 1, fresh.digest().heldSamples().size());
  }

  /** Names that lists seen in the wild have listed (feeds of ad servers, disposable mail ...). */
  @Test
  void bigProvidersAreProtected() {
    String names =
        "yahoo.com qq.com 163.com sendgrid.net mailgun.org zoho.com outlook.com gmail.com"
            + " amazonses.com icloud.com gmx.de craigslist.org";
    for (String name : names.split(" ", -1)) {
      assertEquals(Verdict.ACCEPT_REST, verdict(name + "\nspam.example\n", ""), name);
      assertEquals(Verdict.ACCEPT, verdict("someone@" + name + "\nspam.example\n", ""), name);
    }
  }

  @Test
  void repeatsAndOtherSpellingsAreNoGrowth() {
    String once = entries(0, 100);
    String thrice = once + once + once.replace("203.", "::ffff:203.");
    assertEquals(100, version(thrice).digest().entries());
    assertEquals(
        1, version("192.0.2.0/24\n192.0.2.0-192.0.2.255\n192.0.2.9/24\n").digest().entries());
    assertEquals(1, version("a.example\n.a.example\nA.Example.\n").digest().entries());
  }

  @Test
  void badLinesCountByShareAndNumber() {
    String bad = "192.0.2.999\n";
    assertEquals(Verdict.ACCEPT, verdict(entries(0, 20) + bad.repeat(10), ""));
    assertEquals(Verdict.REJECT, verdict(entries(0, 200) + bad.repeat(11), ""));
    assertEquals(Verdict.ACCEPT, verdict(entries(0, 209) + bad.repeat(11), ""));
  }

  @Test
  void nothingProseAndPagesAreNoLists() {
    assertEquals(Verdict.REJECT, verdict("", ""));
    assertEquals(Verdict.REJECT, verdict("# only a comment\n", ""));
    assertEquals(Verdict.REJECT, verdict("", entries(0, 100)));
    assertEquals(
        Verdict.REJECT,
        verdict("You have been using this list\nwithout leave\nlists.example\n", ""));
    DigestedVersion page = version(entries(0, 10));
    assertEquals(
        Verdict.REJECT, FeedGuard.judgeFirst(FeedTest.DEFAULT_GUARD, page, true).verdict());
  }

  @Test
  void damageIsRejectedWhateverWasRead() {
    DigestedVersion whole = version(entries(0, 100));
    DigestedVersion damaged =
        new DigestedVersion(whole.totals().damaged("gzip data is cut off"), whole.digest());
    Judgement cut = judge(damaged, "");
    assertEquals(Verdict.REJECT, cut.verdict());
    assertEquals(List.of("gzip data is cut off"), cut.reasons());
  }

  @Test
  void coverageIsHeldAlsoAtTheFirstLoad() {
    // 52 networks of /8 are 20.3 % of the space; 51 are 19.9 %.
    IntFunction<String> wide =
        n ->
            IntStream.range(0, n)
                .mapToObj(i -> (128 + i) + ".0.0.0/8\n")
                .collect(Collectors.joining());
    EntryGuard none = new EntryGuard(FeedTest.DEFAULT_GUARD, true, List.of());
    assertEquals(Verdict.ACCEPT, judge(version(wide.apply(51), none), "").verdict());
    assertEquals(Verdict.HOLD, judge(version(wide.apply(52), none), "").verdict());
    // What is held back covers nothing.
    assertEquals(
        Verdict.ACCEPT_REST, judge(version("0.0.0.0/0\n" + entries(0, 5), none), "").verdict());
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0/0, default route (wider than min_prefix)",
    "::/0, default route (wider than min_prefix)",
    "128.0.0.0/7, wider than min_prefix",
    "2001::/18, wider than min_prefix",
    "10.1.2.3, reserved network",
    "127.0.0.1, reserved network",
    "224.0.0.5, reserved network",
    "fe80::1, reserved network",
    "::1, reserved network",
    "198.51.100.25, protected by never_block downstream",
    "own.example, protected by never_block domains",
    "a.b.tree.example, protected by never_block domains",
    "mail.inside.example, protected by never_block downstream",
    "gmail.com, protected by never_block mail-providers",
    "40.92.0.0/15, protected by never_block mail-providers",
    "209.85.128.0/17, protected by never_block mail-providers",
    "209.85.220.41, protected by never_block mail-providers",
    "2a01:111:f400::/47, protected by never_block mail-providers",
    "outbound.protection.outlook.com, protected by never_block mail-providers",
    "us-west-2.amazonses.com, protected by never_block mail-providers",
    "*.inside.example, protected by never_block downstream",
    "co.uk, protected by never_block public-suffixes",
    "blogspot.com, protected by never_block public-suffixes",
  })
  void holdsBackTheEntryAndLetsTheRestLive(String entry, String reason) {
    Judgement judgement = judge(version(entries(0, 5) + entry + "\n"), "");
    assertEquals(Verdict.ACCEPT_REST, judgement.verdict());
    assertEquals(1, judgement.heldEntries());
    assertEquals(List.of("1 held back: " + reason), judgement.reasons());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.0/24\n128.0.0.0/8\n2001::/19\n198.51.100.0/24\n198.51.100.24",
        "sub.own.example\nx@gmail.com\nmail.gmail.com\nexample.co.uk\n192.0.2.0-192.0.2.77"
      })
  void letsOthersLive(String entries) {
    assertEquals(Verdict.ACCEPT, verdict(entries(0, 5) + entries + "\n", ""));
  }

  @Test
  void allowBogonsLiftsOnlyTheReservedRule() {
    EntryGuard bogons = new EntryGuard(FeedTest.DEFAULT_GUARD, true, List.of());
    assertEquals(0, version("10.0.0.0/8\n127.0.0.1\n", bogons).digest().heldEntries());
    EntryGuard loopback = new EntryGuard(FeedTest.DEFAULT_GUARD, true, PROTECTED);
    assertEquals(2, version("10.0.0.0/8\n127.0.0.1\n", loopback).digest().heldEntries());
  }

  @Test
  void providersAreReadAndPlain() {
    assertTrue(MailProviders.names().size() > 300);
    assertTrue(MailProviders.names().contains(DomainName.parse("t-online.de").toOptional().get()));
  }

  @Test
  void everyNetworkOfAProviderHasASourceAndADate() throws IOException {
    try (InputStream text = MailProviders.class.getResourceAsStream("provider-networks.txt")) {
      String[] blocks = new String(text.readAllBytes(), UTF_8).split("\n\n", -1);
      assertTrue(blocks.length >= 8);
      for (int i = 1; i < blocks.length; i++) {
        assertTrue(
            blocks[i].matches("(?s)\\[[^\\]\n]+]\n# .*; as of 20[0-9]{2}-[0-9]{2}-[0-9]{2}\n.+"),
            blocks[i]);
      }
    }
    assertTrue(MailProviders.networks().size() > 50);
  }

  @Test
  void firstNetworksOfAKindAreGrowthToo() {
    String names =
        IntStream.range(0, 1000)
            .mapToObj(i -> "n" + i + ".example\n")
            .collect(Collectors.joining());
    String wide =
        IntStream.range(0, 9)
            .mapToObj(i -> "2a0%d::/20\n".formatted(i))
            .collect(Collectors.joining());
    Judgement judgement = judge(version(names + wide), names);
    assertEquals(Verdict.HOLD, judgement.verdict());
    assertTrue(judgement.reasons().getFirst().contains("IPv6 networks of /64"));
    assertEquals(Verdict.HOLD, verdict(names + "198.18.0.0/16\n", names));
    assertEquals(Verdict.ACCEPT, verdict(names + "198.18.7.0/24\n", names));
  }

  /** The mail server may be a host in a provider's network, which is full of strangers. */
  @Test
  void aNetworkAroundAProtectedHostStaysLiveAndIsNoted() {
    DigestedVersion fresh = version("198.51.0.0/16\n198.51.100.25\n203.0.113.7\n");
    assertEquals(2, fresh.digest().live());
    assertEquals(1, fresh.digest().heldEntries());
    assertEquals(
        List.of(
            "1 live, but not for a protected host inside",
            "1 held back: protected by never_block downstream"),
        FeedGuard.entryReasons(fresh.digest()));
  }
}

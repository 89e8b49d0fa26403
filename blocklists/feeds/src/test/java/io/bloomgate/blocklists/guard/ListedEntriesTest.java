package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.Reading;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.blocklists.guard.FeedGuard.Judgement;
import io.bloomgate.blocklists.guard.FeedGuard.Verdict;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.WebUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The guard counts what a version would really list. */
class ListedEntriesTest extends GuardedVersions {

  @Test
  void whatIsHeldBackIsNoEntry() {
    String held = "10.0.0.1\n10.0.0.2\n10.0.0.3\n";
    assertEquals(Verdict.HOLD, verdict(held, ""), "nothing of it would list anything");
    assertEquals(
        "empty: every entry is held back or taken out by an exception",
        judge(version(held), "").reasons().getFirst());
    assertEquals(3, version(held).digest().entries());
    String inside =
        IntStream.range(0, 100).mapToObj(i -> "10.1.1." + i + "\n").collect(Collectors.joining());
    Judgement shrunk =
        judge(NO_TURNOVER, version(inside + entries(0, 2)), version(entries(0, 100)));
    assertEquals(Verdict.HOLD, shrunk.verdict());
    assertEquals("shrink: 2 entries, 100 are live, max_shrink is 50%", shrunk.reasons().getFirst());
  }

  private static DigestedVersion adblock(String text) {
    return read("adblock", text, new EntryGuard(FeedTest.DEFAULT_GUARD, false, PROTECTED), 1000);
  }

  private static String rules(String form, int to) {
    return IntStream.range(0, to)
        .mapToObj(i -> form.formatted("n" + i + ".spam.example") + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void whatExceptionsTakeOutIsNoEntry() {
    String list = rules("||%s^", 100);
    DigestedVersion live = adblock(list);
    assertEquals(
        Verdict.HOLD,
        judge(FeedTest.DEFAULT_GUARD, adblock(list + rules("@@||%s^", 100)), live).verdict());
    DigestedVersion byParent = adblock(list + "@@||spam.example^\n");
    assertEquals(0, byParent.digest().live());
    assertEquals(Verdict.HOLD, judge(FeedTest.DEFAULT_GUARD, byParent, live).verdict());
    assertEquals(Verdict.HOLD, judge(byParent, "").verdict(), "at the first load too");
    assertEquals(100, adblock(list + "@@||other.example^\n").digest().live());
    // No mail is asked for by a top-level domain.
    assertEquals(100, adblock(list + "@@||example^\n").digest().live());
    DigestedVersion some = adblock(list + rules("@@||%s^", 20));
    assertEquals(80, some.digest().live());
    assertEquals(20, some.digest().exceptions());
    assertEquals(40, some.digest().changes(live.digest()), "20 went, 20 exceptions came");
  }

  @Test
  void exceptionsOfEveryKindTakeOut() {
    String table = "192.0.2.0/25 REJECT\n0.0.0.0/0 DUNNO\n";
    assertEquals(0, read("postfix-cidr", table, NO_RULES, 1000).digest().live());
    String halves = "2001:db8:1::/48\n2001:db8:1::7\n!2001:db8:1::/49\n";
    assertEquals(1, read("ip6trie", halves, NO_RULES, 1000).digest().live());
    String whole = halves + "!2001:db8:1:8000::/49\n";
    assertEquals(0, read("ip6trie", whole, NO_RULES, 1000).digest().live());
    String mailboxes = "a@x.example OK\na@x.example REJECT\nb@x.example REJECT\n";
    FeedDigest access = read("postfix-access", mailboxes, NO_RULES, 1000).digest();
    assertEquals(1, access.exceptions());
    assertEquals(1, access.live());
  }

  @Test
  void anotherMatchModeIsAnotherEntry() {
    String names = rules("%s", 100);
    Judgement judgement = judge(version(rules(".%s", 100)), names);
    assertEquals(Verdict.HOLD, judgement.verdict());
    assertEquals(
        List.of("turnover: 100% of the entries changed, max_turnover is 50%"), judgement.reasons());
    FeedDigest below = version(rules("*.%s", 100)).digest();
    assertEquals(200, below.changes(version(names).digest()));
    assertEquals(100, version(names + rules(".%s", 100)).digest().count(Kind.DOMAIN));
  }

  @Test
  void tooManyEntriesForTheHeapAreRejected() {
    DigestedVersion fits = read("lines", entries(0, 1000).repeat(50), NO_RULES, 1000);
    assertEquals(Verdict.ACCEPT, judge(fits, "").verdict());
    Judgement tooMany = judge(read("lines", entries(0, 1001), NO_RULES, 1000), "");
    assertEquals(Verdict.REJECT, tooMany.verdict());
    assertTrue(
        tooMany.reasons().getFirst().startsWith("more than 1000 entries"), tooMany.toString());
    // 62 networks of IPv4 and 254 of IPv6 follow these.
    String ranges = "0.0.0.1-255.255.255.254\n::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n";
    assertEquals(2, read("lines", ranges, NO_RULES, 400).digest().entries());
    assertEquals(Verdict.REJECT, judge(read("lines", ranges, NO_RULES, 300), "").verdict());
    String exceptions =
        IntStream.range(0, 200)
            .mapToObj("!2001:db8:%x::/48\n"::formatted)
            .collect(Collectors.joining());
    assertEquals(Verdict.REJECT, judge(read("rbldnsd", exceptions, NO_RULES, 1000), "").verdict());
    assertTrue(read("rbldnsd", exceptions, NO_RULES, 7000).totals().damage().isEmpty());
  }

  private static final EntryGuard PLAIN = new EntryGuard(FeedTest.DEFAULT_GUARD, false, PROTECTED);
  private static final EntryGuard OF_URLS = PLAIN.reading(Reading.format("urls"));

  private static ListEntry url(String text) {
    return new ListEntry.Url(WebUrl.parse(text).toOptional().orElseThrow(), false, 1);
  }

  private static ListEntry host(String name) {
    return new ListEntry.Domain(
        DomainName.parse(name).toOptional().orElseThrow(), NameMatch.EXACT, false, 1);
  }

  @Test
  void aSharedHostIsHeldBackInListsOfUrlsOnly() {
    Optional<String> shared = Optional.of(EntryGuard.SHARED_HOST);
    assertEquals(shared, OF_URLS.holds(host("sites.google.com")));
    assertEquals(shared, OF_URLS.holds(host("bit.ly")));
    assertEquals(shared, OF_URLS.holds(url("https://bit.ly/")));
    assertEquals(Optional.empty(), OF_URLS.holds(url("https://bit.ly/abc")));
    assertEquals(Optional.empty(), OF_URLS.holds(host("customer.vercel.app")));
    assertEquals(Optional.empty(), PLAIN.holds(host("bit.ly")), "a list of names means it");
    assertEquals(shared, OF_URLS.accepted().holds(host("bit.ly")), "whatever is accepted");
    assertEquals(PLAIN, PLAIN.reading(Reading.format("domains")));
  }

  /** A URL without a path covers all URLs of its host and below. */
  @Test
  void aWholeHostIsProtectedAsItsNameIs() {
    Optional<String> domains = Optional.of("protected by never_block domains");
    for (EntryGuard guard : new EntryGuard[] {PLAIN, OF_URLS, OF_URLS.accepted()}) {
      assertEquals(domains, guard.holds(url("https://own.example")));
      assertEquals(domains, guard.holds(url("https://below.tree.example/")));
      assertEquals(Optional.empty(), guard.holds(url("https://own.example/upload/x")));
      assertEquals(Optional.empty(), guard.holds(url("https://other.example/")));
      assertTrue(guard.holds(url("http://198.51.100.25/")).isPresent(), "the mail server");
      assertEquals(
          Optional.of("protected by never_block downstream"),
          guard.holds(url("https://inside.example/")),
          "a name around the mail server's");
      assertTrue(guard.holds(url("https://co.uk/")).isPresent(), "a public suffix");
    }
  }

  @Test
  void whatCountsByItsUrlsIsCountedAndNeedsNoAcceptance() {
    DigestedVersion version =
        read(
            "urls:paths",
            """
            https://sites.google.com/view/a
            https://sites.google.com/view/b
            https://evil.example/x
            """,
            OF_URLS,
            FeedLimits.entries(1L << 29));
    FeedDigest digest = version.digest();
    assertEquals(3, digest.count(Kind.URL));
    assertEquals(2, digest.count(Kind.DOMAIN));
    assertEquals(1, digest.sharedHosts());
    assertEquals(4, digest.live());
    assertEquals(0, digest.heldEntries());
    assertEquals(Map.of(EntryGuard.SHARED_HOST, 2L), digest.held());
    assertEquals(FeedGuard.Verdict.ACCEPT, judge(version, "").verdict());
  }
}

package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.Reading;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.WebUrl;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of a list of URLs, hosts that strangers share and protected hosts are not listed whole. */
class UrlEntriesTest extends GuardedVersions {

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
    Version version =
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
    assertEquals(3, digest.urls());
    assertEquals(2, digest.domains());
    assertEquals(1, digest.sharedHosts());
    assertEquals(4, digest.live());
    assertEquals(0, digest.heldEntries());
    assertEquals(Map.of(EntryGuard.SHARED_HOST, 2L), digest.held());
    assertEquals(FeedGuard.Verdict.ACCEPT, judge(version, "").verdict());
  }
}

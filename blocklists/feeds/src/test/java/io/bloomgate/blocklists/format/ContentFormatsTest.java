package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Formats of what mails carry: URLs with their paths, and SHA-256 values. */
class ContentFormatsTest {

  private static final String A = "0123456789abcdef".repeat(4);
  private static final String B = "FEDCBA9876543210".repeat(4);

  private static String readAs(Set<Check> checks) {
    return Reading.format("urls").forChecks(checks).name();
  }

  @Test
  void theChecksSayWhatAUrlGives() {
    assertEquals("urls", readAs(EnumSet.of(Check.SENDER_DOMAIN, Check.URL_HOST)));
    assertEquals("urls:paths", readAs(EnumSet.of(Check.URL, Check.URL_HOST)));
    assertEquals("urls:paths-only", readAs(EnumSet.of(Check.URL)));
    assertEquals("urls:paths", Reading.format("urls").whole().name());
    assertEquals("lines", Reading.format("lines").forChecks(Set.of(Check.URL)).name());
    for (Set<Check> checks : List.of(Set.of(Check.URL), Set.of(Check.URL, Check.HELO))) {
      FeedFormat format = Reading.format("urls").forChecks(checks);
      assertEquals(format.name(), Reading.format(format.name()).name(), "it is found by its name");
      assertTrue(Reading.format(format.name()).listsUrls());
    }
  }

  @Test
  void aUrlGivesItsCanonicalFormAndItsHost() {
    String text =
        """
        # a list
        https://User:pw@Host.example:8443/a/./b?c=d#e
        http://192.0.2.1:8080
        hxxp://what.example/
        bare.example/path
        """;
    Reading both = Reading.of("urls:paths", text);
    assertEquals(
        List.of("host.example/a/b?c=d:2", "host.example:2", "192.0.2.1/:3", "192.0.2.1:3"),
        both.entries);
    assertEquals(2, both.totals.entries(), "a URL counts once");
    assertEquals(2, both.problems.size(), both.problems::toString);
    assertEquals(
        List.of("host.example/a/b?c=d:2", "192.0.2.1/:3"),
        Reading.of("urls:paths-only", text).entries);
  }

  /** The lists of the own memory have all kinds of entries, each with a comment. */
  @Test
  void entriesOfAllKindsAreReadFromOneList() {
    String text =
        """
        # a list
        evil.example # trap mail 2026-11-30 id 7K3Q9ZT2AB
        http://docs.example/a;b?c=d # reported 2026-11-30
        a@evil.example
        192.0.2.0/24 # x
        %s
        two words
        like:00
        """
            .formatted(A);
    Reading read = Reading.of("entries", text);
    assertEquals(
        List.of(
            "evil.example:2",
            "docs.example/a;b?c=d:3",
            "a@evil.example:4",
            "192.0.2.0/24:5",
            A + ":6"),
        read.entries);
    assertEquals(2, read.problems.size(), read.problems::toString);
  }

  @Test
  void aTableOfUrlsIsReadByItsFirstUrl() throws IOException {
    String phishTank =
        """
        phish_id,url,phish_detail_url,submission_time,verified
        9123,https://evil.example/a,http://www.phishtank.com/phish_detail.php?phish_id=9123,2026,yes
        9124,"https://evil.example/b,c",http://www.phishtank.com/phish_detail.php?phish_id=9,2026,yes
        """;
    assertEquals(
        List.of("evil.example/a:2", "evil.example/b,c:3"),
        Reading.of("urls:paths-only", phishTank).entries);
    assertEquals(1, Reading.of("urls", phishTank).totals.skipped(), "the header");
    String urlHaus =
        """
        ################
        # id,dateadded,url,url_status
        "3","2026-11-24 10:00:00","http://198.51.100.7:5000/i","online"
        """;
    assertEquals(
        List.of("198.51.100.7/i:3", "198.51.100.7:3"), Reading.of("urls:paths", urlHaus).entries);
  }

  @Test
  void sha256ValuesComeInLinesAndInTables() {
    String text =
        "# MalwareBazaar\n\n"
            + A
            + "\n"
            + B
            + "  invoice.exe\n"
            + "\"2026-11-24 10:00:00\", \""
            + A
            + "\", \"0123456789abcdef0123456789abcdef\", \"a \"\"quoted\"\" name\"\n"
            + A.substring(1)
            + "\n"
            + A
            + "0\n"
            + "prose\n";
    Reading read = Reading.of("sha256", text);
    assertEquals(
        List.of(A + ":3", B.toLowerCase(java.util.Locale.ROOT) + ":4", A + ":5"), read.entries);
    assertEquals(3, read.problems.size(), read.problems::toString);
    Reading table = Reading.of("sha256", "first_seen,sha256_hash\n2026," + A + "\n");
    assertEquals(List.of(A + ":2"), table.entries);
    assertEquals(List.of(), table.problems);
  }

  /** Two slashes begin a comment in many feeds, and a URL in what bloomgate exports. */
  @Test
  void aUrlWithoutSchemeIsNoComment() {
    String text =
        """
        // a comment: see www.example/a
        //comment
        //off.example
        //192.0.2.0/24
        //2001:db8::/32
        //evil.example/path
        //192.0.2.1/login
        """;
    Reading lines = Reading.of("lines", text);
    assertEquals(List.of(), lines.entries);
    String reason = "a URL, which format urls reads; a comment has a blank behind //";
    assertEquals(List.of("6:" + reason, "7:" + reason), lines.problems);
    assertEquals(List.of("evil.example:6", "192.0.2.1:7"), Reading.of("urls", text).entries);
    assertEquals(
        List.of("evil.example/path:6", "192.0.2.1/login:7"),
        Reading.of("urls:paths-only", text).entries);
  }
}

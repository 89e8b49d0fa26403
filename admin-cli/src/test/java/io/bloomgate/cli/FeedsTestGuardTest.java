package io.bloomgate.cli;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * By which guard {@code feeds test} judges: that of the feed, of the settings, or the default; how
 * far names reach.
 */
class FeedsTestGuardTest {

  @TempDir private Path folder;

  private Path list(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "198.51.100.0/26\n192.0.2.7\n");
  }

  private static Shell.Result tested(Path settings, Path list) {
    return Shell.run("-c", settings.toString(), "feeds", "test", list.toString());
  }

  private Path settings(String guard) throws IOException {
    return Files.writeString(
        folder.resolve("bloomgate.yaml"),
        """
        domains: [example.com]
        hostname: mx.example.com
        downstream: {host: 203.0.113.25}
        feeds:
          GUARD
          sources:
            strict: {file: strict.txt, guard: {min_prefix: {ipv4: 28}}}
        """
            .replace("GUARD", guard));
  }

  @Test
  void theGuardOfTheFeedCountsForItsFileOnly() throws IOException {
    Path settings = settings("keep_generations: 5");
    Shell.Result own = tested(settings, list("strict.txt"));
    assertEquals(4, own.exitCode(), own.toString());
    assertTrue(own.out().contains("judged by the guard of the feed strict"), own.toString());
    Shell.Result other = tested(settings, list("other.txt"));
    assertEquals(0, other.exitCode(), other.toString());
    assertFalse(other.out().contains("judged by"), other.toString());
  }

  @Test
  void aQueryIsReadAsLogsWriteItOrRefused() throws IOException {
    String list = list("list.txt").toString();
    Shell.Result listed = Shell.run("feeds", "test", list, "--query", "unknown[192.0.2.7]");
    assertTrue(listed.out().contains("unknown[192.0.2.7] is listed"), listed.toString());
    Shell.Result none = Shell.run("feeds", "test", list, "--query", "192.0.2.300");
    assertEquals(2, none.exitCode(), none.toString());
    assertTrue(none.err().contains("cannot ask for \"192.0.2.300\""), none.toString());
    Path marked =
        Files.writeString(folder.resolve("asked.txt"), "\ufeff192.0.2.7\n\n[192.0.2.8]\n");
    String asked = Shell.run("feeds", "test", list, "--queries", marked.toString()).out();
    assertTrue(asked.contains("query      192.0.2.7 is listed"), asked);
    assertTrue(asked.contains("query      [192.0.2.8] is not listed"), asked);
    Shell.Result opened = Shell.run("feeds", "test", list, "--queries", folder.toString());
    assertTrue(opened.err().contains(folder + " is a folder"), opened.toString());
  }

  /** What is compared with a list of URLs decides what the list has: URLs, their hosts or both. */
  @Test
  void theChecksOfAListOfUrlsDecideWhatIsListed() throws IOException {
    Path urls =
        Files.writeString(
            folder.resolve("urls.txt"),
            """
            http://evil.example/a
            http://evil.example/b
            https://sites.google.com/view/x
            http://192.0.2.9/x
            http://127.0.0.1/x
            """);
    String said = Shell.run("feeds", "test", urls.toString()).out();
    assertTrue(said.contains("ipv4 2, ipv6 0, domain 2, address 0, url 5"), said);
    assertTrue(
        said.contains("url_host finds 2; shared hosts, of which only the URLs count 1"), said);
    assertTrue(said.contains("guard      accept-rest, held back 1\n"), said);
    assertTrue(said.contains("  1 held back: reserved network\n"), said);
    assertTrue(said.contains("  1 time a shared host, only its URLs count\n"), said);
    String ofUrls = Shell.run("feeds", "test", urls.toString(), "--checks", "url").out();
    assertTrue(ofUrls.contains("ipv4 0, ipv6 0, domain 0, address 0, url 5"), ofUrls);
    assertFalse(ofUrls.contains("url_host finds"), ofUrls);
    assertTrue(ofUrls.contains("guard      accept, held back 0\n"), ofUrls);
    String ofHosts =
        Shell.run("feeds", "test", urls.toString(), "--checks", "url_host,from_domain").out();
    assertTrue(ofHosts.contains("ipv4 2, ipv6 0, domain 2, address 0, url 0"), ofHosts);
    assertTrue(ofHosts.contains("url_host finds 2; shared hosts"), ofHosts);
    Shell.Result wrong = Shell.run("feeds", "test", urls.toString(), "--checks", "host");
    assertEquals(2, wrong.exitCode(), wrong.toString());
  }

  /** As the gateway does on this machine; the settings may be of another one. */
  @Test
  void theGatewaysOwnAddressIsHeldBackWhereItsStateIs() throws IOException {
    List<IpAddress> own = ListRules.ownAddresses(problem -> {});
    assumeFalse(own.isEmpty(), "this machine has loopback addresses only");
    Path settings =
        Files.writeString(
            settings("keep_generations: 5"),
            """
                own: {file: own.txt, allow_bogons: true}
            state_dir: state
            allow: {never_block: []}
            """,
            APPEND);
    Path list = Files.writeString(folder.resolve("own.txt"), "45.66.0.9\n" + own.getFirst() + "\n");
    String held = "1 held back: the gateway's own address";
    assertEquals(0, tested(settings, list).exitCode());
    Files.createDirectory(folder.resolve("state"));
    Shell.Result here = tested(settings, list);
    assertTrue(here.out().contains(held), here.toString());
    assertEquals(4, here.exitCode(), here.toString());
  }

  /** As the gateway would at the first load, so that nobody learns it from the first mails. */
  @Test
  void whatIsHeldBackIsNamedThatOfGoodSendersToo() throws Exception {
    Path settings =
        Files.writeString(
            settings("guard: {breaker: 3, max_good_hits: 5}"),
            "state_dir: state\nallow: {known_good: [partners.txt]}\n",
            APPEND);
    Path list =
        Files.writeString(
            folder.resolve("new.txt"),
            "45.66.0.9\n10.0.0.1\n203.0.113.25\n45.66.1.0/24\n45.66.2.0/24\n45.66.3.3\n");
    Files.writeString(folder.resolve("partners.txt"), "45.66.0.9\n");
    Shell.Result few = tested(settings, list);
    assertEquals(4, few.exitCode(), few.toString());
    assertTrue(few.out().contains("guard      accept-rest, held back 2\n"), few.out());
    assertTrue(few.out().contains("10.0.0.1 in line 2: reserved network\n"), few.out());
    assertTrue(few.out().contains("203.0.113.25 in line 3: "), few.out());
    assertTrue(few.out().contains("45.66.0.9 in line 1 lists 45.66.0.9 ("), few.out());
    Path state = Files.createDirectory(folder.resolve("state"));
    KnownSenders senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), _ -> {});
    IpAddress client = IpAddress.parse("45.66.1.7").toOptional().orElseThrow();
    for (int day = 0; day < 4; day++) {
      senders.accepted(client, "a@partner.example", Shell.NOW.minus(Duration.ofDays(day)));
    }
    senders.save();
    OfflineExplainTest.allow(state, "45.66.2.7");
    Shell.Result all = tested(settings, list);
    assertTrue(all.out().contains("guard      accept-rest, held back 5\n"), all.out());
    assertTrue(all.out().contains("45.66.0.9 in line 1: lists good senders\n"), all.out());
    assertTrue(all.out().contains("45.66.1.0/24 in line 4: lists good senders\n"), all.out());
    assertTrue(all.out().contains("lists 45.66.1.7 (known sender)\n"), all.out());
    assertTrue(all.out().contains("lists 45.66.2.7 (allow entry)\n"), all.out());
  }

  @Test
  void otherListsHaveTheGuardOfTheSettings() throws IOException {
    Path settings = settings("guard: {min_prefix: {ipv4: 27}}");
    Shell.Result other = tested(settings, list("other.txt"));
    assertEquals(4, other.exitCode(), other.toString());
  }

  /**
   * {@code block add} of the same line means all below the name, so people expect that of a feed.
   */
  @Test
  void namesSayHowTheyMatch() throws Exception {
    Path names = Files.writeString(folder.resolve("names.txt"), "a.example\nb.example\n");
    Path zone =
        Files.writeString(
            folder.resolve("zone.rpz"),
            """
            @ SOA localhost. root.localhost. 1 1h 1h 1w 60
            a.example CNAME .
            *.b.example CNAME .
            """);
    Path addresses = Files.writeString(folder.resolve("addresses.txt"), "203.0.113.7\n");
    String exact = named(names);
    assertTrue(
        exact.contains(
            "  names      match exactly: not what is below them (`match: suffix` in the settings"
                + " does)\n"),
        exact);
    String suffix = named(names, "--match", "suffix");
    assertTrue(suffix.contains("  names      match with all below them\n"), suffix);
    String both = named(zone, "--format", "rpz");
    assertTrue(both.contains("  names      exactly 1, only what is below 1\n"), both);
    assertFalse(named(addresses).contains("names "), "there is none");
    assertTrue(named(names, "-o", "json").contains("\"names\":{\"exact\":2,\"suffix\":0,"));
  }

  private static String named(Path list, String... more) {
    List<String> words = new ArrayList<>(List.of("feeds", "test", list.toString()));
    words.addAll(List.of(more));
    Shell.Result result = Shell.run(words.toArray(String[]::new));
    assertEquals(0, result.exitCode(), result.toString());
    return result.out();
  }
}

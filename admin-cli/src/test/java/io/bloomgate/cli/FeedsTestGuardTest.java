package io.bloomgate.cli;

import static java.nio.file.StandardOpenOption.APPEND;
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
    tested(settings, list("strict.txt")).ends(4, "judged by the guard of the feed strict");
    tested(settings, list("other.txt")).exits(0).printsNo("judged by");
  }

  @Test
  void aQueryIsReadAsLogsWriteItOrRefused() throws IOException {
    String list = list("list.txt").toString();
    Shell.run("feeds", "test", list, "--query", "unknown[192.0.2.7]")
        .prints("unknown[192.0.2.7] is listed");
    Shell.run("feeds", "test", list, "--query", "192.0.2.300")
        .fails(2, "cannot ask for \"192.0.2.300\"");
    Path marked =
        Files.writeString(folder.resolve("asked.txt"), "\ufeff192.0.2.7\n\n[192.0.2.8]\n");
    String asked = Shell.run("feeds", "test", list, "--queries", marked.toString()).out();
    Shell.assertHas(
        asked, "query      192.0.2.7 is listed", "query      [192.0.2.8] is not listed");
    Shell.run("feeds", "test", list, "--queries", folder.toString())
        .complains(folder + " is a folder");
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
    Shell.assertHas(
        said,
        "ipv4 2, ipv6 0, domain 2, address 0, url 5",
        "url_host finds 2; shared hosts, of which only the URLs count 1",
        "guard      accept-rest, held back 1\n",
        "  1 held back: reserved network\n",
        "  1 time a shared host, only its URLs count\n");
    String ofUrls = Shell.run("feeds", "test", urls.toString(), "--checks", "url").out();
    Shell.assertHas(ofUrls, "ipv4 0, ipv6 0, domain 0, address 0, url 5");
    Shell.assertLacks(ofUrls, "url_host finds");
    Shell.assertHas(ofUrls, "guard      accept, held back 0\n");
    String ofHosts =
        Shell.run("feeds", "test", urls.toString(), "--checks", "url_host,from_domain").out();
    Shell.assertHas(
        ofHosts, "ipv4 2, ipv6 0, domain 2, address 0, url 0", "url_host finds 2; shared hosts");
    Shell.run("feeds", "test", urls.toString(), "--checks", "host").exits(2);
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
    tested(settings, list).exits(0);
    Files.createDirectory(folder.resolve("state"));
    tested(settings, list).ends(4, held);
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
    tested(settings, list)
        .ends(
            4,
            "guard      accept-rest, held back 2\n",
            "10.0.0.1 in line 2: reserved network\n",
            "203.0.113.25 in line 3: ",
            "45.66.0.9 in line 1 lists 45.66.0.9 (");
    Path state = Files.createDirectory(folder.resolve("state"));
    KnownSenders senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), _ -> {});
    IpAddress client = IpAddress.parse("45.66.1.7").toOptional().orElseThrow();
    for (int day = 0; day < 4; day++) {
      senders.accepted(client, "a@partner.example", Shell.NOW.minus(Duration.ofDays(day)));
    }
    senders.save();
    OfflineExplainTest.allow(state, "45.66.2.7");
    tested(settings, list)
        .prints(
            "guard      accept-rest, held back 5\n",
            "45.66.0.9 in line 1: lists good senders\n",
            "45.66.1.0/24 in line 4: lists good senders\n",
            "lists 45.66.1.7 (known sender)\n",
            "lists 45.66.2.7 (allow entry)\n");
  }

  @Test
  void otherListsHaveTheGuardOfTheSettings() throws IOException {
    Path settings = settings("guard: {min_prefix: {ipv4: 27}}");
    tested(settings, list("other.txt")).exits(4);
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
    Shell.assertHas(
        exact,
        "  names      match exactly: not what is below them (`match: suffix` in the settings"
            + " does)\n");
    String suffix = named(names, "--match", "suffix");
    Shell.assertHas(suffix, "  names      match with all below them\n");
    String both = named(zone, "--format", "rpz");
    Shell.assertHas(both, "  names      exactly 1, only what is below 1\n");
    assertFalse(named(addresses).contains("names "), "there is none");
    assertTrue(named(names, "-o", "json").contains("\"names\":{\"exact\":2,\"suffix\":0,"));
  }

  private static String named(Path list, String... more) {
    Shell.Result result = Shell.run(List.of("feeds", "test", list.toString()), more).exits(0);
    return result.out();
  }
}

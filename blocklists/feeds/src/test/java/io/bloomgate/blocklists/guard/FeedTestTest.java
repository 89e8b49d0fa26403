package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FakeFeedServer;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code feeds test} says. */
class FeedTestTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir private Path folder;
  @TempDir private Path temporary;
  private List<ProtectedSet> protectedSets = List.of();

  private FeedTest.Outcome run(
      String source, @Nullable String format, @Nullable Match match, String... queries)
      throws IOException {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    try (FeedSources sources = new FeedSources(executor, System::nanoTime, () -> NOW)) {
      FeedTest test =
          new FeedTest(sources, FeedTest.DEFAULT_GUARD, false, protectedSets, temporary, () -> NOW);
      return test.run(
          new FeedTest.Request(source, format, match, Set.of(), List.of(queries), null));
    } finally {
      executor.shutdownNow();
      try (Stream<Path> left = Files.list(temporary)) {
        assertEquals(0, left.count(), "nothing is left behind");
      }
    }
  }

  private FeedReport report(String text, @Nullable String format, String... queries)
      throws IOException {
    Path file = Files.writeString(folder.resolve("list"), text);
    FeedTest.Outcome outcome = run(file.toString(), format, null, queries);
    return assertInstanceOf(FeedTest.Outcome.Tested.class, outcome).report();
  }

  /** Lists of throw-away domains name them, and thousands of strangers have names below them. */
  @Test
  void aZoneOfFreeSubdomainsIsListedAlone() throws IOException {
    String list = "mooo.com\nspam.example\n*.us.to\n!uk.to\n";
    String[] asked = {"mooo.com", "stranger.mooo.com", "x.spam.example", "us.to", "a.us.to"};
    assertEquals(List.of(true, true, true, true, true), listed(list, asked));
    protectedSets =
        ProtectedSet.of(EnumSet.of(NeverBlock.PUBLIC_SUFFIXES), List.of(), List.of(), List.of());
    assertEquals(List.of(true, false, true, true, false), listed(list, asked));
  }

  private List<Boolean> listed(String list, String... asked) throws IOException {
    Path file = Files.writeString(folder.resolve("list"), list);
    FeedTest.Outcome outcome = run(file.toString(), "domains", Match.SUFFIX, asked);
    return assertInstanceOf(FeedTest.Outcome.Tested.class, outcome).report().queries().stream()
        .map(FeedReport.Answer::listed)
        .toList();
  }

  @Test
  void saysExactlyWhatTheContractPromises() throws IOException {
    FeedReport report =
        report(
            """
            192.0.2.0/24
            192.0.2.0-192.0.2.255
            192.0.2.9
            2001:db8::/32
            a.example
            .a.example
            b@c.example
            10.0.0.1
            not valid
            """,
            null,
            "192.0.2.9",
            "192.0.2.8",
            "x.a.example",
            "B+tag@c.example",
            "c.example",
            "2001:db8::/33",
            "192.0.0.0/16",
            "no subject");
    assertEquals(
        "{\"source\":\""
            + folder.resolve("list")
            + "\",\"format\":\"lines\",\"lines\":9,"
            + "\"entries\":{\"ipv4\":3,\"ipv6\":1,\"domain\":1,\"address\":1,\"url\":0,\"fingerprint\":0},\"exceptions\":0,\"invalid\":1,\"problems\":[{\"line\":9,\"reason\":\"more"
            + " than one word in a line\",\"text\":\"not"
            + " valid\"}],\"guard\":{\"verdict\":\"accept-rest\",\"reasons\":[\"1 held back:"
            + " reserved"
            + " network\"],\"held_entries\":1,\"held\":[{\"entry\":\"10.0.0.1\",\"line\":8,\"reason\":\"reserved"
            + " network\"}]},\"queries\":["
            + "{\"subject\":\"192.0.2.9\",\"listed\":true,\"entry\":\"192.0.2.9\",\"line\":3},"
            + "{\"subject\":\"192.0.2.8\",\"listed\":true,\"entry\":\"192.0.2.0/24\",\"line\":1},"
            + "{\"subject\":\"x.a.example\",\"listed\":true,\"entry\":\"a.example\",\"line\":6},"
            + "{\"subject\":\"B+tag@c.example\",\"listed\":true,\"entry\":\"b@c.example\",\"line\":7},"
            + "{\"subject\":\"c.example\",\"listed\":false,\"entry\":null,\"line\":null},"
            + "{\"subject\":\"2001:db8::/33\",\"listed\":true,\"entry\":\"2001:db8::/32\",\"line\":4},"
            + "{\"subject\":\"192.0.0.0/16\",\"listed\":false,\"entry\":null,\"line\":null},{\"subject\":\"no"
            + " subject\",\"listed\":false,\"entry\":null,\"line\":null}],"
            + "\"names\":{\"exact\":1,\"suffix\":1,\"below\":0}}",
        Json.write(report.toJson()));
    assertEquals(4, report.exitCode());
  }

  @Test
  void exceptionsOfTheFileCountBeforeItsEntries() throws IOException {
    FeedReport report =
        report(
            """
            192.0.2.0/24 REJECT
            192.0.2.64/26 OK
            192.0.2.65 REJECT
            2001:db8::1 REJECT
            2001:db8::/64 DUNNO
            """,
            "postfix-cidr",
            "192.0.2.1",
            "192.0.2.65",
            "2001:db8::1");
    assertEquals(1, report.digest().count(Kind.IPV4));
    assertEquals(0, report.digest().count(Kind.IPV6));
    assertEquals(2, report.digest().exceptions());
    assertEquals(
        List.of(true, false, false),
        report.queries().stream().map(FeedReport.Answer::listed).toList());
    assertEquals(0, report.exitCode());
  }

  @Test
  void theNarrowestEntryAnswersAndOnlyOneThatListsTheWholeSubject() throws IOException {
    FeedReport report =
        report(
            """
            192.0.2.0/24 REJECT
            192.0.2.0/25 REJECT
            192.0.2.0/25 REJECT
            203.0.113.1 REJECT
            """,
            "postfix-cidr",
            "192.0.2.1",
            "192.0.2.0/24",
            "203.0.113.0/31",
            "someone@[203.0.113.1]",
            "not a subject");
    assertEquals(
        Arrays.asList(2, 1, null, null, null),
        report.queries().stream().map(FeedReport.Answer::line).toList());
    assertEquals("192.0.2.0/25", report.queries().getFirst().entry());
  }

  @ParameterizedTest
  @CsvSource({"'192.0.2.1\n', 0", "'192.0.2.1\n0.0.0.0/0\n', 4", "'', 1", "'<html>\n', 1"})
  void exitCodesFollowTheVerdict(String text, int exitCode) throws IOException {
    assertEquals(exitCode, report(text, null).exitCode());
  }

  @Test
  void whatCannotBeTestedSaysWhy() throws IOException {
    assertEquals(
        2, assertInstanceOf(FeedTest.Outcome.Failed.class, run("x", "no", null)).exitCode());
    assertEquals(
        1,
        assertInstanceOf(FeedTest.Outcome.Failed.class, run(folder + "/none", null, null))
            .exitCode());
    assertEquals(
        2,
        assertInstanceOf(FeedTest.Outcome.Failed.class, run("http://[bad", null, null)).exitCode());
  }

  @Test
  void aUrlIsTestedLikeAFile() throws IOException {
    try (FakeFeedServer server = new FakeFeedServer()) {
      server.serve("/list", "192.0.2.1\n");
      var tested =
          assertInstanceOf(
              FeedTest.Outcome.Tested.class,
              run(server.uri("/list?key=SECRET").toString(), null, null, "192.0.2.1"));
      assertEquals(server.uri("/list") + "?...", tested.report().source());
      assertTrue(tested.report().queries().getFirst().listed());
    }
  }
}

package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.blocklists.guard.FeedReport;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real feeds against counts and answers that were computed independently. The data lies beside the
 * repository ({@code ../shared/feeds}) and is not part of it; where it is missing the test is
 * skipped.
 */
class SharedFeedsTest {

  private static final Path FEEDS = Path.of("..", "..", "..", "shared", "feeds");

  /** Names that the data has for formats of ours; a psl is not asked for. */
  private static final Map<String, String> FORMATS =
      Map.ofEntries(
          Map.entry("ip_list", "ips"),
          Map.entry("mixed", "lines"),
          Map.entry("emails", "lines"),
          Map.entry("domains", "domains"),
          Map.entry("hosts", "hosts"),
          Map.entry("json_array", "json"),
          Map.entry("json_array_suffix", "json"),
          Map.entry("spamhaus_ndjson", "spamhaus-json"),
          Map.entry("postfix_cidr", "postfix-cidr"),
          Map.entry("misp_list", "misp"),
          Map.entry("adblock", "adblock"),
          Map.entry("dnsmasq", "dnsmasq"),
          Map.entry("unbound", "unbound"),
          Map.entry("wildcard", "wildcard"),
          Map.entry("urls", "urls"),
          Map.entry("rpz", "rpz"),
          Map.entry("range_csv", "range-csv"),
          Map.entry("postfix_access", "postfix-access"),
          Map.entry("ipset_save", "ipset-save"),
          Map.entry("zeek_intel", "zeek-intel"),
          Map.entry("ndjson:type,value", "ndjson:value"));

  /** Where the data itself leaves two readings open: what ours gives. */
  private static final Map<String, Long> OPEN_REJECTED =
      Map.of(
          // The dotted netmask is refused.
          "ip-odd.txt", 13L,
          // Ours is a mixed list, so what has no at sign is read as a name.
          "emails.txt", 3L);

  @TempDir private Path temporary;

  @TestFactory
  Stream<DynamicTest> everyFileOfASupportedFormat() throws IOException, JsonSyntaxException {
    return tests(FEEDS);
  }

  @TestFactory
  Stream<DynamicTest> everySyntheticFileOfASupportedFormat()
      throws IOException, JsonSyntaxException {
    return tests(FEEDS.resolve("synthetic"));
  }

  private Stream<DynamicTest> tests(Path folder) throws IOException, JsonSyntaxException {
    Path expected = folder.resolve("expected.json");
    Assumptions.assumeTrue(Files.exists(expected), "no shared feeds here: " + folder);
    JsonObject all = (JsonObject) Json.parse(Files.readString(expected));
    List<DynamicTest> tests = new ArrayList<>();
    all.members()
        .forEach((name, value) -> {
          JsonObject e = (JsonObject) value;
          format(e.text("format").orElseThrow())
              .ifPresent(format ->
                  tests.add(
                      DynamicTest.dynamicTest(
                          name + " as " + format, () -> compare(folder.resolve(name), format, e))));
        });
    assertTrue(tests.size() > 8, "files found: " + tests.size());
    return tests.stream();
  }

  private static List<Long> counts(FeedReport report) {
    return List.of(
        report.digest().count(Kind.IPV4),
        report.digest().count(Kind.IPV6),
        report.digest().count(Kind.DOMAIN),
        report.digest().exceptions());
  }

  private static Optional<String> format(String theirs) {
    if (theirs.startsWith("json_obj:")) {
      return Optional.of("json:" + theirs.substring("json_obj:".length()));
    }
    return theirs.startsWith("csv:") || theirs.startsWith("rbldnsd")
        ? Optional.of(theirs)
        : Optional.ofNullable(FORMATS.get(theirs));
  }

  private void compare(Path file, String format, JsonObject expected) throws IOException {
    boolean suffix =
        expected.text("format").orElseThrow().endsWith("_suffix")
            || number(expected, "domains_suffix_unique") > 0;
    List<String> hits = strings(expected, "hits");
    List<String> other = strings(expected, "hits_other_spelling");
    List<String> misses = strings(expected, "misses");
    List<String> queries = Stream.of(hits, other, misses).flatMap(List::stream).toList();
    Match match = suffix ? Match.SUFFIX : null;
    FeedReport report = report(file, format, match, queries);
    if (FEEDS.equals(file.getParent())) {
      // A real feed: the entries that its format gives are found without one.
      FeedReport found = report(file, null, match, List.of());
      assertEquals(counts(report), counts(found), "without a format");
      assertEquals(report.totals(), found.totals(), "without a format");
    }
    boolean allowList = format.equals("postfix-cidr");
    if (expected.get("v4_unique_entries").isPresent() || expected.get("lines").isPresent()) {
      long literals = number(expected, "unique_ip_literals_in_domain_list");
      assertEquals(
          number(expected, "v4_unique_entries") + literals,
          allowList ? report.digest().exceptions() - 20 : report.digest().count(Kind.IPV4),
          "ipv4");
      assertEquals(
          number(expected, "v6_unique_entries"),
          allowList ? 20 : report.digest().count(Kind.IPV6),
          "ipv6");
      assertEquals(
          number(expected, "domains_unique"), report.digest().count(Kind.DOMAIN), "domains");
    }
    long rejected =
        OPEN_REJECTED.getOrDefault(
            String.valueOf(file.getFileName()), number(expected, "rejected_lines"));
    assertEquals(rejected, report.totals().invalid(), () -> "rejected " + report.problems());
    assertEquals(Optional.empty(), report.totals().damage());
    for (int i = 0; i < queries.size(); i++) {
      boolean listed = !allowList && i < hits.size() + other.size();
      FeedReport.Answer answer = report.queries().get(i);
      assertEquals(listed, answer.listed(), () -> answer.toString());
    }
  }

  private FeedReport report(
      Path file, @Nullable String format, @Nullable Match match, List<String> queries)
      throws IOException {
    try (FeedSources sources = new FeedSources(Runnable::run, () -> 0, () -> Instant.EPOCH)) {
      FeedTest test =
          new FeedTest(
              sources,
              FeedTest.DEFAULT_GUARD,
              false,
              List.of(),
              temporary,
              () -> Instant.parse("2026-11-21T12:00:00Z"));
      FeedTest.Outcome outcome =
          test.run(new FeedTest.Request(file.toString(), format, match, Set.of(), queries, null));
      return ((FeedTest.Outcome.Tested) outcome).report();
    }
  }

  private static long number(JsonObject object, String name) {
    return object.get(name).orElse(null) instanceof JsonNumber(String literal)
        ? Long.parseLong(literal)
        : 0;
  }

  private static List<String> strings(JsonObject object, String name) {
    List<String> texts = new ArrayList<>();
    if (object.get(name).orElse(null) instanceof JsonArray(List<JsonValue> elements)) {
      for (JsonValue element : elements) {
        switch (element) {
          case JsonString(String text) -> texts.add(text);
          case JsonObject o -> texts.add(o.text("q").orElseThrow());
          default -> throw new AssertionError(element);
        }
      }
    }
    return texts;
  }
}

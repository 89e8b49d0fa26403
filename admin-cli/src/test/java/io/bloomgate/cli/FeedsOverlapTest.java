package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code feeds overlap} over the versions and the generation that a gateway left behind. */
class FeedsOverlapTest {

  @TempDir Path folder;
  private final Map<String, String> lists = new LinkedHashMap<>();

  @BeforeEach
  void leaveStateBehind() throws Exception {
    lists.put("traps", addresses("203.0.113.", 0, 100));
    // 60 of its 80 are in the list above, which is 60 of 100 the other way.
    lists.put("copy", addresses("203.0.113.", 40, 120));
    // One address of 256 lies in a network: what the sample finds of it is by chance.
    lists.put("wide", "203.0.113.0/25\n");
    lists.put("names", "spam.example\n*.bad.example\n");
    lists.put("more-names", "mail.spam.example\nx.bad.example\n");
    settings("");
    Path state = Files.createDirectories(folder.resolve("state"));
    List<FeedInput> inputs = new ArrayList<>();
    for (Map.Entry<String, String> list : lists.entrySet()) {
      version(list.getKey(), list.getValue());
      List<ListEntry> entries = list.getValue().lines().map(FeedsOverlapTest::entry).toList();
      inputs.add(new FeedInput(list.getKey(), "1", entries::forEach));
    }
    try (SnapshotStore store =
        SnapshotStore.open(
            state.resolve("snapshots"),
            new SnapshotBuilder(new Random(1)),
            InstantSource.fixed(Shell.NOW),
            alarm -> {})) {
      var built = store.build(inputs, new BuildOptions(0.001, 1 << 20, 3));
      assertEquals(1, built.generation());
    }
  }

  private static String addresses(String network, int from, int behind) {
    return IntStream.range(from, behind)
        .mapToObj(i -> network + i + "\n")
        .collect(Collectors.joining());
  }

  private static ListEntry entry(String line) {
    if (line.startsWith("*.")) {
      return new ListEntry.Domain(name(line.substring(2)), NameMatch.BELOW, false, 1);
    }
    return Character.isDigit(line.charAt(0))
        ? new ListEntry.Network(IpPrefix.parse(line).toOptional().orElseThrow(), false, 1)
        : new ListEntry.Domain(name(line), NameMatch.SUFFIX, false, 1);
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  /** The settings, with a further member for the feed {@code copy}. */
  private void settings(String more) throws Exception {
    StringBuilder sources = new StringBuilder();
    lists
        .keySet()
        .forEach(name ->
            sources.append(
                "    %s: {file: %s.txt, format: lines, match: suffix%s}\n"
                    .formatted(name, name, name.equals("copy") ? more : "")));
    Files.writeString(
        folder.resolve("bloomgate.yaml"),
        "domains: [example.com]\nstate_dir: state\ndownstream: {host: 192.0.2.25}\n"
            + "feeds:\n  sources:\n"
            + sources);
  }

  private void version(String feed, String list) throws Exception {
    Path directory =
        Files.createDirectories(folder.resolve("state/feeds").resolve(feed).resolve("versions/1"));
    Files.writeString(directory.resolve("part-0000"), list);
    Files.writeString(
        directory.resolve("version.json"),
        "{\"version\":1,\"sha256\":\"x\",\"format\":\"lines\",\"fetched\":\"%s\",\"held_entries\":0,\"live_since\":\"%s\"}"
            .formatted(Shell.NOW, Shell.NOW));
  }

  private Shell.Result overlap(String... args) {
    return Shell.run(
        List.of("-c", folder.resolve("bloomgate.yaml").toString(), "feeds", "overlap"), args);
  }

  private static JsonObject feed(JsonObject report, String name) {
    return report.elements("feeds").stream()
        .map(JsonObject.class::cast)
        .filter(feed -> feed.text("feed").orElse("").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String share(JsonObject shares, String list) {
    return Json.write(Objects.requireNonNull(shares.members().get(list)));
  }

  @Test
  void aTableNamesTheListsThatShareHalfAndSaysWhatToDo() {
    overlap()
        .ends(
            4,
            "1  traps           100          60 %",
            """
            75 % of copy is in traps: rules count them as two; to count them as one, give both the same family:
              feeds: {sources: {copy: {family: traps}}}
            """,
            "No good senders were asked");
  }

  @Test
  void listsOfOneFamilyAreFine() throws Exception {
    settings(", family: traps");
    Shell.Result result = overlap();
    // The network holds all of both lists of addresses that lie in it.
    assertTrue(result.out().contains("of copy is in wide"), result.out());
    assertTrue(!result.out().contains("of copy is in traps"), result.out());
  }

  @Test
  void everyPairIsMeasuredBothWays() throws Exception {
    Shell.Result result = overlap("-o", "json");
    JsonObject report = (JsonObject) Json.parse(result.out().strip());
    JsonObject traps = feed(report, "traps").object("listed_by").orElseThrow();
    JsonObject copy = feed(report, "copy").object("listed_by").orElseThrow();
    assertEquals("0.6", share(traps, "copy"));
    assertEquals("0.75", share(copy, "traps"));
    assertEquals("1.0", share(copy, "wide"));
    JsonObject names = feed(report, "more-names").object("listed_by").orElseThrow();
    assertEquals("1.0", share(names, "names"));
    // What is listed with its parents does not list the parents.
    JsonObject wider = feed(report, "names").object("listed_by").orElseThrow();
    assertEquals("0.0", share(wider, "more-names"));
  }

  @Test
  void goodSendersAreAskedOfAllLists() throws Exception {
    Path good =
        Files.writeString(
            folder.resolve("good.txt"),
            "203.0.113.50\n203.0.113.90\n198.51.100.1\npartner.example\n");
    Shell.Result result = overlap("-o", "json", "--known-good", good.toString());
    JsonObject report = (JsonObject) Json.parse(result.out().strip());
    assertEquals(4, report.number("good_senders").orElse(0));
    JsonObject traps = feed(report, "traps");
    assertEquals(2, traps.number("good_senders").orElse(0));
    JsonObject with = traps.object("good_senders_with").orElseThrow();
    assertEquals(2, with.number("copy").orElse(0));
    assertEquals(0, with.number("names").orElse(-1));
    assertTrue(overlap("--known-good", good.toString()).out().contains("GOOD SENDERS"));
  }

  @Test
  void withoutAGenerationItSaysWhatToDo() throws Exception {
    try (var files = Files.walk(folder.resolve("state/snapshots"))) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
    overlap().fails(1, "no feed is live yet");
  }
}

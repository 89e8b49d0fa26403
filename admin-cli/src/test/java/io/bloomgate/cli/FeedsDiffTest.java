package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code feeds diff} over the versions that a gateway left behind. */
class FeedsDiffTest {

  @TempDir Path folder;

  @BeforeEach
  void leaveStateBehind() throws Exception {
    Files.writeString(
        folder.resolve("bloomgate.yaml"),
        """
        domains: [example.com]
        state_dir: state
        downstream: {host: 192.0.2.25}
        feeds: {sources: {drop: {file: drop.txt, action: reject, format: lines}}}
        """);
    Path state = Files.createDirectories(folder.resolve("state"));
    version(3, "203.0.113.1\n198.51.100.0/24\nold.example\n");
    version(4, "# four\n203.0.113.1\n198.51.100.0-198.51.100.255\n10.0.0.0/8\nspam.example\n");
    version(5, "203.0.113.1\n203.0.113.2\n2.0.0.0/7\nspam.example\nbob@partner.example\n");
    live(3, 4);
    KnownSenders senders = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), alarm -> {});
    for (int day = 2; day >= 0; day--) {
      Instant now = Shell.NOW.minus(Duration.ofDays(day));
      senders.accepted(ip("203.0.113.2"), "bob@partner.example", now.minus(Duration.ofHours(3)));
      senders.accepted(ip("203.0.113.1"), "a@spam.example", now.minus(Duration.ofHours(2)));
      senders.accepted(ip("192.0.2.200"), "c@old.example", now.minus(Duration.ofHours(1)));
    }
    senders.accepted(ip("203.0.114.1"), "new@spam.example", Shell.NOW);
    senders.save();
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private void version(int id, String list) throws Exception {
    Path directory =
        Files.createDirectories(folder.resolve("state/feeds/drop/versions").resolve("" + id));
    Files.writeString(directory.resolve("part-0000"), list);
    Files.writeString(directory.resolve("version.json"), facts(id, false, 0));
  }

  private static String facts(int id, boolean wasLive, int heldEntries) {
    Instant fetched = Shell.NOW.minus(Duration.ofHours(9 - id));
    return "{\"version\":%d,\"sha256\":\"x\",\"format\":\"lines\",\"fetched\":\"%s\",\"held_entries\":%d%s}"
        .formatted(id, fetched, heldEntries, wasLive ? ",\"live_since\":\"" + fetched + "\"" : "");
  }

  /** These went live, the newest last; without a generation it is what the next build takes. */
  private void live(int... ids) throws Exception {
    for (int id = 3; id <= 5; id++) {
      int one = id;
      Files.writeString(
          folder.resolve("state/feeds/drop/versions/" + id + "/version.json"),
          facts(id, IntStream.of(ids).anyMatch(i -> i == one), 0));
    }
  }

  private void held(int id) throws Exception {
    try (FeedStates states = FeedStates.open(folder.resolve("state"), _ -> {})) {
      states.put("drop", FeedStates.Part.RECORD, JsonValue.object().put("held", id).build());
    }
  }

  private Shell.Result diff(String... args) {
    return Shell.run(
        List.of("-c", folder.resolve("bloomgate.yaml").toString(), "feeds", "diff", "drop"), args);
  }

  private JsonObject json(String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("-o", "json"));
    all.addAll(Arrays.asList(args));
    Shell.Result result = diff(all.toArray(String[]::new));
    assertEquals(1, result.out().lines().count(), result.toString());
    return (JsonObject) Json.parse(result.out().strip());
  }

  @Test
  void withoutAHeldVersionItSaysWhatTheLiveOneChanged() {
    diff()
        .exits(1)
        .answers(
            """
            drop: version 3 (kept) -> version 4 (live)
                      ADDED  REMOVED
              domain      1        1
              2 entries stay
              + spam.example  line 5
              - old.example  line 3
              of 3 good senders seen lately 1 would newly be listed, action reject
                203.0.113.1  a@spam.example  by spam.example, line 5, seen 2 h ago
              offline, generation 0
            """);
  }

  @Test
  void aFileThatTheCallerMayNotReadIsAPermission() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret.txt"), "a.example\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(secret), "root may read everything");
    diff("--against", secret.toString()).exits(5);
  }

  @Test
  void aHeldVersionIsShownAsItWouldBeAccepted() throws Exception {
    held(5);
    JsonObject diff = json();
    assertEquals("held", diff.object("to").orElseThrow().text("status").orElseThrow());
    // 2.0.0.0/7 is held back and stays so until its own word.
    assertEquals(1, diff.object("added").orElseThrow().number("ipv4").getAsLong());
    assertEquals(1, diff.object("added").orElseThrow().number("address").getAsLong());
    assertEquals(1, diff.object("removed").orElseThrow().number("ipv4").getAsLong());
    assertEquals(1, diff.number("newly_listed_senders").getAsLong());
    assertTrue(diff.isTrue("offline"));
    assertFalse(diff.isTrue("same"));
  }

  @Test
  void theFirstVersionIsComparedWithNothing() throws Exception {
    live();
    held(5);
    Shell.Result first = diff().exits(1);
    assertTrue(first.out().startsWith("drop: nothing is live -> version 5 (held)\n"), first.out());
    JsonObject diff = json();
    assertEquals(2, diff.object("added").orElseThrow().number("ipv4").getAsLong());
    assertEquals(0, diff.object("removed").orElseThrow().number("ipv4").getAsLong());
    assertEquals(2, diff.number("newly_listed_senders").getAsLong());
    held(0);
    diff().exits(1);
    assertTrue(diff().err().contains("none is held"), diff().err());
  }

  @Test
  void heldEntriesAreComparedWithWhatIsLive() throws Exception {
    diff("--held").exits(1);
    assertTrue(diff("--held").err().contains("nothing of feed drop is held"));
    diff("--held", "--against", "3").exits(2);
    Files.writeString(
        folder.resolve("state/feeds/drop/versions/5/version.json"), facts(5, true, 1));
    JsonObject diff = json("--held");
    assertEquals(1, diff.object("added").orElseThrow().number("ipv4").getAsLong());
    assertTrue(Json.write(diff).contains("2.0.0.0/7"), diff.toString());
  }

  /** Members of allow.known_good and allow entries, which nobody saw lately, are named as well. */
  @Test
  void whatIsHeldNamesTheGoodSendersOfFeedsShow() throws Exception {
    held(5);
    Path facts = folder.resolve("state/feeds/drop/versions/5/version.json");
    Files.writeString(
        facts,
        Files.readString(facts)
            .replaceFirst(
                "}$",
                ",\"known_good\":{\"subjects\":1,\"entries\":1,\"sample\":[{\"entry\":\"192.0.2.0/24\","
                    + "\"line\":2,\"subject\":\"192.0.2.7\",\"file\":\"good.list:1\"}],\"allowed\":0}}"));
    JsonObject hits = json("--held").object("held_known_good").orElseThrow();
    assertEquals(1, hits.number("subjects").orElse(0));
    String text = diff("--held").out();
    Shell.assertHas(text, "192.0.2.0/24 in line 2 lists 192.0.2.7 (good.list:1)");
    Shell.assertLacks(text, "allow entries win");
    assertTrue(json("--against", "3").object("held_known_good").isEmpty());
  }

  @Test
  void versionsFilesAndMistakesAreDistinguished() throws Exception {
    diff("--against", "4").exits(0);
    JsonObject back = json("--against", "3");
    assertEquals(4, back.object("from").orElseThrow().number("version").getAsLong());
    assertEquals(3, back.object("to").orElseThrow().number("version").getAsLong());
    Path file = folder.resolve("new.txt");
    Files.writeString(
        file,
        "spam.example\n198.51.100.0/24\n203.0.113.1\n203.0.113.1\n"
            + IntStream.range(0, 100)
                .mapToObj(i -> "192.0.3." + i + "\n")
                .collect(Collectors.joining()));
    JsonObject fresh = json("--against", file.toString());
    assertEquals(100, fresh.object("added").orElseThrow().number("ipv4").getAsLong());
    assertEquals(3, fresh.number("unchanged").getAsLong());
    assertEquals(20, fresh.object("samples").orElseThrow().elements("added").size());
    assertEquals(
        "{\"entry\":\"192.0.3.0\",\"line\":5}",
        Json.write(fresh.object("samples").orElseThrow().elements("added").getFirst()));
    String few = diff("--against", file.toString(), "--limit", "2").out();
    Shell.assertHas(few, "+ 192.0.3.1  line 6\n  + and 98 more; --limit 100 shows all\n");
    String all = diff("--against", file.toString(), "--limit", "100").out();
    Shell.assertHas(all, "+ 192.0.3.99  line 104\n");
    Shell.assertLacks(all, "more");
    diff("--limit", "100001").exits(2);
    diff("--against", "9").exits(1);
    assertTrue(diff("--against", "9").err().contains("is not kept"));
    diff("--against", folder.resolve("none.txt").toString()).exits(2);
    Shell.run("-c", folder.resolve("bloomgate.yaml").toString(), "feeds", "diff", "none").exits(2);
  }

  @Test
  void nothingIsWrittenIntoTheStateDirectory() throws Exception {
    List<Path> before = all();
    diff();
    diff("--against", "3");
    assertEquals(before, all());
  }

  private List<Path> all() throws Exception {
    try (var files = Files.walk(folder.resolve("state"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void aListThatIsAskedByDnsHasNoVersions() throws Exception {
    Path file = folder.resolve("dns.yaml");
    Files.writeString(
        file,
        Files.readString(folder.resolve("bloomgate.yaml"))
            .replace("{sources: {", "{sources: {zen: {dns: zen.example}, "));
    Shell.run("-c", file.toString(), "feeds", "diff", "zen")
        .fails(2, "zen is asked by DNS; there is nothing to fetch");
  }
}

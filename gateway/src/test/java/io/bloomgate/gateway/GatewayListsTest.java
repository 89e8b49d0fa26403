package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static io.bloomgate.gateway.testkit.Texts.assertSaysNot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's lists of a whole gateway, through its control socket. */
final class GatewayListsTest {

  @TempDir private Path directory;

  private GatewayHouse house() throws Exception {
    return new GatewayHouse(directory).write();
  }

  /** A slip of the hand would refuse the mail of millions. */
  @Test
  void aBlockOfAProtectedOrKnownGoodNameNeedsForce() throws Exception {
    Path good = Files.writeString(directory.resolve("good.txt"), "mail.partner.example\n");
    Path kept = Files.writeString(directory.resolve("kept.txt"), "bank.example\n");
    GatewayHouse house =
        new GatewayHouse(directory)
            .source("# no other\n  protect: [\"" + kept + "\"]")
            .more("allow: {known_good: [\"" + good + "\"]}")
            .write();
    try (Gateway _ = house.start()) {
      assertNeedsForce(house, "gmail.com", "is protected by never_block mail-providers");
      assertNeedsForce(house, "co.uk", "is protected by never_block public-suffixes");
      assertNeedsForce(house, "company.example", "is your own domain");
      assertNeedsForce(house, "bank.example", "is protected by feeds.protect");
      assertNeedsForce(house, "mail.partner.example", "is in allow.known_good");
      assertNeedsForce(house, "partner.example", "covers mail.partner.example");
      for (String other : List.of("x@gmail.com", "other.example", "a.mail.partner.example")) {
        house.done(block(other, false));
      }
    }
  }

  /** A file of thousands of lines is read by nobody: what is refused one by one is refused here. */
  @Test
  void anImportSkipsTheBlocksThatNeedForce() throws Exception {
    Path good =
        Files.writeString(
            directory.resolve("good.txt"), "mail.partner.example\n198.51.100.7\nx@shop.example\n");
    GatewayHouse house =
        new GatewayHouse(directory).more("allow: {known_good: [\"" + good + "\"]}").write();
    List<String> lines =
        List.of(
            "gmail.com",
            "209.85.128.0/17",
            "partner.example",
            "198.51.100.0/28",
            "shop.example",
            "outlook.com force=yes",
            "spam.example",
            "198.51.100.16/28",
            "a.shop.example");
    try (Gateway _ = house.start()) {
      assertNeedsForce(house, "209.85.128.0/17", "protected by never_block mail-providers");
      assertNeedsForce(house, "209.85.220.41", "protected by never_block mail-providers");
      Answer imported =
          house.ask(new ControlRequest.ListImport(ListKind.BLOCK, "b.txt", 1, lines, false));
      assertEquals(4, imported.exitCode(), imported.toString());
      assertEquals(
          List.of(
              "added outlook.com",
              "added spam.example",
              "added 198.51.100.16/28",
              "added a.shop.example"),
          changes(imported));
      assertEquals(5, imported.only().number("skipped").getAsLong());
      assertSays(
          imported,
          "b.txt:1: gmail.com is protected by never_block mail-providers; ",
          "b.txt:3: partner.example covers mail.partner.example, which is in");
      assertTrue(
          exported(house, ListKind.BLOCK).contains("outlook.com force=yes"),
          exported(house, ListKind.BLOCK).toString());
    }
  }

  private static void assertNeedsForce(GatewayHouse house, String name, String reason)
      throws Exception {
    Answer refused = house.ask(block(name, false));
    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(refused.says(reason) && refused.says("--force"), refused.toString());
    house.done(block(name, true));
  }

  private static ControlRequest block(String subject, boolean force) {
    return Addition.block(subject).reason("a test").force(force).request();
  }

  @Test
  void anAddSaysWhatItTakesAndWhatTheEntryWas() throws Exception {
    GatewayHouse house = house();
    Instant end = Instant.parse("2031-12-01T00:00:00Z");
    try (Gateway _ = house.start()) {
      Answer added = house.ask(add("203.0.113.7/24", end, "ticket 12"));
      assertSays(added, "203.0.113.7/24 is read as 203.0.113.0/24, the network around it");
      assertTrue(added.only().object("before").isEmpty(), added.toString());
      Answer bare = house.ask(add("203.0.113.0/24", null, ""));
      assertSaysNot(bare, "is read as");
      assertEquals("unchanged", bare.only().text("change").orElseThrow());
      assertEquals(end.toString(), bare.only().text("expires").orElse(""));
      assertSays(bare, "203.0.113.0/24 keeps its end and its reason");
      Answer again =
          house.ask(
              Addition.allow("203.0.113.0/24")
                  .reason("ticket 13")
                  .force(true)
                  .forEver(true)
                  .request());
      assertTrue(again.only().text("expires").isEmpty(), again.toString());
      assertSaysNot(again, "keeps its");
      assertEquals("changed", again.only().text("change").orElseThrow());
      assertEquals(
          JsonValue.object().put("expires", end.toString()).put("reason", "ticket 12").build(),
          again.only().object("before").orElseThrow());
    }
  }

  private static ControlRequest add(String subject, @Nullable Instant end, String reason) {
    return Addition.allow(subject).expires(end).reason(reason).force(true).request();
  }

  @Test
  void entriesAreEditedMatchedAndAudited() throws Exception {
    GatewayHouse house = house();
    try (Gateway _ = house.start()) {
      add(house, ListKind.ALLOW, "192.0.2.9", null, null, Duration.ofDays(7), "first");
      add(house, ListKind.ALLOW, "partner.example", null, null, null, "second");
      Instant end = Instant.parse("2031-12-01T00:00:00Z");
      Answer edited =
          house.ask(
              new ControlRequest.ListEdit(
                  ListKind.ALLOW, List.of("192.0.2.9", "192.0.2.8"), null, end, false, null));
      assertEquals(4, edited.exitCode());
      assertSays(edited, "not found: 192.0.2.8");
      assertEquals("192.0.2.9 expires=" + end + " # first", edited.only().text("text").get());
      house.ask(
          new ControlRequest.ListEdit(ListKind.ALLOW, List.of("a1"), "third", null, true, null));
      assertEquals(
          List.of("192.0.2.9 # third", "partner.example # second"),
          exported(house, ListKind.ALLOW));
      assertEquals(List.of("a2"), ids(house, "PARTNER", Long.MAX_VALUE));
      assertEquals(List.of("a1"), ids(house, "thi*", Long.MAX_VALUE));
      assertEquals(List.of("a1"), ids(house, "", 1));
      Answer audit = house.ask(new ControlRequest.Audit(null, 3));
      assertEquals(
          List.of(
              "allow edit 192.0.2.9 # third",
              "allow edit 192.0.2.9 expires=" + end + " # first",
              "allow add partner.example # second"),
          audit.items().stream()
              .map(record -> record.text("command").get() + " " + record.text("subject").get())
              .toList());
      assertEquals(0, house.ask(new ControlRequest.Audit(end, 3)).items().size());
    }
  }

  private static List<String> ids(GatewayHouse house, String match, long limit) throws Exception {
    return house
        .ask(new ControlRequest.ListShow(ListKind.ALLOW, match, limit, null))
        .items()
        .stream()
        .map(entry -> entry.text("id").orElseThrow())
        .toList();
  }

  /** With expiry, --from, scope, reason, and what only --force lets in. */
  @Test
  void whatIsExportedIsImportedAsTheSameSet(@TempDir Path elsewhere) throws Exception {
    List<String> allows;
    List<String> blocks;
    GatewayHouse house = house();
    try (Gateway _ = house.start()) {
      add(house, ListKind.ALLOW, "192.0.2.9", null, null, Duration.ofDays(7), "ticket 12, café");
      add(house, ListKind.ALLOW, "partner.example", "192.0.2.0/24", null, null, "tied # to them");
      add(house, ListKind.ALLOW, "helo.example", null, Check.HELO, null, "");
      add(house, ListKind.ALLOW, "\"odd name\"@partner.example", null, null, null, "");
      add(house, ListKind.ALLOW, "198.0.0.0/8", null, null, null, "wide");
      add(house, ListKind.BLOCK, "198.51.100.7", null, null, Duration.ofHours(2), "inside");
      add(house, ListKind.BLOCK, "spam.example", null, Check.SENDER_DOMAIN, null, "");
      house.done(Addition.allow("any.example").anyScope(true).force(true).request());
      allows = exported(house, ListKind.ALLOW);
      blocks = exported(house, ListKind.BLOCK);
      assertEquals(6, allows.size());
      assertEquals(2, blocks.size());
      assertImports(house, ListKind.ALLOW, allows, "unchanged");
      assertImports(house, ListKind.BLOCK, blocks, "unchanged");
    }
    GatewayHouse other = new GatewayHouse(elsewhere).write();
    try (Gateway _ = other.start()) {
      assertImports(other, ListKind.ALLOW, allows, "added");
      assertImports(other, ListKind.BLOCK, blocks, "added");
      assertEquals(allows, exported(other, ListKind.ALLOW));
      assertEquals(blocks, exported(other, ListKind.BLOCK));
      assertImports(other, ListKind.ALLOW, allows, "unchanged");
    }
  }

  @Test
  void anAllowedNetworkSaysWhatItLiftsInside() throws Exception {
    GatewayHouse house =
        new GatewayHouse(directory)
            .source(
                "hosts: {file: \""
                    + directory
                    + "/hosts.txt\", format: ips, checks: [client_ip],"
                    + " allow_bogons: true}")
            .write();
    Files.writeString(directory.resolve("hosts.txt"), "198.51.100.7\n198.51.100.200\n");
    try (Gateway _ = house.start()) {
      house.refresh();
      Answer added = house.ask(Addition.allow("198.51.100.0/24").request());
      assertSays(added, "inside 198.51.100.0/24: 2 entries (hosts 2), first 198.51.100.7");
      Answer none = house.ask(Addition.allow("192.0.2.0/24").request());
      assertTrue(
          none.says("overrides client_ip listings of 192.0.2.0/24")
              && none.says("no smaller listings inside it"),
          none.toString());
    }
  }

  private static void add(
      GatewayHouse house,
      ListKind list,
      String subject,
      @Nullable String from,
      @Nullable Check scope,
      @Nullable Duration expires,
      String reason)
      throws Exception {

    house.done(
        Addition.of(list, List.of(subject))
            .from(from)
            .expires(expires == null ? null : Instant.now().plus(expires))
            .reason(reason)
            .scope(scope)
            .force(true)
            .request());
  }

  private static List<String> exported(GatewayHouse house, ListKind list) throws Exception {
    return house.entries(list).stream()
        .map(entry -> entry.text("text").orElseThrow())
        .sorted()
        .toList();
  }

  /** How entries came to be as they are, and their subjects, as far as an import shows them. */
  private static List<String> changes(Answer imported) {
    return imported.only().get("changes").orElseThrow() instanceof JsonArray(var elements)
        ? elements.stream()
            .map(JsonObject.class::cast)
            .map(e -> e.text("change").orElse("") + " " + e.text("subject").orElse(""))
            .toList()
        : List.of();
  }

  private static void assertImports(
      GatewayHouse house, ListKind list, List<String> lines, String how) throws Exception {
    Answer answer = house.done(new ControlRequest.ListImport(list, "-", 1, lines, false));
    assertEquals(lines.size(), answer.only().number(how).getAsLong(), answer.toString());
  }

  @Test
  void oneRefusedSubjectOfSeveralLeavesTheOthersOutAndSaysSo() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      for (String bad : List.of("gmail.com", "what?")) {
        Answer refused = house.ask(Addition.block("192.0.2.9", bad).request());
        assertEquals(2, refused.exitCode(), refused.toString());
        assertSays(refused, "; nothing was added");
      }
      assertEquals(0, house.entries(ListKind.BLOCK).size());
      assertFalse(house.ask(block("gmail.com", false)).says("nothing was added"));
    }
  }

  /** The mail passes: "now refuses" would be untrue. */
  @Test
  void aBlockInModeObserveSaysThatMailIsOnlyLogged() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway _ = house.start()) {
      Answer added = house.ask(block("192.0.2.9", false));
      assertSays(added, "would refuse: operator entry", "until `bloomgate mode enforce`");
      assertSaysNot(added, "now refuses");
    }
  }

  @Test
  void anotherReasonKeepsTheTextOfTheSubject() throws Exception {
    TypedSubject typed = TypedSubject.subject("Buy cheap pills; now").toOptional().orElseThrow();
    String hash = typed.subject().written();
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      assertEquals(
          "subject: Buy cheap pills; now; ticket 9",
          reason(house.ask(subject(hash, typed.reasonWith("ticket 9")))));
      assertEquals(
          "subject: Buy cheap pills; now; by hash", reason(house.ask(subject(hash, "by hash"))));
      assertEquals("subject: Buy cheap pills; now; gone on", reason(edit(house, hash, "gone on")));
      assertEquals("subject: Buy cheap pills; now", reason(edit(house, "b1", "")));
      assertEquals(
          "subject: Buy cheap pills; now; x", reason(edit(house, "b1", typed.reasonWith("x"))));
      assertEquals(
          1,
          house
              .ask(new ControlRequest.ListShow(ListKind.BLOCK, "*pills*", 9, null))
              .items()
              .size());
    }
  }

  private static ControlRequest subject(String hash, String reason) {
    return Addition.block(hash).reason(reason).scope(Check.SUBJECT).request();
  }

  private static Answer edit(GatewayHouse house, String named, String reason) throws Exception {
    return house.ask(
        new ControlRequest.ListEdit(ListKind.BLOCK, List.of(named), reason, null, false, null));
  }

  private static String reason(Answer answer) {
    return answer.only().text("reason").orElse("");
  }
}

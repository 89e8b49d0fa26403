package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of patterns and of client names in the store, behind its filter. */
class PatternEntriesTest {

  private static final long SEED = Long.getLong("seed", 20_261_130);
  private static final Origin ALICE = new Origin("alice", "block add");

  @TempDir private Path folder;

  private OperatorLists open() throws OperatorListsException {
    return Entries.open(folder);
  }

  private static List<String> found(OperatorView view, ListKey key) {
    return view.covering(ListKind.BLOCK, key, NOW).stream()
        .map(entry -> entry.subject().toString())
        .toList();
  }

  private static ListKey key(String text) {
    return text.indexOf('@') < 0
        ? DomainName.parse(text).toOptional().orElseThrow()
        : MailAddress.parse(text).toOptional().orElseThrow();
  }

  @Test
  void areFoundByWhatTheyMatchAndAfterARestart() throws Exception {
    try (OperatorLists lists = open()) {
      assertEquals(List.of(), found(lists.view(), key("news-7@shop.example")));
      lists.add(
          List.of(
              block("news-*@shop.example # spring"),
              block(".top force=yes"),
              block(".dyn.example"),
              block("dyn-*.pool.example"),
              block("shop.example")),
          ALICE);
      check(lists);
      assertTrue(
          lists.audit(NOW, Long.MAX_VALUE).items().stream()
              .anyMatch(one -> one.subject().equals("pattern:news-*@shop.example # spring")));
    }
    try (OperatorLists lists = open()) {
      check(lists);
      lists.poll(); // makes the filter
      check(lists);
      assertEquals(
          1, lists.remove(ListKind.BLOCK, List.of("news-*@shop.example"), ALICE).entries().size());
      assertEquals(1, lists.remove(ListKind.BLOCK, List.of("*.top"), ALICE).entries().size());
      assertEquals(List.of(), found(lists.view(), key("news-7@shop.example")));
      assertEquals(List.of(), found(lists.view(), key("a.top")));
      assertEquals(List.of("shop.example"), found(lists.view(), key("a.shop.example")));
    }
  }

  private static void check(OperatorLists lists) {
    OperatorView view = lists.view();
    assertEquals(List.of("news-*@shop.example"), found(view, key("news-7@shop.example")));
    assertEquals(List.of(), found(view, key("new-7@shop.example")));
    assertEquals(List.of("shop.example"), found(view, key("shop.example")));
    assertEquals(List.of(".top"), found(view, key("a.b.top")));
    assertEquals(List.of(".dyn.example"), found(view, key("a.dyn.example")));
    assertEquals(List.of(), found(view, key("dyn.example")));
    assertEquals(List.of("dyn-*.pool.example"), found(view, key("dyn-1.pool.example")));
    assertEquals(List.of(), found(view, key("mail.pool.example")));
  }

  @Test
  void theStoreSaysWhatEntriesInMemorySay() throws Exception {
    Random random = new Random(SEED);
    List<OperatorEntry> all = new ArrayList<>();
    try (OperatorLists lists = open()) {
      for (int i = 0; i < 300; i++) {
        NewEntry entry = block(subject(random) + " # " + i);
        OperatorEntry stored = lists.add(List.of(entry), ALICE).getFirst().entry();
        all.removeIf(one -> one.id().equals(stored.id()));
        all.add(stored);
        if (i % 50 == 0) {
          lists.poll();
        }
      }
      OperatorView oracle = OperatorView.of(all);
      for (int i = 0; i < 3_000; i++) {
        ListKey key = key(name(random));
        assertEquals(
            oracle.covering(ListKind.BLOCK, key, NOW).stream().sorted(BY_ID).toList(),
            lists.view().covering(ListKind.BLOCK, key, NOW).stream().sorted(BY_ID).toList(),
            () -> key + ", -Dseed=" + SEED);
      }
    }
  }

  private static final java.util.Comparator<OperatorEntry> BY_ID =
      java.util.Comparator.comparing(OperatorEntry::id);

  private static String word(Random random) {
    return "ab".charAt(random.nextInt(2)) + (random.nextBoolean() ? "" : "a");
  }

  private static String domain(Random random) {
    String domain = word(random) + "." + (random.nextBoolean() ? "com" : "org");
    return random.nextBoolean() ? domain : word(random) + "." + domain;
  }

  private static String name(Random random) {
    return random.nextBoolean()
        ? domain(random)
        : word(random) + word(random) + "@" + domain(random);
  }

  private static String subject(Random random) {
    String domain = domain(random);
    return switch (random.nextInt(6)) {
      case 0 -> domain;
      case 1 -> "." + domain;
      case 2 -> random.nextBoolean() ? ".com" : ".org";
      case 3 -> word(random) + "*." + domain;
      case 4 -> word(random) + "*@" + domain;
      default -> "*" + word(random) + "@" + domain;
    };
  }

  @Test
  void moreThanTheLimitIsRefusedWhole() throws Exception {
    try (OperatorLists lists = open()) {
      List<NewEntry> most =
          IntStream.range(0, 500)
              .boxed()
              .flatMap(
                  i -> Stream.of(allow("a" + i + "-*@a.example"), block("b" + i + "*.a.example")))
              .toList();
      lists.add(most, ALICE);
      OperatorListsException refused =
          assertThrows(
              OperatorListsException.class,
              () -> lists.add(List.of(block("x.example"), block("c-*@a.example")), ALICE));
      assertEquals(
          "more than 1000 patterns with a star are not taken; nothing was changed",
          refused.userMessage());
      assertEquals(1_000, Entries.all(lists).size());
      assertEquals(List.of(), found(lists.view(), key("c-1@a.example")));
      // Not compared, so not counted; and a pattern that is there may get another reason.
      lists.add(List.of(block(".b.example"), block(".top"), allow("a1-*@a.example # why")), ALICE);
      assertEquals(List.of(".b.example"), found(lists.view(), key("x.b.example")));
      lists.remove(ListKind.ALLOW, List.of("a7-*@a.example"), ALICE);
      lists.add(List.of(block("c-*@a.example")), ALICE);
    }
  }

  @Test
  void clientNamesAreLookedUpWhileAnEntryNeedsThem() throws Exception {
    try (OperatorLists lists = open()) {
      OperatorView view = lists.view();
      lists.add(List.of(block(".dyn.example"), allow("mail.example")), ALICE);
      assertFalse(view.needsClientName(NOW));
      lists.add(
          List.of(
              allow("mail.example scope=client_name"),
              block(".dyn.example scope=client_name expires=" + NOW.plusSeconds(60))),
          ALICE);
      assertTrue(view.needsClientName(NOW));
      assertEquals(0, view.contentChecks(NOW).size());
      lists.remove(ListKind.ALLOW, List.of("mail.example"), ALICE);
      assertTrue(view.needsClientName(NOW));
      assertFalse(view.needsClientName(NOW.plusSeconds(60)), "ended");
    }
    try (OperatorLists lists = open()) {
      assertTrue(lists.view().needsClientName(NOW), "after a restart");
    }
  }

  @Test
  void listFilesHoldThemAndTheKnownGoodDoNot() throws Exception {
    Path file = folder.resolve("block.list");
    Files.writeString(
        file,
        ".top force=yes\n.com\nnews-*@shop.example\n.dyn.example scope=client_name\n*@a.example\n");
    InstantSource clock = InstantSource.fixed(NOW);
    WidthRules widths =
        new WidthRules(List.of("own.com"), List.of(), name -> name.toString().equals("co.uk"));
    ListFiles files = new ListFiles(List.of(), List.of(file), widths, clock);
    try (OperatorLists lists =
        OperatorLists.open(folder.resolve(OperatorLists.FILE_NAME), files, clock)) {
      assertEquals(List.of(".top"), found(lists.view(), key("a.top")));
      assertEquals(List.of("news-*@shop.example"), found(lists.view(), key("news-1@shop.example")));
      assertEquals(List.of("a.example"), found(lists.view(), key("b.a.example")));
      assertTrue(lists.view().needsClientName(NOW));
      assertTrue(
          lists.alarms().getFirst().contains(".com and your own domain own.com meet"),
          () -> lists.alarms().toString());
    }
    Path good = folder.resolve("good.list");
    write(good, "a.example", ".b.example");
    List<String> problems = new ArrayList<>();
    KnownGoodFiles.read(List.of(good), problems::add);
    assertTrue(problems.getFirst().contains("a pattern is no member"), problems::toString);
  }

  private static void write(Path file, String... lines) throws IOException {
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private static String refusal(NewEntry entry) {
    WidthRules widths =
        new WidthRules(List.of("own.example"), List.of(), name -> name.toString().equals("co.uk"));
    return OperatorRules.check(
            entry,
            widths,
            OperatorView.of(List.of(allow(".a.example").entry("a1", "", NOW))),
            NOW,
            false)
        .map(refusal -> (refusal.forceable() ? "" : "always: ") + refusal.message())
        .orElse("");
  }

  @Test
  void rules() {
    String wide = " means every name below a public suffix: anybody can register one";
    assertEquals(".top" + wide, refusal(block(".top")));
    assertEquals(".top" + wide, refusal(allow(".top scope=client_name")));
    assertEquals(".co.uk" + wide, refusal(block(".co.uk")));
    assertEquals("a*.co.uk" + wide, refusal(allow("a*.co.uk")));
    assertEquals("", refusal(block(".b.example")));
    assertEquals("", refusal(allow(".own.example")));
    assertEquals(
        ".example and your own domain own.example meet",
        refusal(block(".example scope=client_name")));
    assertEquals(
        ".own.example and your own domain own.example meet", refusal(block(".own.example")));
    assertEquals(
        ".b.a.example lies inside what is allowed by entry a1 (.a.example)",
        refusal(block(".b.a.example")));
    assertEquals(
        "news-*@b.a.example lies inside what is allowed by entry a1 (.a.example)",
        refusal(block("news-*@b.a.example")));
    assertEquals("", refusal(block(".b.a.example scope=client_name")), "another kind");
    assertEquals(
        "always: a*@b.example is never compared with helo",
        refusal(block("a*@b.example scope=helo")));
    assertEquals(
        "always: 192.0.2.1 is no name of a client", refusal(allow("192.0.2.1 scope=client_name")));
    assertEquals(
        "always: a*@b.example is no name of a client",
        refusal(block("a*@b.example scope=client_name")));
  }
}

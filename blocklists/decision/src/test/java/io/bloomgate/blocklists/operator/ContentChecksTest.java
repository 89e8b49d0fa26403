package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.block;
import static io.bloomgate.blocklists.operator.Entries.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contents are read for live block entries that need it, and for nothing else. */
class ContentChecksTest {

  private static final Origin ALICE = new Origin("alice", "block add");
  private static final String HEX = "0123456789abcdef".repeat(4);
  private static final long SEED = Long.getLong("seed", new Random().nextLong());

  @TempDir private Path directory;

  private OperatorLists open() throws OperatorListsException {
    return Entries.open(directory);
  }

  @Test
  void whatIsWantedFollowsEveryChange() throws Exception {
    try (OperatorLists lists = open()) {
      OperatorView view = lists.view();
      assertEquals(Set.of(), view.contentChecks(NOW));
      lists.add(
          List.of(
              block("spam.example"),
              block("bob@spam.example"),
              block("198.51.100.0/24"),
              block("192.0.2.7 scope=helo"),
              allow("//good.example/x"),
              allow(HEX + " scope=attachment")),
          ALICE);
      assertEquals(Set.of(), view.contentChecks(NOW), "envelopes, and what is allowed");
      lists.add(List.of(block("//bad.example/x")), ALICE);
      assertEquals(Set.of(Check.URL), view.contentChecks(NOW));
      lists.add(
          List.of(
              block("bad.example scope=url_host,helo"),
              block("bob@spam.example scope=from expires=" + NOW.plusSeconds(60))),
          ALICE);
      assertEquals(Set.of(Check.URL, Check.URL_HOST, Check.FROM), view.contentChecks(NOW));
      assertEquals(
          Set.of(Check.URL, Check.URL_HOST), view.contentChecks(NOW.plusSeconds(60)), "ended");
      lists.remove(ListKind.BLOCK, List.of("//bad.example/x"), ALICE);
      assertEquals(Set.of(Check.URL_HOST, Check.FROM), view.contentChecks(NOW));
      lists.add(List.of(block(HEX)), ALICE);
      assertEquals(
          Set.of(Check.URL_HOST, Check.FROM, Check.ATTACHMENT, Check.SUBJECT, Check.BODY),
          view.contentChecks(NOW),
          "a value alone is compared with all fingerprints");
    }
    try (OperatorLists lists = open()) {
      assertEquals(5, lists.view().contentChecks(NOW).size(), "after a restart");
    }
  }

  @Test
  void theStoreSaysWhatEntriesInMemorySay() throws Exception {
    Random random = new Random(SEED);
    List<String> subjects =
        List.of("a.example", "b@a.example", "192.0.2.1", "//a.example/x", HEX, "192.0.2.0/24");
    try (OperatorLists lists = open()) {
      for (int i = 0; i < 200; i++) {
        String subject = subjects.get(random.nextInt(subjects.size()));
        Check scope = Check.OF_OPERATOR.get(random.nextInt(Check.OF_OPERATOR.size()));
        String line =
            subject
                + (random.nextBoolean() ? " scope=" + scope.key() : "")
                + (random.nextBoolean() ? " expires=" + NOW.plusSeconds(random.nextInt(9)) : "");
        if (random.nextInt(3) == 0) {
          lists.remove(ListKind.BLOCK, List.of(subject), ALICE);
        } else {
          lists.add(List.of(random.nextInt(4) == 0 ? allow(line) : block(line)), ALICE);
        }
        List<OperatorEntry> entries = new ArrayList<>();
        Entries.all(lists).forEach(one -> entries.add(stored(one.id(), one.content())));
        OperatorView oracle = OperatorView.of(entries);
        for (int later = 0; later < 10; later += 3) {
          assertEquals(
              oracle.contentChecks(NOW.plusSeconds(later)),
              lists.view().contentChecks(NOW.plusSeconds(later)),
              "seed " + SEED + ", step " + i);
        }
      }
    }
  }

  @Test
  void aViewWithEntriesAddedNeedsWhatTheyNeed() {
    OperatorView base = OperatorView.of(List.of(stored("b1", block("//a.example/x"))));
    assertEquals(
        Set.of(Check.URL, Check.URL_HOST),
        base.with(List.of(stored("b2", block("c.example scope=url_host"))), Set.of())
            .contentChecks(NOW));
  }
}

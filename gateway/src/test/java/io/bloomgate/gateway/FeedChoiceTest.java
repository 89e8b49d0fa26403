package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.AuditRecord;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code feeds accept} and {@code feeds rollback} against a running gateway. */
class FeedChoiceTest {

  @TempDir Path directory;

  private static String names(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "n" + i + ".example\n")
        .collect(Collectors.joining());
  }

  private static JsonObject refreshed(GatewayHouse house) throws Exception {
    return house.ask(new ControlRequest.FeedsRefresh(List.of("senders"), false, true)).only();
  }

  private static boolean refuses(GatewayHouse house, String domain) throws Exception {
    return house.explain(domain).exitCode() == 1;
  }

  @Test
  void theVersionIsLiveWhenTheAnswerIsGivenAndTheActIsInTheAudit() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    Files.writeString(house.feed(), names(0, 40));
    try (Gateway _ = house.start()) {
      refreshed(house);
      Files.writeString(house.feed(), names(0, 4));
      assertEquals("held", refreshed(house).text("state").orElseThrow());
      assertTrue(refuses(house, "n39.example"));
      assertHas(
          house.alarms(),
          "feed senders has a version that is held, and no other",
          "`bloomgate feeds accept senders` makes it live");
      Answer accepted = house.done(new ControlRequest.FeedsAccept("senders", false));
      assertEquals(4, accepted.only().number("entries").getAsLong());
      assertTrue(!refuses(house, "n39.example") && refuses(house, "n3.example"));
      assertEquals(1, house.ask(new ControlRequest.FeedsAccept("senders", false)).exitCode());
      Answer back = house.done(new ControlRequest.FeedsRollback("senders", null));
      assertSays(back, "until senders publishes another version");
      assertTrue(refuses(house, "n39.example"));
      assertEquals("unchanged", refreshed(house).text("state").orElseThrow());
      assertTrue(refuses(house, "n39.example"), "what was left does not come back");
      assertEquals(2, house.ask(new ControlRequest.FeedsRollback("none", null)).exitCode());
    }
    try (OperatorLists lists =
        OperatorLists.openReadOnly(
            directory.resolve("state").resolve(OperatorLists.FILE_NAME),
            new ListFiles(
                List.of(),
                List.of(),
                new WidthRules(List.of(), List.of(), name -> false),
                () -> Instant.EPOCH),
            () -> Instant.EPOCH)) {
      assertEquals(
          List.of("feeds rollback: senders version 1", "feeds accept: senders version 2"),
          lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().stream()
              .map(FeedChoiceTest::text)
              .toList());
    }
  }

  /** The administrator who has taken the entry out of the file looks for it there. */
  @Test
  void explainSaysThatTheHeldVersionNoLongerHasTheEntry() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    Files.writeString(house.feed(), names(0, 40));
    try (Gateway _ = house.start()) {
      refreshed(house);
      assertFalse(explained(house, "n39.example").contains("is held"));
      Files.writeString(house.feed(), names(0, 4));
      refreshed(house);
      String note =
          "version 2 of senders is held and does not have n39.example any more: `bloomgate feeds"
              + " show senders` says why, `bloomgate feeds accept senders` makes it live";
      String gone = explained(house, "n39.example");
      assertHas(gone, note);
      assertTrue(explained(house, "below.n39.example").contains(note));
      assertFalse(explained(house, "n3.example").contains("is held"), "it has that one");
      house.ask(new ControlRequest.FeedsAccept("senders", false));
      assertFalse(explained(house, "n39.example").contains("is held"));
    }
  }

  private static String explained(GatewayHouse house, String domain) throws Exception {
    return house.explain(domain).only().toString();
  }

  private static String text(AuditRecord record) {
    return record.command() + ": " + record.subject();
  }
}

package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that a node keeps, and those of other nodes. */
class SharedEntriesTest {

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final long TIME = NOW.toEpochMilli();

  private static final Origin ALICE = new Origin("alice", "allow add");

  @TempDir private Path folder;
  private OperatorLists lists;
  private SharedEntries shared;

  @BeforeEach
  void open() throws Exception {
    lists = opened();
    shared = lists.share("mx1");
    shared.complete();
  }

  private OperatorLists opened() throws Exception {
    WidthRules widths = new WidthRules(List.of("example.com"), List.of(), _ -> false);
    return OperatorLists.open(
        folder.resolve(OperatorLists.FILE_NAME),
        new ListFiles(List.of(), List.of(), widths, CLOCK),
        CLOCK);
  }

  @AfterEach
  void close() throws Exception {
    lists.close();
  }

  private static SharedCommand command(String node, boolean removed, NewEntry entry) {
    SharedCommand.Thing thing = SharedCommand.Thing.of(entry.entry("", "eve", NOW)).orElseThrow();
    return SharedCommand.of(node, NOW, new Origin("eve", "allow add"), thing, removed);
  }

  private Applied apply(long millis, SharedCommand command) throws Exception {
    String subject = allow(String.valueOf(command.entry())).identity();
    return shared.apply(Map.of(subject, millis + " " + command.text()));
  }

  private void apply(long millis, Act act) throws Exception {
    SharedCommand command = SharedCommand.of("mx2", NOW, "eve", act);
    shared.apply(Map.of(act.about(), millis + " " + command.text()));
  }

  private List<String> lines() throws Exception {
    return Entries.all(lists).stream().map(OperatorText::format).toList();
  }

  private SharedRow next() throws Exception {
    return shared.next(1).getFirst();
  }

  @Test
  void ofTwoCommandsTheLaterOneCountsAndTheOtherIsNamed() throws Exception {
    lists.add(List.of(allow("partner.example # ours")), ALICE);
    assertEquals(1, shared.waiting());
    NewEntry theirs = allow("partner.example # theirs");
    assertEquals(List.of(), apply(TIME - 1, command("mx2", false, theirs)).overtaken());
    assertEquals(List.of("partner.example # ours"), lines());
    assertEquals(1, shared.waiting());
    assertEquals(
        List.of(
            "allow partner.example: what was commanded on this node is overtaken by a later"
                + " command of eve@mx2"),
        apply(TIME + 1, command("mx2", false, theirs)).overtaken());
    assertEquals(List.of("partner.example # theirs"), lines());
    assertEquals(0, shared.waiting());
  }

  /**
   * What an older node reads is no address, no domain and no check that it knows, and is refused.
   */
  @Test
  void patternsAndClientNamesAreShared() throws Exception {
    List<String> lines =
        List.of(
            "pattern:news-*@shop.example # shop",
            ".top",
            "mail.partner.example scope=client_name",
            ".dyn.example scope=client_name");
    for (String line : lines) {
      SharedCommand command = command("mx2", false, allow(line));
      assertEquals(line, command.entry());
      assertEquals(List.of(), apply(TIME, command).refused());
    }
    assertEquals(lines, lines());
    assertFalse(Subject.parse("pattern:news-*@shop.example").toOptional().isPresent());
    assertFalse(Subject.parse(".top").toOptional().isPresent());
    apply(TIME + 1, command("mx2", true, allow(".top")));
    assertEquals(3, lines().size());
  }

  @Test
  void anotherNodesPatternBeyondTheLimitIsRefused() throws Exception {
    lists.add(
        IntStream.range(0, StoreWriter.MAX_PATTERNS)
            .mapToObj(i -> allow("a" + i + "-*@a.example"))
            .toList(),
        ALICE);
    assertEquals(
        List.of(
            "a command of eve@mx2 is refused: more than 1000 patterns with a star are not taken"),
        apply(TIME, command("mx2", false, allow("b-*@a.example"))).refused());
    assertEquals(List.of(), apply(TIME, command("mx2", false, allow(".b.example"))).refused());
    assertEquals(StoreWriter.MAX_PATTERNS + 1, lines().size());
  }

  @Test
  void theTimeOfACommandIsThatOfRedis() throws Exception {
    lists.add(List.of(allow("partner.example")), ALICE);
    shared.redisIsAhead(-3_600_000);
    assertEquals(TIME - 3_600_000, next().millis(), "of before the first look");
    shared.sent(List.of(next()));
    lists.add(List.of(allow("another.example")), ALICE);
    assertEquals(TIME - 3_600_000, next().millis());
    shared.redisIsAhead(-3_600_000 + 10);
    shared.redisIsAhead(0);
    assertEquals(TIME - 3_600_000, next().millis(), "no later one than when it was given");
    lists.close();
    open();
    lists.add(List.of(allow("third.example")), ALICE);
    assertEquals(TIME, shared.next(2).getLast().millis());
  }

  @Test
  void aClockThatIsSetWhileRedisIsAwayMakesNoCommandOfTheFuture() throws Exception {
    shared.redisIsAhead(3_600_000);
    lists.add(List.of(allow("partner.example")), ALICE);
    assertEquals(TIME + 3_600_000, next().millis());
    shared.redisIsAhead(0);
    assertEquals(TIME, next().millis(), "the clock was right when the command was given");
    apply(TIME + 86_400_000, command("mx2", false, allow("other.example")));
    lists.remove(ListKind.ALLOW, List.of("other.example"), ALICE);
    shared.redisIsAhead(100);
    SharedRow last = shared.next(2).getLast();
    assertEquals(TIME + 86_400_001, last.millis(), "later than the one that it replaces");
    assertTrue(last.subject().contains("other.example"), last::subject);
  }

  @Test
  void aCommandIsLaterThanTheOneThatItReplacesWhateverTheClocksSay() throws Exception {
    apply(TIME + 86_400_000, command("mx2", false, allow("partner.example")));
    lists.remove(ListKind.ALLOW, List.of("partner.example"), ALICE);
    assertEquals(TIME + 86_400_001, next().millis());
    shared.sent(List.of(next()));
    assertEquals(0, shared.waiting());
    apply(TIME + 86_400_000, command("mx2", false, allow("partner.example")));
    assertEquals(List.of(), lines(), "an older one brings nothing back");
    assertEquals(1, shared.waiting(), "and Redis gets the newer one again");
    assertEquals(TIME + 86_400_001, next().millis(), "with its own time");
  }

  @Test
  void aCommandThatCameWhileAnotherWasSentIsSentToo() throws Exception {
    lists.add(List.of(allow("partner.example # one")), ALICE);
    SharedRow one = next();
    lists.add(List.of(allow("partner.example # two")), ALICE);
    shared.sent(List.of(one));
    assertTrue(next().millis() > one.millis());
    assertTrue(next().text().contains("# two"), next()::text);
  }

  /** As when the connection was lost between the two writes, or Redis refused the second one. */
  @Test
  void aCommandThatIsInRedisAlreadyIsSentAgainToWakeTheOthers() throws Exception {
    lists.add(List.of(allow("partner.example")), ALICE);
    SharedRow one = next();
    Map<String, String> found = Map.of(one.subject(), one.value());
    assertEquals(List.of(), shared.apply(found).overtaken());
    assertEquals(1, shared.waiting());
    assertEquals(one.value(), next().value(), "as it is there");
    shared.sent(List.of(next()));
    shared.apply(found);
    assertEquals(0, shared.waiting());
  }

  @Test
  void whatACommandTakesOnlyByForceIsInForceAndAudited() throws Exception {
    apply(TIME, command("mx2", false, allow("0.0.0.0/0")));
    assertEquals(List.of("0.0.0.0/0"), lines());
    assertEquals("eve@mx2", lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().getFirst().author());
  }

  @Test
  void ofActsAboutOneThingTheNewestIsDone() throws Exception {
    apply(TIME - 9, new Act("mode", "mode", "soft"));
    apply(TIME - 7, new Act("mode", "mode", "observe"));
    assertEquals("observe", done());
    apply(TIME - 8, new Act("mode", "mode", "enforce"));
    apply(TIME - 5, new Act("feed a", "feeds accept", "a"));
    assertEquals("a", done());
    assertEquals(Optional.empty(), shared.nextAct());
  }

  private String done() throws Exception {
    SharedRow next = shared.nextAct().orElseThrow();
    shared.done(next);
    return next.command().toOptional().orElseThrow().value();
  }

  @Test
  void whatWasStoredBeforeTheFleetIsSentWithItsOwnTime() throws Exception {
    lists.close();
    lists = opened();
    lists.add(List.of(allow("alone.example")), ALICE);
    lists.close();
    open();
    assertEquals(1, shared.waiting());
    assertEquals("allow alone.example", next().subject());
    assertEquals(TIME, next().millis());
  }

  private static RecipientEntry.Wish wish(String line) {
    return RecipientEntry.parse(line).toOptional().orElseThrow().orElseThrow();
  }

  private void applyRecipient(long millis, String line, boolean removed) throws Exception {
    SharedCommand.Thing thing = SharedCommand.Thing.of(wish(line).over(null, "eve", NOW));
    SharedCommand command =
        SharedCommand.of("mx2", NOW, new Origin("eve", "recipient set"), thing, removed);
    shared.apply(Map.of(thing.identity(), millis + " " + command.text()));
  }

  private List<String> recipients() {
    return lists.view().recipients().values().stream().map(RecipientEntry::text).toList();
  }

  @Test
  void ofTwoCommandsAboutARecipientTheLaterOneCounts() throws Exception {
    RecipientEntry.Wish ours = wish("sales@example.com off # ours");
    lists.recipients().set(List.of(ours), new Origin("alice", "recipient set"));
    assertEquals(1, shared.waiting());
    assertEquals("recipient sales@example.com", next().subject());
    shared.sent(List.of(next()));
    applyRecipient(TIME - 1, "sales@example.com strict # older", false);
    assertEquals(List.of("sales@example.com off # ours"), recipients());
    applyRecipient(TIME + 1, "sales@example.com strict expires=2027-01-01T00:00:00Z", false);
    assertEquals(List.of("sales@example.com strict expires=2027-01-01T00:00:00Z"), recipients());
    assertEquals("eve@mx2", lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().getFirst().author());
    applyRecipient(TIME + 2, "sales@example.com strict", true);
    assertEquals(List.of(), recipients());
    assertEquals(List.of(), lines(), "it is no allow or block entry");
    assertEquals(Optional.empty(), shared.nextAct(), "and no act");
  }

  @Test
  void entriesAboutRecipientsOfBeforeTheFleetAreSent() throws Exception {
    lists.close();
    lists = opened();
    RecipientEntry.Wish wish = wish("info@ off");
    lists.recipients().set(List.of(wish), new Origin("alice", "recipient set"));
    lists.close();
    open();
    assertEquals("recipient info@", next().subject());
  }

  /**
   * An entry of a kind that this release does not know is left in Redis for those that do: it is no
   * block, and it is read again when this node is upgraded. So an older node does with recipients.
   */
  @Test
  void anEntryOfAnUnknownKindIsSkippedAndNamedAndKeptByNobody() throws Exception {
    lists.add(List.of(allow("partner.example")), ALICE);
    SharedCommand known =
        SharedCommand.parse("allow partner.example", next().text()).toOptional().orElseThrow();
    for (String kind : List.of("greeting 192.0.2.1", "blocks 192.0.2.1", "192.0.2.1")) {
      String text = known.text().replace("partner.example", "192.0.2.1");
      Applied applied = shared.apply(Map.of(kind, (TIME + 5) + " " + text));
      assertEquals(
          List.of(
              "a command of the fleet is skipped: no node, or no entry or act of this name;"
                  + " another release may have written it"),
          applied.refused());
    }
    assertEquals(List.of("partner.example"), lines());
    assertEquals(List.of("allow partner.example"), shared.subjects(""));
    assertEquals(Optional.empty(), shared.nextAct());
  }

  /** The rule by which a release without such entries read a field: any other kind is a block. */
  @Test
  void aNodeThatTakesOtherKindsForBlocksFindsNoBlockInAnEntryAboutARecipient() {
    for (String line : List.of("sales@example.com off", "example.com strict # x", "info@ off")) {
      assertTrue(
          OperatorText.parse(ListKind.BLOCK, line) instanceof Parsed.Bad<?>,
          () -> "an older node blocks " + line);
    }
  }

  @Test
  void aRemovalIsForgottenAfterAMonth() throws Exception {
    apply(TIME - 1, command("mx2", true, allow("gone.example")));
    assertEquals(List.of("allow gone.example"), shared.subjects(""));
    shared.redisIsAhead(31L * 86_400_000);
    assertEquals(List.of("allow gone.example"), shared.subjects(""));
    assertEquals(List.of(), shared.subjects(""));
  }
}

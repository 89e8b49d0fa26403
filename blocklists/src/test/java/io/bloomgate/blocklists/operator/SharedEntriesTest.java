package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedEntries.Placed;
import io.bloomgate.blocklists.operator.SharedEntries.Waiting;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with records of the stream, which others may have forged. */
class SharedEntriesTest {

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final StreamId FUTURE = new StreamId(9_999_999_999_999L, 0);

  @TempDir private Path folder;
  private OperatorLists lists;
  private SharedEntries shared;
  private long place = NOW.toEpochMilli();

  @BeforeEach
  void open() throws Exception {
    WidthRules widths = new WidthRules(List.of("example.com"), List.of(), _ -> false);
    lists =
        OperatorLists.open(
            folder.resolve(OperatorLists.FILE_NAME),
            new ListFiles(List.of(), List.of(), widths, CLOCK),
            CLOCK);
    shared = lists.share("mx1");
    shared.begin("word", Long.MAX_VALUE);
  }

  @AfterEach
  void close() throws Exception {
    lists.close();
  }

  private SharedRecord record(String node, long seq, List<StreamId> versions, NewEntry entry) {
    SharedChange change = new SharedChange(entry, "eve", NOW, false);
    return new SharedRecord(node, seq, NOW, "eve", "allow add", List.of(change), versions, null);
  }

  private Placed placed(SharedRecord record) {
    place++;
    return new Placed(new StreamId(place, 0), record, record.text(), null);
  }

  private Applied apply(SharedRecord record, boolean proven) throws Exception {
    return shared.apply(List.of(placed(record)), proven);
  }

  private List<String> lines() throws Exception {
    return Entries.all(lists).stream().map(OperatorText::format).toList();
  }

  private List<AuditRecord> audit() throws Exception {
    return lists.audit(Instant.EPOCH, Long.MAX_VALUE).records();
  }

  @Test
  void aForgedRecordOfThisNodeTakesNoChangeOffTheQueue() throws Exception {
    lists.add(List.of(allow("partner.example")), new Origin("alice", "allow add"));
    Waiting waits = shared.nextWaiting(1).getFirst();
    Applied forged =
        apply(record("mx1", waits.seq(), List.of(), allow("partner.example # forged")), false);
    assertEquals(1, forged.refused().size());
    assertEquals(List.of(waits), shared.nextWaiting(1));
    assertEquals(List.of("partner.example"), lines(), "nor is it applied");
    assertEquals(0, shared.lastSent().seq());

    SharedRecord own =
        SharedRecord.parse(waits.text()).toOptional().orElseThrow(AssertionError::new);
    shared.apply(List.of(new Placed(new StreamId(place + 1, 0), own, waits.text(), null)), false);
    assertEquals(0, shared.waiting());
    assertEquals(waits.seq(), shared.lastSent().seq());
  }

  @Test
  void whatACommandTakesOnlyByForceIsNamedAndAudited() throws Exception {
    Applied applied = apply(record("mx2", 1, List.of(), allow("0.0.0.0/0")), false);
    assertEquals(
        List.of("allow 0.0.0.0/0 of eve@mx2 is in force here: 0.0.0.0/0 is wider than /16"),
        applied.wide());
    assertEquals(List.of("0.0.0.0/0"), lines());
    assertEquals("eve@mx2", audit().getFirst().author());
    assertEquals(List.of(), apply(record("mx2", 2, List.of(), allow("192.0.2.1")), false).wide());
  }

  @Test
  void whatNoCommandTakesIsRefused() throws Exception {
    NewEntry senseless = allow("192.0.2.0/24 from=198.51.100.0/24");
    Applied applied = apply(record("mx2", 1, List.of(), senseless), false);
    assertEquals(1, applied.refused().size(), applied.refused()::toString);
    assertEquals(List.of(), lines());
  }

  @Test
  void whatTheStateOfAnotherNodeChangesHereIsAuditedOnce() throws Exception {
    SharedRecord state = record("mx2", 0, List.of(StreamId.START), allow("partner.example"));
    apply(state, false);
    apply(state, false);
    AuditRecord record = audit().getFirst();
    assertEquals(1, audit().size(), () -> record.toString());
    assertEquals("eve@mx2", record.author());
    assertEquals("fleet state", record.command());
    assertEquals("partner.example", record.subject());
  }

  @Test
  void aProvenRecordCountsOnce() throws Exception {
    SharedRecord first = record("mx2", 7, List.of(), allow("partner.example"));
    assertEquals(List.of(), apply(first, true).refused());
    lists.remove(
        OperatorEntry.ListKind.ALLOW, List.of("partner.example"), new Origin("alice", "remove"));
    Waiting removal = shared.nextWaiting(1).getFirst();
    shared.sent(
        List.of(removal), List.of(new StreamId(place + 1, 0)), shared.links(1, 5).getFirst());
    place++;
    Applied copied = apply(first, true);
    assertTrue(copied.refused().toString().contains("was applied already"), copied::toString);
    assertEquals(List.of(), lines(), "a copy of an old record brings nothing back");
    assertEquals(List.of(), apply(record("mx3", 1, List.of(), allow("a.example")), true).refused());
  }

  @Test
  void aVersionOfTheFutureIsOlderThanTheNextChangeWhenTheStreamIsNew() throws Exception {
    SharedRecord forged = record("mx2", 1, List.of(), allow("partner.example # forged"));
    shared.apply(List.of(new Placed(FUTURE, forged, forged.text(), null)), false);
    assertEquals(FUTURE, shared.highest());
    shared.begin("other", NOW.toEpochMilli());
    assertTrue(shared.highest().millis() <= NOW.toEpochMilli());
    apply(record("mx3", 1, List.of(), allow("partner.example # true")), false);
    assertEquals(List.of("partner.example # true"), lines());
  }

  @Test
  void eachRecordOfThisNodeNamesTheOneBefore() throws Exception {
    List<RecordLink> links = shared.links(2, 5);
    assertEquals(0, links.getFirst().before(), "the first in this stream");
    assertEquals(links.getFirst().number(), links.getLast().before());
    shared.added(links.getLast());
    RecordLink next = shared.links(1, 5).getFirst();
    assertEquals(links.getLast().number(), next.before());
    assertTrue(next.number() > next.before(), next::toString);
    assertEquals(Optional.of(next), RecordLink.parse(next.text()));
    shared.begin("another", Long.MAX_VALUE);
    shared.added(next);
    assertEquals(0, shared.links(1, 5).getFirst().before(), "the other one is of another stream");
  }

  @Test
  void whatWasAddedWithoutLinksIsKnown() throws Exception {
    assertFalse(shared.isAddedWithoutLinks());
    shared.complete(false);
    assertTrue(shared.isAddedWithoutLinks());
    shared.complete(true);
    assertFalse(shared.isAddedWithoutLinks());
  }
}

package io.bloomgate.blocklists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a breaker watches besides new versions, and what it still knows after kills, damage, leaps
 * of the clock and a way back.
 */
class BreakerMemoryTest extends BreakerStories {

  /** The riskiest entries of all: those that a guard held back and the operator let through. */
  @Test
  void heldEntriesThatAreAcceptedAreOnProbationFromThen() throws Exception {
    String wide = "198.0.0.0/7\n2001:db8::/18\n";
    try (RefreshStage s = poisoned("192.0.2.1\n", "192.0.2.1\n203.0.113.1\n" + wide)) {
      s.pass(DAY.multipliedBy(2));
      s.refresher.tick();
      assertTrue(s.accept("bad") instanceof ActResult.Done);
      assertTrue(s.listsIp("198.18.0.9"));
    }
    try (RefreshStage s = begin()) {
      s.pass(DAY.multipliedBy(2));
      s.senders.save();
      for (int i = 0; i < 100; i++) {
        s.senders.accepted(client(i, 1), "a@partner.example", s.now.minus(HOUR));
      }
      hit(s, 0, 20);
      assertTrue(observes(s, 0), "also after a restart");
      assertTrue(s.breaker.tripped().holds(address(s, "2001:db8::1")), "accepted with it");
      assertFalse(s.breaker.tripped().holds(address(s, "203.0.113.1")), "was never held");
      assertTrue(s.problem("bad").contains("the 2 held entries accepted in version 2"));
      assertTrue(s.accept("bad") instanceof ActResult.Done, "lifted");
      assertFalse(observes(s, 0));
    }
  }

  /** The version is live and in the record, and the kill came before the breaker wrote it down. */
  @Test
  void aPublishThatTheBreakerMissedIsFoundAtTheStart() throws Exception {
    poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40)).close();
    Files.delete(stateDir.resolve("feeds/bad/new/2.json"));
    try (RefreshStage s = begin()) {
      s.pass(HOUR.multipliedBy(2));
      for (int i = 0; i < 100; i++) {
        s.senders.accepted(client(i, 1), "a@partner.example", START);
      }
      hit(s, 0, 20);
      assertTrue(observes(s, 39));
      assertFalse(observes(s, 90), "one that was listed before");
    }
  }

  /** Forty days ahead, a look at everything, and back: nothing is forgotten, nothing is over. */
  @Test
  void aClockThatLeapsAheadEndsNoProbation() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40))) {
      hit(s, 0, 5);
      s.leap(DAY.multipliedBy(40));
      s.chores();
      for (int i = 5; i < 10; i++) {
        s.breaker.hit(listing(s, i), client(i, 9), s.steady.atMost(s.now));
        s.senders.accepted(client(i + 20, 9), "", s.steady.atMost(s.now));
      }
      s.leap(DAY.multipliedBy(-40));
      s.chores();
      hit(s, 10, 19);
      assertFalse(observes(s, 39), "nineteen");
      hit(s, 29, 30);
      assertTrue(observes(s, 39), "one that sent mail while the clock was wrong");
    }
  }

  private void trip() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40))) {
      hit(s, 0, 20);
      assertTrue(observes(s, 39));
    }
  }

  @Test
  void aDamagedNoteOfATripIsToldAndTakenForOne() throws Exception {
    trip();
    Files.writeString(stateDir.resolve("feeds/bad/new/2.json"), "{\"published\":");
    try (RefreshStage s = begin()) {
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(s.alarms.getFirst().contains("nobody knows"), s.alarms.getFirst());
      assertTrue(observes(s, 39));
      assertFalse(observes(s, 90));
      assertTrue(s.problem("bad").contains("`bloomgate feeds accept bad` lifts it"));
      assertTrue(StoredFeeds.read(stateDir, List.of("bad"), s.now).tripped().holds(listing(s, 39)));
      s.breaker.tick();
    }
    try (RefreshStage s = begin()) {
      assertEquals(List.of(), s.alarms, "written down anew");
      assertTrue(observes(s, 39));
      assertTrue(s.breaker.accept("bad"));
      assertFalse(observes(s, 39));
    }
  }

  /** Every octet of a note counts, also where it can still be read. */
  @Test
  void aNoteThatWasEditedIsToldAndTakenForATrip() throws Exception {
    trip();
    Path note = stateDir.resolve("feeds/bad/new/2.json");
    String written = Files.readString(note);
    for (String edited :
        List.of(
            written.replaceFirst("\"tripped\":\"[^\"]*\"", "\"tripped\":null"),
            written.replaceFirst("\"accepted\":false", "\"accepted\":true"),
            written.replaceFirst("(\"published\":\"20)2", "$11"))) {
      assertNotEquals(written, edited);
      Files.writeString(note, edited);
      try (RefreshStage s = begin()) {
        assertEquals(1, s.alarms.size(), edited);
        assertTrue(s.alarms.getFirst().contains("2.json is damaged"), s.alarms.getFirst());
        assertTrue(observes(s, 39), edited);
        StoredFeeds stored = StoredFeeds.read(stateDir, List.of("bad"), s.now);
        assertEquals(s.alarms, stored.problems());
      }
    }
  }

  @Test
  void aNoteOfAReleaseWithoutChecksumsCounts() throws Exception {
    trip();
    Path note = stateDir.resolve("feeds/bad/new/2.json");
    String written = Files.readString(note);
    String old = written.replaceFirst(",\"checksum\":\"[0-9a-f]{8}\"", "");
    assertNotEquals(written, old);
    Files.writeString(note, old);
    try (RefreshStage s = begin()) {
      assertEquals(List.of(), s.alarms);
      assertTrue(observes(s, 39));
    }
  }

  @Test
  void aTripWhoseEntriesAreLostTakesTheWholeFeedBack() throws Exception {
    trip();
    Path entries = stateDir.resolve("feeds/bad/new/2.entries");
    byte[] octets = Files.readAllBytes(entries);
    octets[octets.length / 2] ^= 1;
    Files.write(entries, octets);
    try (RefreshStage s = begin()) {
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(s.alarms.getFirst().contains("all of the feed"), s.alarms.getFirst());
      assertTrue(observes(s, 39));
      assertTrue(observes(s, 90), "which ones it were is not known");
      assertTrue(s.breaker.accept("bad"));
      assertFalse(observes(s, 39));
    }
    Files.deleteIfExists(entries);
    try (RefreshStage s = begin()) {
      assertEquals(List.of(), s.alarms);
    }
  }

  @Test
  void aTripSleepsWhileNothingOfItIsListed() throws Exception {
    String clean = hosts(90, 95);
    try (RefreshStage s = poisoned(clean, clean + hosts(0, 40))) {
      hit(s, 0, 20);
      assertTrue(s.rollback("bad", 0) instanceof ActResult.Done);
      assertFalse(s.problem("bad").contains("breaker"), s.problem("bad"));
      assertEquals(List.of(), s.refresher.show("bad").orElseThrow().elements("breaker"));
      assertTrue(s.accept("bad") instanceof ActResult.Refused, "there is nothing to lift");
      next(s, clean + hosts(38, 40) + "192.0.2.1\n");
      assertTrue(observes(s, 39), "the feed has it still");
      assertTrue(s.problem("bad").contains("breaker"));
      assertTrue(s.rollback("bad", 1) instanceof ActResult.Done);
      assertTrue(s.rollback("bad", 2) instanceof ActResult.Done);
      assertTrue(observes(s, 0), "and it holds for those who go back to it");
      assertTrue(s.problem("bad").contains("breaker"));
    }
  }
}

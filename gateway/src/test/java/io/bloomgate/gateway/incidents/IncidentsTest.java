package io.bloomgate.gateway.incidents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.Decisions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ring of incidents: what was shown to a sender is found again, whatever happened since. */
final class IncidentsTest {

  private static final Duration RETAIN = Duration.ofDays(30);

  @TempDir private Path directory;
  private Instant now = Decisions.NOW;

  private Path file() {
    return directory.resolve("incidents.ring");
  }

  private Incidents open(int capacity) {
    Incidents incidents =
        new Incidents(
            file(), capacity, RETAIN, Privacy.FULL, () -> now, System::nanoTime, Thread::new);
    incidents.start();
    return incidents;
  }

  private static String id(int number) {
    return IncidentId.format(number);
  }

  private void keep(Incidents incidents, int number) {
    incidents.keep(
        Decisions.with(Decisions.refused("203.0.113.7", "drop" + number), id(number), now));
    assertTrue(incidents.awaitWritten());
  }

  @Test
  void anIncidentIsFoundWithAllItsParts() throws IOException {
    try (Incidents incidents = open(10)) {
      keep(incidents, 7);
      Incident found = incidents.find(id(7)).orElseThrow();
      assertEquals("203.0.113.7", found.client().toString());
      assertEquals("203.0.113.0/24", found.entry());
      assertEquals("drop7", found.feed());
      assertEquals(17, found.line());
      assertEquals(412, found.generation());
      assertEquals("a@spam.example", found.from());
      assertEquals("bob@example.com", found.to());
      assertEquals("client_ip", found.check());
      assertEquals("reject", found.verdict());
      assertEquals(now, found.time());
    }
  }

  @Test
  void whoWasJustRefusedMayAskAtOnce() throws IOException {
    try (Incidents incidents = open(10)) {
      for (String id : List.of("0000000001", "0000000002", "0000000003")) {
        incidents.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop"), id, now));
        assertTrue(incidents.find(id).isPresent(), id);
      }
    }
  }

  /** A disk that is behind for good, behind a queue that is full. */
  @Test
  void aQuestionIsAnsweredHoweverFarTheDiskIsBehind() throws IOException {
    try (Incidents incidents = open(10)) {
      keep(incidents, 7);
    }
    Thread stuck = Thread.ofVirtual().unstarted(() -> {});
    Incidents incidents =
        new Incidents(
            file(), 10, RETAIN, Privacy.FULL, () -> now, System::nanoTime, ignored -> stuck);
    incidents.start();
    for (int i = 0; i < 20_000; i++) {
      incidents.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop"), id(100 + i), now));
    }
    assertTrue(incidents.find(id(7)).isPresent());
    assertFalse(incidents.find(id(100)).isPresent());
  }

  @Test
  void aSumKeepsItsCount() throws IOException {
    try (Incidents incidents = open(10)) {
      incidents.keep(
          Decisions.with(Decisions.refused("203.0.113.7", "drop"), id(7), now).standingFor(4711));
      keep(incidents, 8);
      assertEquals(4711, incidents.find(id(7)).orElseThrow().times());
      assertTrue(incidents.find(id(7)).orElseThrow().toJson().toString().contains("4711"));
      assertEquals(1, incidents.find(id(8)).orElseThrow().times());
    }
  }

  @Test
  void idsAreReadAsPeopleWriteThem() throws IOException {
    try (Incidents incidents = open(10)) {
      incidents.keep(Decisions.with(Decisions.refused("203.0.113.7", "drop"), "0123456AZ1", now));
      assertTrue(incidents.awaitWritten());
      assertTrue(incidents.find("0123456az1").isPresent());
      assertTrue(incidents.find("oI23456AZl").isPresent());
      assertFalse(incidents.find("0123456AZ2").isPresent());
      assertFalse(incidents.find("0123456AZ").isPresent());
      assertFalse(incidents.find("0123456AZU").isPresent());
    }
  }

  @Test
  void randomIdsReadBackAsTheyWereMade() {
    long seed = 20261121;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 1000; i++) {
      String id = IncidentId.random(random);
      assertEquals(IncidentId.LENGTH, id.length());
      assertEquals(
          id, IncidentId.format(IncidentId.parse(id).orElseThrow()), "seed " + seed + " no " + i);
    }
  }

  @Test
  void theOldestMakesRoomAndARestartChangesNothing() throws IOException {
    try (Incidents incidents = open(4)) {
      for (int i = 1; i <= 6; i++) {
        keep(incidents, i);
      }
    }
    long size = Files.size(file());
    try (Incidents incidents = open(4)) {
      assertFalse(incidents.find(id(2)).isPresent());
      assertTrue(incidents.find(id(3)).isPresent());
      keep(incidents, 7);
      assertFalse(incidents.find(id(3)).isPresent());
      assertTrue(incidents.find(id(4)).isPresent());
      assertEquals(size, Files.size(file()));
    }
  }

  @Test
  void aTornSlotIsEmptyAndTheOthersAreFound() throws IOException {
    try (Incidents incidents = open(8)) {
      for (int i = 1; i <= 5; i++) {
        keep(incidents, i);
      }
    }
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.seek(5L * IncidentSlot.OCTETS + 300); // inside the newest slot
      raw.write(new byte[100]);
      raw.write('x');
    }
    try (Incidents incidents = open(8)) {
      assertFalse(incidents.find(id(5)).isPresent());
      assertTrue(incidents.find(id(4)).isPresent());
      keep(incidents, 6);
      assertTrue(incidents.find(id(6)).isPresent());
      assertTrue(incidents.find(id(1)).isPresent());
    }
  }

  @Test
  void aFileCutShortByAFullDiskIsReadAsFarAsItGoes() throws IOException {
    try (Incidents incidents = open(8)) {
      for (int i = 1; i <= 3; i++) {
        keep(incidents, i);
      }
    }
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.setLength(3L * IncidentSlot.OCTETS + 77);
    }
    try (Incidents incidents = open(8)) {
      assertTrue(incidents.find(id(2)).isPresent());
      assertFalse(incidents.find(id(3)).isPresent());
      keep(incidents, 4);
      assertTrue(incidents.find(id(4)).isPresent());
    }
  }

  @Test
  void anotherSizeKeepsTheNewest() throws IOException {
    try (Incidents incidents = open(8)) {
      for (int i = 1; i <= 6; i++) {
        keep(incidents, i);
      }
    }
    try (Incidents incidents = open(3)) {
      assertFalse(incidents.find(id(3)).isPresent());
      assertTrue(incidents.find(id(4)).isPresent());
      keep(incidents, 7);
      assertTrue(incidents.find(id(6)).isPresent());
      assertFalse(incidents.find(id(4)).isPresent());
    }
  }

  @Test
  void aFullDiskCostsIncidentsAndTheFileIsNotReadAgain() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "no /dev/full here");
    AtomicInteger opened = new AtomicInteger();
    Incidents.Opener opener =
        () -> {
          opened.incrementAndGet();
          return IncidentRing.load(full, 8);
        };
    try (Incidents incidents = open(opener)) {
      for (int i = 1; i <= 3; i++) {
        keep(incidents, i);
        assertFalse(incidents.find(id(i)).isPresent());
      }
    }
    assertEquals(1, opened.get());
  }

  @Test
  void aFileThatCannotBeOpenedIsTriedAgainAfterAWhile() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    Incidents.Opener opener =
        () -> {
          if (opened.incrementAndGet() == 1) {
            throw new IOException("a disk on strike");
          }
          return IncidentRing.open(file(), 8);
        };
    try (Incidents incidents = open(opener)) {
      keep(incidents, 1);
      keep(incidents, 2);
      assertThrows(IOException.class, () -> incidents.find(id(2)));
      assertEquals(1, opened.get());
      now = now.plusSeconds(10);
      keep(incidents, 3);
      assertTrue(incidents.find(id(3)).isPresent());
      assertEquals(2, opened.get());
    }
  }

  private Incidents open(Incidents.Opener opener) {
    Incidents incidents =
        new Incidents(
            file(), opener, RETAIN, Privacy.FULL, () -> now, System::nanoTime, Thread::new);
    incidents.start();
    return incidents;
  }

  @Test
  void aForeignFileIsPutAsideNotOverwritten() throws IOException {
    Files.writeString(file(), "somebody's notes");
    try (Incidents incidents = open(3)) {
      keep(incidents, 1);
      assertTrue(incidents.find(id(1)).isPresent());
    }
    assertEquals(
        "somebody's notes", Files.readString(directory.resolve("incidents.ring.unreadable")));
  }

  @Test
  void onlyTheOwnerReadsTheFile() throws IOException {
    try (Incidents incidents = open(3)) {
      keep(incidents, 1);
    }
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
  }

  @Test
  void oldIncidentsAreForgottenAndWiped() throws IOException {
    try (Incidents incidents = open(8)) {
      keep(incidents, 1);
      now = now.plus(RETAIN).plusSeconds(1);
      keep(incidents, 2);
      assertFalse(incidents.find(id(1)).isPresent());
      assertTrue(
          new String(Files.readAllBytes(file()), java.nio.charset.StandardCharsets.ISO_8859_1)
              .contains("drop1"));
      incidents.wipeOld();
      assertFalse(
          new String(Files.readAllBytes(file()), java.nio.charset.StandardCharsets.ISO_8859_1)
              .contains("drop1"));
      assertTrue(incidents.find(id(2)).isPresent());
    }
  }

  @Test
  void overlongTextsAreCutAndFit() throws IOException {
    String lengthy = "ü".repeat(5000);
    try (Incidents incidents = open(3)) {
      incidents.keep(
          Decisions.with(
              Decisions.record(
                  "203.0.113.7",
                  Outcome.REFUSED,
                  Decisions.rejectedBy("f".repeat(300), "203.0.113.7", "203.0.113.7"),
                  Decisions.refusal("203.0.113.7", "f".repeat(300), Decisions.ID),
                  lengthy,
                  lengthy,
                  lengthy),
              id(1),
              now));
      assertTrue(incidents.awaitWritten());
      Incident found = incidents.find(id(1)).orElseThrow();
      assertTrue(found.helo().endsWith("..."));
      assertEquals("203.0.113.7", found.client().toString());
    }
  }

  @Test
  void aDeliveryIsNoIncident() throws IOException {
    try (Incidents incidents = open(3)) {
      incidents.keep(
          Decisions.record(
              "192.0.2.1",
              Outcome.DELIVERED,
              Decisions.accepted(),
              Decisions.refusal("x", "y", "z"),
              "h",
              "",
              "b@example.com"));
      assertTrue(incidents.awaitWritten());
      assertFalse(incidents.find(Decisions.ID).isPresent());
    }
  }
}

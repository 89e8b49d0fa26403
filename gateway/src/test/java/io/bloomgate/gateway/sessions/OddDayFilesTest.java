package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.Decisions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is named like the file of a day and is no file stops nobody. */
final class OddDayFilesTest extends StoreFixture {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Path sessions;

  @BeforeEach
  void oneGoodDay() throws IOException {
    sessions = directory.resolve("sessions");
    keep(1, Decisions.NOW);
  }

  /** On a daemon thread, because an interrupt does not end the opening of a FIFO. */
  private void keep(int number, Instant at) throws IOException {
    now = at;
    try (SessionStore store =
        open(
            new SessionDays(directory),
            Privacy.FULL,
            1L << 30,
            task -> Thread.ofPlatform().daemon().unstarted(task))) {
      refuse(store, number);
    }
  }

  private void fifo(String name) throws IOException, InterruptedException {
    Path fifo = sessions.resolve(name);
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor(), "mkfifo");
  }

  private List<String> found(int number) {
    return assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          List<String> problems = new ArrayList<>();
          SessionSearch search = new SessionSearch(new SessionDays(directory), problems::add);
          assertTrue(search.find(id(number), Instant.EPOCH).isPresent());
          return problems;
        });
  }

  @Test
  void aSearchNamesThemAndGoesOn() throws Exception {
    fifo("2026-11-02.db");
    Files.createDirectory(sessions.resolve("2026-11-03.db"));
    Files.createSymbolicLink(sessions.resolve("2026-11-04.db"), sessions.resolve("2026-11-01.db"));
    Files.createSymbolicLink(sessions.resolve("2026-11-05.db"), Path.of("/dev/zero"));
    List<String> problems = found(1);
    assertEquals(4, problems.size(), problems.toString());
    for (int day = 2; day <= 5; day++) {
      String name = "2026-11-0" + day + ".db is no regular file";
      assertTrue(problems.stream().anyMatch(each -> each.contains(name)), problems.toString());
    }
  }

  @Test
  void aLogThatIsNoFileStopsNobody() throws Exception {
    fifo("2026-11-02.db-wal");
    Files.copy(sessions.resolve("2026-11-01.db"), sessions.resolve("2026-11-02.db"));
    assertEquals(1, found(1).size());
  }

  @Test
  void housekeepingNamesThemOnce() throws Exception {
    fifo("2026-11-02.db");
    List<String> alarms = new ArrayList<>();
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          DayRetention retention = new DayRetention(new SessionDays(directory));
          for (int i = 0; i < 3; i++) {
            retention.tend(Instant.parse("2026-11-05T00:00:00Z"), RETAIN, 1L << 30, alarms::add);
          }
        });
    assertEquals(1, alarms.size(), alarms.toString());
  }

  @Test
  void sessionsOfTodayGoIntoAnotherFile() throws Exception {
    fifo("2026-11-02.db");
    assertTimeoutPreemptively(PATIENCE, () -> keep(2, Instant.parse("2026-11-02T00:00:00Z")));
    assertTrue(Files.exists(sessions.resolve("2026-11-02.2.db")));
    found(2);
  }
}

package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.Likeness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The minima of texts are kept beside the sessions, and found by the id of any answer. */
final class KeptLikenessTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");
  private static final long SEED = 20_261_128;

  @TempDir private Path state;
  private final List<String> problems = new ArrayList<>();

  private static Likeness likeness(int first) {
    short[] minima = new short[Likeness.MINIMA];
    minima[0] = (short) first;
    minima[1] = (short) -first;
    return Likeness.of(minima);
  }

  @Test
  void likenessIsFoundByEachIdOfItsSession() throws IOException {
    SessionDays days = new SessionDays(state);
    days.create();
    SessionSearch search = new SessionSearch(days, problems::add);
    KeptSessions random = new KeptSessions(SEED);
    List<Evidence> sessions = new ArrayList<>();
    Evidence other = random.next(BEGIN);
    try (DayWriter writer = DayWriter.open(days.day(DAY, 1).file(), DAY)) {
      for (int i = 0; i < 100; i++) {
        Evidence session = random.next(BEGIN.plusSeconds(i));
        sessions.add(session);
        boolean hasText = i % 3 == 0;
        long number = writer.add(session, hasText && i > 0 ? likeness(i + 1_000) : null);
        if (i == 0) {
          writer.commit();
          assertEquals(Optional.empty(), search.likeness(session.decision().id()));
        }
        if (hasText) {
          writer.replace(number, session, likeness(i));
        }
        if (i == 3) {
          writer.addFurther(number, other, other);
        }
      }
      writer.commit();
    }
    for (int i = 0; i < sessions.size(); i++) {
      assertEquals(
          i % 3 == 0 ? Optional.of(likeness(i)) : Optional.empty(),
          search.likeness(sessions.get(i).decision().id()));
    }
    assertEquals(Optional.of(likeness(3)), search.likeness("[" + other.decision().id() + "]"));
    assertEquals(Optional.empty(), search.likeness("ZZZZZZZZZZ"));
    assertEquals(Optional.empty(), search.likeness("no id"));
    assertEquals(List.of(), problems);
  }
}

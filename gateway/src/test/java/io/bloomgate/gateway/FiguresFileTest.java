package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.metrics.VerdictCounts.Gap;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of the last hour's figures when it is damaged. */
final class FiguresFileTest {

  @TempDir Path folder;

  @Test
  void aFileOfGigabytesIsNoReasonNotToStart() throws IOException {
    Path file = folder.resolve(FiguresFile.FILE_NAME);
    try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.setLength(3L << 30);
    }
    VerdictCounts counts = new VerdictCounts(() -> Instant.EPOCH);
    FiguresFile.open(file, counts).close();
    assertEquals(Set.of(0L), Set.copyOf(counts.verdictsLastHour().values()));
    assertTrue(Files.size(file) < 1_000, "it was begun again");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verdict reject soon many\n",
        "verdict reject 29933622 13\nfeed bad 29933622 13\nverdict ended 0 0\n", // of another
        // release
        "\0\0\0",
        "{\"verdicts\":{\"reject\":{\"soon\":1}},\"feeds\":{},\"ended\":true}",
        "{\"verdicts\":{\"reject\":{\"29930160\":null}},\"feeds\":{},\"ended\":true}",
        "{\"verdicts\":{\"reject\":null},\"feeds\":{},\"ended\":true}",
      })
  void aDamagedFileIsNoReasonNotToStart(String text) throws IOException {
    Path file = Files.writeString(folder.resolve(FiguresFile.FILE_NAME), text);
    Instant now = Instant.parse("2026-11-27T20:00:30Z");
    VerdictCounts counts = new VerdictCounts(() -> now);
    FiguresFile.open(file, counts).close();
    assertEquals(Set.of(0L), Set.copyOf(counts.verdictsLastHour().values()));
    assertEquals(
        Optional.of(new Gap(now.minus(Duration.ofHours(1)), now)),
        counts.gapOfLastHour(),
        "nothing of the hour before is known");
  }

  /** What was decided behind the last time the file was written is lost with a process. */
  @Test
  void aGatewayThatWasKilledSaysWhatItDidNotCount() throws IOException {
    Path file = folder.resolve(FiguresFile.FILE_NAME);
    Instant saved = Instant.parse("2026-11-27T20:00:30Z");
    Instant started = saved.plusSeconds(100);
    FiguresFile.open(file, new VerdictCounts(() -> saved));
    Files.setLastModifiedTime(file, FileTime.from(saved));
    AtomicReference<Instant> now = new AtomicReference<>(started);
    VerdictCounts killed = new VerdictCounts(now::get);
    FiguresFile again = FiguresFile.open(file, killed);
    assertEquals(Optional.of(new Gap(saved, started)), killed.gapOfLastHour());
    again.close();

    VerdictCounts ended = new VerdictCounts(now::get);
    now.set(started.plusSeconds(9));
    FiguresFile.open(file, ended);
    assertEquals(Optional.of(new Gap(saved, started)), ended.gapOfLastHour(), "and no other");
    Files.setLastModifiedTime(file, FileTime.from(now.get()));

    VerdictCounts twice = new VerdictCounts(now::get);
    Instant third = started.plusSeconds(60);
    now.set(third);
    FiguresFile.open(file, twice);
    assertEquals(Optional.of(new Gap(saved, third)), twice.gapOfLastHour());
    now.set(third.plus(Duration.ofHours(1)));
    assertEquals(Optional.empty(), twice.gapOfLastHour());
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.metrics.VerdictCounts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}

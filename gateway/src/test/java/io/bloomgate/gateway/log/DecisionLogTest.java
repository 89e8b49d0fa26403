package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.LogSettings.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decision log never delays a session, and it reports what it lost. */
final class DecisionLogTest {

  private static final int LINES = 10_000;

  @TempDir private Path directory;

  private static DecisionLog.Setup setup(Target target) {
    return new DecisionLog.Setup(
        new DecisionLine(Format.POSTFIX, Privacy.FULL, "mx1", "x", 1, true, ZoneOffset.UTC, false),
        target);
  }

  private static DecisionLog open(Target target, OutputStream stdout) {
    return new DecisionLog(
        setup(target), stdout, () -> Decisions.NOW, System::nanoTime, Thread::new);
  }

  private static DecisionRecord decision() {
    return Decisions.refused("203.0.113.7", "drop");
  }

  /**
   * As logrotate works without delaycompress: rename, reload, and then the renamed file is read and
   * deleted at once, while lines are written.
   */
  @Test
  void noLineIsLostOrDoubledWhenFilesAreRotatedUnderLoad() throws Exception {
    Path file = directory.resolve("mail.log");
    Path rotated = directory.resolve("mail.log.1");
    Target target = new Target.File(file);
    List<String> lines = new ArrayList<>();
    int rotations = 0;
    try (DecisionLog log = open(target, OutputStream.nullOutputStream())) {
      log.start();
      Thread sessions =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < LINES; i++) {
                  log.write(Decisions.refused("203.0.113.7", "feed" + i));
                  if (i % 200 == 0) {
                    log.awaitWritten();
                  }
                }
              });
      while (sessions.isAlive()) {
        if (Files.exists(file)) {
          Files.move(file, rotated);
          log.reopen(setup(target));
          lines.addAll(Files.readAllLines(rotated));
          Files.delete(rotated);
          rotations++;
        }
      }
      sessions.join();
      assertTrue(log.awaitWritten());
    }
    if (Files.exists(file)) {
      lines.addAll(Files.readAllLines(file));
    }
    assertTrue(rotations > 5, "rotations: " + rotations);
    assertEquals(LINES, lines.size());
    for (int i = 0; i < LINES; i++) {
      assertTrue(lines.get(i).matches(".* using feed" + i + "\\b.*"), lines.get(i));
    }
  }

  @Test
  void aFullDiskLosesLinesAndSaysSoAfterwards() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "this system has no /dev/full");
    Path file = directory.resolve("mail.log");
    try (DecisionLog log = open(new Target.File(full), OutputStream.nullOutputStream())) {
      log.start();
      log.write(decision());
      log.write(decision());
      assertTrue(log.awaitWritten());
      log.reopen(setup(new Target.File(file)));
      log.write(decision());
      assertTrue(log.awaitWritten());
    }
    List<String> lines = Files.readAllLines(file);
    assertEquals("", lines.get(0));
    assertEquals("warning: 2 lines of this log were lost here", lines.get(1));
    assertTrue(lines.get(2).startsWith("NOQUEUE: reject: "));
  }

  @Test
  void aStalledReaderBlocksNobodyAndTheGapIsCounted() {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch stalled = new CountDownLatch(1);
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    OutputStream pipe =
        new OutputStream() {
          @Override
          public void write(int octet) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] octets, int offset, int length) throws IOException {
            stalled.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            seen.write(octets, offset, length);
          }
        };
    int written = 20_000;
    try (DecisionLog log = open(new Target.Stdout(), pipe)) {
      log.start();
      log.write(decision());
      await(stalled);
      for (int i = 1; i < written; i++) {
        log.write(decision());
      }
      release.countDown();
      assertTrue(log.awaitWritten());
    }
    String text = seen.toString(StandardCharsets.UTF_8);
    long lines = text.lines().filter(l -> l.startsWith("NOQUEUE")).count();
    long lost =
        text.lines()
            .filter(l -> l.startsWith("warning: "))
            .mapToLong(l -> Long.parseLong(l.split(" ", 3)[1]))
            .sum();
    assertTrue(lost > 0);
    assertEquals(written, lines + lost);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

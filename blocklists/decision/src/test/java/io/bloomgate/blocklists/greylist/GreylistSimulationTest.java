package io.bloomgate.blocklists.greylist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Good senders over three months of a clock that the test sets, with kills in between: how often
 * each is delayed. {@code -Dgreylist.senders=1000000} makes it large, {@code -Dseed=N} repeats it.
 */
final class GreylistSimulationTest {

  private static final int SENDERS = Integer.getInteger("greylist.senders", 3_000);

  /** Each writes so often, days apart. */
  private static final int MESSAGES = 4;

  private static final GreylistSettings RULES =
      new GreylistSettings(Duration.ofMinutes(5), Duration.ofHours(24));

  private static final int DAY = 86_400;
  private static final long START = Instant.parse("2026-11-23T00:00:00Z").getEpochSecond();

  /**
   * How senders try again, in seconds after the try before; the last step repeats. The first four
   * are defaults of the programs' own documentation; providers try again after 1 to 6 minutes from
   * up to 7 addresses of a network (Sochor, Farokhi and others, "Greylisting", DSN 2016).
   */
  private enum Program {
    POSTFIX(1, 300, 600, 1_200, 2_400, 4_000),
    EXIM(1, 900),
    SENDMAIL(1, 1_800),
    QMAIL(1, 400, 1_200, 2_000, 2_800, 3_600),
    HASTY_PROVIDER(7, 60, 120, 360, 900, 1_800, 3_600),
    POOL_PROVIDER(7, 360, 900, 1_800, 3_600),
    SMALL_POOL(2, 180, 300, 900, 3_600),
    HOURLY(1, 3_600);

    private final int addresses;

    @SuppressWarnings("ImmutableEnumChecker") // nobody writes to the array
    private final int[] steps;

    Program(int addresses, int... steps) {
      this.addresses = addresses;
      this.steps = steps;
    }

    int step(int attempt) {
      return steps[Math.min(attempt, steps.length - 1)];
    }

    /** The longest time from the first try to the first one after the delay. */
    int longestDelay() {
      int sum = 0;
      for (int i = 0; sum < RULES.delay().toSeconds(); i++) {
        sum += step(i);
      }
      return sum;
    }
  }

  /** A visit that is due; the sender's first try of this message was at {@code began}. */
  private record Due(long time, int sender, int message, int attempt, long began) {}

  @TempDir Path state;
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Program[] programs = Program.values();
  private final byte[] delayed = new byte[SENDERS];

  @Test
  void noGoodSenderIsDelayedTwice() throws IOException {
    PriorityQueue<Due> queue = new PriorityQueue<>((a, b) -> Long.compare(a.time, b.time));
    for (int i = 0; i < SENDERS; i++) {
      long first = START + random.nextInt(30 * DAY);
      queue.add(new Due(first, i, 0, 0, first));
    }
    Greylist greylist = open();
    long restart = START + DAY;
    int kills = 0;
    int passed = 0;
    for (Due due = queue.poll(); due != null; due = queue.poll()) {
      if (due.time >= restart) {
        // Saved each second; then killed, or stopped.
        greylist.save();
        if (kills % 2 == 0) {
          greylist.close();
        }
        greylist = open();
        kills++;
        restart += 5 * DAY + random.nextInt(DAY);
      }
      if (visit(greylist, due)) {
        passed++;
        after(due, queue);
      } else {
        queue.add(again(due));
      }
    }
    greylist.close();
    String where = "seed " + seed;
    assertEquals(SENDERS * MESSAGES, passed, where);
    assertTrue(kills > 8, where);
    int twice = 0;
    int spared = 0;
    for (byte times : delayed) {
      twice += times > 1 ? 1 : 0;
      spared += times == 0 ? 1 : 0;
    }
    assertEquals(0, twice, where);
    // Those whom a filter took for others; the ring's rate is 2.5 % when all days are full.
    assertTrue(spared < SENDERS * 0.025, spared + " spared, " + where);
  }

  private Greylist open() {
    return Greylist.open(state, new SecureRandom(), client -> false, problem -> {});
  }

  private boolean visit(Greylist greylist, Due due) {
    Program program = programs[due.sender % programs.length];
    int address = (due.sender * 7_919 & 0xffff) << 16 | random.nextInt(program.addresses) << 8 | 9;
    boolean letIn =
        greylist
            .ask(
                IpAddress.ofV4(address),
                DomainName.parse("s" + due.sender + ".example").toOptional().orElseThrow(),
                "example.com",
                RULES,
                Instant.ofEpochSecond(due.time))
            .letIn();
    if (!letIn && due.attempt == 0) {
      delayed[due.sender]++;
    }
    if (letIn) {
      assertTrue(due.time - due.began <= program.longestDelay(), program + ", seed " + seed);
    }
    return letIn;
  }

  private Due again(Due due) {
    int step = programs[due.sender % programs.length].step(due.attempt);
    return new Due(due.time + step, due.sender, due.message, due.attempt + 1, due.began);
  }

  private void after(Due due, PriorityQueue<Due> queue) {
    if (due.message + 1 < MESSAGES) {
      long next = due.time + random.nextInt(20 * DAY);
      queue.add(new Due(next, due.sender, due.message + 1, 0, next));
    }
  }
}

package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Measures the CPU time of a session that is kept, for accepted mail with a text: of {@link
 * SessionStore#keep} on the thread of that session, and of the thread of the store, which writes
 * batches as it has them at 2,000 mails a second. Called by {@link SessionRun}.
 */
final class KeepRun {

  private static final int ROUNDS = 1_000;
  private static final int RECORDS = 200;
  private static final int COLD_ROUNDS = 500;

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private final Random random = new Random(1);
  private final Path directory;
  private @Nullable Thread writer;

  KeepRun(Path directory) {
    this.directory = directory;
  }

  /**
   * Microseconds of CPU a session.
   *
   * @param handing of the thread of the session, the median of the rounds
   * @param writing of the thread of the store
   */
  record Cost(double handing, double writing) {}

  /** Keeps sessions in a fresh directory. */
  Cost run() throws IOException {
    SessionDays days = new SessionDays(Files.createDirectories(directory));
    try (SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(Duration.ofDays(30), 2L << 30, Privacy.FULL),
            Instant::now,
            System::nanoTime,
            this::thread)) {
      store.start();
      double[] taken = new double[ROUNDS];
      long writing = 0;
      for (int round = -COLD_ROUNDS; round < ROUNDS; round++) {
        List<DecisionRecord> records = new ArrayList<>(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
          records.add(record());
        }
        long before = CPU.getThreadCpuTime(Objects.requireNonNull(writer).threadId());
        long began = CPU.getCurrentThreadCpuTime();
        records.forEach(store::keep);
        long ended = CPU.getCurrentThreadCpuTime();
        store.catchUp(); // a full queue would be cheaper than one that has room
        if (round >= 0) {
          taken[round] = (ended - began) / 1e3 / RECORDS;
          writing += CPU.getThreadCpuTime(Objects.requireNonNull(writer).threadId()) - before;
        }
      }
      if (store.lost() > 0) {
        throw new AssertionError(store.lost() + " sessions were not kept: " + store.trouble());
      }
      Arrays.sort(taken);
      return new Cost(taken[ROUNDS / 2], writing / 1e3 / ROUNDS / RECORDS);
    }
  }

  private Thread thread(Runnable task) {
    Thread made = new Thread(task);
    writer = made;
    return made;
  }

  private Likeness text() {
    short[] minima = new short[Likeness.MINIMA];
    for (int i = 0; i < minima.length; i++) {
      minima[i] = (short) random.nextInt();
    }
    return Likeness.of(minima);
  }

  @SuppressWarnings("NullAway") // it reads the annotation of the trace's nested type wrongly
  private DecisionRecord record() {
    IpAddress client = IpAddress.ofV4((100 << 24) + random.nextInt(1 << 24));
    return new DecisionRecord(
        Instant.now(),
        IncidentId.format(random.nextLong() >>> 14),
        Stage.DATA,
        new Verdict.Accept(new Grounds(1, List.of(), List.of(), List.of(), null)),
        Mode.ENFORCE,
        Outcome.DELIVERED,
        client,
        "mail.partner.example",
        "user" + random.nextInt(200) + "@partner" + random.nextInt(5_000) + ".example",
        List.of("person" + random.nextInt(300) + "@company.example"),
        "ESMTPS",
        Reply.of(250, "2.0.0", "Ok: queued as 4bX" + random.nextInt(Integer.MAX_VALUE)),
        4_096,
        Duration.ofMillis(random.nextInt(3_000)),
        1,
        new SessionTrace(
            "[::]:25",
            Facts.ofClient(client),
            false,
            new Object(),
            text(),
            List.of(),
            IncidentId.format(random.nextLong() >>> 14),
            IncidentId.format(random.nextLong() >>> 14) + "@mail.partner.example",
            null,
            List.of()),
        List.of());
  }
}

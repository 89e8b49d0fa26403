package io.bloomgate.bench;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.status.GatewayStatus;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/**
 * CPU time and memory of `feeds score`. Arguments: a directory, sessions, feeds. Called by
 * score.sh.
 */
final class ScoreRun {

  private static final int ROWS_OF_A_COMMIT = 5_000;
  private static final int LISTS_OF_A_SESSION = 3;
  private static final Instant DAY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = DAY.plus(Duration.ofDays(1));

  private final Random random = new Random(1);
  private final Path directory;
  private final int rows;
  private final int feeds;

  private ScoreRun(Path directory, int rows, int feeds) {
    this.directory = directory;
    this.rows = rows;
    this.feeds = feeds;
  }

  public static void main(String[] arguments) throws Exception {
    new ScoreRun(
            Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
        .run();
  }

  private void run() throws Exception {
    Settings settings = settings();
    SessionDays days = new SessionDays(settings.stateDir());
    days.create();
    write(days);
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            settings.sessions(),
            () -> NOW,
            System::nanoTime,
            Thread::new);
    Blocklists.Surroundings around =
        new Blocklists.Surroundings(
            () -> NOW,
            System::nanoTime,
            new SecureRandom(),
            name -> Thread::new,
            _ -> 0,
            System.err::println);
    ListRules rules = ListRules.read(settings, List.of(), List.of(), _ -> {});
    try (Blocklists lists = Blocklists.open(settings.stateDir(), rules, around)) {
      FeedScores scores = new FeedScores(store, () -> status(settings), () -> lists);
      for (int round = 0; round < 2; round++) {
        pools().forEach(MemoryPoolMXBean::resetPeakUsage);
        long began = cpu();
        FeedScores.Scores answer = scores.since(Instant.EPOCH, scores.names());
        String which = round == 0 ? ", first" : ", again";
        figure("feeds score of all feeds" + which + ", s of CPU", (cpu() - began) / 1e9);
        if (answer.json().size() != feeds || !answer.problems().isEmpty()) {
          throw new AssertionError(answer.problems());
        }
      }
      System.gc();
      figure("most heap that outlived a young collection, MiB", heap() / 1_048_576.0);
    }
  }

  private static List<MemoryPoolMXBean> pools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getName().startsWith("Tenured"))
        .toList();
  }

  private static long heap() {
    return pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void figure(String name, double value) {
    System.out.printf(Locale.ROOT, "%-68s %.3f%n", name, value);
  }

  private Settings settings() throws Exception {
    Path stateDir = Files.createDirectories(directory.resolve("state"));
    Path list = Files.writeString(directory.resolve("list.txt"), "203.0.113.7\n");
    StringBuilder text = new StringBuilder();
    text.append("domains: [example.com]\ndownstream: {host: 127.0.0.1}\n")
        .append("state_dir: " + stateDir + "\nfeeds:\n  sources:\n");
    for (int i = 0; i < feeds; i++) {
      text.append("    feed" + i + ": {file: \"" + list + "\", action: observe}\n");
    }
    return switch (SettingsFile.parse("bench", text.toString(), Map.of(), () -> "mx.example")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid(var problems) -> throw new AssertionError(problems);
    };
  }

  private void write(SessionDays days) throws Exception {
    LocalDate date = LocalDate.ofInstant(DAY, ZoneOffset.UTC);
    try (DayWriter writer = DayWriter.open(days.day(date, 1).file(), date)) {
      for (int i = 0; i < rows; i++) {
        writer.add(session(DAY.plusMillis(i * 86_400_000L / rows)), null);
        if (i % ROWS_OF_A_COMMIT == 0) {
          writer.commit();
        }
      }
      writer.commit();
    }
  }

  private Evidence session(Instant at) {
    boolean listed = random.nextInt(10) < 7;
    boolean accepted = !listed || random.nextInt(50) == 0;
    IpAddress client = IpAddress.ofV4((listed ? 11 << 24 : 100 << 24) + random.nextInt(1 << 24));
    String domain = "domain" + random.nextInt(5_000) + ".example";
    List<Evidence.Listing> listings = new ArrayList<>();
    for (int i = 0; listed && i < LISTS_OF_A_SESSION; i++) {
      listings.add(
          new Evidence.Listing(
              Check.CLIENT_IP,
              client.toString(),
              "feed" + (random.nextInt(feeds) + i) % feeds,
              client.toString(),
              random.nextInt(1_000_000),
              Action.OBSERVE,
              ""));
    }
    return new Evidence(
        at,
        client,
        "mail." + domain,
        "user" + random.nextInt(200) + "@" + domain,
        List.of("company.example"),
        1,
        "ESMTP",
        "[::]:25",
        new Evidence.Decision(
            "",
            Stage.RCPT,
            Mode.ENFORCE,
            accepted ? Outcome.DELIVERED : Outcome.REFUSED,
            "person" + random.nextInt(300) + "@company.example",
            accepted ? "accept" : "reject",
            4_711,
            listings,
            accepted ? "250 2.0.0 Ok" : "554 5.7.1 Service unavailable"),
        0,
        Duration.ofMillis(random.nextInt(3_000)),
        1,
        RareFacts.NOTHING);
  }

  /** With nulls where something is not there: NullAway reads no annotation of a nested type. */
  @SuppressWarnings("NullAway")
  private static GatewayStatus status(Settings settings) {
    return new GatewayStatus(
        NOW,
        settings,
        Mode.ENFORCE,
        false,
        new GatewayStatus.Health("", List.of(), true, List.of()),
        new GatewayStatus.Reload("", NOW),
        true,
        new BlocklistsStatus(
            0,
            "",
            new BlocklistsStatus.Entries(0, 0, 0, 0, 0, 0, 0, 0, 0),
            Map.of(),
            "scalar",
            "none",
            new BlocklistsStatus.KnownGood(0, 0, Map.of()),
            List.of(),
            0,
            0,
            new BlocklistsStatus.SelfTested(null, 0, 0)),
        "",
        List.of(),
        List.of(),
        List.of(),
        null,
        List.of(),
        List.of(),
        0,
        0,
        new GatewayStatus.State(true, OptionalLong.empty(), new SessionStore.Kept(0, 0, 0)),
        0,
        new GatewayStatus.Counts(0, 0, 0, 0, 0, SharedCounts.Figures.alone("")),
        null);
  }
}

package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.blocklists.sessions.TopBy;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the store of sessions costs and how fast it answers. Arguments: a directory, days, sessions
 * a day. Called by sessions.sh.
 *
 * <p>Of ten sessions six are refused for an entry of one address, one for a network, three are
 * delivered from 5,000 domains. Half of the refused have names and domains that come once.
 */
final class SessionRun {

  private static final int ROWS_OF_A_COMMIT = 5_000;

  private final Random random = new Random(1);
  private final List<String> ids = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int days = Integer.parseInt(arguments[1]);
    int rows = Integer.parseInt(arguments[2]);
    new SessionRun().run(new SessionDays(directory), days, rows);
  }

  private void run(SessionDays store, int count, int rows) throws Exception {
    store.create();
    KeepRun.Cost kept = new KeepRun(store.directory().resolve("keep")).run();
    figure("a session kept, us of CPU on its own thread (goal 1)", kept.handing());
    figure("the same with the thread of the store (goal 10)", kept.handing() + kept.writing());
    LocalDate first = LocalDate.parse("2026-01-01");
    long writing = 0;
    for (int i = 0; i < count; i++) {
      LocalDate date = first.plusDays(i);
      long began = cpu();
      write(store, date, rows);
      writing += cpu() - began;
    }
    figure("rows written a second of CPU (goal 100,000)", (double) count * rows * 1e9 / writing);
    long octets = 0;
    for (int i = 0; i < count; i++) {
      Path file = store.day(first.plusDays(i), 1).file();
      octets += Files.size(file);
    }
    figure("octets a row with its indexes (goal 400)", (double) octets / count / rows);
    SessionSearch search =
        new SessionSearch(
            store,
            problem -> {
              throw new AssertionError(problem);
            });
    ids(search);
    Instant day = first.atStartOfDay(ZoneOffset.UTC).toInstant();
    scans(search, day, rows);
  }

  private void ids(SessionSearch search) throws Exception {
    double[] taken = new double[Math.min(200, ids.size())];
    for (int i = 0; i < taken.length; i++) {
      String id = ids.get(random.nextInt(ids.size()));
      long began = System.nanoTime();
      if (search.find(id, Instant.EPOCH).isEmpty()) {
        throw new AssertionError(id + " is not found");
      }
      taken[i] = (System.nanoTime() - began) / 1e6;
    }
    Arrays.sort(taken);
    figure("an id of all days, ms, median (goal 50)", taken[taken.length / 2]);
    figure("the same, most", taken[taken.length - 1]);
    long began = System.nanoTime();
    search.find("ZZZZZZZZZZ", Instant.EPOCH);
    figure("an id that is unknown, ms", (System.nanoTime() - began) / 1e6);
  }

  private static void scans(SessionSearch search, Instant day, int rows) throws Exception {
    SessionQuery all = SessionQuery.of(day, day.plus(Duration.ofDays(1)));
    for (int round = 0; round < 2; round++) {
      String which = round == 0 ? " of a day, first, s of CPU" : " of a day, again, s of CPU";
      long[] seen = new long[1];
      time(
          "sessions list --client of a /16" + which,
          () -> search.forEach(query(all, "11.1.0.0/16", null), session -> ++seen[0] > 0));
      time(
          "sessions list --from a domain" + which,
          () -> search.forEach(query(all, null, "partner17.example"), session -> ++seen[0] > 0));
      time("top --by feed" + which, () -> search.top(all, TopBy.FEED, 20));
      time("top --by client" + which, () -> search.top(all, TopBy.CLIENT, 20));
      time("top --by sender-domain" + which, () -> search.top(all, TopBy.SENDER_DOMAIN, 20));
      time("stats" + which, () -> search.stats(all, 3_600));
      seen[0] = 0;
      time("every session read" + which, () -> search.forEach(all, session -> ++seen[0] > 0));
      long[] past = new long[1];
      time(
          "every session as impact takes it" + which,
          () -> search.past(all).forEach(session -> past[0]++));
      if (seen[0] != rows || past[0] != rows) {
        throw new AssertionError(seen[0] + " of " + rows + " sessions were read");
      }
    }
  }

  private static SessionQuery query(
      SessionQuery all, @Nullable String client, @Nullable String from) {
    return new SessionQuery(
        all.since(),
        all.until(),
        client == null ? null : IpPrefix.parse(client).toOptional().orElseThrow(),
        from,
        null,
        null,
        null,
        null,
        null);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void time(String name, Work work) throws Exception {
    long began = cpu();
    work.run();
    figure(name + " (goal 1 a million)", (cpu() - began) / 1e9);
  }

  private void write(SessionDays store, LocalDate date, int rows) throws Exception {
    Instant begin = date.atStartOfDay(ZoneOffset.UTC).toInstant();
    try (DayWriter writer = DayWriter.open(store.day(date, 1).file(), date)) {
      for (int i = 0; i < rows; i++) {
        Evidence session = session(begin.plusMillis(i * 86_400_000L / rows));
        writer.add(session, null);
        if (i % 1_000 == 0) {
          ids.add(session.decision().id());
        }
        if (i % ROWS_OF_A_COMMIT == 0) {
          writer.commit();
        }
      }
      writer.commit();
    }
  }

  private Evidence session(Instant at) {
    int kind = random.nextInt(10);
    String id = IncidentId.format(random.nextLong() >>> 14);
    boolean refused = kind < 7;
    IpAddress client = IpAddress.ofV4((refused ? 11 << 24 : 100 << 24) + random.nextInt(1 << 24));
    int partner = random.nextInt(5_000);
    boolean once = refused && random.nextBoolean();
    String domain =
        once
            ? Integer.toString(random.nextInt(Integer.MAX_VALUE), 36) + ".example"
            : refused
                ? "spam" + random.nextInt(3_000) + ".example"
                : "partner" + partner + ".example";
    return new Evidence(
        at,
        client,
        once ? "host-" + Integer.toHexString(client.v4Bits()) + ".isp.example" : "mail." + domain,
        (refused ? "info" + random.nextInt(2_000) : "user" + random.nextInt(200)) + "@" + domain,
        List.of("company.example"),
        1,
        refused ? "ESMTP" : "ESMTPS",
        "[::]:25",
        decision(kind, client, id),
        refused ? 0 : 2_000 + random.nextInt(60_000),
        Duration.ofMillis(random.nextInt(3_000)),
        1,
        new RareFacts(
            "",
            ClientName.State.UNKNOWN,
            false,
            false,
            false,
            Set.of(),
            null,
            Map.of(),
            IncidentId.format(random.nextLong() >>> 14),
            "",
            ""));
  }

  private Evidence.Decision decision(int kind, IpAddress client, String id) {
    String to = "person" + random.nextInt(300) + "@company.example";
    if (kind >= 7) {
      return new Evidence.Decision(
          id,
          Stage.DATA,
          Mode.ENFORCE,
          Outcome.DELIVERED,
          to,
          "accept",
          4_711,
          List.of(),
          "250 2.0.0 Ok: queued as 4bX" + Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
    }
    String entry = kind < 6 ? client.toString() : IpPrefix.around(client, 20).toString();
    Evidence.Listing listing =
        new Evidence.Listing(
            Check.CLIENT_IP,
            client.toString(),
            "feed" + random.nextInt(8),
            entry,
            random.nextInt(1_000_000),
            Action.REJECT,
            "");
    return new Evidence.Decision(
        id,
        Stage.RCPT,
        Mode.ENFORCE,
        Outcome.REFUSED,
        to,
        "reject",
        4_711,
        List.of(listing),
        "554 5.7.1 Service unavailable; Client host ["
            + client
            + "] blocked using "
            + listing.list()
            + " ["
            + id
            + "]");
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void figure(String name, double value) {
    System.out.printf(Locale.ROOT, "%-68s %.3f%n", name, value);
  }
}

package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.score.FeedScores.Judged;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.testkit.KeptSession;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Everything that scores and promotions need, real but for the clock: lists with two file feeds and
 * a DNS list, the operator's entries, a store with sessions.
 */
final class ScoreStage implements AutoCloseable {

  static final Instant BEGIN = Instant.parse("2026-10-01T00:00:00Z");

  private final Path directory;
  private final Path stateDir;
  private final SessionDays days;
  private final List<Evidence> sessions = new ArrayList<>();
  final List<String> alarms = new ArrayList<>();
  private Settings settings;
  private Blocklists lists;
  private FeedScores scores;
  private Promoter promoter;
  private volatile Instant now = BEGIN;

  ScoreStage(Path directory, String drop, String other) throws Exception {
    this.directory = directory;
    this.stateDir = Files.createDirectories(directory.resolve("state"));
    this.days = new SessionDays(stateDir);
    days.create();
    Files.writeString(directory.resolve("drop.txt"), "203.0.113.0/24\n198.51.100.7\n");
    Files.writeString(directory.resolve("other.txt"), "203.0.113.7\n");
    this.settings = settings(drop, other, "drop.txt");
    start();
  }

  private void start() throws Exception {
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            settings.sessions(),
            () -> now,
            System::nanoTime,
            Thread::new);
    lists =
        Blocklists.open(
            stateDir,
            rules(settings),
            new Blocklists.Surroundings(
                () -> now,
                System::nanoTime,
                new SecureRandom(),
                name -> Thread::new,
                _ -> 0,
                alarms::add));
    lists.start();
    lists.feeds().refresh(List.of(), true, true, _ -> {});
    lists.promotions().note();
    scores =
        new FeedScores(
            store,
            () ->
                SampleStatus.of(
                    now, lists.settings(), Mode.ENFORCE, lists.feeds().list(), store.kept()),
            () -> lists);
    promoter =
        new Promoter(scores, lists, _ -> {}, () -> now, () -> now.getEpochSecond() * 1_000_000_000);
  }

  /** Mail of a client was accepted on three days while no list named it. */
  void known(String client) {
    for (int day = 1; day <= 3; day++) {
      lists.accepted(
          IpAddress.parse(client).toOptional().orElseThrow(),
          "",
          "",
          now.minus(Duration.ofDays(day)));
    }
    lists.tendSenders();
  }

  private static ListRules rules(Settings settings) throws IOException {
    return ListRules.read(settings, List.of(), List.of(), _ -> {});
  }

  /** Stops and starts the gateway's parts again, as a restart does. */
  void restart() throws Exception {
    lists.close();
    start();
  }

  /** Reads settings again in which the feeds have these actions. */
  void reload(String drop, String other) throws Exception {
    reload(drop, other, "drop.txt");
  }

  /** The same with another file of the feed drop. */
  void reload(String drop, String other, String file) throws Exception {
    settings = settings(drop, other, file);
    lists.configure(rules(settings), _ -> {});
    lists.promotions().note();
  }

  private Settings settings(String drop, String other, String file) {
    String text =
        """
        hostname: mx.example.com
        domains: [example.com]
        state_dir: @DIR@/state
        downstream: {host: 127.0.0.1}
        feeds:
          sources:
            drop: {file: "@DIR@/@FILE@", checks: [client_ip], action: @DROP@}
            other: {file: "@DIR@/other.txt", checks: [client_ip], action: @OTHER@}
            zone: {dns: zone.example, checks: [client_ip], action: observe}
        """
            .replace("@DIR@", directory.toString())
            .replace("@FILE@", file)
            .replace("@DROP@", drop)
            .replace("@OTHER@", other);
    return SampleStatus.settings(text);
  }

  Blocklists lists() {
    return lists;
  }

  /** The same state directory without the gateway. */
  OfflineBlocklists offline() throws Exception {
    return OfflineBlocklists.open(rules(settings), () -> now);
  }

  Promoter promoter() {
    return promoter;
  }

  /** The file with the sessions of a day. */
  Path dayFile(Instant at) {
    return days.day(LocalDate.ofInstant(at, ZoneOffset.UTC), 1).file();
  }

  Instant now() {
    return now;
  }

  /** Lets time pass. */
  void pass(Duration time) {
    now = now.plus(time);
  }

  /** The action in force. */
  Action action(String feed) {
    return Objects.requireNonNull(lists.policy().feeds().get(feed)).action();
  }

  /** A session of this time, with the lists that list its client. */
  ScoreStage session(Instant at, String client, Outcome outcome, int times, String... listed) {
    return session(at, client, "bob@example.com", outcome, times, listed);
  }

  /** The same to another recipient. */
  ScoreStage session(
      Instant at, String client, String to, Outcome outcome, int times, String... listed) {
    List<Evidence.Listing> listings =
        Arrays.stream(listed)
            .map(list ->
                new Evidence.Listing(Check.CLIENT_IP, client, list, client, 1, Action.OBSERVE, ""))
            .toList();
    sessions.add(
        new KeptSession()
            .at(at)
            .client(client)
            .from("u@sender.example")
            .stage(Stage.RCPT)
            .answer(outcome, "250 2.0.0 Ok")
            .to(to)
            .verdict(outcome == Outcome.REFUSED ? "reject" : "accept")
            .listings(listings)
            .times(times)
            .evidence());
    return this;
  }

  /** Writes the sessions that were added, the oldest first. */
  ScoreStage write() throws IOException {
    KeptSession.write(days, sessions);
    sessions.clear();
    return this;
  }

  /** An allow entry of this moment. */
  void allow(String subject) throws Exception {
    lists
        .operator()
        .add(
            List.of(
                new NewEntry(
                    ListKind.ALLOW,
                    Subject.parse(subject).toOptional().orElseThrow(),
                    null,
                    Set.of(),
                    false,
                    "a customer",
                    null)),
            new OperatorLists.Origin("root", "allow add"));
  }

  /** The score of one feed over all that is kept. */
  Judged score(String feed) throws IOException {
    FeedScores.Scores judged = scores.since(Instant.EPOCH, List.of(feed));
    if (!judged.problems().isEmpty()) {
      throw new AssertionError(judged.problems());
    }
    return judged.feeds().getFirst();
  }

  FeedScores scores() {
    return scores;
  }

  /** Subjects of the audit, newest first. */
  List<String> audit() throws Exception {
    return lists.operator().audit(Instant.EPOCH, Long.MAX_VALUE).items().stream()
        .map(record -> record.author() + ": " + record.subject())
        .toList();
  }

  @Override
  public void close() throws IOException, OperatorListsException {
    lists.close();
  }
}

package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** A store in a directory with a clock that a test moves, and sessions for it. */
abstract class StoreFixture {

  static final Duration RETAIN = Duration.ofDays(30);
  static final String CLIENT = "203.0.113.7";

  @TempDir Path directory;
  Instant now = Decisions.NOW;

  final SessionStore open() {
    return open(Privacy.FULL, 1L << 30);
  }

  final SessionStore open(Privacy privacy, long maxOctets) {
    return open(new SessionDays(directory), privacy, maxOctets, Thread::new);
  }

  final SessionStore open(
      SessionDays days, Privacy privacy, long maxOctets, ThreadFactory threads) {
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(RETAIN, maxOctets, privacy),
            () -> now,
            System::nanoTime,
            threads);
    store.start();
    return store;
  }

  final Path file(Instant day) {
    return directory.resolve("sessions/" + day.toString().substring(0, 10) + ".db");
  }

  final long files() {
    String[] names = directory.resolve("sessions").toFile().list((_, name) -> name.endsWith(".db"));
    return names == null ? 0 : names.length;
  }

  static String id(int number) {
    return IncidentId.format(number);
  }

  /** A refusal by list drop, written. */
  final void refuse(SessionStore store, int number) {
    store.keep(Decisions.with(Decisions.refused(CLIENT, "drop"), id(number), now));
    assertTrue(store.awaitWritten());
  }

  /** An answer of a transaction. */
  final DecisionRecord of(Object mark, DecisionRecord record, int number) {
    return Decisions.with(record, id(number), now, Decisions.trace("[::]:25", null, mark));
  }

  static DecisionRecord delivered(Verdict verdict, String... to) {
    return Decisions.record(
        CLIENT,
        Outcome.DELIVERED,
        verdict,
        Reply.of(250, "2.0.0", "Ok: queued as 4F2"),
        "spam.example",
        "a@spam.example",
        to);
  }

  /** A mail that list drop names, to one recipient. */
  static DecisionRecord listed(Outcome outcome, String to) {
    return listed(outcome, to, Decisions.rejectedBy("drop", "203.0.113.0/24", CLIENT));
  }

  static DecisionRecord listed(Outcome outcome, String to, Verdict verdict) {
    return Decisions.record(
        CLIENT,
        outcome,
        verdict,
        Decisions.refusal(CLIENT, "drop", Decisions.ID),
        "spam.example",
        "a@spam.example",
        to);
  }

  static Evidence found(SessionStore store, int number) throws IOException {
    return store.find(id(number)).orElseThrow();
  }

  static boolean isKept(SessionStore store, int number) throws IOException {
    return store.find(id(number)).isPresent();
  }

  final SessionQuery everything() {
    return SessionQuery.of(now.minus(RETAIN), now.plusSeconds(1));
  }

  final List<Evidence> all(SessionStore store) throws IOException {
    assertTrue(store.awaitWritten());
    List<Evidence> all = new ArrayList<>();
    store.search().forEach(everything(), all::add);
    return all;
  }

  /** The id of the newest session of the last month that a question finds. */
  final String first(SessionStore store, @Nullable String verdict, @Nullable String to)
      throws IOException {
    List<String> ids = new ArrayList<>();
    store.search().forEach(question(verdict, to, null), one -> ids.add(one.decision().id()));
    return ids.getFirst();
  }

  /** How many sessions of the last month a question finds. */
  final int asked(
      SessionStore store, @Nullable String verdict, @Nullable String to, @Nullable String from)
      throws IOException {
    int[] found = new int[1];
    store.search().forEach(question(verdict, to, from), _ -> ++found[0] > 0);
    return found[0];
  }

  private SessionQuery question(
      @Nullable String verdict, @Nullable String to, @Nullable String from) {
    return new SessionQuery(
        now.minus(RETAIN), now.plusSeconds(1), null, from, to, verdict, null, null, null);
  }
}

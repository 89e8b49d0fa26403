package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Answers questions about kept sessions, the newest day first. A day that is damaged, or of a later
 * release, is named and left alone; the other days are answered. One for a question; used by its
 * thread, in the gateway and in the command line.
 */
public final class SessionSearch {

  /** Groups of one day that are compared; the smallest of a day with more of them are left out. */
  static final int MAX_GROUPS = 10_000;

  private final SessionDays days;
  private final Consumer<String> problems;

  /**
   * A search.
   *
   * @param problems receives a sentence for each day that cannot be read
   */
  public SessionSearch(SessionDays days, Consumer<String> problems) {
    this.days = days;
    this.problems = problems;
  }

  private interface Work {
    /** Returns false when no other day is wanted. */
    boolean on(DayReader day) throws IOException;
  }

  /** Takes sessions, one after the other. */
  @FunctionalInterface
  public interface Taker {
    /** Returns false when it wants no more. */
    boolean take(Evidence session) throws IOException;
  }

  /**
   * The session with an id, and the answer that had the id.
   *
   * @param id as a person wrote it
   * @param oldest sessions before are not known any more
   * @throws IOException when the directory cannot be read
   */
  public Optional<Evidence> find(String id, Instant oldest) throws IOException {
    return find(asked(List.of(id)), oldest).stream().findFirst();
  }

  /**
   * Returns those of the ids that belong to a session whose mail was not accepted, in their order.
   *
   * @param ids as a person wrote them
   * @param oldest sessions before are not known any more
   * @throws IOException when the directory cannot be read
   */
  public List<String> refusals(List<String> ids, Instant oldest) throws IOException {
    Set<String> refused = new HashSet<>();
    for (Evidence session : find(asked(ids), oldest)) {
      if (session.decision().isRefusal()) {
        refused.add(session.decision().id());
      }
    }
    return ids.stream()
        .filter(id -> IncidentId.canonical(id).filter(refused::contains).isPresent())
        .toList();
  }

  private static Set<String> asked(List<String> ids) {
    return ids.stream()
        .flatMap(id -> IncidentId.canonical(id).stream())
        .collect(Collectors.toSet());
  }

  /**
   * The minima of the visible text of the session with an id; empty when there is no such session,
   * or its text was too short or not looked at.
   *
   * @param id as a person wrote it
   * @throws IOException when the directory cannot be read
   */
  public Optional<Likeness> likeness(String id) throws IOException {
    Optional<String> canonical = IncidentId.canonical(id);
    List<Likeness> found = new ArrayList<>();
    days(
        _ -> canonical.isPresent(),
        day -> {
          day.likeness(canonical.orElseThrow()).ifPresent(found::add);
          return found.isEmpty();
        });
    return found.stream().findFirst();
  }

  /**
   * Mails of other sender domains with a text like that one: accepted ones that no list was
   * against.
   *
   * @param own the sender domain of the text's mail
   * @param since days before are not asked
   * @throws IOException when the directory cannot be read
   */
  public AlikeMails alike(Likeness text, String own, Instant since) throws IOException {
    AtomicLong left = new AtomicLong(AlikeMails.MOST_COMPARED);
    Map<String, Long> alike = new LinkedHashMap<>();
    days(
        day -> left.get() > 0 && !day.date().isBefore(DaySchema.dayOf(since)),
        day -> {
          day.texts(
              left.get(),
              (other, domain) -> {
                left.decrementAndGet();
                if (text.isAlike(other) && !domain.equals(own)) {
                  alike.merge(domain, 1L, Long::sum);
                }
              });
          return true;
        });
    return AlikeMails.of(alike);
  }

  /** Each day is opened once for all ids. */
  private List<Evidence> find(Set<String> ids, Instant oldest) throws IOException {
    Set<String> left = new HashSet<>(ids);
    List<Evidence> found = new ArrayList<>();
    days(
        _ -> !left.isEmpty(),
        day -> {
          for (Evidence session : day.find(left)) {
            left.remove(session.decision().id());
            found.add(session);
          }
          return !left.isEmpty();
        });
    found.removeIf(session -> session.at().isBefore(oldest));
    return found;
  }

  /**
   * Hands over the sessions that are asked for, the newest first, each with the answer that was
   * asked for.
   *
   * @throws IOException when the directory cannot be read, or by the taker
   */
  public void forEach(SessionQuery query, Taker taker) throws IOException {
    eachDay(query, day -> day.sessions(query, taker));
  }

  /** Hands over the sessions whose mail was for a trap, the newest first. */
  public void forTraps(SessionQuery query, Taker taker) throws IOException {
    answers(query, DayRow.COLUMNS, which -> which + " AND " + DaySchema.FOR_TRAP, taker);
  }

  /** Hands over each answer by which a mail server said that it does not know a recipient. */
  public void unknownRecipients(SessionQuery query, Taker taker) throws IOException {
    answers(
        query,
        DayRow.COLUMNS,
        which ->
            "(part_of IS NOT NULL OR "
                + which
                + ") AND outcome = 'upstream_refused' AND stage = 'rcpt' AND reply LIKE '550 %'",
        taker);
  }

  private void answers(
      SessionQuery query, String columns, UnaryOperator<String> condition, Taker taker)
      throws IOException {
    rows(
        query,
        which ->
            "SELECT "
                + columns
                + " FROM session WHERE "
                + condition.apply(which)
                + " ORDER BY number DESC",
        row -> taker.take(DayRow.session(row)));
  }

  /** The number of sessions of one thing. */
  public record Count(String what, long sessions) {}

  /**
   * Returns what occurs most often.
   *
   * @param limit how many are returned
   * @throws IOException when the directory cannot be read
   */
  public List<Count> top(SessionQuery query, TopBy by, int limit) throws IOException {
    Map<String, Long> sums = new LinkedHashMap<>();
    rows(
        query,
        which -> by.sql(which, MAX_GROUPS),
        row -> {
          by.add(row, (what, times) -> sums.merge(what, times, Long::sum));
          return true;
        });
    return sums.entrySet().stream()
        .map(sum -> new Count(sum.getKey(), sum.getValue()))
        .sorted(Comparator.comparingLong(Count::sessions).reversed().thenComparing(Count::what))
        .limit(limit)
        .toList();
  }

  /**
   * Sessions by time and outcome, the oldest first; times without any are left out.
   *
   * @param seconds of one row
   * @throws IOException when the directory cannot be read
   */
  public List<SessionCounts> stats(SessionQuery query, long seconds) throws IOException {
    Map<Instant, SessionCounts> rows = new TreeMap<>();
    long millis = seconds * 1000;
    rows(
        query,
        which ->
            "SELECT at / "
                + millis
                + " AS span, outcome, verdict, mode = 'observe' AS observes, number IN"
                + " (SELECT part_of FROM session WHERE part_of IS NOT NULL AND outcome ="
                + " 'refused') AS refused_too, sum(times) FROM session WHERE "
                + which
                + " GROUP BY span, outcome, verdict, observes, refused_too",
        row -> {
          Instant begins = Instant.ofEpochMilli(row.getLong(1) * millis);
          rows.merge(begins, DayRow.counts(begins, row), SessionCounts::plus);
          return true;
        });
    return List.copyOf(rows.values());
  }

  /**
   * Counts the sessions that had mail accepted for recipients with certain local parts, and no list
   * or rule that would have refused it.
   *
   * @param recipients true for a local part, lower-case and unquoted, that counts
   * @throws IOException when the directory cannot be read
   */
  public long acceptedFor(SessionQuery query, Predicate<String> recipients) throws IOException {
    AtomicLong sum = new AtomicLong();
    accepted(
        query,
        (to, times) ->
            sum.addAndGet(recipients.test(SessionText.recipientLocalPart(to)) ? times : 0));
    return sum.get();
  }

  /** Hands over first recipients, and how much accepted mail no list was against each had. */
  public void accepted(SessionQuery query, ObjLongConsumer<String> taker) throws IOException {
    rows(
        query,
        which ->
            "SELECT recipient, sum(times) FROM session WHERE "
                + which
                + " AND "
                + DayReader.NOT_REFUSED
                + " GROUP BY recipient",
        row -> {
          taker.accept(row.getString(1), row.getLong(2));
          return true;
        });
  }

  /** Takes what accepted mails carried, one after the other. */
  @FunctionalInterface
  public interface CarriedTaker {
    /**
     * Takes one mail.
     *
     * @param id of its session, empty for none
     * @param hashes of prints, sender and hosts of links
     */
    void take(String id, IpAddress client, String senderDomain, List<Integer> hashes);
  }

  /**
   * Hands over accepted mails that no list of the own memory was against, or whose sender was
   * known.
   *
   * @throws IOException when the directory cannot be read
   */
  public void carried(SessionQuery query, CarriedTaker taker) throws IOException {
    eachDay(query, day -> day.carried(query.since(), taker));
  }

  /** The sessions of a question as they can be decided on again, the newest first. */
  public PastSessions past(SessionQuery query) {
    return taker -> past(query, taker);
  }

  /** Hands over the same sessions. */
  public void past(SessionQuery query, Consumer<? super PastSession> taker) throws IOException {
    answers(
        query,
        DayRow.OF_DECISION,
        which -> which,
        session -> {
          taker.accept(PastMail.of(session));
          return true;
        });
  }

  void rows(SessionQuery query, UnaryOperator<String> sql, DayReader.Row taker) throws IOException {
    eachDay(query, day -> day.rows(query, sql, taker));
  }

  private void eachDay(SessionQuery query, Work work) throws IOException {
    days(
        day -> isAsked(day.date(), query),
        day -> {
          nameHole(day);
          return work.on(day);
        });
  }

  /** A question about many sessions is answered with a hole, which the answer must name. */
  private void nameHole(DayReader day) throws IOException {
    long leftOut = day.leftOut();
    if (leftOut > 0) {
      problems.accept(
          leftOut
              + " sessions of "
              + day.date()
              + " were not kept, so what is counted of that day is too low");
    }
  }

  /**
   * Sessions that were not kept since the day of a moment, as far as the files say: one of them may
   * be what was not found. Days that cannot be read were named when they were searched.
   *
   * @throws IOException when the directory cannot be read
   */
  public long leftOut(Instant oldest) throws IOException {
    AtomicLong sum = new AtomicLong();
    new SessionSearch(days, _ -> {})
        .days(
            day -> !day.date().isBefore(DaySchema.dayOf(oldest)),
            day -> {
              sum.addAndGet(day.leftOut());
              return true;
            });
    return sum.get();
  }

  private static boolean isAsked(LocalDate day, SessionQuery query) {
    // A row may be a moment older than the day whose file it is in.
    return !day.isAfter(DaySchema.dayOf(query.until()).plusDays(1))
        && !day.isBefore(DaySchema.dayOf(query.since()));
  }

  private void days(Predicate<Day> wanted, Work work) throws IOException {
    for (Day day : days.newestFirst()) {
      Optional<String> odd = day.odd();
      if (odd.isPresent()) {
        problems.accept(odd.get());
        continue;
      }
      if (!wanted.test(day)) {
        continue;
      }
      try (DayReader reader = DayReader.open(day).orElse(null)) {
        if (reader != null && !work.on(reader)) {
          return;
        }
      } catch (UnusableException e) {
        if (Files.exists(day.file())) {
          problems.accept(day.problem(e));
        } // else its time was over meanwhile
      }
    }
  }
}

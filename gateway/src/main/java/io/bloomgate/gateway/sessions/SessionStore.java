package io.bloomgate.gateway.sessions;

import io.bloomgate.blocklists.sessions.AlikeMails;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionAnswers;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.BatchWriter;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.WarningPace;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of this gateway, kept for {@code sessions.retain}. Sessions call {@link #keep} and
 * never wait; one thread writes; control connections search. What cannot be written is counted.
 */
public final class SessionStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SessionStore.class);

  /** Records that wait; two seconds at 10,000 a second. */
  private static final int QUEUE_CAPACITY = 20_000;

  /**
   * The bounds of a batch: what a killed process loses at most. Longer makes a commit cheaper, but
   * then records outlive collections of young garbage, which costs sessions more than that.
   */
  private static final BatchWriter.Batches BATCHES =
      new BatchWriter.Batches(Duration.ofMillis(100), 10_000);

  /** The time that a question waits for what is queued. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Duration HOUR = Duration.ofHours(1);

  /** The time between two tries to write into a file that another process holds. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(100);

  /** Replies to commands that are no command or come at the wrong time (RFC 5321 section 4.2). */
  private static final Set<Integer> TO_BAD_COMMANDS = Set.of(500, 501, 502, 503, 504);

  /** Lines a minute about the same trouble. */
  private static final int LINES = 5;

  private final InstantSource clock;
  private final SessionDays days;
  private final SessionWriter rows;
  private final DayRetention retention;
  private final BatchWriter<DecisionRecord> writer;
  private final WarningPace problems;
  private volatile SessionSettings settings;
  private volatile boolean keeps;

  /**
   * A store whose thread begins with {@link #start}.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param threads makes the one writer thread
   */
  public SessionStore(
      SessionDays days,
      DayRetention retention,
      SessionSettings settings,
      InstantSource clock,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.days = days;
    this.retention = retention;
    this.settings = settings;
    this.keeps = settings.keeps();
    this.clock = clock;
    this.problems = new WarningPace(nanoTime, LINES);
    this.rows = new SessionWriter(days, clock);
    this.writer =
        new BatchWriter<>(
            QUEUE_CAPACITY, DecisionRecord::octets, this::write, BATCHES, nanoTime, threads);
  }

  /** Starts the writer. */
  public SessionStore start() {
    writer.start();
    return this;
  }

  /** Takes the settings of a reload. */
  public void configure(SessionSettings now) {
    settings = now;
    keeps = now.keeps();
  }

  /** Queues a record; never waits. */
  public void keep(DecisionRecord record) {
    if (keeps && isKept(record)) {
      writer.offer(record);
    }
  }

  /**
   * False for a record of neither a transaction nor a client that was turned away: a command that
   * was wrong.
   */
  private static boolean isKept(DecisionRecord record) {
    return record.outcome() != Outcome.TURNED_AWAY
        || !TO_BAD_COMMANDS.contains(record.reply().code());
  }

  /** Rows that were not kept since the start: more came than the disk took, or it failed. */
  public long lost() {
    return rows.lost() + writer.everLost();
  }

  /** The reason why rows cannot be written now; empty when they can. */
  public String trouble() {
    return rows.trouble();
  }

  /** Sentences for the operator. */
  public List<String> alarms() {
    String trouble = rows.trouble();
    return trouble.isEmpty()
        ? List.of()
        : List.of(
            "sessions are not kept now ("
                + lost()
                + " lost since the start): "
                + trouble
                + "; mail is not affected");
  }

  /**
   * The files and what is missing.
   *
   * @param octets on the disk
   * @param lost as {@link #lost}
   */
  public record Kept(int days, long octets, long lost) {}

  /** The files and what is missing, for {@code status}. */
  public Kept kept() {
    try {
      List<Day> files = days.newestFirst();
      return new Kept(files.size(), files.stream().mapToLong(Day::octets).sum(), lost());
    } catch (IOException e) {
      return new Kept(0, 0, lost()); // the alarm says why
    }
  }

  /**
   * The session of an id as a person wrote it, with the answer that had the id; empty when it is
   * unknown, too old or not an id.
   *
   * @throws IOException when the directory cannot be read
   */
  public Optional<Evidence> find(String id) throws IOException {
    if (IncidentId.canonical(id).isEmpty()) {
      return Optional.empty();
    }
    Optional<Evidence> known = search().find(id, oldestKept());
    if (known.isPresent()) {
      return known;
    }
    // A sender who was just refused may ask at once; a slow disk is not waited for.
    writer.awaitWritten(PATIENCE);
    return search().find(id, oldestKept());
  }

  /**
   * The minima of the visible text of the session with an id; empty when it is unknown or too old,
   * or its text was too short or not looked at.
   *
   * @throws IOException when the directory cannot be read
   */
  public Optional<Likeness> likeness(String id) throws IOException {
    if (find(id).isEmpty()) {
      return Optional.empty();
    }
    return search().likeness(id);
  }

  /**
   * Mails of other sender domains of the last days whose text is like that of the session with an
   * id.
   *
   * @throws IOException when the directory cannot be read
   */
  public AlikeMails alike(Likeness text, String id, Duration days) throws IOException {
    String own = find(id).map(Evidence::senderDomain).orElse("");
    return search().alike(text, own, clock.instant().minus(days));
  }

  /**
   * Finds those of the ids that belong to refusals, in their order; a refusal counts as soon as its
   * reply was sent.
   *
   * @throws IOException when the directory cannot be read
   */
  public List<String> refusals(List<String> ids) throws IOException {
    catchUp();
    return search().refusals(ids, oldestKept());
  }

  /**
   * Hands over accepted mails that no list of the own memory was against, or whose sender was
   * known.
   *
   * @return false where some of them are not known
   * @throws IOException when the directory cannot be read
   */
  public boolean carried(Instant oldest, SessionSearch.CarriedTaker taker) throws IOException {
    catchUp();
    List<String> problems = new ArrayList<>();
    search(problems::add).carried(SessionQuery.of(oldest, clock.instant().plusMillis(1)), taker);
    return problems.isEmpty();
  }

  /** Writes what is queued, so that a search sees it; a slow disk is not waited for. */
  public void catchUp() {
    writer.awaitWritten(PATIENCE);
  }

  SessionSearch search() {
    return search(problem -> {});
  }

  /**
   * A search for one question; days that cannot be read are logged.
   *
   * @param trouble receives a sentence for each of them, too
   */
  public SessionSearch search(Consumer<String> trouble) {
    return new SessionSearch(
        days,
        problem -> {
          problems.say(more -> LOG.error("{}{}", problem, more));
          trouble.accept(problem);
        });
  }

  /**
   * Answers one question about all that was kept so far.
   *
   * @param trouble receives a sentence for each day that cannot be read
   */
  public SessionAnswers answers(Consumer<String> trouble) {
    return new SessionAnswers(
        search(trouble), oldestKept(), clock.instant().plusMillis(1), lost(), rows.trouble());
  }

  /**
   * Counts the sessions of the last hour as {@code stats} does, by the words of {@code status};
   * none when sessions are not kept, or cannot be read.
   */
  public Map<String, Long> lastHour() {
    Instant now = clock.instant();
    try {
      return settings.keeps()
          ? SessionCounts.words(search(), SessionQuery.of(now.minus(HOUR), now.plusMillis(1)))
          : Map.of();
    } catch (IOException e) {
      problems.say(more -> LOG.error("the kept sessions cannot be read{}", more, e));
      return Map.of();
    }
  }

  /** The reason why an id may be unknown, as a hint for the operator. */
  public String whyUnknown() {
    try {
      return answers(_ -> {}).whyUnknown();
    } catch (IOException e) {
      return "the kept sessions cannot be read: the gateway's log says why";
    }
  }

  private Instant oldestKept() {
    return clock.instant().minus(settings.retain());
  }

  /** Finishes days that are over and deletes those too many: a chore that may block. */
  public void tend() {
    SessionSettings now = settings;
    retention.tend(
        clock.instant(), now.retain(), now.maxSizeOctets(), sentence -> LOG.warn("{}", sentence));
    rows.full(retention.isFull());
  }

  /** True when its thread has ended before its time, or hangs. */
  public boolean isLate() {
    return writer.isLate();
  }

  /** Waits until everything queued so far is written. */
  public boolean awaitWritten() {
    return writer.awaitWritten();
  }

  private void write(List<DecisionRecord> batch, long missed) {
    if (missed > 0) {
      rows.leftOut(missed);
      writer
          .lossWarnings()
          .say(more ->
              LOG.warn("{} sessions were not kept: more came than the disk took{}", missed, more));
    }
    while (!rows.write(batch, settings)) {
      if (!writer.awaitRetry(RETRY_AFTER)) {
        rows.missed(batch.size());
        LOG.error(
            "{} sessions are not kept, because the gateway ends: {}", batch.size(), trouble());
        return;
      }
    }
  }

  @Override
  public void close() {
    writer.close();
    rows.close();
  }
}

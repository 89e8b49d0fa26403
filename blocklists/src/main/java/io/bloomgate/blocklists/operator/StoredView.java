package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stored entries as decisions ask for them: first what is in memory ({@link ListFront}), and
 * after a hit the store, by a point query on one of the readers. What the store answered is kept,
 * bounded, until anything changes. Asked by sessions on any thread, without a lock.
 */
final class StoredView implements OperatorView {

  /** Answers that are kept. */
  private static final int MAX_ANSWERS = 4_096;

  /** Number of times that a question is asked again because something changed meanwhile. */
  private static final int MAX_REPEATS = 3;

  private final Map<ListKind, ListFront> fronts;
  private final SubjectKeys keys;
  private final EntryReaders readers;

  /**
   * Answers since the last change. A change puts an empty one in its place after its commit, so
   * that an answer that was read before it is never kept behind it.
   */
  private volatile Answers answers = new Answers();

  /** Problem with the last read; {@code null} when it succeeded. */
  private volatile @Nullable String problem;

  /** The answers of the store: rows by list and hash of the subject. */
  private static final class Answers {
    final Map<ListKind, Map<Long, List<StoredRow>>> byKey = new EnumMap<>(ListKind.class);

    /** Checks of contents that block entries need; {@code null} until they are wanted. */
    volatile @Nullable List<ContentBlocks.Group> content;

    Answers() {
      for (ListKind list : ListKind.values()) {
        byKey.put(list, new ConcurrentHashMap<>());
      }
    }

    Map<Long, List<StoredRow>> of(ListKind list) {
      return Objects.requireNonNull(byKey.get(list));
    }
  }

  StoredView(Map<ListKind, ListFront> fronts, SubjectKeys keys, EntryReaders readers) {
    this.fronts = new EnumMap<>(fronts);
    this.keys = keys;
    this.readers = readers;
  }

  /** Forgets all answers: after each commit, before the command that changed something returns. */
  void changed() {
    answers = new Answers();
  }

  @Override
  public Object version() {
    return answers;
  }

  /** Returns what is wrong with the store now; {@code null} when nothing is. */
  @Nullable String problem() {
    return problem;
  }

  ListFront front(ListKind list) {
    return Objects.requireNonNull(fronts.get(list));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Several subjects are asked one after the other, so a change between two of them starts the
   * question again: an entry that takes the place of another is then seen.
   */
  @Override
  public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    Answers before = answers;
    List<OperatorEntry> found = ask(list, key, now, before);
    for (int i = 0; i < MAX_REPEATS && answers != before; i++) {
      before = answers;
      found = ask(list, key, now, before);
    }
    return found;
  }

  private List<OperatorEntry> ask(ListKind list, ListKey key, Instant now, Answers known) {
    ListFront front = front(list);
    if (front.isEmpty()) {
      return List.of();
    }
    Question question = new Question(list, key, now, front, known);
    switch (key) {
      case IpAddress address -> {
        question.ask(keys.of(address));
        front.networksAround(address, prefix -> question.look(keys.of(prefix)));
      }
      case DomainName name -> {
        int from = 0;
        for (int labels = name.labels(); labels >= 2; labels--) {
          question.ask(keys.suffix(name, from));
          from = labels > 2 ? name.nextLabel(from) : from;
        }
      }
      case MailAddress address -> question.ask(keys.of(address));
      case WebUrl url ->
          url.forEachExpression((from, to) -> question.ask(keys.expression(url, from, to)));
      case Fingerprint print -> question.ask(keys.of((Subject) print));
      case Likeness text ->
          front.likenessesAround(text, one -> question.look(keys.of((Subject) one)));
    }
    return question.found();
  }

  /** One question while it is asked; makes a list only for the first entry that is found. */
  private final class Question {
    private final ListKind list;
    private final ListKey key;
    private final Instant now;
    private final ListFront front;
    private final Answers known;
    private List<OperatorEntry> found = List.of();

    Question(ListKind list, ListKey key, Instant now, ListFront front, Answers known) {
      this.list = list;
      this.key = key;
      this.now = now;
      this.front = front;
      this.known = known;
    }

    /** Looks in the store if the filter says that it may hold the hash. */
    void ask(long hash) {
      if (front.mayHold(hash)) {
        look(hash);
      }
    }

    void look(long hash) {
      for (StoredRow row : rows(list, hash, known)) {
        OperatorEntry entry = row.entry();
        if (entry.subject().covers(key) && !entry.expiredAt(now)) {
          if (found.isEmpty()) {
            found = new ArrayList<>(2);
          }
          // Two subjects may share a hash and be found twice.
          if (!found.contains(entry)) {
            found.add(entry);
          }
        }
      }
    }

    List<OperatorEntry> found() {
      if (found.size() > 1) {
        // Stable: of equally narrow entries the older one stays first.
        found.sort(OperatorEntry.NARROWER_FIRST);
      }
      return found;
    }
  }

  private List<StoredRow> rows(ListKind list, long hash, Answers known) {
    Map<Long, List<StoredRow>> answered = known.of(list);
    List<StoredRow> rows = answered.get(hash);
    if (rows == null) {
      try {
        rows = readers.byKey(list, hash);
        problem = null;
      } catch (OperatorListsException e) {
        problem = e.userMessage();
        throw new UnreadableListsException(e);
      }
      if (answered.size() >= MAX_ANSWERS) {
        answered.clear();
      }
      answered.put(hash, rows);
    }
    return rows;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Read once after each change. While the store cannot be read all are wanted: the decision
   * asks for entries too, and {@code policy.on_error} decides.
   */
  @Override
  public Set<Check> contentChecks(Instant now) {
    if (front(ListKind.BLOCK).isEmpty()) {
      return Set.of();
    }
    Answers known = answers;
    List<ContentBlocks.Group> groups = known.content;
    if (groups == null) {
      try {
        groups = readers.read(ContentBlocks::read);
      } catch (OperatorListsException e) {
        problem = e.userMessage();
        return Check.OF_CONTENT;
      }
      known.content = groups;
    }
    return ContentBlocks.live(groups, now);
  }

  /** Gives what a command may show beside the entries. */
  void alarms(Consumer<String> alarms) {
    String now = problem;
    if (now != null) {
      alarms.accept(
          "the allow and block entries cannot be read: " + now + "; policy.on_error decides");
    }
  }
}

package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
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

  private final Map<ListKind, ListFront> fronts = new EnumMap<>(ListKind.class);
  private final KeyHash keys;
  private final OperatorDatabase database;
  private final boolean filesToo;

  /**
   * Answers since the last change. A change puts an empty one in its place after its commit, so
   * that an answer that was read before it is never kept behind it.
   */
  private volatile Answers answers = new Answers();

  /** Entries about recipients by subject; replaced whole after each commit that changes one. */
  private volatile Map<String, RecipientEntry> recipients;

  /** Problem with the last read; {@code null} when it succeeded. */
  private volatile @Nullable String problem;

  /** The answers of the store since one change; compared as an object. */
  private static final class Answers {
    final Map<Asked, List<StoredRow>> rows = new ConcurrentHashMap<>();
  }

  /** A question to the store: the rows of a list whose subject has that hash. */
  private record Asked(ListKind list, long hash) {}

  /**
   * The view of a store, without filters yet.
   *
   * @param filesToo entries of list files are wanted as well
   */
  StoredView(OperatorDatabase database, KeyHash keys, boolean filesToo)
      throws OperatorListsException {
    this.keys = keys;
    this.database = database;
    this.filesToo = filesToo;
    this.recipients =
        database.transaction("read", sql -> Collections.unmodifiableMap(RecipientEntry.all(sql)));
    for (ListKind list : ListKind.values()) {
      fronts.put(
          list,
          database.transaction(
              "read",
              sql -> new ListFront(StoredRow.shape(sql, list), StoredRow.count(sql, list))));
    }
  }

  @Override
  public Map<String, RecipientEntry> recipients() {
    return recipients;
  }

  void recipients(Map<String, RecipientEntry> now) {
    recipients = now;
  }

  /** Forgets all answers: after each commit, before the command that changed something returns. */
  void changed() {
    answers = new Answers();
  }

  @Override
  public Object version() {
    return answers;
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
    List<OperatorEntry> found = new ArrayList<>(0);
    LongConsumer ask =
        hash -> {
          if (front.mayHold(hash)) {
            for (StoredRow row : rows(new Asked(list, hash), known)) {
              OperatorEntry entry = row.entry();
              boolean holds =
                  (filesToo || row.file() == 0)
                      && entry.subject().covers(key)
                      && !entry.expiredAt(now);
              // Two subjects may share a hash and be found twice.
              if (holds && !found.contains(entry)) {
                found.add(entry);
              }
            }
          }
        };
    switch (key) {
      case IpAddress address -> {
        ask.accept(keys.ip(address));
        for (int length : front.shape().lengths(address.isV4())) {
          ask.accept(keys.subject(IpPrefix.around(address, length)));
        }
      }
      case DomainName name -> {
        int from = 0;
        for (int labels = name.labels(); labels >= 2; labels--) {
          ask.accept(keys.suffix(name, from));
          from = labels > 2 ? name.nextLabel(from) : from;
        }
        if (front.shape().hasTops()) {
          ask.accept(keys.suffix(name, name.nextLabel(from)));
        }
      }
      case MailAddress address -> {
        ask.accept(keys.address(address));
        if (front.shape().hasPatterns() && address.host() instanceof MailAddress.Host.Name host) {
          ask.accept(keys.domain(host.name(), 0));
        }
      }
      case WebUrl url ->
          url.forEachExpression((from, to) -> ask.accept(keys.url(url.octets(), from, to)));
      case Fingerprint print -> ask.accept(keys.subject(print));
      case AsNumber _ -> {}
      case Likeness text -> {
        for (Likeness one : front.shape().likenesses()) {
          if (one.isAlike(text)) {
            ask.accept(keys.subject(one));
          }
        }
      }
    }
    // Stable: of equally narrow entries the older one stays first.
    found.sort(OperatorEntry.NARROWER_FIRST);
    return found.isEmpty() ? List.of() : found;
  }

  private List<StoredRow> rows(Asked asked, Answers known) {
    List<StoredRow> rows = known.rows.get(asked);
    if (rows == null) {
      try {
        rows = database.read(sql -> StoredRow.byKey(sql, asked.list(), asked.hash()));
        problem = null;
      } catch (OperatorListsException e) {
        problem = e.userMessage();
        throw new UnreadableListsException(e);
      }
      if (known.rows.size() >= MAX_ANSWERS) {
        known.rows.clear();
      }
      known.rows.put(asked, rows);
    }
    return rows;
  }

  @Override
  public Set<Check> contentChecks(Instant now) {
    ListFront blocks = front(ListKind.BLOCK);
    return blocks.isEmpty() ? Set.of() : blocks.shape().contentChecks(now);
  }

  @Override
  public boolean needsClientName(Instant now) {
    return needsClientName(front(ListKind.BLOCK), now)
        || needsClientName(front(ListKind.ALLOW), now);
  }

  private static boolean needsClientName(ListFront front, Instant now) {
    return !front.isEmpty() && front.shape().needsClientName(now);
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

package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import java.io.Serial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The questions that a decision asks of the operator's entries before it is made. Asked on any
 * thread. The gateway's own is {@link OperatorLists#view()}, which reads the store on disk behind a
 * filter in memory; {@link #of} holds a few entries in memory.
 */
public interface OperatorView {

  /** Nothing allowed, nothing blocked. */
  OperatorView EMPTY = of(List.of());

  /**
   * Live entries of one list whose subject covers the key, narrowest first: networks around an
   * address; a name and its parents for a domain; the very address for an address. {@code from} and
   * scope are for the caller to judge. The exact answer, never the filter's.
   *
   * @throws UnreadableListsException when the store cannot be read; the decision treats it as
   *     {@code policy.on_error}
   */
  List<OperatorEntry> covering(ListKind list, ListKey key, Instant now);

  /**
   * Identifies what holds now: another object after each change of the entries. A caller that asks
   * several times for one decision compares the objects, to notice a change between two questions.
   */
  default Object version() {
    return this;
  }

  /**
   * The checks of {@link Check#OF_CONTENT} that live block entries need: what no feed and no such
   * entry asks for, the gateway does not look for in mails. Asked at every mail. An allow entry
   * needs none, because it only lifts what something else found. A view that does not know answers
   * with all.
   */
  default Set<Check> contentChecks(Instant now) {
    return Check.OF_CONTENT;
  }

  /**
   * True when a live entry is about the name of the client, which is looked up then. Asked at every
   * client. A view that does not know says no: only the gateway looks names up.
   */
  default boolean needsClientName(Instant now) {
    return false;
  }

  /**
   * All entries about recipients by subject, expired ones too: another object after each change.
   */
  default Map<String, RecipientEntry> recipients() {
    return Map.of();
  }

  /** A view of these entries alone; a question costs by their number. */
  static OperatorView of(Collection<OperatorEntry> entries) {
    return new OfEntries(List.copyOf(entries));
  }

  /** A few entries in memory. */
  record OfEntries(List<OperatorEntry> entries) implements OperatorView {
    @Override
    public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
      return entries.stream()
          .filter(entry -> entry.list() == list)
          .filter(entry -> entry.subject().covers(key) && !entry.expiredAt(now))
          .sorted(OperatorEntry.NARROWER_FIRST)
          .toList();
    }

    @Override
    public Set<Check> contentChecks(Instant now) {
      return shape(entry -> entry.list() == ListKind.BLOCK).contentChecks(now);
    }

    @Override
    public boolean needsClientName(Instant now) {
      return shape(_ -> true).needsClientName(now);
    }

    private ListShape shape(Predicate<OperatorEntry> which) {
      return ListShape.EMPTY.with(
          entries.stream().filter(which).map(OperatorEntry::content).toList());
    }
  }

  /** A view of what either has. */
  static OperatorView both(OperatorView first, OperatorView second) {
    return new Both(first, second, Set.of());
  }

  /**
   * This view as a change would leave it; the lists themselves stay as they are.
   *
   * @param added entries that come last
   * @param gone ids of entries that count no more
   */
  default OperatorView with(Collection<OperatorEntry> added, Set<String> gone) {
    return new Both(this, of(added), Set.copyOf(gone));
  }

  /**
   * Two views in one.
   *
   * @param gone ids of entries of the first that do not count
   */
  record Both(OperatorView first, OperatorView second, Set<String> gone) implements OperatorView {
    @Override
    public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
      List<OperatorEntry> found = new ArrayList<>(first.covering(list, key, now));
      found.removeIf(entry -> gone.contains(entry.id()));
      found.addAll(second.covering(list, key, now));
      // Stable: of equally narrow entries the older one stays first.
      found.sort(OperatorEntry.NARROWER_FIRST);
      return found;
    }

    @Override
    public Set<Check> contentChecks(Instant now) {
      Set<Check> checks = EnumSet.noneOf(Check.class);
      checks.addAll(first.contentChecks(now));
      checks.addAll(second.contentChecks(now));
      return checks;
    }

    @Override
    public Map<String, RecipientEntry> recipients() {
      return first.recipients();
    }

    @Override
    public boolean needsClientName(Instant now) {
      return first.needsClientName(now) || second.needsClientName(now);
    }
  }

  /**
   * The store of allow and block entries cannot be read now. Unchecked, because every question may
   * fail; the decision answers it with {@code policy.on_error}.
   */
  public final class UnreadableListsException extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    UnreadableListsException(OperatorListsException cause) {
      super(cause.getMessage(), cause);
    }
  }
}

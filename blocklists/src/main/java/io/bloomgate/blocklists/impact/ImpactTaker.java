package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.name.ListKey;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the sessions that some lists may list, and counts the others. Made by {@link Impact}
 * for one reading; one thread.
 */
final class ImpactTaker implements PastTaker {

  /** For those who decide on all. */
  static final Consumer<CountedSession> NONE_IS_COUNTED =
      session -> {
        throw new IllegalStateException("every session is decided on");
      };

  private final @Nullable ListSnapshot only;
  private final Consumer<? super PastSession> decided;
  private final Consumer<CountedSession> counted;
  private final boolean names;
  private final boolean addresses;
  private final KeyBatch batch = new KeyBatch();

  /**
   * Takes nothing yet.
   *
   * @param only the lists; {@code null} to decide on every session
   */
  ImpactTaker(
      @Nullable ListSnapshot only,
      Consumer<? super PastSession> decided,
      Consumer<CountedSession> counted) {
    this.only = only;
    this.decided = decided;
    this.counted = counted;
    List<FeedCounts> feeds = only == null ? List.of() : only.manifest().feeds();
    // Without a manifest nothing is known. An exception alone lists nothing, whatever its kind.
    boolean unknown = feeds.isEmpty();
    this.names = unknown || feeds.stream().anyMatch(feed -> feed.domains() > 0);
    this.addresses = unknown || feeds.stream().anyMatch(feed -> feed.addresses() > 0);
  }

  @Override
  public boolean decidesAll() {
    return only == null;
  }

  @Override
  public boolean mayListNames() {
    return names;
  }

  @Override
  public boolean mayListAddresses() {
    return addresses;
  }

  @Override
  public boolean mayList(ListKey key) {
    if (only == null) {
      return true;
    }
    batch.clear();
    batch.add(key);
    try {
      return only.mayList(batch) != 0;
    } catch (RuntimeException | InternalError e) {
      // The decision meets the same failure and treats it as on_error says.
      return true;
    }
  }

  @Override
  public void take(PastSession session) {
    decided.accept(session);
  }

  @Override
  public void count(CountedSession session) {
    counted.accept(session);
  }
}

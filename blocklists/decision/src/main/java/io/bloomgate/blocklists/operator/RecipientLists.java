package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.RecipientEntry.Wish;
import io.bloomgate.blocklists.operator.SharedCommand.Thing;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries by command that give recipients a profile: durable in the operator's database, and
 * whole in memory, so that a decision finds one by its hash. Commands change them on the threads of
 * control connections, each by one transaction of {@link StoreWriter}; any thread reads {@link
 * OperatorView#recipients}.
 */
public record RecipientLists(StoreWriter writer, InstantSource clock) {

  /** Entries that are kept; a profile for a domain serves all of its recipients. */
  public static final int MAX_ENTRIES = 50_000;

  /** The outcome for one entry of {@link #set}. */
  public record Stored(RecipientEntry entry, Change change) {}

  /**
   * Stores entries as one transaction: when this returns they are on the disk and in force. Several
   * have one record in the audit.
   *
   * @throws OperatorListsException when nothing was stored
   */
  public List<Stored> set(List<Wish> wishes, Origin origin) throws OperatorListsException {
    Instant now = clock.instant();
    return writer.command(change -> {
      List<Stored> done = new ArrayList<>(wishes.size());
      List<RecipientEntry> news = new ArrayList<>();
      for (Wish wish : wishes) {
        RecipientEntry before = change.recipients().get(wish.subject());
        RecipientEntry wanted = wish.over(before, origin.author(), now);
        if (before != null && before.saysWhat(wanted)) {
          done.add(new Stored(before, Change.UNCHANGED));
        } else {
          news.add(change.put(wanted));
          done.add(new Stored(news.getLast(), before == null ? Change.ADDED : Change.CHANGED));
        }
      }
      change.share(news.stream().map(Thing::of).toList(), false, origin);
      if (news.size() == 1) {
        change.audit(now, origin, news.getFirst().text());
      } else if (!news.isEmpty()) {
        change.audit(now, origin, news.size() + " entries set");
      }
      return done;
    });
  }

  /**
   * Takes entries away as one transaction, durable and in force when this returns.
   *
   * @param wanted ids, or subjects as they are stored
   * @return those that went
   * @throws OperatorListsException when nothing was removed
   */
  public List<RecipientEntry> remove(Collection<String> wanted, Origin origin)
      throws OperatorListsException {
    Instant now = clock.instant();
    return writer.command(change -> {
      List<RecipientEntry> gone = new ArrayList<>();
      for (String text : wanted) {
        RecipientEntry entry = named(change.recipients(), text);
        if (entry != null) {
          change.remove(entry);
          change.audit(now, origin, entry.text());
          gone.add(entry);
        }
      }
      change.share(gone.stream().map(Thing::of).toList(), true, origin);
      return gone;
    });
  }

  private static @Nullable RecipientEntry named(Map<String, RecipientEntry> all, String text) {
    RecipientEntry bySubject = all.get(text);
    return bySubject != null
        ? bySubject
        : all.values().stream().filter(one -> one.id().equals(text)).findFirst().orElse(null);
  }
}

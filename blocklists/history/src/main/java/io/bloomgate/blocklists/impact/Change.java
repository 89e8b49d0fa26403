package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.name.Check;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A comparison: a decision before and after something changes. Immutable.
 *
 * @param before {@code null} where nothing is refused: mode observe, or a server without these
 *     lists
 * @param lists names of the lists whose listings count as hits of the change; empty for a change of
 *     many things: all that it refuses is its hits
 * @param only a session of which this lists nothing is decided the same on both sides; {@code null}
 *     when there is no such thing
 * @param ownRefusals true when this gateway refused what was refused then, so that it may end; used
 *     without {@code before}
 */
public record Change(
    @Nullable Side before,
    Side after,
    Set<String> lists,
    @Nullable ListSnapshot only,
    boolean ownRefusals) {

  /** Lists that are added. */
  public static Change adding(Side before, CandidateLists candidates) {
    Set<String> names = new HashSet<>();
    candidates.lists().forEach(list -> names.add(list.name()));
    return new Change(before, before.with(candidates), names, candidates.snapshot(), true);
  }

  /** A list that gets another action, or counts where it was disabled. */
  public static Change of(String list, Side before, Side after) {
    ListSnapshot lists = before.lists().snapshot();
    boolean ofGeneration = lists.manifest().feed(list).isPresent();
    return new Change(before, after, Set.of(list), ofGeneration ? lists : null, true);
  }

  /** Other settings. */
  public static Change between(Side before, Side after) {
    return new Change(before, after, Set.of(), null, true);
  }

  /**
   * Checks of the content for which the change asks lists that were not asked before: what such a
   * list would say is not known, as no session keeps the content. What the others said is kept.
   */
  public Set<Check> newContentChecks() {
    if (before == null && ownRefusals) {
      return Set.of();
    }
    Set<Check> checks = EnumSet.noneOf(Check.class);
    after
        .policy()
        .feeds()
        .forEach((name, rule) -> {
          if (lists.isEmpty() || lists.contains(name)) {
            Policy.FeedRule asked = before == null ? null : before.policy().feeds().get(name);
            rule.checks().stream()
                .filter(check -> asked == null || !asked.checks().contains(check))
                .forEach(checks::add);
          }
        });
    checks.retainAll(Check.OF_CONTENT);
    return checks;
  }

  /** The same with other known senders, on both sides. */
  Change withKnown(Lists.Known known) {
    return new Change(
        before == null ? null : before.withKnown(known),
        after.withKnown(known),
        lists,
        only,
        ownRefusals);
  }

  /** The settings of this gateway in mode enforce, against what it really refused. */
  public static Change enforcing(Side after) {
    return new Change(null, after, Set.of(), null, true);
  }

  /** Lists and settings in front of a server that has none of these lists. */
  public static Change from(Side after) {
    return new Change(null, after, Set.of(), null, false);
  }
}

package io.bloomgate.blocklists;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorRules;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.WidthRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which entries a command takes, one by one as {@code add} and many as {@code import}: the rules of
 * {@link OperatorRules}, and the blocks that {@link ProtectedBlocks} asks {@code --force} for. Made
 * for one command; of one thread.
 */
public final class EntryRules {

  private final WidthRules widths;
  private final OperatorView view;
  private final Instant now;
  private final ProtectedBlocks unwanted;

  /**
   * For one command.
   *
   * @param sets what no feed may list
   * @param view the entries that are there
   */
  EntryRules(ListRules rules, List<ProtectedSet> sets, OperatorView view, Instant now) {
    this.widths = rules.widths();
    this.view = view;
    this.now = now;
    this.unwanted = new ProtectedBlocks(sets, rules.settings().allow().knownGood());
  }

  /**
   * Why the entry is refused; empty when it is taken.
   *
   * @param force the person said {@code --force}
   */
  public Optional<Refusal> check(NewEntry entry, boolean force) {
    return OperatorRules.check(entry, widths, view, now, force)
        .or(() -> force ? Optional.empty() : unwanted.check(entry));
  }
}

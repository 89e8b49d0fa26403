package io.bloomgate.blocklists;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorRules;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Decides which entries a command takes, one by one as {@code add} and many as {@code import}: the
 * rules of {@link OperatorRules}, and the blocks that {@link ProtectedBlocks} asks {@code --force}
 * for. Made for one command; of one thread.
 */
public final class EntryRules {

  private final WidthRules widths;
  private final OperatorView view;
  private final Instant now;
  private final ProtectedBlocks unwanted;

  /**
   * Makes the rules for one command.
   *
   * @param sets what no feed may list
   * @param view the entries that are there
   */
  EntryRules(ListRules rules, List<ProtectedSet> sets, OperatorView view, Instant now) {
    this(
        rules.widths(), new ProtectedBlocks(sets, rules.settings().allow().knownGood()), view, now);
  }

  private EntryRules(WidthRules widths, ProtectedBlocks unwanted, OperatorView view, Instant now) {
    this.widths = widths;
    this.view = view;
    this.now = now;
    this.unwanted = unwanted;
  }

  /** The rules where no settings and no entries are known. */
  public static EntryRules withoutSettings(Instant now) {
    return new EntryRules(
        new WidthRules(List.of(), List.of(), PublicSuffixes::contains),
        new ProtectedBlocks(
            ProtectedSet.of(EnumSet.allOf(NeverBlock.class), List.of(), List.of(), List.of()),
            List.of()),
        OperatorView.EMPTY,
        now);
  }

  /**
   * The reason why the entry is refused; empty when it is taken.
   *
   * @param force the person said {@code --force}
   */
  public Optional<Refusal> check(NewEntry entry, boolean force) {
    return OperatorRules.check(entry, widths, view, now, force)
        .or(() -> force ? Optional.empty() : unwanted.check(entry));
  }
}

package io.bloomgate.blocklists;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorRules;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which entries a command takes, one by one as {@code add} and many as {@code import}: the
 * rules of {@link OperatorRules}, and blocks that need {@code --force} because no feed may list the
 * same name or network, or because it is known to be good: mailbox providers, public suffixes,
 * {@code feeds.protect}, {@code allow.known_good}. Made for one command, and for list files, which
 * are not compared with {@code allow.known_good}; of one thread.
 */
public final class EntryRules {

  private final WidthRules widths;
  private final OperatorView view;
  private final Instant now;
  private final List<ProtectedSet> sets;
  private final List<Path> knownGood;
  private @Nullable KnownGoodIndex index;

  /**
   * Makes the rules for one command.
   *
   * @param sets what no feed may list
   * @param view the entries that are there
   */
  EntryRules(ListRules rules, List<ProtectedSet> sets, OperatorView view, Instant now) {
    this(rules.widths(), sets, rules.settings().allow().knownGood(), view, now);
  }

  /**
   * @param knownGood the files of {@code allow.known_good}; read when the first entry asks
   */
  private EntryRules(
      WidthRules widths,
      List<ProtectedSet> sets,
      List<Path> knownGood,
      OperatorView view,
      Instant now) {
    this.widths = widths;
    this.sets = sets;
    this.knownGood = knownGood;
    this.view = view;
    this.now = now;
  }

  private static WidthRules noWidths() {
    return new WidthRules(List.of(), List.of(), PublicSuffixes::contains);
  }

  /** The rules where no settings and no entries are known. */
  public static EntryRules withoutSettings(Instant now) {
    return new EntryRules(
        noWidths(),
        ProtectedSet.of(EnumSet.allOf(NeverBlock.class), List.of(), List.of(), List.of()),
        List.of(),
        OperatorView.EMPTY,
        now);
  }

  /** The rules for list files, of which {@link #unwanted} alone is asked. */
  static EntryRules ofFiles(List<ProtectedSet> sets) {
    return new EntryRules(noWidths(), sets, List.of(), OperatorView.EMPTY, Instant.EPOCH);
  }

  /**
   * The reason why the entry is refused; empty when it is taken.
   *
   * @param force the person said {@code --force}
   */
  public Optional<Refusal> check(NewEntry entry, boolean force) {
    return OperatorRules.check(entry, widths, view, now, force)
        .or(() -> force ? Optional.empty() : unwanted(entry));
  }

  /**
   * The reason why the entry needs {@code --force}; empty for an allow and for a block of few
   * clients.
   */
  Optional<Refusal> unwanted(NewEntry entry) {
    return entry.list() != ListKind.BLOCK || entry.from() != null
        ? Optional.empty()
        : protectedSubject(entry).or(() -> known(entry));
  }

  private Optional<Refusal> protectedSubject(NewEntry entry) {
    return switch (entry.subject()) {
      case DomainName name -> protectedName(name);
      case NamePattern pattern when !pattern.isOfAddresses() ->
          pattern.domain().flatMap(name -> protectedName(name));
      case IpPrefix network when isOfClients(entry) -> protectedNetwork(network);
      case IpPrefix _,
          NamePattern _,
          MailAddress _,
          WebUrl _,
          Fingerprint _,
          Likeness _,
          AsNumber _ ->
          Optional.empty();
    };
  }

  private static boolean isOfClients(NewEntry entry) {
    return entry.scope().isEmpty() || entry.scope().contains(Check.CLIENT_IP);
  }

  /** A block holds for the name and for all names below it. */
  private Optional<Refusal> protectedName(DomainName name) {
    ListEntry listed = new ListEntry.Domain(name, ListEntry.NameMatch.SUFFIX, false, 0);
    // A provider has names below many a public suffix; that it is one says more.
    return sets.stream()
        .filter(set -> set.touches(listed))
        .min(Comparator.comparing(set -> !set.publicSuffixes()))
        .flatMap(set -> refusal(name + " is " + set.reason()));
  }

  /** A host of the own network may be blocked like any other. */
  private Optional<Refusal> protectedNetwork(IpPrefix network) {
    ListEntry listed = new ListEntry.Network(network, false, 0);
    return sets.stream()
        .filter(set -> !set.word().equals(ProtectedSet.PRIVATE) && set.touches(listed))
        .findFirst()
        .flatMap(set ->
            refusal(
                set.word().equals(ProtectedSet.OWN)
                    ? network + " holds an address of the gateway itself"
                    : network + " holds addresses that are " + set.reason()));
  }

  private static Optional<Refusal> refusal(String message) {
    return Refusal.unlessForced(
        message, "block the mail addresses that you mean, or repeat the command with --force");
  }

  private Optional<Refusal> known(NewEntry entry) {
    if (knownGood.isEmpty()) {
      return Optional.empty();
    }
    KnownGoodIndex read =
        index == null ? new KnownGoodIndex(KnownGoodFiles.read(knownGood, _ -> {})) : index;
    index = read;
    return read.find(entry.subject())
        .flatMap(good ->
            Refusal.unlessForced(
                good.equals(entry.subject())
                    ? good + " is in allow.known_good"
                    : entry.subject() + " covers " + good + ", which is in allow.known_good",
                "take it out of that file, or repeat the command with --force"));
  }
}

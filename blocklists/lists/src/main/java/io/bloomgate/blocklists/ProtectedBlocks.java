package io.bloomgate.blocklists;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.WebUrl;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds blocks that need {@code --force} because no feed may list the same name or network, or
 * because it is known to be good: mailbox providers, public suffixes, {@code feeds.protect}, {@code
 * allow.known_good}. Made for one command by {@link EntryRules}, and for list files, which are not
 * compared with {@code allow.known_good}, by {@link ListRules}. Of one thread.
 */
final class ProtectedBlocks {

  private final List<ProtectedSet> sets;
  private final List<Path> knownGood;
  private @Nullable KnownGoodIndex index;

  /**
   * Makes the check for one command.
   *
   * @param sets what no feed may list
   * @param knownGood the files of {@code allow.known_good}; read when the first entry asks
   */
  ProtectedBlocks(List<ProtectedSet> sets, List<Path> knownGood) {
    this.sets = List.copyOf(sets);
    this.knownGood = List.copyOf(knownGood);
  }

  /**
   * The reason why the entry needs {@code --force}; empty for an allow and for a block of few
   * clients.
   */
  Optional<Refusal> check(NewEntry entry) {
    return entry.list() != ListKind.BLOCK || entry.from() != null
        ? Optional.empty()
        : protectedSubject(entry).or(() -> known(entry));
  }

  private Optional<Refusal> protectedSubject(NewEntry entry) {
    return switch (entry.subject()) {
      case DomainName name -> protectedName(entry, name);
      case NamePattern pattern when !pattern.isOfAddresses() ->
          pattern.domain().flatMap(name -> protectedName(entry, name));
      case IpPrefix network when isOfClients(entry) -> protectedNetwork(entry, network);
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
  private Optional<Refusal> protectedName(NewEntry entry, DomainName name) {
    ListEntry listed = new ListEntry.Domain(name, ListEntry.NameMatch.SUFFIX, false, 0);
    // A provider has names below many a public suffix; that it is one says more.
    return sets.stream()
        .filter(set -> set.touches(listed))
        .min(Comparator.comparing(set -> !set.publicSuffixes()))
        .map(set -> refusal(entry, name + " is " + set.reason()));
  }

  /** A host of the own network may be blocked like any other. */
  private Optional<Refusal> protectedNetwork(NewEntry entry, IpPrefix network) {
    ListEntry listed = new ListEntry.Network(network, false, 0);
    return sets.stream()
        .filter(set -> !set.word().equals(ProtectedSet.PRIVATE) && set.touches(listed))
        .findFirst()
        .map(set ->
            refusal(
                entry,
                set.word().equals(ProtectedSet.OWN)
                    ? network + " holds an address of the gateway itself"
                    : network + " holds addresses that are " + set.reason()));
  }

  private static Refusal refusal(NewEntry entry, String message) {
    return Refusal.unlessForced(
        entry,
        message,
        "block the mail addresses that you mean, or repeat the command with --force");
  }

  private Optional<Refusal> known(NewEntry entry) {
    if (knownGood.isEmpty()) {
      return Optional.empty();
    }
    KnownGoodIndex read =
        index == null ? new KnownGoodIndex(KnownGoodFiles.read(knownGood)) : index;
    index = read;
    return read.find(entry.subject())
        .map(good ->
            Refusal.unlessForced(
                entry,
                good.equals(entry.subject())
                    ? good + " is in allow.known_good"
                    : entry.subject() + " covers " + good + ", which is in allow.known_good",
                "take it out of that file, or repeat the command with --force"));
  }
}

package io.bloomgate.blocklists;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks need {@code --force} because no feed may list the same name, or because it is known
 * to be good: mailbox providers, public suffixes, {@code feeds.protect}, {@code allow.known_good}.
 * Made for one {@code block add} by the control server; lines of files and of imports are not
 * checked, their authors mean each line. Of one thread.
 */
public final class ProtectedBlocks {

  private final List<ProtectedSet> sets;
  private final List<Path> knownGood;
  private @Nullable KnownGoodFiles files;

  /**
   * For one command.
   *
   * @param sets what no feed may list
   * @param knownGood the files of {@code allow.known_good}; read when the first entry asks
   */
  public ProtectedBlocks(List<ProtectedSet> sets, List<Path> knownGood) {
    this.sets = List.copyOf(sets);
    this.knownGood = List.copyOf(knownGood);
  }

  /** Why the entry needs {@code --force}; empty for an allow and for a block of few clients. */
  public Optional<Refusal> check(NewEntry entry) {
    return entry.list() != ListKind.BLOCK || entry.from() != null
        ? Optional.empty()
        : protectedName(entry).or(() -> known(entry));
  }

  /** A block holds for the name and for all names below it. */
  private Optional<Refusal> protectedName(NewEntry entry) {
    if (!(entry.subject() instanceof DomainName name)) {
      return Optional.empty();
    }
    ListEntry listed = new ListEntry.Domain(name, ListEntry.NameMatch.SUFFIX, false, 0);
    // A provider has names below many a public suffix; that it is one says more.
    return sets.stream()
        .filter(set -> set.protects(listed))
        .min(Comparator.comparing(set -> !set.publicSuffixes()))
        .map(set ->
            Refusal.unlessForced(
                entry,
                name + " is " + set.reason(),
                "block the mail addresses that you mean, or repeat the command with --force"));
  }

  private Optional<Refusal> known(NewEntry entry) {
    KnownGoodFiles read = files == null ? KnownGoodFiles.read(knownGood) : files;
    files = read;
    Subject[] found = new Subject[1];
    read.forEach(good -> {
      if (found[0] == null && covers(entry.subject(), good)) {
        found[0] = good;
      }
    });
    return Optional.ofNullable(found[0])
        .map(good ->
            Refusal.unlessForced(
                entry,
                good.equals(entry.subject())
                    ? good + " is in allow.known_good"
                    : entry.subject() + " covers " + good + ", which is in allow.known_good",
                "take it out of that file, or repeat the command with --force"));
  }

  private static boolean covers(Subject block, Subject good) {
    if (block instanceof DomainName name) {
      return switch (good) {
        case DomainName other -> name.covers(other);
        case MailAddress address ->
            address.host() instanceof MailAddress.Host.Name host && name.covers(host.name());
        case IpPrefix _, WebUrl _, Fingerprint _, Likeness _ -> false;
      };
    }
    if (block instanceof IpPrefix network && good instanceof IpPrefix other) {
      return network.overlaps(other);
    }
    return block.equals(good);
  }
}

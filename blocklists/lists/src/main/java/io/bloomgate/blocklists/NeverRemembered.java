package io.bloomgate.blocklists;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * True for what the own memory may not list: what is protected whatever {@code never_block} says,
 * own domains and known good senders, and names below each of these. Made by {@link Blocklists} for
 * one writing of the lists; one thread.
 */
public final class NeverRemembered implements Predicate<Subject> {

  private final List<ProtectedSet> sets;
  private final ProtectedSet own;
  private final KnownGoodIndex knownGood;

  /**
   * Asks these.
   *
   * @param live sets of the policy in use
   */
  public NeverRemembered(List<ProtectedSet> live, Settings settings) {
    this.own = set(NeverBlock.DOMAINS, settings);
    this.sets =
        Stream.concat(
                live.stream(), Stream.of(NeverBlock.values()).map(word -> set(word, settings)))
            .toList();
    this.knownGood = new KnownGoodIndex(KnownGoodFiles.read(settings.allow().knownGood(), _ -> {}));
  }

  private static ProtectedSet set(NeverBlock word, Settings settings) {
    return ProtectedSet.of(EnumSet.of(word), List.of(), List.of(), settings.domains()).getFirst();
  }

  @Override
  public boolean test(Subject subject) {
    return knownGood.find(subject).isPresent()
        || switch (subject) {
          case IpPrefix network -> touches(new ListEntry.Network(network, false, 0));
          case DomainName name -> touches(entry(name)) || isUnder(name, sets);
          case MailAddress address ->
              address.host() instanceof MailAddress.Host.Name(DomainName domain)
                  && isUnder(domain, List.of(own));
          // A page of a host that is shared, which may be that of a provider.
          case WebUrl url -> url.host() instanceof DomainName name && isUnder(name, List.of(own));
          case Fingerprint _, Likeness _, AsNumber _, NamePattern _ -> false;
        };
  }

  private static ListEntry entry(DomainName name) {
    return new ListEntry.Domain(name, NameMatch.EXACT, false, 0);
  }

  private boolean touches(ListEntry entry) {
    return sets.stream().anyMatch(set -> set.touches(entry));
  }

  /**
   * True for a known good name or one of these sets, and for a name below one; below a public
   * suffix everybody is.
   */
  private boolean isUnder(DomainName name, List<ProtectedSet> around) {
    for (int label = 0; label <= name.labels() - 2; label++) {
      DomainName parent = name.from(label);
      if (knownGood.find(parent).filter(parent::equals).isPresent()
          || around.stream().anyMatch(set -> !set.publicSuffixes() && set.touches(entry(parent)))) {
        return true;
      }
    }
    return false;
  }
}

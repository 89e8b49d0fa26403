package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names of dynamic DNS and free hosting, shipped with the product: below them anybody gets a name
 * for nothing. Lists of throw-away domains have such names, and with all below them they would name
 * thousands of strangers; so an entry of one lists that name alone. Read once; asked by {@link
 * EntryGuard} for each entry of a feed. What the Public Suffix List has is held back instead.
 */
final class FreeSubdomains {

  private static final Set<DomainName> NAMES =
      MailProviders.read("free-subdomains.txt").stream()
          .map(MailProviders::name)
          .collect(Collectors.toUnmodifiableSet());

  private FreeSubdomains() {}

  /** The entry as far as it may reach. */
  static ListEntry narrowed(ListEntry entry) {
    return entry instanceof ListEntry.Domain(DomainName name, var match, var exception, var line)
            && match != NameMatch.EXACT
            && !exception
            && NAMES.contains(name)
        ? new ListEntry.Domain(name, NameMatch.EXACT, false, line)
        : entry;
  }
}

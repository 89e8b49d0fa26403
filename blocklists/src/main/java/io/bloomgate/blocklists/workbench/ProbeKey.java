package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.operator.SubjectText;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;

/**
 * What of an entry stands in a filter file: one hash of the normalised key, the same for every way
 * of writing it. Pure.
 *
 * <p>A host, a name and a mail address are themselves; a network stands for nothing but itself, so
 * a host inside it is another key. How far a name reaches is not part of the key.
 */
final class ProbeKey {

  /** Characters of a key; the longest mail address has 64 + 1 + 253 and may have U-labels. */
  static final int MAX_CHARACTERS = 1024;

  private ProbeKey() {}

  /** The hash of an entry of a list. */
  static long hash(KeyHash hash, ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> hash(hash, network.prefix());
      case ListEntry.Domain domain -> hash.domain(domain.name(), 0);
      case ListEntry.Address address -> hash.address(address.address());
    };
  }

  private static long hash(KeyHash hash, IpPrefix prefix) {
    return prefix.equals(IpPrefix.host(prefix.network()))
        ? hash.ip(prefix.network())
        : hash.pivot(prefix.network(), prefix.length());
  }

  /** Reads a key as a person or a list writes it: {@code *.x}, {@code .x}, {@code @x} are names. */
  static Parsed<Subject> parse(String text) {
    String key = text.strip();
    if (key.isEmpty()) {
      return Parsed.bad("no key");
    }
    if (key.length() > MAX_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_CHARACTERS + " characters");
    }
    if (key.startsWith("*.")) {
      return SubjectText.parse(key.substring(2));
    }
    return SubjectText.parse(key.startsWith(".") || key.startsWith("@") ? key.substring(1) : key);
  }

  /** The hash of a key that was read. */
  static long hash(KeyHash hash, Subject key) {
    return switch (key) {
      case IpPrefix network -> hash(hash, network);
      case DomainName domain -> hash.domain(domain, 0);
      case MailAddress address -> hash.address(address);
    };
  }
}

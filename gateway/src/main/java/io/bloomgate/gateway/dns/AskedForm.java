package io.bloomgate.gateway.dns;

import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NameList;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.DnsList.Hosts;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a DNS list is asked about a key, by what it says that it knows. Called by {@link
 * DnsListAnswers} on session threads. Pure.
 */
final class AskedForm {

  private AskedForm() {}

  /** Returns what the list is asked about; {@code null} for nothing. */
  static @Nullable ListKey of(DnsList list, Check check, ListKey key) {
    if (!list.checks().contains(check)) {
      return null;
    }
    if (Check.OF_CONTENT.contains(check)) {
      return ofContent(list.hosts(), key);
    }
    // A list of names reports an error when it is asked about an address (RFC 5782 section 3).
    return key instanceof IpAddress && !list.checks().contains(Check.CLIENT_IP) ? null : key;
  }

  private static @Nullable ListKey ofContent(Set<Hosts> known, ListKey key) {
    return switch (key) {
      case DomainName name -> name(known, name);
      case IpAddress address -> known.contains(Hosts.ADDRESSES) ? address : null;
      case Fingerprint print -> print;
      case MailAddress _, WebUrl _, Likeness _, AsNumber _ -> null;
    };
  }

  /**
   * A shared host says nothing of a mail, a name of daily life is on no list, and a name inside is
   * no business of others.
   */
  private static @Nullable DomainName name(Set<Hosts> known, DomainName name) {
    if (NameList.EVERYDAY.contains(name) || DomainName.isInside(name.toString())) {
      return null;
    }
    if (SharedHosts.isShared(name)) {
      return known.contains(Hosts.SHARED) ? name : null;
    }
    if (known.contains(Hosts.REGISTERED)) {
      return SharedHosts.registered(name);
    }
    return known.contains(Hosts.NAMES) ? name : null;
  }
}

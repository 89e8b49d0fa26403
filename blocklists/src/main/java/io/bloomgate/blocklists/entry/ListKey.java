package io.bloomgate.blocklists.entry;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;

/** What can be asked of a list. Immutable. */
public sealed interface ListKey {

  /** Asked of networks. */
  record Ip(IpAddress address) implements ListKey {
    @Override
    public String toString() {
      return address.toString();
    }
  }

  /**
   * Asked of names: itself and every parent of two or more labels, as the entries' match modes
   * allow.
   */
  record Domain(DomainName name) implements ListKey {
    @Override
    public String toString() {
      return name.toString();
    }
  }

  /** Asked of whole addresses only; the domain is a key of its own. */
  record Address(MailAddress address) implements ListKey {
    @Override
    public String toString() {
      return address.toString();
    }
  }
}

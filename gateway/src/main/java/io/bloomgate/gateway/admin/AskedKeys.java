package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.entry.ListKey;
import io.bloomgate.blocklists.operator.OperatorEntry.Subject;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.List;

/** The keys under which the operator's lists are asked about a subject. Pure. */
final class AskedKeys {

  private AskedKeys() {}

  /** All of them; of an address its domain too. */
  static List<ListKey> of(Subject subject) {
    return switch (subject) {
      case Subject.Network(IpPrefix prefix) -> List.of(new ListKey.Ip(prefix.network()));
      case Subject.Domain(var name) -> List.of(new ListKey.Domain(name));
      case Subject.Address(MailAddress address) -> {
        List<ListKey> keys = new ArrayList<>();
        address.askedForms().forEach(form -> keys.add(new ListKey.Address(form)));
        if (address.host() instanceof MailAddress.Host.Name(var name)) {
          keys.add(new ListKey.Domain(name));
        }
        yield keys;
      }
    };
  }
}

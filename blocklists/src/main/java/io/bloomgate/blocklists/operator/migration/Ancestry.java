package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.MailAddress.Host;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.List;

/** The subjects that hold a subject: wider networks, parent domains, the domain of a mailbox. */
final class Ancestry {

  private Ancestry() {}

  /** The subject itself and everything around it, narrowest first; at most 129. */
  static List<Subject> of(Subject subject) {
    List<Subject> around = new ArrayList<>();
    around.add(subject);
    switch (subject) {
      case IpPrefix prefix -> {
        for (int length = prefix.length() - 1; length >= 0; length--) {
          around.add(IpPrefix.around(prefix.network(), length));
        }
      }
      case DomainName name -> parents(name, 1, around);
      case MailAddress address -> {
        if (address.host() instanceof Host.Name(DomainName name)) {
          parents(name, 0, around);
        }
      }
    }
    return around;
  }

  private static void parents(DomainName name, int from, List<Subject> around) {
    for (int label = from; label <= name.labels() - 2; label++) {
      around.add(name.from(label));
    }
  }
}

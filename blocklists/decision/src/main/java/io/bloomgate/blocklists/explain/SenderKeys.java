package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an envelope sender that is known as text, from a question: the same keys that a
 * session would ask. Immutable.
 *
 * @param forms of the whole address, most literal first; empty where no list can hold it
 * @param domain {@code null} for an address literal
 */
record SenderKeys(List<MailAddress> forms, @Nullable DomainName domain) {

  /** The null sender, or none yet. */
  static final SenderKeys NONE = new SenderKeys(List.of(), null);

  public SenderKeys {
    forms = List.copyOf(forms);
  }

  /** The keys of an address. */
  static SenderKeys of(MailAddress address) {
    return new SenderKeys(address.askedForms(), Facts.domainOf(address));
  }

  /** The keys of {@code local@domain} without brackets; empty when nothing of it can be asked. */
  static Optional<SenderKeys> parse(String written) {
    Optional<MailAddress> address = MailAddress.parse(written).toOptional();
    return address.isPresent() ? address.map(SenderKeys::of) : broken(written);
  }

  /** The domain is asked whatever the local part is, and as far as it can be read. */
  private static Optional<SenderKeys> broken(String written) {
    int at = written.lastIndexOf('@');
    return at < 0 || written.startsWith("[", at + 1)
        ? Optional.empty()
        : DomainName.asked(written.substring(at + 1))
            .map(domain -> new SenderKeys(List.of(), domain));
  }
}

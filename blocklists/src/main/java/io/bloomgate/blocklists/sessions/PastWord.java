package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.impact.PastTaker;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text of a day and what it means in each column that may name it, found out once for all rows
 * that do. Part of {@link PastRows}; belongs to one question, and to its thread.
 */
final class PastWord {

  private final String text;
  private @Nullable Helo helo;
  private @Nullable Domain domain;
  private @Nullable Parsed<String> local;
  private Facts.@Nullable Recipient recipient;
  private @Nullable Boolean heloListed;
  private @Nullable Boolean domainListed;

  PastWord(String text) {
    this.text = text;
  }

  /** As the argument of HELO: what lists are asked, and the address of a literal. */
  record Helo(@Nullable ListKey key, @Nullable IpAddress address) {
    static final Helo NONE = new Helo(null, null);
  }

  /**
   * As the domain of a sender.
   *
   * @param host {@code null} for what cannot be behind the at sign of an address
   * @param asked what lists are asked where there is no such address
   */
  record Domain(MailAddress.@Nullable Host host, @Nullable DomainName asked) {}

  String text() {
    return text;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  Helo helo() {
    if (helo == null) {
      helo =
          text.isEmpty()
              ? Helo.NONE
              : new Helo(HeloKeys.parse(text).orElse(null), HeloKeys.address(text).orElse(null));
    }
    return helo;
  }

  Domain domain() {
    if (domain == null) {
      MailAddress.Host host = MailAddress.parseHost(text).toOptional().orElse(null);
      domain =
          new Domain(
              host,
              host instanceof MailAddress.Host.Name(DomainName name)
                  ? name
                  : DomainName.asked(text).orElse(null));
    }
    return domain;
  }

  /** As a local part in its canonical form; empty for what can be none. */
  Optional<String> local() {
    if (local == null) {
      local = MailAddress.parseLocal(text);
    }
    return local.toOptional();
  }

  /** As the local part of a recipient. */
  Facts.Recipient recipient() {
    if (recipient == null) {
      recipient = new Facts.Recipient(SessionText.recipientLocalPart(text), true);
    }
    return recipient;
  }

  /** False when no session is decided on because of this HELO. */
  boolean mayListHelo(PastTaker taker) {
    if (heloListed == null) {
      // All but literals are names.
      boolean asked = text.startsWith("[") || taker.mayListNames();
      ListKey key = asked ? helo().key() : null;
      heloListed = key != null && taker.mayList(key);
    }
    return heloListed;
  }

  /** False when no session is decided on because of this domain of its sender. */
  boolean mayListDomain(PastTaker taker) {
    if (domainListed == null) {
      DomainName name = taker.mayListNames() ? domain().asked() : null;
      domainListed = name != null && taker.mayList(name);
    }
    return domainListed;
  }
}

package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A sender whose mail was accepted lately. Immutable.
 *
 * @param client address of the host that sent
 * @param sender the envelope sender's address, or only its domain where {@code log.privacy} keeps
 *     no local parts; empty for the null sender and where no addresses are kept
 * @param helo the name that the host gave; empty where none is known
 * @param seen when its mail was accepted last
 * @param days on which that was, the day of {@code seen} in the lowest bit
 */
public record KnownSender(IpAddress client, String sender, String helo, Instant seen, int days) {

  /**
   * A key of a known sender, which a list may name.
   *
   * @param check the part of the transaction that it is
   */
  public record Asked(KnownSender sender, Check check, ListKey key) {

    /** The key as the subject of an entry. */
    public Subject subject() {
      return key instanceof IpAddress address ? IpPrefix.host(address) : (Subject) key;
    }
  }

  /** The envelope sender, if all of it is known. */
  public Optional<MailAddress> address() {
    return sender.indexOf('@') < 0 ? Optional.empty() : MailAddress.parse(sender).toOptional();
  }

  /** The domain of the envelope sender, if it is known and is a name. */
  public Optional<DomainName> domain() {
    if (sender.indexOf('@') < 0) {
      return DomainName.parse(sender).toOptional();
    }
    return address()
        .flatMap(a ->
            switch (a.host()) {
              case MailAddress.Host.Name(DomainName name) -> Optional.of(name);
              case MailAddress.Host.Literal ignored -> Optional.empty();
            });
  }

  /** The keys by which a list that is asked for this part of a transaction could name it. */
  List<? extends ListKey> keys(Check check) {
    return switch (check) {
      case CLIENT_IP -> List.of(client);
      case HELO -> DomainName.parse(helo).toOptional().stream().toList();
      case SENDER -> address().map(MailAddress::askedForms).orElse(List.of());
      case SENDER_DOMAIN -> domain().stream().toList();
      default -> List.of(); // AS numbers are asked by the client's networks, see GoodSenders
    };
  }
}

package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.time.Instant;
import java.util.Optional;

/**
 * A sender whose mail was accepted lately. Immutable.
 *
 * @param client address of the host that sent
 * @param sender the envelope sender's address, or only its domain where {@code log.privacy} keeps
 *     no local parts; empty for the null sender and where no addresses are kept
 * @param seen when its mail was accepted last
 */
public record KnownSender(IpAddress client, String sender, Instant seen) {

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
}

package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code rates}: how much mail may come. Each {@code null} for as much as likes to.
 *
 * @param client messages of one client: an IPv4 address, an IPv6 /64
 * @param network messages of one network of clients: an IPv4 /24, an IPv6 /44
 * @param senderDomain messages of one domain of envelope senders
 * @param recipient messages for one recipient
 */
public record MailRates(
    @Nullable Rate client,
    @Nullable Rate network,
    @Nullable Rate senderDomain,
    @Nullable Rate recipient) {

  private static final Values.Reader<Rate> RATE = Values.noted("rate", Rate::read);

  static MailRates bind(Section s) {
    return new MailRates(
        rate(s, "client"), rate(s, "network"), rate(s, "sender_domain"), rate(s, "recipient"));
  }

  /** The rate of a key; {@code null} for {@code none}, the default. */
  static @Nullable Rate rate(Section s, String key) {
    return s.orNone(key, "none", RATE);
  }

  /** True when something is limited at MAIL. */
  public boolean limitMail() {
    return client != null || network != null;
  }

  /** True when something is limited at RCPT. */
  public boolean limitRecipients() {
    return senderDomain != null || recipient != null;
  }
}

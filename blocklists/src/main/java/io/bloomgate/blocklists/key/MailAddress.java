package io.bloomgate.blocklists.key;

import java.util.List;

/**
 * A mailbox as lists compare it: local part lower-case without needless quotes, domain as A-labels
 * or an address literal (contract, section 3, address keys). Never used for what is sent on the
 * wire. Immutable.
 */
public record MailAddress(String localPart, Host host) {

  /** What stands behind the last at sign. */
  public sealed interface Host {
    /** A domain name. */
    record Name(DomainName name) implements Host {}

    /** An address literal, RFC 5321 section 4.1.3. */
    record Literal(IpAddress address) implements Host {}
  }

  /**
   * Reads {@code local@domain}, quoted local parts and address literals included; no angle
   * brackets, no route.
   */
  public static Parsed<MailAddress> parse(String text) {
    throw new UnsupportedOperationException();
  }

  /**
   * The forms that are asked, most literal first and without repeats: as given, then without a
   * {@code prvs=...=} tag (BATV), then without a {@code +tag}.
   */
  public List<MailAddress> askedForms() {
    throw new UnsupportedOperationException();
  }

  /** {@code local@domain} in its canonical form. */
  @Override
  public String toString() {
    throw new UnsupportedOperationException();
  }
}

package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.settings.OwnDomains;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The argument of RCPT TO (RFC 5321 section 4.1.1.3): relayed as it came. Made by {@link
 * RcptCommand}, asked by the relay check. Immutable.
 *
 * @param text what is between the angle brackets
 * @param localPart lower-case, without needless quotes
 * @param domain lower-case A-labels; as it came where it is not {@link Spelling#CANONICAL}; empty
 *     for the bare {@code postmaster}
 * @param spelling how the domain was written
 */
public record ForwardPath(String text, String localPart, String domain, Spelling spelling) {

  /**
   * The spelling of a recipient's domain: the mail server gets it as written, and may read it in
   * another way.
   */
  public enum Spelling {
    /** A name as A-labels or canonical U-labels, in any case; or a single label of ASCII. */
    CANONICAL,
    /** A name only behind a mapping: full-width letters, soft hyphens, other dots. */
    DISGUISED,
    /** No domain name. */
    INVALID
  }

  /** A path with a domain in lower-case A-labels. */
  public ForwardPath(String text, String localPart, String domain) {
    this(text, localPart, domain, Spelling.CANONICAL);
  }

  /**
   * A path with a domain as it was written.
   *
   * @param domain empty for the bare {@code postmaster}
   */
  static ForwardPath written(String text, String localPart, String domain) {
    Optional<DomainName> name = DomainName.parse(domain).toOptional();
    if (name.isPresent()) {
      return name.get().isSpelled(domain)
          ? new ForwardPath(text, localPart, name.get().toString())
          : new ForwardPath(text, localPart, domain, Spelling.DISGUISED);
    }
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(domain)) {
      return new ForwardPath(text, localPart, domain, Spelling.INVALID);
    }
    // An own domain may be a single label, or what only its mail server takes for a name.
    Spelling spelling = domain.indexOf('.') < 0 ? Spelling.CANONICAL : Spelling.INVALID;
    return new ForwardPath(text, localPart, domain.toLowerCase(Locale.ROOT), spelling);
  }

  /**
   * True for a recipient of ours; the bare {@code postmaster} is (RFC 5321 section 4.5.1). A domain
   * in disguise is not: the mail server would get it as it came.
   */
  public boolean isIn(OwnDomains own) {
    return domain.isEmpty()
        || switch (spelling) {
          case CANONICAL -> own.contains(domain);
          case DISGUISED -> false;
          case INVALID -> own.isNamed(domain);
        };
  }
}

package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * A mailbox as lists compare it: local part lower-case without needless quotes, domain as A-labels
 * or an address literal (rules of decision in gateway/README.md). Never used for what is sent on
 * the wire. Immutable.
 */
public record MailAddress(String localPart, Host host) implements Subject, ListKey {

  /**
   * Octets of a local part that is read. RFC 5321 section 4.5.3.1.1 names 64, but return paths with
   * encoded recipients are longer in daily use; 256 is the limit of a whole path there.
   */
  public static final int MAX_LOCAL_OCTETS = 256;

  /** Octets of a character in UTF-8; one of four is two characters of a text. */
  private static final int MOST_OCTETS = 3;

  /** A number above that of any domain: 253 octets hold at most 127 labels. */
  static final int PATTERNS = 200 * Subject.LABEL;

  /** A number above that of any pattern of addresses. */
  static final int NARROWNESS = 300 * Subject.LABEL;

  private static final String IPV6_TAG = "IPv6:";

  /** The part after the last at sign. */
  public sealed interface Host {
    /** A domain name. */
    record Name(DomainName name) implements Host {
      @Override
      public String toString() {
        return name.toString();
      }
    }

    /** An address literal, RFC 5321 section 4.1.3. */
    record Literal(IpAddress address) implements Host {
      @Override
      public String toString() {
        return "[" + (address.isV4() ? "" : IPV6_TAG) + address + "]";
      }
    }
  }

  /**
   * Reads {@code local@domain}, quoted local parts and address literals included; no angle
   * brackets, no route.
   */
  public static Parsed<MailAddress> parse(String text) {
    int at = text.lastIndexOf('@');
    if (at < 0) {
      return Parsed.bad("no at sign");
    }
    return parseLocal(text.substring(0, at))
        .then(local -> parseHost(text.substring(at + 1)).map(host -> new MailAddress(local, host)));
  }

  /** Reads what comes before the last at sign, and gives its canonical form. */
  public static Parsed<String> parseLocal(String written) {
    boolean mayBeLong = written.length() > MAX_LOCAL_OCTETS / MOST_OCTETS;
    if (mayBeLong && written.getBytes(UTF_8).length > MAX_LOCAL_OCTETS) {
      return Parsed.bad("local part too long");
    }
    return LocalPart.canonical(written);
  }

  /** Reads what follows the at sign: a name, {@code [1.2.3.4]} or {@code [IPv6:...]}. */
  public static Parsed<Host> parseHost(String text) {
    if (!text.startsWith("[")) {
      return DomainName.parse(text).map(Host.Name::new);
    }
    if (!text.endsWith("]")) {
      return Parsed.bad("address literal without its closing bracket");
    }
    String inside = text.substring(1, text.length() - 1);
    boolean tagged = inside.regionMatches(true, 0, IPV6_TAG, 0, IPV6_TAG.length());
    String written = tagged ? inside.substring(IPV6_TAG.length()) : inside;
    // RFC 5321 section 4.1.3: IPv6 is tagged, IPv4 is not.
    if (tagged != (written.indexOf(':') >= 0)) {
      return Parsed.bad("address literal with a wrong tag");
    }
    return IpAddress.parse(written).map(Host.Literal::new);
  }

  /**
   * The forms that are asked, most literal first and without repeats: as given, then without a
   * {@code prvs=...=} tag (BATV), then without a {@code +tag}.
   */
  public List<MailAddress> askedForms() {
    if (LocalPart.isUntagged(localPart)) {
      return List.of(this);
    }
    String content = LocalPart.content(localPart);
    SequencedSet<MailAddress> forms = new LinkedHashSet<>();
    forms.add(this);
    String untagged = LocalPart.withoutPrvs(content);
    forms.add(with(untagged));
    forms.add(with(LocalPart.withoutTag(untagged)));
    return List.copyOf(forms);
  }

  private MailAddress with(String content) {
    return new MailAddress(LocalPart.quotedIfNeeded(content), host);
  }

  /** The canonical form, in quotes where a star would make a pattern of it. */
  String unambiguous() {
    return localPart.indexOf('*') < 0 || localPart.startsWith("\"")
        ? toString()
        : '"' + localPart + '"' + "@" + host;
  }

  /** {@code local@domain} in its canonical form. */
  @Override
  public String toString() {
    return localPart + "@" + host;
  }
}

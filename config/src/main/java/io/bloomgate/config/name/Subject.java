package io.bloomgate.config.name;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The thing that an entry of a list is about: a host or a network, a domain, a mail address, a web
 * address, a fingerprint, a likeness, an AS number; of an operator's entry also a pattern. Entries
 * of feeds and of operator lists have one; any thread. Immutable; the text of a subject is its
 * canonical one.
 */
public sealed interface Subject
    permits IpPrefix,
        DomainName,
        NamePattern,
        MailAddress,
        WebUrl,
        Fingerprint,
        Likeness,
        AsNumber {

  /** The narrowness of a label: patterns are between two names. */
  int LABEL = 100;

  /** An address in brackets, perhaps with a name before and a port behind; IPv4 with a port. */
  Pattern LOGGED_ADDRESS =
      Pattern.compile(
          "^(?:[^@\\[\\]/]*\\[(?i:IPv6:)?([0-9A-Fa-f:.]+(?:/[0-9]+)?)\\](/[0-9]+)?(?::[0-9]+)?"
              + "|([0-9.]+):[0-9]+)$");

  /** True when an entry of this subject, a name with everything below it, covers the key. */
  default boolean covers(ListKey key) {
    return switch (this) {
      case IpPrefix network -> key instanceof IpAddress address && network.contains(address);
      case DomainName name -> key instanceof DomainName asked && name.covers(asked);
      case NamePattern pattern -> pattern.coversKey(key);
      case MailAddress address -> address.equals(key);
      case WebUrl url -> key instanceof WebUrl asked && asked.expressions().contains(url);
      case Fingerprint print -> print.equals(key);
      case Likeness likeness -> key instanceof Likeness asked && likeness.isAlike(asked);
      case AsNumber number -> number.equals(key);
    };
  }

  /**
   * Grows with how narrow the subject is among those that cover the same key: the bits of a
   * network, the labels of a name, what a pattern compares, the octets of a web address, and whole
   * things above all names; an AS number is wider than its networks.
   */
  default int narrowness() {
    return switch (this) {
      case AsNumber _ -> 0;
      case IpPrefix network -> network.length();
      case DomainName name -> LABEL * name.labels();
      case NamePattern pattern ->
          1
              + pattern.compared()
              + (pattern.isOfAddresses() ? MailAddress.PATTERNS : LABEL * pattern.labels());
      case MailAddress _, Fingerprint _, Likeness _ -> MailAddress.NARROWNESS;
      case WebUrl url -> MailAddress.NARROWNESS + url.octets().length;
    };
  }

  /**
   * The keys under which lists are asked about the subject, the most literal one first: of a
   * network its first address, of a mail address each form and its domain, of a pattern those of
   * one thing that it matches.
   */
  default List<ListKey> keys() {
    return switch (this) {
      case IpPrefix network -> List.of(network.network());
      case DomainName name -> List.of(name);
      case NamePattern pattern -> pattern.example().map(Subject::keys).orElse(List.of());
      case MailAddress address -> {
        List<ListKey> keys = new ArrayList<>(address.askedForms());
        if (address.host() instanceof MailAddress.Host.Name(DomainName domain)) {
          keys.add(domain);
        }
        yield keys;
      }
      case WebUrl url -> List.of(url);
      case Fingerprint print -> List.of(print);
      case Likeness likeness -> List.of(likeness);
      case AsNumber number -> List.of(number);
    };
  }

  /** A text that {@link #parseEntry} reads back as this subject: canonical, never ambiguous. */
  default String written() {
    return switch (this) {
      case WebUrl url -> "//" + url;
      case NamePattern pattern -> pattern.unambiguous();
      case MailAddress address -> address.unambiguous();
      case IpPrefix _, DomainName _, Fingerprint _, Likeness _, AsNumber _ -> toString();
    };
  }

  /**
   * Reads the subject of an operator's entry: what {@link #parse} reads, and patterns. A text with
   * a star is a pattern, but for a local part in quotes.
   */
  static Parsed<Subject> parseEntry(String text) {
    String bare = withoutBrackets(text);
    return NamePattern.isSpelled(bare) ? NamePattern.read(bare) : parse(text);
  }

  /**
   * Reads what a person types or copies from a log: IP address, CIDR, domain, mail address, web
   * address, SHA-256 value or likeness. The shape of the text decides which one it is.
   *
   * @return the subject, or the reason why the text is none
   */
  static Parsed<Subject> parse(String text) {
    String bare = withoutBrackets(text);
    Parsed<Subject> read = bare.startsWith("*@") ? Parsed.bad("pattern") : read(bare);
    if (read instanceof Parsed.Ok) {
      return read;
    }
    if (bare.startsWith("hxxp") || bare.contains("[.]")) {
      return Parsed.bad("made harmless with hxxp or [.]; write http and a dot instead");
    }
    Optional<DomainName> name = DomainName.parse(withoutPattern(bare)).toOptional();
    return name.isPresent()
        ? Parsed.bad(
            "write " + name.get() + ": it means the domain, its addresses and all names below it")
        : read;
  }

  /**
   * Logs and headers write {@code <a@b.example>}, {@code [192.0.2.1]}, {@code [IPv6:2001:db8::1]},
   * {@code name[192.0.2.1]} and {@code 192.0.2.1:25}.
   */
  private static String withoutBrackets(String text) {
    if (text.startsWith("<") && text.endsWith(">") && text.length() > 1) {
      return text.substring(1, text.length() - 1);
    }
    return LOGGED_ADDRESS.matcher(text).replaceFirst("$1$2$3");
  }

  /** Other mail software writes a domain with its addresses, or the names below it, in this way. */
  private static String withoutPattern(String text) {
    if (text.startsWith("*.") || text.startsWith("*@")) {
      return text.substring(2);
    }
    return text.startsWith(".") || text.startsWith("@") ? text.substring(1) : text;
  }

  private static Parsed<Subject> read(String text) {
    if (Likeness.isSpelled(text)) {
      return subject(Likeness.parse(text));
    }
    if (text.startsWith("//") || text.contains("://")) {
      return subject(WebUrl.parse(text));
    }
    if (text.indexOf('@') >= 0) {
      return subject(MailAddress.parse(text));
    }
    if (Fingerprint.isSpelled(text)) {
      return subject(Fingerprint.parse(text));
    }
    if (text.indexOf('/') > 0 && !startsLikeAddress(text)) {
      return subject(WebUrl.parse(text));
    }
    if (looksLikeNetwork(text)) {
      return subject(IpPrefix.parse(text));
    }
    return subject(DomainName.parse(text));
  }

  /**
   * True when an address is in front of the slash: a network has one there, a web address a name.
   */
  private static boolean startsLikeAddress(String text) {
    return looksLikeNetwork(text.substring(0, text.indexOf('/')));
  }

  /** No domain holds a colon or a slash, and none ends in a numeric label. */
  private static boolean looksLikeNetwork(String text) {
    if (text.indexOf(':') >= 0 || text.indexOf('/') >= 0) {
      return true;
    }
    int end = text.endsWith(".") ? text.length() - 1 : text.length();
    int label = text.lastIndexOf('.', end - 1) + 1;
    return label < end && text.substring(label, end).chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static <T extends Subject> Parsed<Subject> subject(Parsed<T> parsed) {
    return parsed.map(value -> value);
  }
}

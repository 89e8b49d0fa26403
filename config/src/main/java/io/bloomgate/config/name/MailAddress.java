package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

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

  /** RFC 5321 section 4.1.2, atext of RFC 5322 section 3.2.3, without letters and digits. */
  private static final String ATEXT_SIGNS = "!#$%&'*+-/=?^_`{|}~";

  private static final String PRVS = "prvs=";

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

  /** The same, or {@code null}, for those who need not know why a text is no address. */
  public static @Nullable MailAddress orNull(String text) {
    int at = text.lastIndexOf('@');
    String local = text.substring(0, Math.max(0, at));
    DomainName host = isShortAndPlain(local) ? DomainName.orNull(text.substring(at + 1)) : null;
    return host == null
        ? parse(text).toOptional().orElse(null)
        : new MailAddress(folded(local), new Host.Name(host));
  }

  /**
   * Reads what comes before the last at sign, and gives its canonical form: quotes and backslashes
   * only where a sign needs them, lower case, composed Unicode (RFC 6532 section 3.1).
   */
  public static Parsed<String> parseLocal(String written) {
    if (isShortAndPlain(written)) {
      return Parsed.ok(folded(written));
    }
    if (written.getBytes(UTF_8).length > MAX_LOCAL_OCTETS) {
      return Parsed.bad("local part too long");
    }
    if (written.isEmpty()) {
      return Parsed.bad("nothing before the at sign");
    }
    if (written.charAt(0) != '"') {
      return isPlain(written)
          ? Parsed.ok(folded(written))
          : Parsed.bad("character that needs quotes before the at sign");
    }
    Optional<String> content = unquoted(written);
    return content.isPresent()
        ? Parsed.ok(quotedIfNeeded(folded(content.get())))
        : Parsed.bad("broken quotes before the at sign");
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
    if (isUntagged(localPart)) {
      return List.of(this);
    }
    String content = content(localPart);
    SequencedSet<MailAddress> forms = new LinkedHashSet<>();
    forms.add(this);
    String untagged = withoutPrvs(content);
    forms.add(with(untagged));
    forms.add(with(withoutTag(untagged)));
    return List.copyOf(forms);
  }

  private MailAddress with(String content) {
    return new MailAddress(quotedIfNeeded(content), host);
  }

  /** Case has no meaning in lists; the wire keeps what the sender wrote. */
  private static String folded(String content) {
    String lower = content.toLowerCase(Locale.ROOT);
    boolean isAscii = lower.chars().allMatch(c -> c < 0x80);
    return isAscii ? lower : Normalizer.normalize(lower, Normalizer.Form.NFC);
  }

  /** The content of a canonical local part, without quotes. */
  public static String content(String canonical) {
    return canonical.startsWith("\"") ? unquoted(canonical).orElse(canonical) : canonical;
  }

  /** Writes content so that it can be read again: quoted only if a sign in it asks for it. */
  private static String quotedIfNeeded(String content) {
    if (!content.isEmpty() && isPlain(content)) {
      return content;
    }
    StringBuilder out = new StringBuilder(content.length() + 2).append('"');
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    return out.append('"').toString();
  }

  /** True for a canonical local part, as nearly all are, that has neither quotes nor a tag. */
  private static boolean isUntagged(String canonical) {
    return canonical.indexOf('"') < 0 && canonical.indexOf('+') < 0 && !canonical.startsWith(PRVS);
  }

  /** The content without {@code prvs=TAG=} (BATV, draft-levine-smtp-batv), if it has such a tag. */
  private static String withoutPrvs(String content) {
    int end = content.startsWith(PRVS) ? content.indexOf('=', PRVS.length()) : -1;
    return end > PRVS.length() && end + 1 < content.length() ? content.substring(end + 1) : content;
  }

  /** The content without {@code +tag} (RFC 5233), if another character is before the plus. */
  private static String withoutTag(String content) {
    int plus = content.indexOf('+');
    return plus > 0 ? content.substring(0, plus) : content;
  }

  private static boolean isShortAndPlain(String local) {
    return !local.isEmpty() && local.length() <= MAX_LOCAL_OCTETS / MOST_OCTETS && isPlain(local);
  }

  /**
   * Atext and dots. Dots are allowed anywhere: addresses with two in a row are against RFC 5321 and
   * in daily use, and a list that names one means it.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain =
          c >= 0xa0
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || ATEXT_SIGNS.indexOf(c) >= 0;
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** RFC 5321 section 4.1.2, Quoted-string; empty when the quotes do not fit. */
  private static Optional<String> unquoted(String written) {
    int last = written.length() - 1;
    if (last < 1 || written.charAt(last) != '"') {
      return Optional.empty();
    }
    StringBuilder out = new StringBuilder(last);
    for (int i = 1; i < last; i++) {
      char c = written.charAt(i);
      if (c == '\\') {
        if (++i == last) {
          return Optional.empty();
        }
        c = written.charAt(i);
      } else if (c == '"') {
        return Optional.empty();
      }
      if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
        return Optional.empty();
      }
      out.append(c);
    }
    return Optional.of(out.toString());
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

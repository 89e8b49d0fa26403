package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Names or mail addresses that an administrator writes with a star or a dot in front: {@code .top}
 * and {@code .dyn.example} (all names below), {@code dyn-*.pool.example}, {@code
 * news-*@shop.example}. Only entries of the operator have such a subject; feeds do not. Lists find
 * it by its {@link #octets suffix}, which is exact; then the text in front is compared ({@link
 * #matches}). Immutable; any thread.
 */
public final class NamePattern implements Subject {

  /** Characters in front of the suffix. */
  public static final int MAX_CHARACTERS = 63;

  /** Begins the written form of a pattern of addresses: a star is a letter of local parts too. */
  private static final String PREFIX = "pattern:";

  private static final String ALL = "*";
  private static final int ASCII = 128;

  private final String glob;
  private final byte[] suffix;
  private final boolean ofAddresses;

  /** The text between the stars; the first and the last part may be empty. */
  private final List<String> parts;

  /**
   * Makes a pattern.
   *
   * @param glob the text in front; a star stands for any characters, or none
   * @param suffix a name of one or more labels
   * @param ofAddresses true for local parts at the suffix, false for names below it
   */
  private NamePattern(String glob, String suffix, boolean ofAddresses) {
    this.glob = glob;
    this.suffix = suffix.getBytes(ISO_8859_1);
    this.ofAddresses = ofAddresses;
    this.parts = List.of(glob.split("[*]", -1));
  }

  /**
   * All names below one.
   *
   * @param suffix A-labels, one or more
   */
  public static NamePattern below(String suffix) {
    return new NamePattern(ALL, suffix, false);
  }

  /** True for a text that is meant as a pattern. A local part in quotes may hold a star. */
  static boolean isSpelled(String text) {
    return text.startsWith(PREFIX)
        || (text.startsWith(".") && text.length() > 1)
        || (text.indexOf('*') >= 0 && text.indexOf('"') < 0 && text.indexOf('/') < 0);
  }

  /** Reads a pattern; {@code *@shop.example} is the domain, and {@code *@*.shop.example} below. */
  static Parsed<Subject> read(String text) {
    String bare = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    String plain = bare.replaceAll("\\*+", ALL);
    int at = plain.lastIndexOf('@');
    if (at < 0) {
      return ofNames(plain);
    }
    String local = plain.substring(0, at);
    String host = plain.substring(at + 1);
    if (host.startsWith("*.") || host.startsWith(".")) {
      return local.equals(ALL)
          ? ofNames(host)
          : Parsed.bad("a pattern of mail addresses has one domain behind the at sign");
    }
    return DomainName.parse(host).then(domain -> ofAddresses(local, domain));
  }

  private static Parsed<Subject> ofAddresses(String local, DomainName domain) {
    if (local.equals(ALL)) {
      return new Parsed.Ok<>(
          domain, "is read as " + domain + ": the domain, its addresses and all names below it");
    }
    return MailAddress.parseLocal(local)
        .then(glob ->
            checked(glob).isPresent()
                ? Parsed.bad(checked(glob).get())
                : Parsed.ok(new NamePattern(glob, domain.toString(), true)));
  }

  private static Parsed<Subject> ofNames(String text) {
    int dot = text.startsWith(".") ? 0 : text.indexOf('.', text.lastIndexOf('*'));
    if (dot < 0) {
      return Parsed.bad("a pattern ends in a domain, as in news-*.shop.example");
    }
    String glob = dot == 0 ? ALL : text.substring(0, dot).toLowerCase(Locale.ROOT);
    String suffix = text.substring(dot + 1);
    Optional<String> problem = checked(glob);
    if (problem.isPresent() || !DomainName.isAllowed(glob.replace(ALL, ""))) {
      return Parsed.bad(problem.orElse("character that no domain name has"));
    }
    if (suffix.indexOf('.') >= 0 && suffix.indexOf('.') < suffix.length() - 1) {
      return DomainName.parse(suffix).map(name -> new NamePattern(glob, name.toString(), false));
    }
    if (!glob.equals(ALL)) {
      return Parsed.bad("a pattern has a domain of two labels behind its star");
    }
    // A name below it is read in its place: one label is no domain name.
    return DomainName.parse("x." + suffix).map(name -> below(name.toString().substring(2)));
  }

  private static Optional<String> checked(String glob) {
    if (glob.length() > MAX_CHARACTERS) {
      return Optional.of("more than " + MAX_CHARACTERS + " characters in front of the domain");
    }
    return glob.indexOf('*') < 0 || glob.chars().anyMatch(c -> c >= ASCII || c == '"')
        ? Optional.of("a pattern has a star and plain ASCII characters in front of the domain")
        : Optional.empty();
  }

  /** True for local parts at a domain, false for names below one. */
  public boolean isOfAddresses() {
    return ofAddresses;
  }

  /** True when more than the suffix is compared. */
  public boolean isChecked() {
    return !glob.equals(ALL);
  }

  /** The domain behind the star; empty for a top-level domain. */
  public Optional<DomainName> domain() {
    return DomainName.parse(suffix()).toOptional();
  }

  /** The octets of the suffix, for hashing; they must not be changed. */
  public byte[] octets() {
    return suffix;
  }

  private String suffix() {
    return new String(suffix, ISO_8859_1);
  }

  /** See {@link Subject#covers}. */
  boolean coversKey(ListKey key) {
    return switch (key) {
      case MailAddress(String local, MailAddress.Host.Name(DomainName name)) ->
          ofAddresses
              && Arrays.equals(name.octets(), suffix)
              && matches(MailAddress.content(local));
      case DomainName name -> !ofAddresses && coversName(name);
      case MailAddress _, IpAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> false;
    };
  }

  private boolean coversName(DomainName name) {
    int dot = name.length() - suffix.length - 1;
    return dot > 0
        && name.octetAt(dot) == '.'
        && Arrays.equals(name.octets(), dot + 1, name.length(), suffix, 0, suffix.length)
        && (!isChecked() || matches(new String(name.octets(), 0, dot, ISO_8859_1)));
  }

  /**
   * Compares the text in front of the suffix: each part between stars is looked for once, behind
   * the part before, so that no text is tried again and again.
   */
  boolean matches(String text) {
    int at = parts.getFirst().length();
    int end = text.length() - parts.getLast().length();
    if (at > end || !text.startsWith(parts.getFirst()) || !text.endsWith(parts.getLast())) {
      return false;
    }
    for (String part : parts.subList(1, parts.size() - 1)) {
      int found = text.indexOf(part, at, end);
      if (found < 0) {
        return false;
      }
      at = found + part.length();
    }
    return true;
  }

  /** A key that the pattern covers, to be asked in its place; empty for one that is too long. */
  public Optional<Subject> example() {
    String text = glob.replace(ALL, "x");
    return ofAddresses
        ? MailAddress.parse(text + "@" + suffix()).map(Subject.class::cast).toOptional()
        : DomainName.parse(text + "." + suffix()).map(Subject.class::cast).toOptional();
  }

  /** The characters that are compared: of two patterns the longer one is the narrower. */
  int compared() {
    return glob.length() + 1 - parts.size();
  }

  /** The labels of the suffix. */
  int labels() {
    return 1 + (int) suffix().chars().filter(c -> c == '.').count();
  }

  /** The form that no program takes for a mail address. */
  String unambiguous() {
    return ofAddresses ? PREFIX + this : toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern that
        && ofAddresses == that.ofAddresses
        && glob.equals(that.glob)
        && Arrays.equals(suffix, that.suffix);
  }

  @Override
  public int hashCode() {
    return 31 * glob.hashCode() + Arrays.hashCode(suffix);
  }

  /** The form that people write: {@code .dyn.example}, {@code news-*@shop.example}. */
  @Override
  public String toString() {
    return ofAddresses ? glob + "@" + suffix() : (isChecked() ? glob : "") + "." + suffix();
  }
}

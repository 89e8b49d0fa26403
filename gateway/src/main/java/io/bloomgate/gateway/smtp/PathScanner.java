package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one path by the grammar of RFC 5321 section 4.1.2, extended by RFC 6531 section 3.3. Used
 * by the parsers of MAIL and RCPT; made for one text and used once.
 *
 * <p>Forms that Postfix takes are taken too, because clients send them and mailboxes have them: no
 * brackets, or only the closing one; blanks around the address; dots at any place of the local
 * part; one dot behind the domain; an underscore in it. {@link #mailbox} has neither brackets nor
 * that dot, so that lists and the mail server get the same address in whatever form it came.
 */
final class PathScanner {

  /** RFC 5321 section 4.5.3.1.2. */
  static final int MAX_DOMAIN_OCTETS = 255;

  /**
   * Limit with angle brackets, RFC 5321 section 4.5.3.1.3. The 64 octets of section 4.5.3.1.1 are
   * no limit of ours: return paths that hold a whole recipient are longer every day, and section
   * 4.5.3.1 asks to take more than its sizes where that is possible.
   */
  static final int MAX_PATH_OCTETS = 256;

  private static final int BRACKETS_OCTETS = 2;
  private static final int MAX_LABEL_OCTETS = 63;
  private static final String IPV6_TAG = "IPv6:";
  private static final String ATEXT_MARKS = "!#$%&'*+-/=?^_`{|}~";

  private final String text;
  private int at;
  private @Nullable String problem;

  private int mailboxStart;
  private int mailboxEnd;
  private String localPart = "";
  private String domain = "";
  private boolean route;
  private boolean literal;
  private boolean international;

  /** The mailbox behind a keyword of MAIL or RCPT; {@code null} when none can be read. */
  static @Nullable String mailboxBehind(String keyword, String argument) {
    try {
      return behind(keyword, argument, "").mailbox();
    } catch (ArgumentException e) {
      return null;
    }
  }

  /**
   * The path behind a keyword with its colon, in any case.
   *
   * @param syntax begins the reply that says what is wrong
   */
  static PathScanner behind(String keyword, String argument, String syntax)
      throws ArgumentException {
    if (!argument.regionMatches(true, 0, keyword, 0, keyword.length())) {
      throw new ArgumentException(Replies.syntax(syntax + keyword + " is missing"));
    }
    PathScanner path = new PathScanner(argument, keyword.length());
    if (!path.scan()) {
      throw new ArgumentException(Replies.syntax(syntax + path.problem()));
    }
    return path;
  }

  private PathScanner(String text, int at) {
    this.text = text;
    this.at = at;
  }

  /** Reads the path; false when it is not well formed, see {@link #problem}. */
  private boolean scan() {
    skipBlanks();
    boolean brackets = false;
    while (take('<')) {
      brackets = true;
      skipBlanks();
    }
    boolean nullPath = brackets && peek() == '>';
    mailboxStart = at;
    mailboxEnd = at;
    if (!nullPath && !scanMailbox()) {
      return false;
    }
    if (brackets) {
      skipBlanks();
    }
    boolean ends = brackets ? peek() == '>' : peek() == 0 || peek() == '>' || isBlank();
    while (take('>')) {
      // Of several, Postfix strips all.
    }
    return ends || fail("unexpected character in the address");
  }

  /** The address behind a source route, if there is one. */
  private boolean scanMailbox() {
    int start = at;
    if (peek() == '@' && !scanRoute()) {
      return false;
    }
    mailboxStart = at;
    if (!scanLocalPart() || (take('@') && !scanHost())) {
      return false;
    }
    return octets(start, mailboxEnd) + BRACKETS_OCTETS <= MAX_PATH_OCTETS
        || fail("the path is longer than " + MAX_PATH_OCTETS + " octets");
  }

  /** Names the problem; a phrase without any of the text. */
  private String problem() {
    return problem == null ? "malformed address" : problem;
  }

  /**
   * The parameters behind the path ({@code Mail-parameters} and {@code Rcpt-parameters} of RFC 5321
   * section 4.1.2): keywords in upper case with their values, an empty value for none. The last
   * counts of those that are there twice. A value may hold what RFC 5321 forbids there, such as an
   * equals sign, or blanks between quotes: what reads the value decides about it.
   */
  Map<String, String> parameters() throws ArgumentException {
    if (at == text.length()) {
      return Map.of();
    }
    if (!isBlank()) {
      throw badParameters("a space must be between address and parameters");
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (skipBlanks(); at < text.length(); skipBlanks()) {
      int start = at;
      at = endOfWord(text, start);
      String word = text.substring(start, at);
      int equals = word.indexOf('=');
      String keyword = equals < 0 ? word : word.substring(0, equals);
      if (!isKeyword(keyword)) {
        throw badParameters("malformed parameter keyword");
      }
      found.put(keyword.toUpperCase(Locale.ROOT), equals < 0 ? "" : word.substring(equals + 1));
    }
    return found;
  }

  private static ArgumentException badParameters(String problem) {
    return new ArgumentException(Replies.syntax("Syntax of parameters: " + problem));
  }

  /** Index of the first blank outside quotes. */
  private static int endOfWord(String text, int from) {
    boolean quoted = false;
    int at = from;
    while (at < text.length() && (quoted || !CommandInput.Line.isBlank(text.charAt(at)))) {
      quoted ^= text.charAt(at) == '"';
      at++;
    }
    return at;
  }

  private static boolean isKeyword(String keyword) {
    if (keyword.isEmpty() || keyword.charAt(0) == '-') {
      return false;
    }
    for (int i = 0; i < keyword.length(); i++) {
      char c = keyword.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** The mailbox without route and brackets; empty for {@code <>}. */
  String mailbox() {
    return text.substring(mailboxStart, mailboxEnd);
  }

  /** Returns the domain as written; empty when the address ends with its local part. */
  String domain() {
    return domain;
  }

  /** True for an obsolete source route before the mailbox, RFC 5321 appendix C. */
  boolean hasRoute() {
    return route;
  }

  /** True for an address literal instead of a domain. */
  boolean isLiteral() {
    return literal;
  }

  /** True when a character is not ASCII. */
  boolean isInternational() {
    return international;
  }

  /** The local part's value in lower case, without quotes. */
  String plainLocalPart() {
    return MailAddress.content(localPart).toLowerCase(Locale.ROOT);
  }

  private boolean scanRoute() {
    route = true;
    do {
      if (!take('@') || !scanDomain()) {
        return fail("malformed source route");
      }
    } while (take(','));
    domain = "";
    return take(':') || fail("malformed source route");
  }

  private boolean scanLocalPart() {
    int start = at;
    boolean formed = peek() == '"' ? scanQuoted() : scanDotString();
    if (!formed) {
      return false;
    }
    localPart = text.substring(start, at);
    mailboxEnd = at;
    return true;
  }

  private boolean scanDotString() {
    int start = at;
    while (isAtext(peek()) || peek() == '.') {
      at++;
    }
    return at > start || fail("malformed local part");
  }

  private boolean scanQuoted() {
    at++;
    while (true) {
      char c = peek();
      if (c == '"') {
        at++;
        return true;
      }
      if (c == '\\') {
        at++;
        c = peek();
      }
      if (c < ' ' || c == 0x7f) {
        return fail("malformed quoted local part");
      }
      note(c);
      at++;
    }
  }

  private boolean scanHost() {
    if (peek() == '[') {
      return scanLiteral();
    }
    return scanDomain();
  }

  private boolean scanLiteral() {
    int close = text.indexOf(']', at);
    if (close < 0) {
      return fail("malformed address literal");
    }
    domain = text.substring(at, close + 1);
    literal = true;
    at = close + 1;
    mailboxEnd = at;
    return isLiteral(domain) || fail("malformed address literal");
  }

  private boolean scanDomain() {
    int start = at;
    do {
      int label = at;
      while (isLabelCharacter(peek())) {
        at++;
      }
      if (at == label || text.charAt(label) == '-' || text.charAt(at - 1) == '-') {
        return fail("malformed domain");
      }
      if (octets(label, at) > MAX_LABEL_OCTETS) {
        return fail("a label of the domain is longer than " + MAX_LABEL_OCTETS + " octets");
      }
    } while (isLabelCharacter(peekBehind('.')) && take('.'));
    domain = text.substring(start, at);
    mailboxEnd = at;
    take('.');
    return octets(start, mailboxEnd) <= MAX_DOMAIN_OCTETS
        || fail("the domain is longer than " + MAX_DOMAIN_OCTETS + " octets");
  }

  private boolean isAtext(char c) {
    return isLetterOrDigit(c) || (c < 0x80 && ATEXT_MARKS.indexOf(c) >= 0);
  }

  private boolean isLabelCharacter(char c) {
    return isLetterOrDigit(c) || c == '-' || c == '_';
  }

  /** Letters and digits of ASCII, and everything beyond it (RFC 6531 section 3.3). */
  private boolean isLetterOrDigit(char c) {
    note(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;
  }

  private void note(char c) {
    international |= c >= 0x80;
  }

  private int octets(int from, int to) {
    return international
        ? text.substring(from, to).getBytes(StandardCharsets.UTF_8).length
        : to - from;
  }

  /** The next character; NUL, which no path may hold, at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  /** The character behind this one; NUL when another one is here. */
  private char peekBehind(char here) {
    return peek() == here && at + 1 < text.length() ? text.charAt(at + 1) : 0;
  }

  private boolean isBlank() {
    return CommandInput.Line.isBlank(peek());
  }

  private void skipBlanks() {
    while (isBlank()) {
      at++;
    }
  }

  private boolean take(char expected) {
    if (peek() != expected) {
      return false;
    }
    at++;
    return true;
  }

  private boolean fail(String what) {
    if (problem == null) {
      problem = what;
    }
    return false;
  }

  /** An address literal of RFC 5321 section 4.1.3, with its brackets. */
  private static boolean isLiteral(String bracketed) {
    String inside = bracketed.substring(1, bracketed.length() - 1);
    boolean six = inside.regionMatches(true, 0, IPV6_TAG, 0, IPV6_TAG.length());
    String address = six ? inside.substring(IPV6_TAG.length()) : inside;
    return six == (address.indexOf(':') >= 0) && IpAddress.parse(address).toOptional().isPresent();
  }
}

package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entry that an operator asks to put on a list, before it has an id, an author and a time. Made
 * by the control server from a command and by {@link OperatorText} from a line. Immutable.
 *
 * <p>The reason is made one line of at most {@link #MAX_REASON_CHARACTERS}; the expiry is cut to
 * whole seconds, so that what is written to a file is read back as the same entry.
 *
 * @param from for names: holds only for clients inside this network
 * @param scope the checks to act on; empty for those that the subject's kind implies
 * @param anyScope pardons everything on the name alone
 * @param expires {@code null} for no end
 * @param unused moves the end: each use puts it off to that time later; {@code null} where it stays
 */
public record NewEntry(
    ListKind list,
    Subject subject,
    @Nullable IpPrefix from,
    Set<Check> scope,
    boolean anyScope,
    String reason,
    @Nullable Instant expires,
    @Nullable Duration unused) {

  /** Longest reason that is kept, in characters; the rest is cut. */
  public static final int MAX_REASON_CHARACTERS = 500;

  public NewEntry {
    scope = Set.copyOf(scope);
    reason = oneLine(reason);
    expires = expires == null ? null : expires.truncatedTo(ChronoUnit.SECONDS);
  }

  /** An entry whose end stays, if it has any. */
  public NewEntry(
      ListKind list,
      Subject subject,
      @Nullable IpPrefix from,
      Set<Check> scope,
      boolean anyScope,
      String reason,
      @Nullable Instant expires) {
    this(list, subject, from, scope, anyScope, reason, expires, null);
  }

  /** An entry without conditions and without an end. */
  public static NewEntry of(ListKind list, Subject subject, String reason) {
    return new NewEntry(list, subject, null, Set.of(), false, reason, null);
  }

  /** The same with another reason and expiry; an end that is another one stays. */
  public NewEntry with(String newReason, @Nullable Instant newExpires) {
    Duration moving = newExpires != null && newExpires.equals(expires) ? unused : null;
    return new NewEntry(list, subject, from, scope, anyScope, newReason, newExpires, moving);
  }

  /** The same with an end that each use puts off; the first is that time from now on. */
  public NewEntry endingUnused(Duration after, Instant now) {
    return new NewEntry(list, subject, from, scope, anyScope, reason, now.plus(after), after);
  }

  /** The same, where nothing tells when it was of use. */
  NewEntry withoutUse() {
    return new NewEntry(list, subject, from, scope, anyScope, reason, expires);
  }

  /**
   * Returns a text that is equal for what is one entry, on all nodes of a fleet: adding the same
   * again changes reason and expiry.
   */
  String identity() {
    return list.key() + " " + OperatorText.format(with("", null));
  }

  /** This wish as an entry. */
  public OperatorEntry entry(String id, String author, Instant created) {
    return new OperatorEntry(id, this, author, created, null);
  }

  static String oneLine(String text) {
    if (text.length() <= MAX_REASON_CHARACTERS && isPlain(text)) {
      return text.strip();
    }
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .map(c -> breaksLine(c) ? ' ' : c)
        .limit(MAX_REASON_CHARACTERS)
        .forEach(line::appendCodePoint);
    return line.toString().strip();
  }

  /** True for printable ASCII, which nearly all reasons are: millions of them are read. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static boolean breaksLine(int character) {
    int type = Character.getType(character);
    return Character.isISOControl(character)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}

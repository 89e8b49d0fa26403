package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
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
 */
public record NewEntry(
    ListKind list,
    Subject subject,
    @Nullable IpPrefix from,
    Set<Check> scope,
    boolean anyScope,
    String reason,
    @Nullable Instant expires) {

  /** Longest reason that is kept, in characters; the rest is cut. */
  public static final int MAX_REASON_CHARACTERS = 500;

  public NewEntry {
    scope = Set.copyOf(scope);
    reason = oneLine(reason);
    expires = expires == null ? null : expires.truncatedTo(ChronoUnit.SECONDS);
  }

  /** An entry without conditions and without an end. */
  public static NewEntry of(ListKind list, Subject subject, String reason) {
    return new NewEntry(list, subject, null, Set.of(), false, reason, null);
  }

  /** Returns the content of a stored entry, without its id, author and time. */
  public static NewEntry of(OperatorEntry entry) {
    return new NewEntry(
        entry.list(),
        entry.subject(),
        entry.from(),
        entry.scope(),
        entry.anyScope(),
        entry.reason(),
        entry.expires());
  }

  /** The same with another reason and expiry. */
  public NewEntry with(String newReason, @Nullable Instant newExpires) {
    return new NewEntry(list, subject, from, scope, anyScope, newReason, newExpires);
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
    return new OperatorEntry(
        id, list, subject, from, scope, anyScope, reason, author, created, expires);
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

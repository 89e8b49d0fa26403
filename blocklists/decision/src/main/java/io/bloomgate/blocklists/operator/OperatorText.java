package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Moments;
import io.bloomgate.config.notation.Quantities;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The one text form of operator entries, in list files, import and export: a line each, {@code
 * SUBJECT [from=CIDR] [expires=2026-12-01] [unused=45d] [scope=helo] [force=yes] # reason}. What
 * {@link #format} writes, {@link #parse} reads back as the same entry. Pure, for any thread.
 */
public final class OperatorText {

  /** Longest line that is read, in characters: a web address and what is said of it. */
  public static final int MAX_LINE_CHARACTERS = 8_192;

  static final String ANY_SCOPE = "any";

  private static final Set<String> ATTRIBUTES =
      Set.of("from", "expires", "unused", "scope", "force");

  private OperatorText() {}

  /**
   * One line that says something.
   *
   * @param forced the line says {@code force=yes}: rules that {@code --force} lifts are lifted
   * @param warning what was fixed on the way, {@code null} when nothing was
   */
  public record Line(NewEntry entry, boolean forced, @Nullable String warning) {}

  /** Reads a line; empty for a blank line and for a comment. */
  public static Parsed<Optional<Line>> parse(ListKind list, String line) {
    if (line.length() > MAX_LINE_CHARACTERS) {
      return Parsed.bad("line longer than " + MAX_LINE_CHARACTERS + " characters");
    }
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return Parsed.ok(Optional.empty());
    }
    int end = endOfSubject(text);
    return switch (Subject.parseEntry(text.substring(0, end))) {
      case Parsed.Bad<Subject>(String reason) ->
          Parsed.bad(hasWordBehind(text, end) ? "text with blanks is no subject" : reason);
      case Parsed.Ok<Subject> subject -> attributes(list, subject, text.substring(end));
    };
  }

  /** The line for an entry that is not stored yet; ends without a line break. */
  public static String format(NewEntry entry) {
    return format(entry.entry("", "", Instant.EPOCH));
  }

  /** The line for an entry; ends without a line break. */
  public static String format(OperatorEntry entry) {
    return format(entry, false);
  }

  /**
   * The same.
   *
   * @param forced the line says {@code force=yes}, because it would not be taken back without
   */
  public static String format(OperatorEntry entry, boolean forced) {
    StringBuilder line = new StringBuilder(entry.subject().written());
    if (entry.from() != null) {
      line.append(" from=").append(entry.from());
    }
    if (entry.expires() != null) {
      line.append(" expires=").append(entry.expires());
    }
    if (entry.unused() != null) {
      line.append(" unused=").append(Quantities.text(entry.unused()));
    }
    if (entry.anyScope()) {
      line.append(" scope=").append(ANY_SCOPE);
    } else if (!entry.scope().isEmpty()) {
      line.append(" scope=").append(scopeWord(entry.scope()));
    }
    if (forced) {
      line.append(" force=yes");
    }
    return entry.reason().isEmpty() ? line.toString() : line + " # " + entry.reason();
  }

  /** {@code 1 entry}, {@code 2 entries}: for messages. */
  static String entries(long count) {
    return count == 1 ? "1 entry" : count + " entries";
  }

  /** {@code 1 line}, {@code 2 lines}: for messages. */
  static String lines(long count) {
    return count == 1 ? "1 line" : count + " lines";
  }

  /** The checks of a scope as a list of words, in the order of the checks. */
  static String scopeWord(Set<Check> scope) {
    return Arrays.stream(Check.values())
        .filter(scope::contains)
        .map(Check::key)
        .collect(Collectors.joining(","));
  }

  private static String checks() {
    return Check.OF_OPERATOR.stream().map(Check::key).collect(Collectors.joining(", "));
  }

  /** The checks of a list of words; empty when one of them is no check. */
  static Optional<Set<Check>> scope(String words) {
    Set<Check> scope = EnumSet.noneOf(Check.class);
    for (String word : words.split(",", -1)) {
      Optional<Check> found =
          Check.OF_OPERATOR.stream().filter(check -> check.key().equals(word)).findFirst();
      if (found.isEmpty()) {
        return Optional.empty();
      }
      scope.add(found.get());
    }
    return Optional.of(scope);
  }

  /**
   * A quoted local part (RFC 5321 section 4.1.2) may hold spaces and number signs; in a web address
   * a quote is a character like others.
   */
  private static int endOfSubject(String text) {
    boolean quotes = !text.startsWith("//");
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && quoted) {
        i++;
      } else if (c == '"' && quotes) {
        quoted = !quoted;
      } else if (!quoted && Character.isWhitespace(c)) {
        return i;
      }
    }
    return text.length();
  }

  /** True for a text of several words, which no attributes and no reason follow. */
  private static boolean hasWordBehind(String text, int end) {
    String rest = text.substring(end).strip();
    return !rest.isEmpty() && rest.indexOf('#') != 0 && rest.split("\\s", 2)[0].indexOf('=') < 0;
  }

  private static Parsed<Optional<Line>> attributes(
      ListKind list, Parsed.Ok<Subject> subject, String rest) {
    int reasonAt = rest.indexOf('#');
    String words = (reasonAt < 0 ? rest : rest.substring(0, reasonAt)).strip();
    Map<String, String> said = new HashMap<>();
    for (String word : words.isEmpty() ? List.<String>of() : List.of(words.split("\\s+", -1))) {
      String[] pair = word.split("=", 2);
      if (pair.length < 2 || !ATTRIBUTES.contains(pair[0])) {
        return Parsed.bad(
            "after the subject only from=, expires=, unused=, scope=, force=yes and # with the"
                + " reason are allowed");
      }
      if (said.put(pair[0], pair[1]) != null) {
        return Parsed.bad("attribute " + pair[0] + "= given twice");
      }
    }
    String reason = reasonAt < 0 ? "" : rest.substring(reasonAt + 1);
    return line(list, subject, said, reason);
  }

  private static Parsed<Optional<Line>> line(
      ListKind list, Parsed.Ok<Subject> subject, Map<String, String> said, String reason) {
    String warning = subject.warning();
    IpPrefix from = null;
    String network = said.get("from");
    switch (network == null ? null : IpPrefix.parse(network)) {
      case null -> {}
      case Parsed.Bad<IpPrefix>(String problem) -> {
        return Parsed.bad("from=: " + problem);
      }
      case Parsed.Ok<IpPrefix>(IpPrefix prefix, String fixed) -> {
        from = prefix;
        warning = fixed == null ? warning : fixed;
      }
    }
    String checks = said.getOrDefault("scope", ANY_SCOPE);
    Optional<Set<Check>> scope = checks.equals(ANY_SCOPE) ? Optional.of(Set.of()) : scope(checks);
    if (scope.isEmpty()) {
      return Parsed.bad("scope= wants " + checks() + " or any");
    }
    if (!said.getOrDefault("force", "yes").equals("yes")) {
      return Parsed.bad("force= wants yes");
    }
    try {
      String end = said.get("expires");
      String unused = said.get("unused");
      NewEntry entry =
          new NewEntry(
              list,
              subject.value(),
              from,
              scope.get(),
              ANY_SCOPE.equals(said.get("scope")),
              reason,
              end == null ? null : Moments.exact(end),
              unused == null ? null : Quantities.span(unused));
      return Parsed.ok(Optional.of(new Line(entry, said.containsKey("force"), warning)));
    } catch (DateTimeException e) {
      return Parsed.bad("expires= wants 2026-12-01 or 2026-12-01T12:00:00Z");
    } catch (BadValueException e) {
      return Parsed.bad("unused= wants a duration, as 45d");
    }
  }
}

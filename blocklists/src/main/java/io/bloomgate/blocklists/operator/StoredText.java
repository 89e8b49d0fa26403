package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Check;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns of an entry's row as text, and back. Pure. */
final class StoredText {

  private static final String ANY_SCOPE = "any";

  private StoredText() {}

  /** The id that people see: {@code a} or {@code b} and the row's number, never given twice. */
  static String id(ListKind list, long seq) {
    return Words.of(list).charAt(0) + Long.toString(seq);
  }

  /** The row's number of an id that {@link #id} made. */
  static long seq(String id) {
    return Long.parseLong(id, 1, id.length(), 10);
  }

  /** The scope column. */
  static String scope(Set<Check> scope, boolean anyScope) {
    return anyScope ? ANY_SCOPE : OperatorText.scopeWord(scope);
  }

  /** The entry of a row; empty when a column holds what this program never writes. */
  static Optional<NewEntry> read(
      ListKind list,
      String subject,
      String from,
      String scope,
      String reason,
      @Nullable Instant expires) {
    Optional<Subject> about = SubjectText.parse(subject).toOptional();
    IpPrefix network = null;
    if (!from.isEmpty()) {
      if (!(IpPrefix.parse(from) instanceof Parsed.Ok<IpPrefix>(IpPrefix prefix, var ignored))) {
        return Optional.empty();
      }
      network = prefix;
    }
    boolean anyScope = scope.equals(ANY_SCOPE);
    Set<Check> checks = EnumSet.noneOf(Check.class);
    if (!anyScope && !scope.isEmpty()) {
      for (String word : scope.split(",", -1)) {
        Check check = OperatorText.check(word);
        if (check == null) {
          return Optional.empty();
        }
        checks.add(check);
      }
    }
    if (about.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new NewEntry(list, about.get(), network, checks, anyScope, reason, expires));
  }
}

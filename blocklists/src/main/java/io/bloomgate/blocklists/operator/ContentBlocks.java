package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the checks of contents that the stored block entries need. An allow entry needs none: what
 * nobody asks for need not be pardoned. Of a list of any length only one row of each kind and scope
 * is looked at, by an index that holds nothing else. Used by {@link StoredView} after a change.
 */
final class ContentBlocks {

  /** Kinds and scopes that are looked at; more are no entries of this program. */
  private static final int MOST_GROUPS = 10_000;

  /** The kind of a row, from its columns: 0 for one that is about the envelope alone. */
  private static final String KIND =
      "CASE WHEN scope <> '' THEN 1 WHEN substr(subject, 1, 2) = '//' THEN 2"
          + " WHEN substr(subject, 1, 5) = 'like:' THEN 3"
          + " WHEN length(subject) = 64 AND subject NOT GLOB '*[^0-9a-f]*' THEN 4 ELSE 0 END";

  private static final String OF_CONTENT = "list = 1 AND " + KIND + " <> 0";

  private static final String FROM_INDEX = " FROM entry INDEXED BY entry_content WHERE ";

  private ContentBlocks() {}

  /**
   * Rows of one kind and scope.
   *
   * @param until when the last of them ends, {@code null} for never
   */
  record Group(Set<Check> checks, @Nullable Instant until) {
    Group {
      checks = Set.copyOf(checks);
    }
  }

  /** Makes the index in a database of any release, within the running transaction. */
  static void makeIndex(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE INDEX IF NOT EXISTS entry_content ON entry ("
              + KIND
              + ", scope, expires_ms) WHERE "
              + OF_CONTENT);
    }
  }

  /** All groups. */
  static List<Group> read(Statements statements) throws SQLException {
    List<Group> groups = new ArrayList<>();
    int kind = 0;
    String scope = "";
    for (int i = 0; i < MOST_GROUPS; i++) {
      PreparedStatement next =
          statements.of(
              "SELECT "
                  + KIND
                  + ", scope"
                  + FROM_INDEX
                  + OF_CONTENT
                  + " AND ("
                  + KIND
                  + ", scope) > (?, ?) ORDER BY 1, 2 LIMIT 1");
      next.setInt(1, kind);
      next.setString(2, scope);
      try (ResultSet row = next.executeQuery()) {
        if (!row.next()) {
          return groups;
        }
        kind = row.getInt(1);
        scope = String.valueOf(row.getString(2));
      }
      Set<Check> checks = checks(kind, scope);
      if (!checks.isEmpty()) {
        groups.add(new Group(checks, until(statements, kind, scope)));
      }
    }
    return groups;
  }

  /** The last end of a group; {@code null}, which sorts first, is no end. */
  private static @Nullable Instant until(Statements statements, int kind, String scope)
      throws SQLException {
    Instant last = null;
    for (String order : List.of("", " DESC")) {
      PreparedStatement ends =
          statements.of(
              "SELECT expires_ms"
                  + FROM_INDEX
                  + OF_CONTENT
                  + " AND "
                  + KIND
                  + " = ? AND scope = ? ORDER BY expires_ms"
                  + order
                  + " LIMIT 1");
      ends.setInt(1, kind);
      ends.setString(2, scope);
      try (ResultSet row = ends.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        long end = row.getLong(1);
        if (row.wasNull()) {
          return null;
        }
        last = Instant.ofEpochMilli(end);
      }
    }
    return last;
  }

  private static Set<Check> checks(int kind, String scope) {
    Set<Check> checks = EnumSet.noneOf(Check.class);
    switch (kind) {
      case 2 -> checks.add(Check.URL);
      case 3 -> checks.add(Check.BODY);
      case 4 -> checks.addAll(OF_PRINTS);
      default -> {
        for (String word : scope.split(",", -1)) {
          Check check = OperatorText.check(word);
          if (check != null && Check.OF_CONTENT.contains(check)) {
            checks.add(check);
          }
        }
      }
    }
    return checks;
  }

  private static final Set<Check> OF_PRINTS = Set.of(Check.ATTACHMENT, Check.SUBJECT, Check.BODY);

  /** The checks of contents that an entry in memory needs. */
  static Set<Check> of(OperatorEntry entry) {
    if (entry.list() != ListKind.BLOCK) {
      return Set.of();
    }
    if (entry.scope().isEmpty()) {
      return natural(entry.subject());
    }
    Set<Check> checks = EnumSet.copyOf(entry.scope());
    checks.retainAll(Check.OF_CONTENT);
    return checks;
  }

  private static Set<Check> natural(Subject subject) {
    return switch (subject) {
      case IpPrefix _, DomainName _, MailAddress _ -> Set.of();
      case WebUrl _ -> Set.of(Check.URL);
      case Fingerprint _ -> OF_PRINTS;
      case Likeness _ -> Set.of(Check.BODY);
    };
  }

  /** Returns the checks that the groups need at this time. */
  static Set<Check> live(List<Group> groups, Instant now) {
    Set<Check> checks = EnumSet.noneOf(Check.class);
    for (Group group : groups) {
      Instant until = group.until();
      if (until == null || now.isBefore(until)) {
        checks.addAll(group.checks());
      }
    }
    return checks;
  }
}

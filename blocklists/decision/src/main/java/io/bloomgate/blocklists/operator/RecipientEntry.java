package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.Moments;
import io.bloomgate.config.settings.RecipientProfile;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry by command that gives recipients a profile of the settings. Immutable; read by decisions
 * on any thread. It has one text form, in commands, exports, imports, the audit and the fleet:
 * {@code RECIPIENT PROFILE [expires=2026-12-01] # reason}.
 *
 * @param id {@code r} and a number that is never given twice
 * @param subject as the settings have it in {@code recipients}: an address, {@code info@}, a
 *     domain, or a domain with a dot in front
 * @param profile the settings may have no such profile, or no longer
 * @param author Unix user of the command
 * @param expires {@code null} for no end
 */
public record RecipientEntry(
    String id,
    String subject,
    String profile,
    String reason,
    String author,
    Instant created,
    @Nullable Instant expires) {

  /** Begins the {@link #identity} of each; nodes of a fleet tell kinds of entries apart by it. */
  static final String KIND = "recipient ";

  private static final Pattern LINE =
      Pattern.compile("([^#\\s]\\S*)\\s+([a-z0-9._-]{1,64})(?:\\s+expires=(\\S+))?(?:\\s+#(.*))?");

  /**
   * An entry that a command asks for.
   *
   * @param forEver an entry that is there loses its end
   */
  public record Wish(
      String subject, String profile, String reason, @Nullable Instant expires, boolean forEver) {
    public Wish {
      reason = NewEntry.oneLine(reason);
      expires = expires == null ? null : expires.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * This wish as an entry. With the same profile as before it keeps a reason and an end that it
     * does not name.
     *
     * @param before the entry of the subject, {@code null} for none
     */
    RecipientEntry over(@Nullable RecipientEntry before, String author, Instant now) {
      RecipientEntry same =
          before == null || before.expiredAt(now) || !before.profile.equals(profile)
              ? null
              : before;
      return new RecipientEntry(
          before == null ? "" : before.id,
          subject,
          profile,
          same != null && reason.isEmpty() ? same.reason : reason,
          author,
          now,
          same != null && expires == null && !forEver ? same.expires : expires);
    }
  }

  /** Reads a line; empty for a blank line and for a comment. */
  public static Parsed<Optional<Wish>> parse(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return Parsed.ok(Optional.empty());
    }
    Matcher words = LINE.matcher(text);
    if (text.length() > OperatorText.MAX_LINE_CHARACTERS || !words.matches()) {
      return Parsed.bad("not of the form RECIPIENT PROFILE [expires=2026-12-01] # reason");
    }
    @Nullable String end = words.group(3);
    boolean never = Moments.NEVER.equals(end);
    try {
      @Nullable Instant expires = end == null || never ? null : Moments.exact(end);
      String reason = Optional.ofNullable(words.group(4)).orElse("");
      return RecipientProfile.entry(words.group(1))
          .map(entry -> Optional.of(new Wish(entry, words.group(2), reason, expires, never)));
    } catch (DateTimeException e) {
      return Parsed.bad("expires= wants 2026-12-01 or 2026-12-01T12:00:00Z");
    }
  }

  /**
   * A line of these words.
   *
   * @param expires an {@link Instant}, {@link Moments#NEVER}, or empty
   */
  public static String line(String subject, String profile, String expires, String reason) {
    return subject
        + " "
        + profile
        + (expires.isEmpty() ? "" : " expires=" + expires)
        + (reason.isEmpty() ? "" : " # " + NewEntry.oneLine(reason));
  }

  /** The line for this entry; ends without a line break. */
  public String text() {
    return line(subject, profile, expires == null ? "" : expires.toString(), reason);
  }

  /** True when the entry no longer counts at this time. */
  public boolean expiredAt(Instant now) {
    return expires != null && !now.isBefore(expires);
  }

  /** True when both say the same, by any author at any time. */
  boolean saysWhat(RecipientEntry other) {
    return text().equals(other.text());
  }

  /** Returns a text that is equal for what is one entry, on all nodes of a fleet. */
  String identity() {
    return KIND + subject;
  }

  /** All entries by subject: they are few, and are read whole when the store is opened. */
  static Map<String, RecipientEntry> all(Statements sql) throws SQLException {
    Map<String, RecipientEntry> entries = new HashMap<>();
    sql.forEach(
        "SELECT seq, subject, profile, reason, author, created_ms, expires_ms FROM recipient",
        row ->
            entries.put(
                Statements.text(row, 2),
                new RecipientEntry(
                    "r" + row.getLong(1),
                    Statements.text(row, 2),
                    Statements.text(row, 3),
                    Statements.text(row, 4),
                    Statements.text(row, 5),
                    Instant.ofEpochMilli(row.getLong(6)),
                    StoredRow.instant(row, 7))));
    return entries;
  }

  /** Keeps it in place of that of its subject; answers with it as it is stored. */
  RecipientEntry store(Statements sql) throws SQLException {
    long seq =
        sql.number(
            "INSERT INTO recipient (subject, profile, reason, author, created_ms, expires_ms)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET"
                + " profile = excluded.profile, reason = excluded.reason,"
                + " author = excluded.author, created_ms = excluded.created_ms,"
                + " expires_ms = excluded.expires_ms RETURNING seq",
            subject,
            profile,
            reason,
            author,
            created.toEpochMilli(),
            expires == null ? null : expires.toEpochMilli());
    return new RecipientEntry("r" + seq, subject, profile, reason, author, created, expires);
  }
}

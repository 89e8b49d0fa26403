package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.SessionJson.Rest;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session as the columns of a row, both ways. Used by {@link DayWriter} and {@link DayReader} on
 * their threads; pure.
 */
final class DayRow {

  /** Columns in the order in which {@link #put} writes and {@link #session} reads them. */
  static final String COLUMNS =
      "at, client, helo, sender, from_domain, to_domains, recipients, protocol, front, size, ms,"
          + " times, id, stage, mode, outcome, recipient, verdict, generation, reply, lists,"
          + " connection, more";

  /** The same without texts that no decision asks for: to read a text costs more than a number. */
  static final String OF_DECISION =
      COLUMNS
          .replace("to_domains", "NULL")
          .replace("protocol, front", "NULL, NULL")
          .replace("reply", "NULL")
          .replace("connection", "NULL");

  /** Number of columns. */
  static final int WIDTH = COLUMNS.split(",", -1).length;

  private static final Map<String, Stage> STAGES = words(Stage.values(), Stage::key);
  private static final Map<String, Mode> MODES = words(Mode.values(), Mode::key);
  private static final Map<String, Outcome> OUTCOMES = words(Outcome.values(), Outcome::key);

  private DayRow() {}

  private static <E> Map<String, E> words(E[] values, Function<E, String> word) {
    return Stream.of(values).collect(Collectors.toUnmodifiableMap(word, Function.identity()));
  }

  /** Puts the columns of a session into a statement, the first one as parameter 1. */
  static void put(PreparedStatement row, Evidence session) throws SQLException {
    Evidence.Decision decision = session.decision();
    int at = 1;
    row.setLong(at++, session.at().toEpochMilli());
    row.setBytes(at++, octets(session.client()));
    row.setString(at++, SessionText.bounded(session.helo()));
    row.setString(at++, session.from() == null ? null : SessionText.bounded(session.from()));
    row.setString(at++, SessionText.bounded(session.senderDomain()));
    row.setString(at++, domains(session.domains()));
    row.setInt(at++, session.recipients());
    row.setString(at++, session.protocol());
    row.setString(at++, session.front());
    row.setLong(at++, session.sizeOctets());
    row.setLong(at++, session.took().toMillis());
    row.setInt(at++, session.times());
    row.setString(at++, decision.id().isEmpty() ? null : decision.id());
    row.setString(at++, decision.stage().key());
    row.setString(at++, decision.mode().key());
    row.setString(at++, decision.outcome().key());
    row.setString(at++, SessionText.bounded(decision.to()));
    row.setString(at++, decision.verdict());
    row.setLong(at++, decision.generation());
    row.setString(
        at++,
        SessionText.bounded(SessionText.marked(decision.reply(), decision.id(), session.client())));
    row.setString(at++, lists(decision.listings()));
    row.setString(at++, session.more().connection());
    row.setString(at, Rest.of(session).text(session.client()));
  }

  /** The session with another of its answers, and what holds for the recipient of that one. */
  static Evidence answered(Evidence session, Evidence answer) {
    return session.with(answer.decision(), session.more().ofRecipient(answer.more()));
  }

  /** The session of a row with {@link #COLUMNS}, the first one as column 1. */
  static Evidence session(ResultSet row) throws SQLException {
    IpAddress client = client(row);
    String id = text(row, 13);
    Rest rest = rest(row.getString(23), client);
    Evidence.Decision decision =
        new Evidence.Decision(
            id,
            value(STAGES, row.getString(14)),
            value(MODES, row.getString(15)),
            value(OUTCOMES, row.getString(16)),
            row.getString(17),
            row.getString(18),
            row.getLong(19),
            rest.listings(),
            SessionText.unmarked(text(row, 20), id, client));
    String domains = text(row, 6);
    return new Evidence(
        Instant.ofEpochMilli(row.getLong(1)),
        client,
        row.getString(3),
        row.getString(4),
        domains.isEmpty() ? List.of() : List.of(domains.split(" ", -1)),
        row.getInt(7),
        text(row, 8),
        text(row, 9),
        decision,
        row.getLong(10),
        Duration.ofMillis(row.getLong(11)),
        Math.max(1, row.getInt(12)),
        rest.more().ofConnection(text(row, 22)));
  }

  /** Makes the counts from columns 2 to 6 of {@link SessionSearch#stats}. */
  static SessionCounts counts(Instant begins, ResultSet row) throws SQLException {
    return SessionCounts.of(
        begins,
        value(OUTCOMES, row.getString(2)),
        row.getString(3),
        row.getInt(4) != 0,
        row.getInt(5) != 0,
        row.getLong(6));
  }

  /** The word of {@link SessionCounts#words} for a row of outcome, verdict and observes. */
  static String word(ResultSet row) throws SQLException {
    return SessionCounts.word(
        value(OUTCOMES, row.getString(1)), row.getString(2), row.getInt(3) != 0);
  }

  /** The client of a row, for those that need nothing more of it. */
  static IpAddress client(ResultSet row) throws SQLException {
    return address(row.getBytes(2));
  }

  private static <E> E value(Map<String, E> values, String word) throws SQLException {
    E value = values.get(word);
    if (value == null) {
      throw SqliteFile.damaged("the word " + word);
    }
    return value;
  }

  private static String text(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  private static Rest rest(@Nullable String text, IpAddress client) throws SQLException {
    try {
      return Rest.read(text, client);
    } catch (JsonSyntaxException e) {
      throw SqliteFile.damaged("what more is known of a session");
    }
  }

  /** Joins as many as fit into one text, with spaces between them. */
  private static String domains(List<String> domains) {
    String all = String.join(" ", domains);
    return all.length() <= SessionText.MAX_CHARACTERS
        ? all
        : all.substring(0, all.lastIndexOf(' ', SessionText.MAX_CHARACTERS) + 1).strip();
  }

  /** Names of lists, each once, with spaces around them; empty for none. */
  private static String lists(List<Evidence.Listing> listings) {
    return listings.isEmpty()
        ? ""
        : listings.stream()
            .map(Evidence.Listing::list)
            .distinct()
            .collect(Collectors.joining(" ", " ", " "));
  }

  /** Four octets for IPv4, sixteen for IPv6. */
  static byte[] octets(IpAddress address) {
    return address.isV4()
        ? ByteBuffer.allocate(4).putInt(address.v4Bits()).array()
        : ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low()).array();
  }

  /** The address of the octets that {@link #octets} made. */
  static IpAddress address(byte @Nullable [] octets) throws SQLException {
    if (octets == null || (octets.length != 4 && octets.length != 16)) {
      throw SqliteFile.damaged("the address of a session");
    }
    ByteBuffer bits = ByteBuffer.wrap(octets);
    return octets.length == 4
        ? IpAddress.ofV4(bits.getInt())
        : new IpAddress(bits.getLong(), bits.getLong());
  }
}

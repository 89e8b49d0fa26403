package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Mode;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one day back, column by column in the order of {@link DaySchema}. Used by {@link
 * DayReader} on the thread of the question.
 */
final class DayRows {

  private static final int SESSION_COLUMNS = DaySchema.SESSION_COLUMNS.split(",", -1).length;

  private final long began;
  private final TextBlocks texts;

  DayRows(long began, TextBlocks texts) {
    this.began = began;
    this.texts = texts;
  }

  /** The session of a row that has the columns of both kinds. */
  KeptSession session(ResultSet row) throws SQLException {
    IpAddress client = address(row.getBytes(2));
    int bits = row.getInt(SESSION_COLUMNS + 2);
    String name = texts.of(row, 3);
    String helo = texts.of(row, 4);
    String local = texts.ofNullable(row, 5);
    String senderDomain = texts.of(row, 6);
    String domains = texts.of(row, 7);
    List<String> all = domains.isEmpty() ? List.of() : List.of(domains.split(" ", -1));
    KeptSession frame =
        new KeptSession(
            Instant.ofEpochMilli(began + row.getLong(1)),
            client,
            name(name, bits),
            helo,
            address(local, senderDomain),
            all,
            row.getInt(8),
            texts.of(row, 9),
            texts.of(row, 10),
            Boolean.TRUE.equals(Packed.EARLY.value(bits)),
            Boolean.TRUE.equals(Packed.KNOWN.value(bits)),
            NOTHING,
            row.getLong(11),
            Duration.ofMillis(row.getLong(12)),
            Math.max(1, row.getInt(13)),
            Boolean.TRUE.equals(Packed.REFUSED_TOO.value(bits)),
            Set.of());
    Set<Missing> missing = MissingParts.of(bits);
    return frame.with(
        decision(row, SESSION_COLUMNS + 1, frame),
        missing == null
            ? MissingParts.guessed(
                name, helo, local, senderDomain, texts.of(row, SESSION_COLUMNS + 3))
            : missing);
  }

  /** The same session, with the answer whose columns begin here. */
  KeptSession answered(ResultSet row, int first, KeptSession session) throws SQLException {
    Set<Missing> missing = MissingParts.of(row.getInt(first + 1));
    return session.with(
        decision(row, first, session), missing == null ? session.missing() : missing);
  }

  private static final KeptDecision NOTHING =
      new KeptDecision("", Stage.CONNECT, Mode.OBSERVE, Outcome.UNKNOWN, "", "", 0, List.of(), "");

  /** The answer whose columns begin here. */
  private KeptDecision decision(ResultSet row, int first, KeptSession session) throws SQLException {
    long idBits = row.getLong(first);
    String id = row.wasNull() ? "" : IncidentId.format(idBits);
    int bits = row.getInt(first + 1);
    String to = RowText.recipientOf(texts.of(row, first + 2), session.domains());
    List<KeptListing> listings = new ArrayList<>();
    String others = texts.of(row, first + 8);
    Check compared = Packed.CHECK.value(bits);
    Action action = Packed.ACTION.value(bits);
    if (compared != null && action != null) {
      String asked = texts.ofNullable(row, first + 7);
      String subject = asked == null ? usualSubject(compared, session) : asked;
      String entry = texts.ofNullable(row, first + 6);
      listings.add(
          new KeptListing(
              compared,
              subject,
              texts.of(row, first + 4),
              entry == null ? subject : entry,
              row.getInt(first + 5),
              action,
              "",
              Objects.requireNonNullElse(Packed.PLACE.value(bits), Place.OPEN),
              ListingsText.isExemptAmong(others)));
    }
    if (!others.isEmpty()) {
      listings.addAll(ListingsText.parse(others));
    }
    Stage stage = Packed.STAGE.value(bits);
    Mode mode = Packed.MODE.value(bits);
    Outcome outcome = Packed.OUTCOME.value(bits);
    String verdict = Packed.VERDICT.value(bits);
    if (stage == null || mode == null || outcome == null || verdict == null) {
      throw SqliteFile.damaged("the answer of session " + id);
    }
    return new KeptDecision(
        id,
        stage,
        mode,
        outcome,
        to,
        verdict,
        row.getLong(first + 3),
        listings,
        SessionText.unmarked(texts.of(row, first + 10), id, session.client()));
  }

  /** What a check compares in a session; not written where a listing is about just that. */
  static String usualSubject(Check check, KeptSession session) {
    return switch (check) {
      case CLIENT_IP -> session.client().toString();
      case CLIENT_NAME -> session.name().name();
      case HELO -> session.helo();
      case SENDER -> session.from() == null ? "" : session.from();
      case SENDER_DOMAIN -> session.senderDomain();
      case FROM, FROM_DOMAIN, REPLY_TO_DOMAIN, URL, URL_HOST, ATTACHMENT, SUBJECT, BODY -> "";
    };
  }

  /** The name of a client's address. */
  static ClientName name(String name, int bits) {
    ClientName.State state = Packed.NAME.value(bits);
    return state == null || state == ClientName.State.UNKNOWN
        ? ClientName.UNKNOWN
        : new ClientName(name, state);
  }

  private static @Nullable String address(@Nullable String local, String domain) {
    return local == null || domain.isEmpty() ? local : local + "@" + domain;
  }

  /** The address of the octets that {@link DayWriter#octets} made. */
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

package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sessions of one day. Rows are on the disk after {@link #commit}. Used by one thread;
 * after a failure it is closed, and the file opened again.
 */
public final class DayWriter implements AutoCloseable {

  /** Pages of a day of a million sessions; the log has at most 16 MiB. */
  private static final SqliteFile.Sizes SIZES = new SqliteFile.Sizes(16_384, 4_096);

  /**
   * How long another process may hold the file before {@link #lock} fails; the caller tries again,
   * or ends.
   */
  private static final int BUSY_TIMEOUT_MS = 1_000;

  /** Changes no row; SQLite gives the right to write to each statement that could change one. */
  private static final String LOCK = "UPDATE day SET indexed = indexed WHERE 0";

  /** Rows whose ids are indexed together. */
  static final int INDEXED_TOGETHER = 65_536;

  private static final String INSERT = insert("session", DaySchema.SESSION_COLUMNS);
  private static final String INSERT_FURTHER = insert("further", "session");
  private static final String REPLACE =
      "UPDATE session SET "
          + Stream.of(
                  (DaySchema.SESSION_COLUMNS + ", " + DaySchema.DECISION_COLUMNS).split(", *", -1))
              .map(column -> column + " = ?")
              .collect(Collectors.joining(", "))
          + " WHERE number = ?";

  private static final int SESSION_PARAMETERS = DaySchema.SESSION_COLUMNS.split(",", -1).length;
  private static final int DECISION_PARAMETERS = DaySchema.DECISION_COLUMNS.split(",", -1).length;

  private final SqliteFile file;
  private final LocalDate day;
  private final long began;
  private final TextNumbers texts;
  private final PreparedStatement insert;
  private final PreparedStatement replace;
  private final PreparedStatement further;
  private long last;
  private long indexed;

  private DayWriter(SqliteFile file, LocalDate day) throws SQLException {
    this.file = file;
    this.day = day;
    this.began = DaySchema.began(day);
    this.insert = file.statements().of(INSERT);
    this.replace = file.statements().of(REPLACE);
    this.further = file.statements().of(INSERT_FURTHER);
    this.last = highest("SELECT max(number) FROM session");
    this.texts =
        new TextNumbers(
            file.statements().of("INSERT INTO text VALUES (?, ?)"),
            (int) highest("SELECT max(number) FROM text"));
    if (highest("SELECT count(*) FROM day") == 0) {
      PreparedStatement mark = file.statements().of("INSERT INTO day VALUES (?, 0)");
      mark.setLong(1, began);
      mark.executeUpdate();
    }
    this.indexed = highest("SELECT max(indexed) FROM day");
    DayView.renew(file.statements());
  }

  /**
   * Opens the file of a day, or makes it.
   *
   * @throws UnusableException when it is damaged, or not ours
   * @throws IOException when it cannot be made
   */
  public static DayWriter open(Path path, LocalDate day) throws IOException {
    SqliteFile file = SqliteFile.open(path, DaySchema.SCHEMA, SIZES);
    try {
      DayWriter writer = new DayWriter(file, day);
      file.commit();
      file.statements().of("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MS).execute();
      return writer;
    } catch (SQLException e) {
      file.close();
      throw new UnusableException(e);
    }
  }

  private static String insert(String table, String columns) {
    String all =
        (table.equals("session") ? "number, " : "") + columns + ", " + DaySchema.DECISION_COLUMNS;
    String marks =
        Stream.of(all.split(",", -1)).map(ignored -> "?").collect(Collectors.joining(", "));
    return "INSERT INTO " + table + " (" + all + ") VALUES (" + marks + ")";
  }

  private long highest(String sql) throws SQLException {
    try (ResultSet row = file.statements().of(sql).executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Octets of the file when its log is folded in. */
  public long octets() throws UnusableException {
    try {
      return highest("PRAGMA page_count") * highest("PRAGMA page_size");
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** The day whose sessions it takes. */
  public LocalDate day() {
    return day;
  }

  /**
   * Begins to write: no other process writes before the next {@link #commit}, so that nothing until
   * then fails for another process. Without effect when it has begun already.
   *
   * @throws UnusableException with {@link SqliteFile.Fault#BUSY} when another process writes;
   *     nothing is changed then, and this writer can be used further
   */
  public void lock() throws UnusableException {
    try {
      file.statements().of(LOCK).executeUpdate();
    } catch (SQLException e) {
      try {
        // What was read before may be old: the next try reads again.
        file.statements().connection().rollback();
      } catch (SQLException more) {
        e.addSuppressed(more);
      }
      throw new UnusableException(e);
    }
  }

  /**
   * Adds a session.
   *
   * @return its number in the file
   */
  public long add(KeptSession session) throws UnusableException {
    try {
      insert.setLong(1, ++last);
      put(insert, 2, session);
      put(insert, 2 + SESSION_PARAMETERS, session, session.decision());
      insert.executeUpdate();
      return last;
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Puts a session in the place of what was known of it before. */
  public void replace(long number, KeptSession session) throws UnusableException {
    try {
      put(replace, 1, session);
      put(replace, 1 + SESSION_PARAMETERS, session, session.decision());
      replace.setLong(1 + SESSION_PARAMETERS + DECISION_PARAMETERS, number);
      replace.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Adds another answer of a session. */
  public void addFurther(long number, KeptSession session, KeptDecision decision)
      throws UnusableException {
    try {
      further.setLong(1, number);
      put(further, 2, session, decision);
      further.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * Keeps the minima of the visible text of a session's last mail, for {@code block add --like}.
   *
   * @param number of the session in the file
   */
  public void putLikeness(long number, Likeness text) throws UnusableException {
    try {
      file.statements().of(DaySchema.MAKE_LIKENESS).executeUpdate();
      PreparedStatement put = file.statements().of(DaySchema.PUT_LIKENESS);
      put.setLong(1, number);
      put.setBytes(2, text.octets());
      put.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /**
   * Keeps of how many mails a session's last mail was a copy.
   *
   * @param number of the session in the file
   */
  public void putBulk(long number, Bulk bulk) throws UnusableException {
    try {
      file.statements().of(DaySchema.MAKE_BULK).executeUpdate();
      PreparedStatement put = file.statements().of(DaySchema.PUT_BULK);
      put.setLong(1, number);
      put.setString(2, bulk.campaign());
      put.setInt(3, bulk.copies());
      put.setInt(4, bulk.networks());
      put.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Notes how many more sessions of the day were not added: who asks must know of the hole. */
  public void leaveOut(long sessions) throws UnusableException {
    try {
      file.statements().of(DaySchema.MAKE_LEFT_OUT).executeUpdate();
      PreparedStatement add = file.statements().of(DaySchema.ADD_LEFT_OUT);
      add.setLong(1, sessions);
      add.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void put(PreparedStatement row, int first, KeptSession session) throws SQLException {
    String from = session.from();
    String domain = session.senderDomain();
    int at = first;
    row.setLong(at++, session.at().toEpochMilli() - began);
    row.setBytes(at++, octets(session.client()));
    put(row, at++, texts.of(none(RowText.domain(session.name().name()))));
    put(row, at++, texts.of(none(RowText.helo(session.helo()))));
    put(row, at++, texts.of(from == null ? null : RowText.local(from)));
    put(row, at++, texts.of(none(domain)));
    put(row, at++, texts.of(none(RowText.domains(session.domains()))));
    row.setInt(at++, session.recipients());
    put(row, at++, texts.of(session.protocol()));
    put(row, at++, texts.of(none(session.front())));
    putCount(row, at++, session.sizeOctets(), 0);
    putCount(row, at++, session.took().toMillis(), 0);
    putCount(row, at, session.times(), 1);
  }

  private void put(PreparedStatement row, int first, KeptSession session, KeptDecision decision)
      throws SQLException {
    KeptListing deciding = decision.deciding().orElse(null);
    List<KeptListing> others = decision.others();
    int at = first;
    OptionalLong id = IncidentId.parse(decision.id());
    if (id.isPresent()) {
      row.setLong(at++, id.getAsLong());
    } else {
      row.setNull(at++, Types.INTEGER);
    }
    row.setInt(at++, bits(session, decision, deciding));
    put(row, at++, texts.of(none(RowText.recipient(decision.to(), session.domains()))));
    putCount(row, at++, decision.generation(), 0);
    putListing(row, at, session, deciding);
    at += 4;
    String beside = ListingsText.of(deciding, others);
    put(row, at++, beside.isEmpty() ? null : texts.ofWhole(beside));
    putCount(row, at++, decision.code(), 0);
    put(row, at, texts.of(SessionText.marked(decision.reply(), decision.id(), session.client())));
  }

  private void putListing(
      PreparedStatement row, int first, KeptSession session, @Nullable KeptListing deciding)
      throws SQLException {
    if (deciding == null) {
      for (int i = 0; i < 4; i++) {
        row.setNull(first + i, Types.INTEGER);
      }
      return;
    }
    String subject = deciding.subject();
    put(row, first, texts.of(deciding.list()));
    putCount(row, first + 1, deciding.line(), 0);
    put(row, first + 2, texts.of(deciding.entry().equals(subject) ? null : deciding.entry()));
    String usual = DayRows.usualSubject(deciding.check(), session);
    put(row, first + 3, texts.of(subject.equals(usual) ? null : RowText.subject(subject)));
  }

  private static int bits(
      KeptSession session, KeptDecision decision, @Nullable KeptListing deciding) {
    return Packed.STAGE.of(decision.stage())
        | Packed.MODE.of(decision.mode())
        | Packed.OUTCOME.of(decision.outcome())
        | Packed.VERDICT.of(decision.verdict())
        | Packed.CHECK.of(deciding == null ? null : deciding.check())
        | Packed.ACTION.of(deciding == null ? null : deciding.action())
        | Packed.PLACE.of(deciding == null ? Place.OPEN : deciding.place())
        | Packed.NAME.of(session.name().state())
        | Packed.EARLY.of(session.early())
        | Packed.KNOWN.of(session.known())
        | Packed.REFUSED_TOO.of(session.refusedToo())
        | MissingParts.bits(MissingParts.ofRow(session, decision));
  }

  /** Four octets for IPv4, sixteen for IPv6. */
  static byte[] octets(IpAddress address) {
    return address.isV4()
        ? ByteBuffer.allocate(4).putInt(address.v4Bits()).array()
        : ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low()).array();
  }

  private static @Nullable String none(String text) {
    return text.isEmpty() ? null : text;
  }

  private static void put(PreparedStatement row, int at, @Nullable Integer number)
      throws SQLException {
    if (number == null) {
      row.setNull(at, Types.INTEGER);
    } else {
      row.setInt(at, number);
    }
  }

  /** The usual value is not written: it takes no octet then. */
  private static void putCount(PreparedStatement row, int at, long value, long usual)
      throws SQLException {
    if (value == usual) {
      row.setNull(at, Types.INTEGER);
    } else {
      row.setLong(at, value);
    }
  }

  /** Keeps what was added: after return it is on the disk. */
  public void commit() throws UnusableException {
    try {
      if (last - indexed >= INDEXED_TOGETHER) {
        file.statements().of(DaySchema.INDEX_IDS).executeUpdate();
        file.statements().of(DaySchema.IDS_INDEXED).executeUpdate();
        indexed = last;
      }
      file.commit();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  @Override
  public void close() throws UnusableException {
    file.close();
  }
}

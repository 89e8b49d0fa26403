package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Mode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The small facts of a row in one number, the column {@code bits}: a column each would make a row a
 * third longer. The order of the values is part of the file format: a new one goes to the end.
 * Immutable.
 */
final class Packed<E> {

  static final Packed<Stage> STAGE =
      new Packed<>(
          0, 3, Stage::key, List.of(Stage.CONNECT, Stage.HELO, Stage.MAIL, Stage.RCPT, Stage.DATA));

  static final Packed<Mode> MODE =
      new Packed<>(3, 2, Packed::word, List.of(Mode.OBSERVE, Mode.SOFT, Mode.ENFORCE));

  static final Packed<Outcome> OUTCOME =
      new Packed<>(
          5,
          4,
          Outcome::key,
          List.of(
              Outcome.DELIVERED,
              Outcome.REFUSED,
              Outcome.WOULD_REFUSE,
              Outcome.PROTOCOL,
              Outcome.TURNED_AWAY,
              Outcome.UPSTREAM_REFUSED,
              Outcome.UPSTREAM_FAILED,
              Outcome.UNKNOWN,
              Outcome.ABANDONED));

  static final Packed<String> VERDICT =
      new Packed<>(
          9,
          3,
          Function.identity(),
          List.of("", "accept", "tag", "greylist", "tempfail", "reject"));

  /** 0 where no listing decided, and then the checks from 1. */
  static final Packed<Check> CHECK =
      new Packed<>(
          12,
          4,
          Check::key,
          List.of(
              Check.CLIENT_IP,
              Check.CLIENT_NAME,
              Check.HELO,
              Check.SENDER,
              Check.SENDER_DOMAIN,
              Check.FROM,
              Check.FROM_DOMAIN,
              Check.REPLY_TO_DOMAIN,
              Check.URL,
              Check.URL_HOST,
              Check.ATTACHMENT,
              Check.SUBJECT,
              Check.BODY),
          1);

  static final Packed<Action> ACTION =
      new Packed<>(
          16,
          3,
          Packed::word,
          List.of(
              Action.TRUST,
              Action.OBSERVE,
              Action.TAG,
              Action.GREYLIST,
              Action.TEMPFAIL,
              Action.REJECT),
          1);

  static final Packed<ClientName.State> NAME =
      new Packed<>(
          19,
          2,
          Packed::word,
          List.of(
              ClientName.State.UNKNOWN,
              ClientName.State.NONE,
              ClientName.State.UNCONFIRMED,
              ClientName.State.CONFIRMED));

  static final Packed<Boolean> EARLY = new Packed<>(21, 1, String::valueOf, List.of(false, true));

  static final Packed<Boolean> KNOWN = new Packed<>(22, 1, String::valueOf, List.of(false, true));

  static final Packed<Boolean> REFUSED_TOO =
      new Packed<>(23, 1, String::valueOf, List.of(false, true));

  /** Bits 24 to 29 are of {@link MissingParts}. */
  static final Packed<Place> PLACE =
      new Packed<>(
          30, 2, Packed::word, List.of(Place.OPEN, Place.SCHEMELESS, Place.DEFANGED, Place.NESTED));

  private final int shift;
  private final int mask;
  private final Function<E, String> word;
  private final List<E> values;
  private final int first;

  private Packed(int shift, int bits, Function<E, String> word, List<E> values) {
    this(shift, bits, word, values, 0);
  }

  private Packed(int shift, int bits, Function<E, String> word, List<E> values, int first) {
    this.shift = shift;
    this.mask = (1 << bits) - 1;
    this.word = word;
    this.values = values;
    this.first = first;
  }

  /** The bits of a value; {@code null} only where there may be none. */
  int of(@Nullable E value) {
    return value == null ? 0 : number(value) << shift;
  }

  private int number(E value) {
    int index = values.indexOf(value);
    if (index < 0) {
      throw new IllegalArgumentException("no bits for " + value);
    }
    return index + first;
  }

  /** The value; {@code null} for none, and for a number that this release does not know. */
  @Nullable E value(int bits) {
    int index = (bits >>> shift & mask) - first;
    return index < 0 || index >= values.size() ? null : values.get(index);
  }

  /** The word as an expression of SQL, for people who open the file. */
  String sql() {
    StringBuilder sql = new StringBuilder("CASE (bits >> " + shift + ") & " + mask);
    for (E value : values) {
      sql.append(" WHEN ").append(number(value)).append(" THEN '");
      sql.append(word.apply(value)).append('\'');
    }
    return sql + " END";
  }

  /** The condition of SQL that a row has this value. */
  String sqlIs(E value) {
    return "((bits >> " + shift + ") & " + mask + ") = " + number(value);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}

package io.bloomgate.blocklists.replay;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The history of rspamd: an array, an object with {@code rows}, or an object a line. Each row is a
 * whole session. Called by {@link LogReplay}.
 */
final class RspamdHistory extends LogParser {

  /** The actions with which the milter refuses mail or puts it off. */
  private static final Set<String> REFUSALS = Set.of("reject", "soft reject", "greylist");

  /** Seconds up to the first year with five digits. */
  private static final double YEAR_10000 = 253_402_300_800.0;

  RspamdHistory(Consumer<LoggedMail> sink) {
    super(sink);
  }

  @Override
  boolean line(String line, LogClock clock) {
    try {
      return line.startsWith("{") && row(Json.parse(line));
    } catch (JsonSyntaxException e) {
      return false;
    }
  }

  private boolean row(JsonValue value) {
    if (!(value instanceof JsonObject row)) {
      return false;
    }
    Instant at = time(row);
    Optional<String> action = row.text("action");
    if (at == null || action.isEmpty()) {
      return false;
    }
    LoggedMail mail = new LoggedMail(at, row.text("message-id").orElse(""));
    mail.client(row.text("ip").orElse(""));
    String user = row.text("user").orElse("");
    mail.own = !user.isEmpty() && !user.equals("unknown");
    String from = row.text("sender_smtp").filter(text -> !text.equals("unknown")).orElse(null);
    mail.from("<>".equals(from) ? "" : from);
    for (JsonValue to : row.elements("rcpt_smtp")) {
      if (to instanceof JsonString(String address)) {
        mail.to(address);
      }
    }
    if (REFUSALS.contains(action.get())) {
      mail.refusal = Refusal.by("rspamd", !action.get().equals("reject"));
    } else {
      mail.delivered = 1;
    }
    sink.accept(mail);
    return true;
  }

  /** The time; {@code null} for none, and for one that no clock shows. */
  private static @Nullable Instant time(JsonObject row) {
    if (row.get("unix_time").orElse(JsonValue.NULL) instanceof JsonNumber(String literal)) {
      double seconds = Double.parseDouble(literal);
      return seconds > 0 && seconds < YEAR_10000
          ? Instant.ofEpochMilli(Math.round(seconds * 1_000))
          : null;
    }
    return null;
  }
}

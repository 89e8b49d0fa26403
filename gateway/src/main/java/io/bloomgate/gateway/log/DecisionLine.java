package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.smtp.Escape;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a decision into one line of the decision log, without its line feed.
 *
 * <p>Pure and immutable; used by {@link DecisionLog}'s thread.
 *
 * @param host of the line, the first label of {@code hostname}
 * @param tag the program as syslog names it, {@code log.tag}
 * @param journald true when the journal adds time, host and tag itself, so that the line begins at
 *     NOQUEUE
 * @param zone for the time stamp, which like syslog's has none (RFC 3164, section 4.1.2)
 * @param connections true when ends of connections are lines, and their ids in each line
 */
public record DecisionLine(
    Format format,
    Privacy privacy,
    String host,
    String tag,
    long pid,
    boolean journald,
    ZoneId zone,
    boolean connections) {

  /** More recipients than these are only counted in a line. */
  private static final int MAX_RECIPIENTS_SHOWN = 20;

  /** {@link io.bloomgate.gateway.smtp.Replies#relayDeniedForNow}. */
  private static final int RELAY_DENIED_FOR_NOW = 454;

  private static final DateTimeFormatter SYSLOG_TIME =
      DateTimeFormatter.ofPattern("MMM d HH:mm:ss", Locale.ROOT);

  /** The line of one event. */
  public String of(LogEvent event) {
    return switch (format) {
      case POSTFIX -> prefix(event.time()) + postfix(event);
      case KV -> keyValue(fields(event));
      case JSON -> Json.write(fields(event));
    };
  }

  private JsonObject fields(LogEvent event) {
    return switch (event) {
      case DecisionRecord record -> DecisionFields.of(record, privacy, connections);
      case ConnectionEnd end -> DecisionFields.of(end, privacy);
    };
  }

  /** The line about a gap: this number of lines was never written. */
  public String ofLost(Instant time, long lines) {
    JsonObject fields =
        JsonValue.object()
            .put("ts", time.toString())
            .put("event", "lines_lost")
            .put("count", lines)
            .build();
    return switch (format) {
      case POSTFIX -> prefix(time) + "warning: " + lines + " lines of this log were lost here";
      case KV -> keyValue(fields);
      case JSON -> Json.write(fields);
    };
  }

  private String prefix(Instant time) {
    if (journald) {
      return "";
    }
    String stamp = SYSLOG_TIME.format(time.atZone(zone));
    // The day is padded with a space, not a zero (RFC 3164, section 4.1.2).
    String padded =
        stamp.charAt(5) == ' ' ? stamp.substring(0, 4) + " " + stamp.substring(4) : stamp;
    return padded + " " + Escape.text(host) + " " + tag + "[" + pid + "]: ";
  }

  private String postfix(LogEvent event) {
    return switch (event) {
      case DecisionRecord record ->
          "NOQUEUE: " + postfix(record, DecisionEvidence.of(record, privacy));
      case ConnectionEnd end ->
          "disconnect from unknown["
              + end.client()
              + "]"
              + helo(LogText.maskEntry(end.helo(), privacy))
              + " "
              + keyValue(DecisionFields.ending(end));
    };
  }

  private String postfix(DecisionRecord record, Evidence written) {
    StringBuilder line = new StringBuilder(256);
    line.append(word(record)).append(": ").append(command(record));
    line.append(" from unknown[").append(written.client()).append("]: ");
    line.append(LogText.reply(record.reply().toString(), privacy)).append(';');
    String from = written.from();
    if (from != null) {
      line.append(" from=<").append(LogText.value(from)).append('>');
    }
    int shown = Math.min(MAX_RECIPIENTS_SHOWN, record.to().size());
    for (String to : record.to().subList(0, shown)) {
      line.append(" to=<").append(LogText.address(to, privacy)).append('>');
    }
    line.append(" proto=").append(LogText.value(written.protocol()));
    line.append(helo(written.helo()));
    line.append(
        refusedHere(record.outcome())
            ? rule(record) + more(DecisionFields.profile(written))
            : conclusion(record, written));
    if (connections) {
      line.append(" connection=").append(written.more().connection());
    }
    if (written.times() > 1) {
      line.append(" count=").append(written.times());
    }
    return line.toString();
  }

  private static String helo(String name) {
    return name.isEmpty() ? "" : " helo=<" + LogText.value(name) + ">";
  }

  /**
   * Postfix's word where it has one. Only {@code reject} causes a ban by the stock fail2ban filter:
   * not mail that passed in mode observe, not what the mail server refused (it logs and counts that
   * itself), not mail that was relayed. The filter bans for a 454 as for a 554, and that is how a
   * domain that may only be missing in the settings is refused for now.
   */
  private static String word(DecisionRecord record) {
    return switch (record.outcome()) {
      case REFUSED -> "reject";
      case PROTOCOL -> record.reply().code() == RELAY_DENIED_FOR_NOW ? "reject_warning" : "reject";
      case WOULD_REFUSE -> "reject_warning";
      case TURNED_AWAY -> "turned-away";
      case UPSTREAM_REFUSED -> "proxy-reject";
      case UPSTREAM_FAILED -> "defer";
      case UNKNOWN -> "unknown";
      case ABANDONED -> "abandon";
      case DROPPED -> "drop";
      case DELIVERED ->
          !(record.verdict() instanceof Verdict.Tag)
              ? "accept"
              : record.mode() == Mode.OBSERVE ? "tag_warning" : "tag";
    };
  }

  /**
   * The command that was answered, as Postfix names it. The stock fail2ban filter takes words of
   * four capitals for commands; what a mail carries is no reason to ban the server that forwards
   * it, and Postfix writes refusals of the content as END-OF-MESSAGE.
   */
  private static String command(DecisionRecord record) {
    boolean content =
        record.stage() == Stage.DATA
            && refusedHere(record.outcome())
            && record.deciding().filter(Ground::isOfContent).isPresent();
    return content ? "END-OF-MESSAGE" : record.stage().name();
  }

  private static boolean refusedHere(Outcome outcome) {
    return outcome == Outcome.REFUSED
        || outcome == Outcome.PROTOCOL
        || outcome == Outcome.TURNED_AWAY
        || outcome == Outcome.WOULD_REFUSE;
  }

  /** The reply names the lists that counted, and not the rule that counted them. */
  private static String rule(DecisionRecord record) {
    return record
        .deciding()
        .filter(Ground.RuleMet.class::isInstance)
        .map(met -> " rule=" + LogText.value(met.source()))
        .orElse("");
  }

  private static String conclusion(DecisionRecord record, Evidence written) {
    return DecisionFields.deciding(record, written)
            .map(listing ->
                " feed="
                    + LogText.value(listing.list())
                    + " entry="
                    + LogText.value(listing.entry()))
            .orElse("")
        + " id="
        + record.id()
        + " nrcpt="
        + record.to().size()
        + " size="
        + record.sizeOctets()
        + " ms="
        + record.took().toMillis()
        + " outcome="
        + record.outcome().key()
        + wouldTag(record)
        + more(DecisionFields.seldom(written))
        + (record.quoted().isEmpty() ? "" : " incident=" + String.join(",", record.quoted()));
  }

  /** Mode observe adds no header that a mail program acts on, though the line is that of a tag. */
  private static String wouldTag(DecisionRecord record) {
    boolean spared = record.mode() == Mode.OBSERVE && record.verdict() instanceof Verdict.Tag;
    return spared ? " would=tag" : "";
  }

  private static String more(Map<String, String> fields) {
    StringBuilder text = new StringBuilder(0); // most lines have none
    fields.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }

  private static String keyValue(JsonObject fields) {
    return fields.members().entrySet().stream()
        .map((Map.Entry<String, JsonValue> field) -> field.getKey() + "=" + plain(field.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String plain(JsonValue value) {
    return switch (value) {
      case JsonString(String text) -> text;
      case JsonNumber(String literal) -> literal;
      case JsonBoolean(boolean truth) -> Boolean.toString(truth);
      case JsonNull() -> "";
      case JsonArray(List<JsonValue> elements) ->
          elements.stream().map(DecisionLine::plain).collect(Collectors.joining(","));
      case JsonObject(var members) ->
          throw new IllegalArgumentException("a line holds no object: " + members.keySet());
    };
  }

  /**
   * Names the fields of what is written of a decision, the same for kv lines, JSON lines and {@code
   * tail}: the documented names of a line, where {@code sessions} has others. Texts are escaped and
   * shortened. Pure; called by {@link DecisionLine} and {@link TailHub} on any thread.
   */
  static final class DecisionFields {

    private DecisionFields() {}

    /**
     * The fields in their documented order; fields that are added go around them.
     *
     * @param connection with the id of the connection
     */
    static JsonObject of(DecisionRecord record, Privacy privacy, boolean connection) {
      Evidence written = DecisionEvidence.of(record, privacy);
      Evidence.Decision decision = written.decision();
      Optional<Evidence.Listing> listing = deciding(record, written);
      JsonValue.ObjectBuilder fields =
          JsonValue.object()
              .put("ts", written.at().toString())
              .put("event", event(record))
              .put("verdict", record.verdictWord())
              .put("stage", decision.stage().key())
              .put("client_ip", written.client().toString())
              .put("helo", LogText.value(written.helo()))
              .put("from", from(written))
              .put(
                  "to",
                  JsonValue.ofStrings(
                      record.to().stream().map(to -> LogText.address(to, privacy)).toList()))
              .put("feed", listing.map(each -> LogText.value(each.list())).orElse(null))
              .put("entry", listing.map(each -> LogText.value(each.entry())).orElse(null))
              .put("generation", decision.generation())
              .put("code", record.reply().code())
              .put("enhanced", record.reply().enhanced())
              .put("id", decision.id())
              .put("size", written.sizeOctets())
              .put("ms", written.took().toMillis())
              .put("outcome", decision.outcome().key())
              .put("mode", decision.mode().key())
              .put("proto", LogText.value(written.protocol()));
      seldom(written).forEach(fields::put);
      if (written.times() > 1) {
        fields.put("count", written.times());
      }
      if (!record.quoted().isEmpty()) {
        fields.put("incident", String.join(",", record.quoted()));
      }
      if (connection) {
        fields.put("connection", written.more().connection());
      }
      return fields.build();
    }

    /** The fields of a connection that ended. */
    static JsonObject of(ConnectionEnd end, Privacy privacy) {
      return JsonValue.object()
          .put("ts", end.time().toString())
          .put("event", "connection")
          .put("client_ip", end.client().toString())
          .put("helo", LogText.value(LogText.maskEntry(end.helo(), privacy)))
          .putAll(ending(end))
          .build();
    }

    /**
     * Returns the fields that say how it ended; a reply of ours other than that to QUIT is named.
     */
    static JsonObject ending(ConnectionEnd end) {
      JsonValue.ObjectBuilder fields =
          JsonValue.object().put("connection", end.id()).put("end", end.how());
      Reply last = end.last();
      if (last != null && !end.isQuit()) {
        fields.put("code", last.code()).put("enhanced", last.enhanced());
      }
      return fields
          .put("transactions", end.transactions())
          .put("ms", end.took().toMillis())
          .build();
    }

    /**
     * The listing that decided; none where a check failed, whatever was listed beside it. For mail
     * that passed, the strongest listing that was only observed.
     */
    static Optional<Evidence.Listing> deciding(DecisionRecord record, Evidence written) {
      return record.deciding().flatMap(_ -> written.decision().deciding());
    }

    /**
     * The profile of the recipient and its entry, as one word: {@code off(quiet.example)}, or
     * {@code off(quiet.example,r3)} by command.
     */
    static Map<String, String> profile(Evidence written) {
      String profile = written.more().profile();
      String word = profile.substring(0, profile.indexOf(')') + 1);
      return word.isEmpty() ? Map.of() : Map.of("profile", LogText.value(word.replace(" ", "")));
    }

    /**
     * Fields that few lines have: why mail passed, profile of the recipient, copies of the mail.
     */
    static Map<String, String> seldom(Evidence written) {
      Map<String, String> fields = new LinkedHashMap<>();
      written.more().passed().forEach((name, value) -> fields.put(name, LogText.value(value)));
      fields.putAll(profile(written));
      Bulk bulk = written.more().bulk();
      if (bulk != null) {
        fields.put("bulk", bulk.toString());
        fields.put("campaign", bulk.campaign());
      }
      return fields;
    }

    /**
     * {@code verdict} where lists decided; other events have other names, so that a ban rule on
     * {@code event=verdict verdict=reject} never sees mail that passed in mode observe.
     */
    private static String event(DecisionRecord record) {
      return switch (record.outcome()) {
        case REFUSED -> "verdict";
        case WOULD_REFUSE -> "verdict_warning";
        case PROTOCOL, TURNED_AWAY -> "protocol";
        case DELIVERED, UPSTREAM_REFUSED, UPSTREAM_FAILED, UNKNOWN, ABANDONED, DROPPED -> "message";
      };
    }

    /** {@code <>} for the null reverse-path; it cannot be forged, since both signs are escaped. */
    private static @Nullable String from(Evidence written) {
      String from = written.from();
      return from == null ? null : from.isEmpty() ? "<>" : LogText.value(from);
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.notation.Quantities;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Operator entries as the commands show them. Pure. */
final class EntryJson {

  private EntryJson() {}

  /** All of an entry; {@code text} is its line in list files and exports. */
  static JsonValue.ObjectBuilder of(OperatorEntry entry) {
    return of(entry, false);
  }

  private static JsonValue.ObjectBuilder of(OperatorEntry entry, boolean forced) {
    return JsonValue.object()
        .put("id", entry.id())
        .put("list", entry.list().key())
        .put("subject", entry.subject().toString())
        .put("kind", kind(entry.subject()))
        .put("from", entry.from() == null ? null : entry.from().toString())
        .put("scope", scope(entry))
        .put("reason", entry.reason())
        .put("author", entry.author())
        .put("created", entry.created().toString())
        .put("expires", text(entry.expires()))
        .put("unused", entry.unused() == null ? null : Quantities.text(entry.unused()))
        .put("used", text(entry.used()))
        .put("text", OperatorText.format(entry, forced));
  }

  /**
   * An entry with the mark whether it still counts.
   *
   * @param forced an import of its text would refuse it otherwise
   */
  static JsonObject listed(OperatorEntry entry, Instant now, boolean forced) {
    return of(entry, forced).put("expired", entry.expiredAt(now)).build();
  }

  /** The values that an {@code add} can change in an existing entry. */
  static JsonObject endAndReason(OperatorEntry entry) {
    return JsonValue.object()
        .put("expires", text(entry.expires()))
        .put("reason", entry.reason())
        .build();
  }

  /** An entry as it is now, how it came to be so, and what it was before. */
  static JsonObject stored(Stored one) {
    return storedOne(one).build();
  }

  static JsonValue.ObjectBuilder storedOne(Stored one) {
    return of(one.entry())
        .put("change", one.change().key())
        .put("before", one.before().<JsonValue>map(EntryJson::endAndReason).orElse(JsonValue.NULL));
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static String kind(Subject subject) {
    return switch (subject) {
      case IpPrefix ignored -> "network";
      case DomainName ignored -> "domain";
      case NamePattern ignored -> "pattern";
      case MailAddress ignored -> "address";
      case WebUrl ignored -> "url";
      case Fingerprint ignored -> "fingerprint";
      case Likeness ignored -> "likeness";
      case AsNumber ignored -> "asn";
    };
  }

  private static JsonValue scope(OperatorEntry entry) {
    if (entry.anyScope()) {
      return JsonValue.of("any");
    }
    return JsonValue.ofStrings(entry.scope().stream().sorted().map(c -> c.key()).toList());
  }
}

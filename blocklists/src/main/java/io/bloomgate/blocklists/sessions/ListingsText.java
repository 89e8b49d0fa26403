package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Listings beside the one that decided, as one text of a row: an array of JSON for each, with the
 * members in the order of {@link KeptListing}; the place is written where it is not the usual one.
 * A mark before them says that a recipient of the mail was exempt: earlier releases leave it out.
 * Pure.
 */
final class ListingsText {

  /** Listings of one session that are kept beside the first. */
  static final int MAX_LISTINGS = 20;

  /** Characters of all of them; the last ones are left out when their texts are that long. */
  static final int MAX_CHARACTERS = 4096;

  private static final int MEMBERS = 7;

  /** In the place of a place, and alone for the listing that decided. */
  private static final String EXEMPT_AMONG = "exempt_recipient";

  private ListingsText() {}

  /**
   * The text.
   *
   * @param deciding the listing beside which the others are
   */
  static String of(@Nullable KeptListing deciding, List<KeptListing> listings) {
    List<JsonValue> texts = new ArrayList<>();
    if (deciding != null && deciding.exemptAmong()) {
      texts.add(new JsonArray(List.of(JsonValue.of(EXEMPT_AMONG))));
    }
    for (KeptListing each : listings.subList(0, Math.min(MAX_LISTINGS, listings.size()))) {
      List<JsonValue> members = new ArrayList<>();
      members.add(JsonValue.of(each.check().key()));
      members.add(JsonValue.of(RowText.subject(each.subject())));
      members.add(JsonValue.of(each.list()));
      members.add(JsonValue.of(SessionText.bounded(each.entry())));
      members.add(JsonValue.of(each.line()));
      members.add(JsonValue.of(each.action().name().toLowerCase(Locale.ROOT)));
      members.add(JsonValue.of(SessionText.bounded(each.pardon())));
      if (each.exemptAmong()) {
        members.add(JsonValue.of(EXEMPT_AMONG));
      } else if (each.place() != Place.OPEN) {
        members.add(JsonValue.of(each.place().word()));
      }
      texts.add(new JsonArray(members));
    }
    if (texts.isEmpty()) {
      return "";
    }
    String text = Json.write(new JsonArray(texts));
    while (text.length() > MAX_CHARACTERS) {
      texts.removeLast();
      text = Json.write(new JsonArray(texts));
    }
    return text;
  }

  /** What is in a text that names this list; another member may hold the same. */
  static String mark(String list) {
    return "," + Json.write(JsonValue.of(list)) + ",";
  }

  /** True when the listing that decided did no more than tag for an exempt recipient. */
  static boolean isExemptAmong(String text) {
    return text.startsWith("[[\"" + EXEMPT_AMONG + "\"]");
  }

  /** Reads what {@link #of} made; what it did not make gives nothing. */
  static List<KeptListing> parse(String text) {
    try {
      if (Json.parse(text) instanceof JsonArray all) {
        return all.elements().stream().flatMap(each -> listing(each).stream()).toList();
      }
    } catch (JsonSyntaxException e) {
      // A damaged row: the rest of it still says something.
    }
    return List.of();
  }

  private static Optional<KeptListing> listing(JsonValue value) {
    if (!(value instanceof JsonArray members)
        || members.elements().size() < MEMBERS
        || !(members.elements().get(4) instanceof JsonNumber line)) {
      return Optional.empty();
    }
    List<String> texts =
        members.elements().stream()
            .map(each -> each instanceof JsonString text ? text.value() : "")
            .toList();
    Optional<Check> check =
        Stream.of(Check.values()).filter(each -> each.key().equals(texts.get(0))).findFirst();
    Optional<Action> action =
        Stream.of(Action.values())
            .filter(each -> each.name().equalsIgnoreCase(texts.get(5)))
            .findFirst();
    return check.isEmpty() || action.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new KeptListing(
                check.get(),
                texts.get(1),
                texts.get(2),
                texts.get(3),
                line(line),
                action.get(),
                texts.get(6),
                texts.stream().skip(MEMBERS).findFirst().flatMap(Place::of).orElse(Place.OPEN),
                texts.stream().skip(MEMBERS).anyMatch(EXEMPT_AMONG::equals)));
  }

  private static int line(JsonNumber number) {
    try {
      return Integer.parseInt(number.literal());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}

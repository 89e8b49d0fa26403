package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session as JSON: one form for {@code explain ID}, {@code sessions} and the rows of {@link
 * DaySchema}, which hold the members without a column in that form. Texts are as they came. Pure.
 */
public final class SessionJson {

  /** Listings of one session that are kept beside the first; a flood of more says no more. */
  private static final int MAX_OTHERS = 20;

  private SessionJson() {}

  /**
   * The members without a column.
   *
   * @param listing the one that decided
   */
  record Rest(
      @Rare Evidence.@Nullable Listing listing,
      @Rare List<Evidence.Listing> otherListings,
      @Inline RareFacts more) {

    private static final Rest NONE = new Rest(null, List.of(), RareFacts.NOTHING);

    static Rest of(Evidence session) {
      Evidence.Decision decision = session.decision();
      return decision.listings().isEmpty()
          ? new Rest(null, List.of(), session.more())
          : new Rest(
              decision.deciding().orElse(null),
              others(decision).stream().limit(MAX_OTHERS).toList(),
              session.more());
    }

    /** Reads what {@link #text} gave. */
    static Rest read(@Nullable String text, IpAddress client) throws JsonSyntaxException {
      return text == null ? NONE : JsonRecords.read(Rest.class, text).with(each -> each.of(client));
    }

    /** The text of a row, which has a column for the connection; {@code null} for nothing. */
    @Nullable String text(IpAddress client) {
      RareFacts other = more.ofConnection("");
      return listing == null && otherListings.isEmpty() && other.equals(RareFacts.NOTHING)
          ? null
          : JsonRecords.text(
              new Rest(listing, otherListings, other).with(each -> each.without(client)));
    }

    private Rest with(UnaryOperator<Evidence.Listing> form) {
      return listing == null && otherListings.isEmpty()
          ? this
          : new Rest(
              listing == null ? null : form.apply(listing),
              otherListings.stream().map(form).toList(),
              more);
    }

    List<Evidence.Listing> listings() {
      return listing == null && otherListings.isEmpty()
          ? List.of()
          : Stream.concat(Stream.ofNullable(listing), otherListings.stream()).toList();
    }
  }

  /** The listings beside the one that decided. */
  private static List<Evidence.Listing> others(Evidence.Decision decision) {
    List<Evidence.Listing> others = new ArrayList<>(decision.listings());
    decision.deciding().ifPresent(others::remove);
    return others;
  }

  /** All that is known of a session; {@code listing} is the one that decided. */
  public static JsonObject of(Evidence session) {
    Evidence.Decision decision = session.decision();
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("id", decision.id().isEmpty() ? null : decision.id())
            .put("time", session.at().toString())
            .put("stage", decision.stage().key())
            .put("verdict", decision.verdict().isEmpty() ? null : decision.verdict())
            .put("mode", decision.mode().key())
            .put("outcome", decision.outcome().key())
            .put("client_ip", session.client().toString())
            .put("helo", session.helo())
            .put("from", session.from())
            .put("to", decision.to())
            .put("recipients", session.recipients())
            .put("reply", decision.reply())
            .put("generation", decision.generation());
    if (session.times() > 1) {
      json.put("count", session.times());
    }
    return json.putAll(JsonRecords.of(Rest.of(session)))
        .put("code", decision.code())
        .put("to_domains", JsonValue.ofStrings(session.domains()))
        .put("protocol", session.protocol())
        .put("front", session.front())
        .put("size", session.sizeOctets())
        .put("ms", session.took().toMillis())
        .build();
  }
}

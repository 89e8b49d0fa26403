package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.gateway.dns.DnsListAnswers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objects of the {@code feeds} commands. Pure. */
final class FeedJson {

  private FeedJson() {}

  /** The object of {@code feeds show}: the line and more. */
  static JsonObject of(FeedStatus.Details feed) {
    FeedHits breaker = feed.breaker();
    List<JsonValue> hits = breaker == null ? List.of() : List.of(breaker.toJson());
    return JsonValue.object()
        .putAll(JsonRecords.of(feed))
        .put("breaker", new JsonArray(hits))
        .build();
  }

  /** One line of {@code feeds list} about a list that is asked by DNS: it has no entries here. */
  static JsonObject of(DnsListAnswers.State state, long hitsLastDay) {
    return line(state, hitsLastDay).build();
  }

  private static JsonValue.ObjectBuilder line(DnsListAnswers.State state, long hitsLastDay) {
    return JsonValue.object()
        .put("feed", state.list().name())
        .put("state", word(state))
        .put("entries", JsonValue.NULL)
        .put("invalid", JsonValue.NULL)
        .put("changed", JsonValue.NULL)
        .put("success", JsonValue.NULL)
        .put("attempt", JsonValue.NULL)
        .put("next", JsonValue.NULL)
        .put("hits_24h", hitsLastDay)
        .put("action", state.list().action().key())
        .put("problem", state.problem().isEmpty() ? null : state.problem())
        .put("age", "current")
        .put("health", state.enabled() && !state.problem().isEmpty() ? "alarm" : "good");
  }

  /** The same line or details, with what {@code feeds promote} said. */
  static JsonObject with(JsonObject line, @Nullable FeedPromotion promotion) {
    if (promotion == null) {
      return line;
    }
    JsonValue.ObjectBuilder json = JsonValue.object().putAll(line).put("auto", promotion.auto());
    if (promotion.moved()) {
      json.put("settings_action", promotion.settings().key());
    }
    return json.build();
  }

  /** {@code dns}: it is asked; {@code off}: it does not work, and is not asked until it does. */
  private static String word(DnsListAnswers.State state) {
    if (!state.enabled()) {
      return FeedState.DISABLED.key();
    }
    return state.problem().isEmpty() ? "dns" : "off";
  }

  /** The object of {@code feeds show} about a list that is asked by DNS. */
  static JsonObject details(DnsListAnswers.State state, long hitsLastDay) {
    DnsList list = state.list();
    return line(state, hitsLastDay)
        .put("source", "dns:" + list.zone())
        .put("checks", JsonValue.ofStrings(list.checks().stream().map(Check::key).toList()))
        .put("codes", JsonValue.ofStrings(list.codes().stream().map(DnsList.Codes::text).toList()))
        .put("timeout_ms", list.timeout().toMillis())
        .put("family", list.family())
        .build();
  }

  /** The changes that a held version would make; members as in {@code feeds diff}, and the sums. */
  static JsonObject of(HeldChanges.Compared found) {
    return JsonValue.object()
        .put("from", found.live())
        .put("to", found.held())
        .put("unchanged", found.same())
        .put("comes", found.added().total())
        .put("goes", found.removed().total())
        .put("added", found.added().countsJson())
        .put("removed", found.removed().countsJson())
        .put(
            "samples",
            JsonValue.object()
                .put("added", JsonRecords.ofAll(found.added().samples()))
                .put("removed", JsonRecords.ofAll(found.removed().samples()))
                .build())
        .build();
  }

  /** The object of {@code feeds accept} or {@code feeds rollback}; the third is of no command. */
  static JsonObject of(ActResult.Done done) {
    return switch (done) {
      case ActResult.Accepted accepted -> {
        JsonValue.ObjectBuilder json =
            JsonValue.object()
                .put("feed", accepted.feed())
                .put("accepted", accepted.version())
                .put("entries", accepted.entries());
        Long entries = accepted.acceptedEntries();
        if (entries != null) {
          json.put("accepted_entries", entries);
        }
        yield json.put("held_entries", accepted.heldEntries())
            .put("reasons", JsonValue.ofStrings(accepted.reasons()))
            .put("generation", accepted.generation())
            .build();
      }
      case ActResult.RolledBack back ->
          JsonValue.object()
              .put("feed", back.feed())
              .put("version", back.version())
              .put("rolled_back_from", back.from())
              .put("entries", back.entries())
              .put("fetched", back.fetched().toString())
              .put("generation", back.generation())
              .build();
    };
  }

  /** The value of a progress reply. */
  static JsonObject of(RefreshProgress progress) {
    JsonValue.ObjectBuilder json = JsonValue.object();
    if (progress.feed() != null) {
      json.put("feed", progress.feed());
    }
    json.put("step", progress.step());
    if (progress.octets() >= 0) {
      json.put("octets", progress.octets());
    }
    if (progress.total() >= 0) {
      json.put("total", progress.total());
    }
    return json.build();
  }
}

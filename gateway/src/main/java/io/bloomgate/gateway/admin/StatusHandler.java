package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.score.PromotionNotices;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code status} and {@code health}. Called on the threads of control connections. */
final class StatusHandler {

  private static final int MAX_UNKNOWN_DOMAINS_SHOWN = 20;

  private final GatewayControl gateway;
  private final VerdictCounts counts;
  private final SessionStore kept;
  private final FleetHandler fleet;

  StatusHandler(
      GatewayControl gateway, VerdictCounts counts, SessionStore kept, FleetHandler fleet) {
    this.fleet = fleet;
    this.gateway = gateway;
    this.counts = counts;
    this.kept = kept;
  }

  End status(ReplySender answer) throws IOException {
    answer.item(json());
    return ReplySender.DONE;
  }

  End health(ReplySender answer) throws IOException {
    List<String> late = gateway.lateThreads().get();
    Optional<String> reason =
        gateway
            .unready()
            .get()
            .or(() -> late.isEmpty() ? Optional.empty() : Optional.of(GatewayControl.late(late)));
    JsonValue.ObjectBuilder health =
        JsonValue.object()
            .put("ready", reason.isEmpty())
            .put("downstream", word(gateway.upstream().get()))
            .put("late", JsonValue.ofStrings(late))
            .put("feeds_bad", JsonValue.ofStrings(gateway.blocklists().health().badFeeds()));
    reason.ifPresent(why -> health.put("reason", why));
    fleet.problem().ifPresent(why -> health.put("fleet", why));
    answer.item(health.build());
    return new Done(reason.isEmpty() ? ReplySender.OK : ReplySender.NO);
  }

  private JsonObject json() {
    ModeState mode = gateway.mode().state();
    Optional<String> unready = gateway.unready().get();
    BlocklistsStatus lists = gateway.blocklists().status();
    MailRoutes upstream = gateway.upstream().get();
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("mode", mode.effective().key())
            .put("mode_configured", mode.configured().key())
            .put("mode_until", EntryJson.text(mode.until()))
            .put("generation", lists.generation())
            .put("generation_id", lists.generationId().isEmpty() ? null : lists.generationId())
            .put("ready", unready.isEmpty())
            .put("reason", unready.orElse(null))
            .put("serves_mail", !gateway.sessions().draining()) // who can ask finds open listeners
            .put("draining", gateway.sessions().draining())
            .put("entries", JsonRecords.of(lists.entries()))
            .put("filters", filters(lists.filters()))
            .put("lookup", lookup(lists))
            .put("known_good", knownGood(lists.knownGood()))
            .put("known_good_hits", numbers(lists.knownGood().hits()))
            .put("self_test", JsonRecords.of(lists.selfTest()))
            .put("sessions", gateway.sessions().count())
            .put("kept_sessions", JsonRecords.of(kept.kept()))
            .put("verdicts_1h", numbers(counts.verdictsLastHour()));
    counts
        .gapOfLastHour()
        .ifPresent(gap ->
            json.put(
                "verdicts_1h_gap",
                JsonValue.object()
                    .put("from", gap.from().truncatedTo(ChronoUnit.SECONDS).toString())
                    .put("to", gap.to().truncatedTo(ChronoUnit.SECONDS).toString())
                    .build()));
    return json.put("greylist", JsonRecords.of(gateway.greylist().sizes()))
        .put("feeds_bad", JsonValue.ofStrings(gateway.blocklists().health().badFeeds()))
        .put("feeds_disabled", JsonValue.ofStrings(disabled()))
        .put("promotions", JsonValue.ofStrings(PromotionNotices.standing(gateway.blocklists())))
        .put("downstream", word(upstream))
        .put("identity", upstream.states().getFirst().state().identity())
        .put("upstreams", new JsonArray(servers(upstream)))
        .put("unknown_domains", numbers(counts.unknownDomains(MAX_UNKNOWN_DOMAINS_SHOWN)))
        .put("uptime_s", gateway.uptime().toSeconds())
        .put("alarms", JsonValue.ofStrings(gateway.alarms().get()))
        .put("version", gateway.version())
        .build();
  }

  /** Lists that count for nothing until they are enabled. */
  private List<String> disabled() {
    return Stream.concat(
            gateway.blocklists().feeds().list().stream()
                .filter(feed -> feed.state() == FeedState.DISABLED)
                .map(FeedStatus::feed),
            gateway.dnsLists().states().stream()
                .filter(list -> !list.enabled())
                .map(list -> list.list().name()))
        .toList();
  }

  /**
   * The machine instructions that test the filters, and the layout of IPv4 hosts in the exact
   * index.
   */
  private static JsonObject lookup(BlocklistsStatus lists) {
    return JsonValue.object()
        .put("filters", lists.filterInstructions())
        .put("ipv4_hosts", lists.ipv4Hosts())
        .build();
  }

  private static JsonObject filters(Map<String, FilterShape> filters) {
    JsonValue.ObjectBuilder object = JsonValue.object();
    filters.forEach((name, shape) -> object.put(name, shape.toJson()));
    return object.build();
  }

  private static JsonObject knownGood(BlocklistsStatus.KnownGood counts) {
    return JsonValue.object().put("proven", counts.proven()).put("listed", counts.listed()).build();
  }

  private static List<JsonValue> servers(MailRoutes upstream) {
    return upstream.states().stream()
        .<JsonValue>map(placed ->
            JsonValue.object()
                .put("route", placed.route())
                .put("server", placed.server())
                .put("state", placed.state().up() ? "up" : "down")
                .put("problem", placed.state().problem())
                .put("identity", placed.state().identity())
                .put("connections", placed.state().connections())
                .put("idle", placed.state().idleConnections())
                .build())
        .toList();
  }

  private static String word(MailRoutes upstream) {
    return upstream.isUp() ? "up" : "down";
  }

  private static JsonObject numbers(Map<String, Long> counts) {
    JsonValue.ObjectBuilder object = JsonValue.object();
    counts.forEach(object::put);
    return object.build();
  }
}

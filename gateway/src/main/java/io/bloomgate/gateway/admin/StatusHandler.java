package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.AlarmsSeen;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.alarm.Alarms;
import io.bloomgate.gateway.alarm.Alarms.Tested;
import io.bloomgate.gateway.doctor.Doctor;
import io.bloomgate.gateway.doctor.Doctor.Check;
import io.bloomgate.gateway.doctor.DoctorFinding;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.score.Promoter.PromotionNotices;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Certificate;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code status}, {@code health}, {@code doctor} and {@code alarms}. Called on the threads of
 * control connections, which wait for the checks.
 */
record StatusHandler(GatewayControl gateway, FleetHandler fleet) {
  private static final int MAX_UNKNOWN_DOMAINS_SHOWN = 20;

  void status(ReplySender answer) throws IOException, InterruptedException {
    answer.item(json(answer.readingBriefly(gateway.kept()::lastHour, Map.of())));
  }

  void health(ReplySender answer) {
    Health now = gateway.health().get();
    String reason = now.unready();
    if (reason.isEmpty() && !now.late().isEmpty()) {
      reason = Trouble.late(now.late()).sentence();
    }
    JsonValue.ObjectBuilder health =
        JsonValue.object()
            .put("ready", reason.isEmpty())
            .put("downstream", word(now))
            .put("late", JsonValue.ofStrings(now.late()))
            .put("feeds_bad", JsonValue.ofStrings(now.badFeeds()));
    if (!reason.isEmpty()) {
      health.put("reason", reason);
    }
    fleet.problem().ifPresent(why -> health.put("fleet", why));
    answer.item(health);
    answer.exit(reason.isEmpty() ? ReplySender.OK : ReplySender.NO);
  }

  private JsonObject json(Map<String, Long> lastHour) {
    ModeState mode = gateway.mode().state();
    GatewayStatus now = gateway.status().get();
    BlocklistsStatus lists = now.lists();
    String unready = now.health().unready();
    List<Certificate> certificates = now.certificates();
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("mode", mode.effective().key())
            .put("mode_configured", mode.configured().key())
            .put("mode_until", EntryJson.text(mode.until()))
            .put("generation", lists.generation())
            .put("generation_id", lists.generationId().isEmpty() ? null : lists.generationId())
            .put("ready", unready.isEmpty())
            .put("reason", unready.isEmpty() ? null : unready)
            .put("serves_mail", !now.draining()) // who can ask finds open listeners
            .put("draining", now.draining())
            .put("entries", JsonRecords.of(lists.entries()))
            .put("filters", filters(lists.filters()))
            .put("lookup", lookup(lists))
            .put("known_good", knownGood(lists.knownGood()))
            .put("known_good_hits", numbers(lists.knownGood().hits()))
            .put("self_test", JsonRecords.of(lists.selfTest()))
            .put("sessions", now.sessions())
            .put("kept_sessions", JsonRecords.of(now.state().sessions()))
            .put("verdicts_1h", numbers(lastHour));
    List<Alarms.Seen> seen = gateway.alarms().seen(now.alarms());
    if (!seen.isEmpty()) {
      json.put("alarms_seen", JsonRecords.ofAll(seen));
    }
    return json.put("domains", domains(now.settings().domainSources()))
        .put("greylist", JsonRecords.of(gateway.greylist().sizes()))
        .put("feeds_bad", JsonValue.ofStrings(now.health().badFeeds()))
        .put("feeds_disabled", JsonValue.ofStrings(disabled()))
        .put("promotions", JsonValue.ofStrings(PromotionNotices.standing(gateway.blocklists())))
        .put("downstream", word(now.health()))
        .put("identity", now.mailServers().getFirst().state().identity())
        .put("upstreams", new JsonArray(servers(now.mailServers())))
        .put(
            "certificate",
            certificates.isEmpty() ? JsonValue.NULL : JsonRecords.of(certificates.getFirst()))
        .put("certificates", JsonRecords.ofAll(certificates))
        .put("unknown_domains", numbers(gateway.counts().unknownDomains(MAX_UNKNOWN_DOMAINS_SHOWN)))
        .put("uptime_s", gateway.uptimeSeconds())
        .put("alarms", JsonValue.ofStrings(now.alarms()))
        .put("version", gateway.version())
        .build();
  }

  private static JsonObject domains(DomainSources sources) {
    JsonValue.ObjectBuilder files = JsonValue.object();
    sources.files().forEach(file -> files.put(file.element(), file.names().size()));
    return JsonValue.object()
        .put("all", sources.all().size())
        .put("settings", sources.named().size())
        .put("files", files.build())
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

  private static List<JsonValue> servers(List<MailRoutes.Placed> servers) {
    return servers.stream()
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

  private static String word(Health health) {
    return health.mailServersUp() ? "up" : "down";
  }

  private static JsonObject numbers(Map<String, Long> counts) {
    JsonValue.ObjectBuilder object = JsonValue.object();
    counts.forEach(object::put);
    return object.build();
  }

  /** The answer is no when a check fails; warnings alone are a yes. */
  void doctor(ControlRequest.Doctor request, ReplySender answer) throws InterruptedException {
    Set<Check> wanted = wanted(request);
    for (Check check : wanted) {
      JsonObject event =
          JsonValue.object().put("event", "checking").put("check", check.word()).build();
      answer.progress("looking at " + check.word() + " ...", event);
    }
    boolean failed = false;
    for (DoctorFinding finding : new Doctor(gateway.examined().get()).examine(wanted)) {
      failed |= finding.state() == DoctorFinding.State.FAIL;
      answer.item(finding);
    }
    answer.exit(failed ? ReplySender.NO : ReplySender.OK);
  }

  private static Set<Check> wanted(ControlRequest.Doctor request) {
    Set<Check> wanted = EnumSet.noneOf(Check.class);
    add(wanted, request.openRelay(), Check.OPEN_RELAY);
    add(wanted, request.identity(), Check.IDENTITY);
    add(wanted, request.tls(), Check.TLS);
    add(wanted, request.feeds(), Check.FEEDS);
    return wanted.isEmpty() ? Doctor.all() : wanted;
  }

  private static void add(Set<Check> wanted, boolean asked, Check check) {
    if (asked) {
      wanted.add(check);
    }
  }

  // ---- alarms

  /** Sends a test, which waits for servers; the answer is no when it did not arrive. */
  void testAlarms(ReplySender answer) throws IOException, RefusedException, InterruptedException {
    JsonObject event = JsonValue.object().put("event", "sending").build();
    List<Tested> tested =
        LongWork.await(
            gateway.works(),
            gateway.alarms()::test,
            () -> answer.progress("sending a test ...", event));
    if (tested.isEmpty()) {
      throw RefusedException.no(
          "alarms go to nobody", "set alarms.to, or alarms.url, and `bloomgate config reload`");
    }
    tested.forEach(answer::item);
    answer.exit(tested.stream().allMatch(Tested::sent) ? ReplySender.OK : ReplySender.NO);
  }

  /** Notes that the user has seen an alarm. */
  void seeAlarm(AlarmsSeen asked, ReplySender answer) throws RefusedException {
    List<String> now = gateway.status().get().alarms();
    String begin = asked.alarm().strip();
    List<String> meant =
        begin.isEmpty() ? List.of() : gateway.alarms().see(begin, now, answer.user());
    if (now.isEmpty()) {
      throw RefusedException.no(
          "there are no alarms now", "`bloomgate status` shows them when there are");
    }
    if (meant.isEmpty()) {
      throw RefusedException.no(
          "there is no such alarm now",
          "write the words that one begins with: " + String.join("; ", now));
    }
    for (String alarm : meant) {
      answer.audit("alarms seen", alarm);
      answer.item(JsonValue.object().put("alarm", alarm).put("by", answer.user()));
    }
  }
}

package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import io.bloomgate.gateway.report.GatewayReport.Disk;
import java.util.List;
import java.util.function.Function;

/** A report as the object of {@code report -o json}. Pure. */
final class ReportJson {

  private static final String SESSIONS = "sessions";

  private ReportJson() {}

  static JsonObject of(GatewayReport report) {
    return JsonValue.object()
        .put("since", report.time().since().toString())
        .put("until", report.time().until().toString())
        .put("zone", report.time().zone().toString())
        .put("host", report.host())
        .put("mode", report.mode().key())
        .put(SESSIONS, report.sessions().toJson())
        .put(
            "periods",
            JsonValue.ofStrings(report.time().periods().stream().map(Object::toString).toList()))
        .put(
            "refused",
            array(
                report.refusals(),
                each ->
                    JsonValue.object()
                        .put("list", each.list())
                        .put(SESSIONS, each.sessions())
                        .put("let_through", each.letThrough())
                        .put(
                            "by_period",
                            array(each.byPeriod(), n -> new JsonNumber(Long.toString(n))))
                        .build()))
        .put("networks", array(report.networks(), each -> count("network", each)))
        .put("sender_domains", array(report.domains(), each -> count("sender_domain", each)))
        .put("accepted_listed", JsonRecords.ofAll(report.goodSenders()))
        .put("feeds", JsonRecords.ofAll(report.feeds()))
        .put("certificate", certificate(report))
        .put("disk", disk(report.disk()))
        .put("problems", JsonValue.ofStrings(report.problems()))
        .build();
  }

  private static JsonObject count(String name, Count count) {
    return JsonValue.object().put(name, count.what()).put(SESSIONS, count.sessions()).build();
  }

  private static JsonValue certificate(GatewayReport report) {
    Certificate shown = report.certificate();
    return shown == null
        ? JsonValue.NULL
        : JsonValue.object()
            .put("name", shown.name())
            .put("expires", shown.expires().toString())
            .put("days", shown.daysLeft(report.time().until()))
            .put("self_signed", shown.selfSigned())
            .build();
  }

  private static JsonObject disk(Disk disk) {
    return JsonValue.object()
        .put(
            "free",
            disk.free().isPresent() ? JsonValue.of(disk.free().getAsLong()) : JsonValue.NULL)
        .put(SESSIONS, disk.sessions())
        .put("sessions_max", disk.sessionsMax())
        .put("lost", disk.lost())
        .put("trouble", disk.trouble())
        .build();
  }

  private static <T> JsonArray array(List<T> values, Function<T, JsonValue> json) {
    return new JsonArray(values.stream().map(json).toList());
  }
}

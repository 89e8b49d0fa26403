package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import java.util.List;

/** A report as the object of {@code report -o json}. Pure. */
final class ReportJson {

  private static final String SESSIONS = "sessions";

  private ReportJson() {}

  static JsonObject of(GatewayReport report) {
    List<Certificate> shown = report.certificates();
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
        .put("refused", JsonRecords.ofAll(report.refusals()))
        .put("networks", counts("network", report.networks()))
        .put("sender_domains", counts("sender_domain", report.domains()))
        .put("accepted_listed", JsonRecords.ofAll(report.goodSenders()))
        .put("feeds", JsonRecords.ofAll(report.feeds()))
        .put("unused_allows", JsonRecords.ofAll(report.unusedAllows()))
        .put("certificate", shown.isEmpty() ? JsonValue.NULL : JsonRecords.of(shown.getFirst()))
        .put("certificates", JsonRecords.ofAll(shown))
        .put("disk", JsonRecords.of(report.disk()))
        .put("problems", JsonValue.ofStrings(report.problems()))
        .build();
  }

  private static JsonArray counts(String name, List<Count> counts) {
    return new JsonArray(
        counts.stream()
            .<JsonValue>map(count ->
                JsonValue.object().put(name, count.what()).put(SESSIONS, count.sessions()).build())
            .toList());
  }
}

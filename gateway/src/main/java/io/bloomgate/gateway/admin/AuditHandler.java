package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.AuditRecord;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlRequest.Audit;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** {@code audit}: who changed what. Called on the threads of control connections. */
final class AuditHandler {

  private final GatewayControl gateway;

  AuditHandler(GatewayControl gateway) {
    this.gateway = gateway;
  }

  /** Sends records page by page, newest first. */
  void show(Audit request, ReplySender answer) throws IOException {
    Instant wanted = request.since();
    Instant since = wanted == null ? Instant.EPOCH : wanted;
    long sent = 0;
    OperatorLists.AuditPage page = new OperatorLists.AuditPage(List.of(), Long.MAX_VALUE, false);
    try {
      while (!page.end() && sent < request.limit()) {
        page = gateway.blocklists().operator().audit(since, page.last());
        for (AuditRecord record : page.records()) {
          if (sent < request.limit()) {
            sent++;
            answer.item(
                JsonValue.object()
                    .put("time", record.time().toString())
                    .put("author", record.author())
                    .put("command", record.command())
                    .put("subject", record.subject())
                    .build());
          }
        }
      }
    } catch (OperatorListsException e) {
      answer.failed(ReplySender.NO, e.userMessage(), e.hint());
      return;
    }
    answer.done(ReplySender.OK);
  }
}

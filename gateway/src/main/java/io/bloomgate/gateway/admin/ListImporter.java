package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.EntryRules;
import io.bloomgate.blocklists.operator.OperatorImport;
import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.IOException;
import java.util.List;

/**
 * Takes one piece of an operator's list: its good lines are stored as one transaction, the others
 * are named. Called on the threads of control connections.
 */
final class ListImporter {

  /** Entries that an answer shows of those that were added or changed; the others are counted. */
  private static final int MAX_CHANGES = 20;

  private final GatewayControl gateway;
  private final FleetHandler fleet;

  ListImporter(GatewayControl gateway, FleetHandler fleet) {
    this.fleet = fleet;
    this.gateway = gateway;
  }

  void take(ListImport request, Caller caller, ReplySender answer) throws IOException {
    EntryRules rules = gateway.blocklists().entryRules(gateway.now());
    OperatorImport.Read read =
        OperatorImport.read(
            TypedEntries.kind(request.list()),
            request.firstLine(),
            request.lines(),
            request.force(),
            rules::check);
    List<Stored> stored;
    try {
      Origin origin =
          new Origin(
              caller.user(), ListHandlers.word(request.list()) + " import " + request.file());
      String lines =
          "lines "
              + request.firstLine()
              + " to "
              + (request.firstLine() + request.lines().size() - 1);
      stored = gateway.blocklists().operator().addPiece(read.newEntries(), origin, lines);
    } catch (OperatorListsException e) {
      ListHandlers.failed(e, answer);
      return;
    }
    for (OperatorImport.Problem warning : read.warnings()) {
      answer.note("warning: " + warning.text(request.file()));
    }
    for (OperatorImport.Problem problem : read.problems()) {
      answer.note(problem.text(request.file()));
    }
    answer.item(
        JsonValue.object()
            .put("file", request.file())
            .put("added", count(stored, Change.ADDED))
            .put("changed", count(stored, Change.CHANGED))
            .put("unchanged", count(stored, Change.UNCHANGED))
            .put("skipped", read.problems().size())
            .put("changes", changes(stored))
            .build());
    fleet.confirm(answer);
    answer.done(read.problems().isEmpty() ? ReplySender.OK : ReplySender.PARTLY);
  }

  /** The first entries that were added or changed. */
  private static JsonArray changes(List<Stored> stored) {
    return new JsonArray(
        stored.stream()
            .filter(one -> one.change() != Change.UNCHANGED)
            .limit(MAX_CHANGES)
            .<JsonValue>map(EntryJson::stored)
            .toList());
  }

  private static long count(List<Stored> stored, Change change) {
    return stored.stream().filter(one -> one.change() == change).count();
  }
}

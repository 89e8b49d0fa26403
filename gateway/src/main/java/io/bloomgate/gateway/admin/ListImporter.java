package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.ImportPiece;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import java.util.List;

/**
 * Takes one piece of an operator's list: its good lines are stored as one transaction, the others
 * are named. Called on the threads of control connections.
 */
record ListImporter(GatewayControl gateway, FleetHandler fleet) {

  /** Entries that an answer shows of those that were added or changed; the others are counted. */
  private static final int MAX_CHANGES = 20;

  void take(ListImport request, ReplySender answer) throws OperatorListsException {
    ImportPiece piece =
        ImportPiece.read(
            request.list(),
            request.file(),
            request.firstLine(),
            request.lines(),
            request.force(),
            gateway.blocklists().entryRules(gateway.now()));
    OperatorLists lists = gateway.operator();
    List<Stored> stored =
        request.dryRun()
            ? lists.tryPiece(piece.entries())
            : lists.addPiece(piece.entries(), origin(request, answer), lines(request));
    piece.notes().forEach(answer::note);
    if (request.dryRun()) {
      answer.item(piece.lines(stored));
    } else {
      answer.item(piece.counts(stored).put("changes", changes(stored)));
      fleet.confirm(answer);
    }
    answer.exit(piece.isPartial() ? ReplySender.PARTLY : ReplySender.OK);
  }

  private static Origin origin(ListImport request, ReplySender answer) {
    return new Origin(answer.user(), request.list().key() + " import " + request.file());
  }

  private static String lines(ListImport request) {
    return "lines "
        + request.firstLine()
        + " to "
        + (request.firstLine() + request.lines().size() - 1);
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
}

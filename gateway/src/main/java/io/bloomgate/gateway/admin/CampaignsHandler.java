package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.CampaignsTop;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.util.List;

/**
 * {@code top --by campaign}: the mails of which most copies came, from the memory of the gateway.
 * Used by {@link ControlHandlers} on the threads of control connections.
 */
final class CampaignsHandler {

  private final GatewayControl gateway;

  CampaignsHandler(GatewayControl gateway) {
    this.gateway = gateway;
  }

  End top(CampaignsTop asked, ReplySender answer) throws IOException {
    Campaigns counted = gateway.campaigns().get();
    if (counted == null) {
      return new Failed(
          ReplySender.NO,
          "copies of mails are not counted",
          "set content.bulk, for example `content: {bulk: {networks: 20}}`, and reload");
    }
    int limit = Math.clamp(asked.limit(), 0, Integer.MAX_VALUE);
    List<JsonObject> rows = counted.heaviest(limit).stream().map(JsonRecords::of).toList();
    answer.items(rows);
    if (rows.isEmpty() && limit > 0) {
      answer.note(
          "no campaigns: a mail is one from about "
              + counted.heavyFrom()
              + " copies on within content.bulk.window; a restart forgets what was counted");
    }
    return ReplySender.DONE;
  }
}

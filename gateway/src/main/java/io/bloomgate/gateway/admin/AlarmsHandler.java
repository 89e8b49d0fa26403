package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.AlarmsSeen;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.alarm.Alarms;
import io.bloomgate.gateway.alarm.Alarms.Tested;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** {@code alarms test} and {@code alarms seen}. Called on the threads of control connections. */
public final class AlarmsHandler {

  private static final JsonObject EVENT = JsonValue.object().put("event", "sending").build();

  private final Alarms alarms;
  private final GatewayControl gateway;
  private final ThreadFactory threads;

  /**
   * Answers about these alarms.
   *
   * @param gateway says which alarms there are now
   * @param threads for the sending, which waits for servers
   */
  public AlarmsHandler(Alarms alarms, GatewayControl gateway, ThreadFactory threads) {
    this.alarms = alarms;
    this.gateway = gateway;
    this.threads = threads;
  }

  /** The answer is no when a test did not arrive. */
  End test(ReplySender answer) throws IOException, InterruptedException {
    List<Tested> tested =
        LongWork.await(threads, alarms::test, () -> answer.progress("sending a test ...", EVENT));
    if (tested.isEmpty()) {
      return new Failed(
          ReplySender.NO,
          "alarms go to nobody",
          "set alarms.to, or alarms.url, and `bloomgate config reload`");
    }
    tested.forEach(answer::item);
    return new Done(tested.stream().allMatch(Tested::sent) ? ReplySender.OK : ReplySender.NO);
  }

  /** Notes that the user has seen an alarm. */
  End see(AlarmsSeen asked, ReplySender answer) {
    List<String> now = gateway.status().get().alarms();
    List<String> meant =
        asked.alarm().isBlank() ? List.of() : alarms.see(asked.alarm().strip(), now, answer.user());
    if (meant.isEmpty()) {
      return new Failed(
          ReplySender.NO,
          now.isEmpty() ? "there are no alarms now" : "there is no such alarm now",
          now.isEmpty()
              ? "`bloomgate status` shows them when there are"
              : "write the words that one begins with: " + String.join("; ", now));
    }
    for (String alarm : meant) {
      if (!RunActs.note(gateway, answer.user(), "alarms seen", alarm)) {
        answer.note(RunActs.NOT_AUDITED);
      }
      answer.item(JsonValue.object().put("alarm", alarm).put("by", answer.user()).build());
    }
    return ReplySender.DONE;
  }

  /** Returns those of the alarms of now that somebody has seen. */
  List<Alarms.Seen> seen(List<String> now) {
    return alarms.seen(now);
  }
}

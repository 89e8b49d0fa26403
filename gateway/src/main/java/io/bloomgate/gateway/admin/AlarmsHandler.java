package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.alarm.Alarms;
import io.bloomgate.gateway.alarm.Alarms.Tested;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** {@code alarms test}. Called on the threads of control connections. */
public final class AlarmsHandler {

  private static final JsonObject EVENT = JsonValue.object().put("event", "sending").build();

  private final Alarms alarms;
  private final ThreadFactory threads;

  /**
   * Answers with the outcome of tests.
   *
   * @param threads for the sending, which waits for servers
   */
  public AlarmsHandler(Alarms alarms, ThreadFactory threads) {
    this.alarms = alarms;
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
}

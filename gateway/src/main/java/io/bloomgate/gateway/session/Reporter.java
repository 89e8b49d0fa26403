package io.bloomgate.gateway.session;

import io.bloomgate.gateway.decision.Stage;
import io.bloomgate.gateway.decision.Verdict;
import io.bloomgate.gateway.message.TraceHeaders.Protocol;
import io.bloomgate.gateway.observe.DecisionRecord;
import io.bloomgate.gateway.observe.DecisionRecord.Outcome;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what happened in a session into decision records. One a session; used by its thread. */
final class Reporter {

  private final Dialog dialog;

  Reporter(Dialog dialog) {
    this.dialog = dialog;
  }

  /**
   * What happened.
   *
   * @param verdict {@code null} when no list had a say
   * @param from {@code null} before MAIL
   * @param beganNanos of the monotonic clock
   */
  record Event(
      Stage stage,
      String id,
      @Nullable Verdict verdict,
      Outcome outcome,
      @Nullable String from,
      List<String> to,
      Reply reply,
      long sizeOctets,
      long beganNanos) {}

  /** Something before MAIL. */
  void tell(Stage stage, String id, @Nullable Verdict verdict, Outcome outcome, Reply reply) {
    tell(
        new Event(stage, id, verdict, outcome, null, List.of(), reply, 0, dialog.beganNanos()),
        false);
  }

  /** Something inside a transaction. */
  void tell(Event event, boolean smtpUtf8) {
    SessionEnvironment env = dialog.environment();
    Greeting greeting = dialog.greeting();
    long took = env.nanoTime().getAsLong() - event.beganNanos();
    env.telemetry()
        .decided(
            new DecisionRecord(
                env.clock().instant(),
                event.id(),
                event.stage(),
                event.verdict(),
                env.mode().get(),
                event.outcome(),
                dialog.client().address(),
                greeting == null ? "" : greeting.name().text(),
                event.from(),
                event.to(),
                protocol(smtpUtf8).name(),
                event.reply(),
                event.sizeOctets(),
                Duration.ofNanos(Math.max(0, took))));
  }

  /** How this session speaks. */
  Protocol protocol(boolean smtpUtf8) {
    Greeting greeting = dialog.greeting();
    return Protocol.of(
        greeting != null && greeting.extended(), dialog.wire().encrypted(), smtpUtf8);
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.report.ReportMail;
import io.bloomgate.gateway.report.ReportMail.NotSentException;
import io.bloomgate.gateway.report.Reports;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/** {@code report}. Called on the threads of control connections. */
public final class ReportHandler {

  private static final JsonObject EVENT = JsonValue.object().put("event", "reading").build();

  private final ReportMail mail;
  private final ThreadFactory threads;

  /**
   * Answers with reports, or sends them.
   *
   * @param threads for the reading of sessions: platform threads, because it would keep a carrier
   *     thread from mail
   */
  public ReportHandler(ReportMail mail, ThreadFactory threads) {
    this.mail = mail;
    this.threads = threads;
  }

  void report(ControlRequest.Report asked, ReplySender answer) throws IOException {
    String to = asked.mailTo();
    if (to == null) {
      show(asked, answer);
    } else {
      send(asked, to, answer);
    }
  }

  private void show(ControlRequest.Report asked, ReplySender answer) throws IOException {
    Reports.Forms forms =
        LongWork.await(threads, () -> mail.reports().since(asked.since()), () -> beat(answer))
            .orElseThrow(ReportHandler::stopping);
    answer.item(
        switch (asked.form()) {
          case DATA -> forms.data();
          case TEXT -> JsonValue.object().put("text", forms.text()).build();
          case HTML -> JsonValue.object().put("html", forms.html()).build();
        });
    answer.done(ReplySender.OK);
  }

  private void send(ControlRequest.Report asked, String to, ReplySender answer) throws IOException {
    try {
      ReportSettings.recipient(to);
    } catch (BadValueException e) {
      answer.failed(ReplySender.USAGE, e.problem(), e.hint());
      return;
    }
    Attempt attempt =
        LongWork.await(threads, () -> attempt(asked, to), () -> beat(answer))
            .orElseThrow(ReportHandler::stopping);
    if (!attempt.failure.isEmpty()) {
      answer.failed(
          ReplySender.NO,
          "the report was not sent: " + attempt.failure,
          "`bloomgate doctor` looks at the mail server");
      return;
    }
    answer.item(JsonValue.object().put("mailed_to", to).put("reply", attempt.reply).build());
    answer.done(ReplySender.OK);
  }

  /**
   * The outcome of one attempt.
   *
   * @param reply of the mail server
   * @param failure why it was not sent; empty when it was
   */
  private record Attempt(String reply, String failure) {}

  private Attempt attempt(ControlRequest.Report asked, String to) {
    try {
      return new Attempt(mail.send(asked.since(), to), "");
    } catch (NotSentException e) {
      return new Attempt("", String.valueOf(e.getMessage()));
    }
  }

  private static IOException stopping() {
    return new IOException("the gateway stops");
  }

  private static void beat(ReplySender answer) throws IOException {
    answer.progress("reading the kept sessions ...", EVENT);
  }
}

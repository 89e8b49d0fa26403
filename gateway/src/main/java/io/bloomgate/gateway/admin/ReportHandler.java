package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
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

  End report(ControlRequest.Report asked, ReplySender answer)
      throws IOException, InterruptedException {
    String to = asked.mailTo();
    return to == null ? show(asked, answer) : send(asked, to, answer);
  }

  private End show(ControlRequest.Report asked, ReplySender answer)
      throws IOException, InterruptedException {
    Reports.Forms forms =
        LongWork.await(threads, () -> mail.reports().since(asked.since()), () -> beat(answer));
    answer.item(
        switch (asked.form()) {
          case DATA -> forms.data();
          case TEXT -> JsonValue.object().put("text", forms.text()).build();
          case HTML -> JsonValue.object().put("html", forms.html()).build();
        });
    return ReplySender.DONE;
  }

  private End send(ControlRequest.Report asked, String to, ReplySender answer)
      throws IOException, InterruptedException {
    try {
      ReportSettings.recipient(to);
    } catch (BadValueException e) {
      return new Failed(ReplySender.USAGE, e.problem(), e.hint());
    }
    Attempt attempt = LongWork.await(threads, () -> attempt(asked, to), () -> beat(answer));
    if (!attempt.failure.isEmpty()) {
      return new Failed(
          ReplySender.NO,
          "the report was not sent: " + attempt.failure,
          "`bloomgate doctor` looks at the mail server");
    }
    answer.item(JsonValue.object().put("mailed_to", to).put("reply", attempt.reply).build());
    return ReplySender.DONE;
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

  private static void beat(ReplySender answer) {
    answer.progress("reading the kept sessions ...", EVENT);
  }
}

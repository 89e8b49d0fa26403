package io.bloomgate.gateway.alarm;

import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.message.ReportMessage;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.OwnMessage;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Sends alarms by mail, through the mail server that receives mail of the recipient's domain. From
 * is as in the daily report; the reverse-path is null, so that nothing comes back and nothing loops
 * (RFC 3834 section 3.3). Any thread that may block.
 */
final class AlarmMail implements AlarmSender {

  private final Supplier<MailRoutes> routes;
  private final Supplier<String> hostname;
  private final Supplier<String> ids;

  /**
   * Sends nothing yet.
   *
   * @param hostname of the settings that count now
   * @param ids random words for ids of messages
   */
  AlarmMail(Supplier<MailRoutes> routes, Supplier<String> hostname, Supplier<String> ids) {
    this.routes = routes;
    this.hostname = hostname;
    this.ids = ids;
  }

  @Override
  public String word() {
    return "mail";
  }

  @Override
  public String recipient(AlarmSettings settings) {
    return Objects.requireNonNullElse(settings.to(), "");
  }

  @Override
  public String send(AlarmNotice notice, AlarmSettings settings) throws NotSentException {
    String host = hostname.get();
    String to = recipient(settings);
    byte[] message =
        ReportMessage.compose(
            new ReportMessage.Head(
                "bloomgate@" + host,
                to,
                "Bloomgate " + host + ": " + notice.headline(),
                "alarm." + ids.get() + "@" + host,
                notice.at()),
            notice.text(host));
    Reply reply;
    try {
      reply = OwnMessage.send(routes.get(), host, ReversePath.NULL, to, message);
    } catch (UpstreamException e) {
      throw new NotSentException(String.valueOf(e.getMessage()), e);
    }
    if (!reply.positive()) {
      throw new NotSentException("the mail server refused it: " + reply);
    }
    return reply.toString();
  }
}

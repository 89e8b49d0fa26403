package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import org.jspecify.annotations.Nullable;

/** Which extensions a client may use: only those of the mail server (contract, section 4). Pure. */
final class Extensions {

  private Extensions() {}

  /** The reply for what an envelope uses and this server does not offer; {@code null} for none. */
  static @Nullable Reply lacking(
      MailParameters mail, RcptParameters rcpt, UpstreamExtensions offered) {
    if (mail.smtpUtf8() && !offered.smtpUtf8()) {
      return Replies.UPSTREAM_LACKS_SMTPUTF8;
    }
    if (mail.body() == MailParameters.Body.EIGHT_BIT_MIME && !offered.eightBitMime()) {
      return Replies.UPSTREAM_LACKS_8BITMIME;
    }
    return (mail.usesDsn() || rcpt.usesDsn()) && !offered.dsn() ? Replies.UPSTREAM_LACKS_DSN : null;
  }

  /** The smaller of our size limit and that of the mail server, in octets. */
  static long sizeLimit(long ours, UpstreamExtensions upstream) {
    return upstream.sizeOctets() > 0 ? Math.min(ours, upstream.sizeOctets()) : ours;
  }
}

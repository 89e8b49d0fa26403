package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.smtp.ReversePath;
import org.jspecify.annotations.Nullable;

/**
 * MAIL and RCPT for the mail server, without parameters that it does not offer (RFC 5321 section
 * 4.1.1.11). Pure; used by {@link UpstreamDialog}.
 */
final class EnvelopeCommands {

  private EnvelopeCommands() {}

  /** MAIL, with the parameters that are offered. */
  static String mail(ReversePath from, MailParameters parameters, UpstreamExtensions extensions) {
    StringBuilder line = new StringBuilder("MAIL FROM:<").append(path(from.text())).append('>');
    if (extensions.sizeOctets() >= 0 && parameters.sizeOctets() >= 0) {
      line.append(" SIZE=").append(parameters.sizeOctets());
    }
    MailParameters.Body body = parameters.body();
    if (extensions.eightBitMime() && body != null) {
      line.append(" BODY=").append(body.keyword());
    }
    if (extensions.smtpUtf8() && parameters.smtpUtf8()) {
      line.append(" SMTPUTF8");
    }
    appendDsn(extensions, line, " RET=", parameters.ret());
    appendDsn(extensions, line, " ENVID=", parameters.envid());
    return line.toString();
  }

  /** RCPT, with the parameters that are offered. */
  static String rcpt(ForwardPath to, RcptParameters parameters, UpstreamExtensions extensions) {
    StringBuilder line = new StringBuilder("RCPT TO:<").append(path(to.text())).append('>');
    appendDsn(extensions, line, " NOTIFY=", parameters.notifyOn());
    appendDsn(extensions, line, " ORCPT=", parameters.orcpt());
    return line.toString();
  }

  private static void appendDsn(
      UpstreamExtensions extensions, StringBuilder line, String name, @Nullable String value) {
    if (extensions.dsn() && value != null) {
      if (value.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("space in a DSN parameter");
      }
      line.append(name).append(value);
    }
  }

  /**
   * A bare bracket outside quotes would end the path early and begin a parameter; a line end would
   * begin a command.
   */
  private static String path(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == 0x7f) {
        throw new IllegalArgumentException("control character in a path");
      } else if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '<' || c == '>' || c == ' ')) {
        throw new IllegalArgumentException("unquoted \"" + c + "\" in a path");
      }
    }
    return text;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * EHLO, RFC 5321 section 4.1.1.1: greets and says what may be used. Ours alone are PIPELINING,
 * SIZE, STARTTLS, ENHANCEDSTATUSCODES; the rest is what the upstream offered last (contract,
 * section 4).
 */
final class EhloVerb implements Verb {

  @Override
  public void run(SessionState dialog, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> dialog.own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> {
        UpstreamExtensions offered = dialog.environment().upstream().lastExtensions();
        dialog.greeting(new ClientHello(name, true, offered));
        dialog.own(new Reply(250, "", keywords(dialog, offered)));
      }
    }
  }

  private static List<String> keywords(SessionState dialog, UpstreamExtensions offered) {
    List<String> lines = new ArrayList<>();
    lines.add(dialog.hostname());
    lines.add("PIPELINING");
    long size = Extensions.sizeLimit(dialog.limits().messageSizeOctets(), offered);
    lines.add("SIZE " + size);
    if (dialog.environment().startTlsOffered() && !dialog.wire().encrypted()) {
      lines.add("STARTTLS");
    }
    if (dialog.mayForward()) {
      lines.add("XCLIENT " + XclientCommand.ATTRIBUTES);
    }
    lines.add("ENHANCEDSTATUSCODES");
    if (offered.eightBitMime()) {
      lines.add("8BITMIME");
    }
    if (offered.smtpUtf8()) {
      lines.add("SMTPUTF8");
    }
    if (offered.dsn()) {
      lines.add("DSN");
    }
    return lines;
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

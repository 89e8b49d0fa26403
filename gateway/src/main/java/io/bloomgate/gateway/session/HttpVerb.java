package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Replies;

/**
 * A request line of HTTP (RFC 9112 section 3): a browser or another program was talked into sending
 * us one. What follows is chosen by somebody else and may hold a whole SMTP dialog, so that the
 * session ends before it is read, unless a recipient waits for its message.
 */
final class HttpVerb implements Verb {

  static final Verb INSTANCE = new HttpVerb();

  private HttpVerb() {}

  /** True for a line that ends as a request line does, whatever its method. */
  static boolean isRequest(String line) {
    int version = line.lastIndexOf(' ') + 1;
    return version > 0 && line.startsWith("HTTP/", version);
  }

  @Override
  public void run(SessionState session, String argument) {
    if (session.owesDelivery()) {
      session.own(Replies.UNKNOWN_COMMAND);
    } else {
      session.environment().telemetry().limitReached(Limit.NOT_SMTP);
      session.farewell(Replies.NOT_SMTP);
    }
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

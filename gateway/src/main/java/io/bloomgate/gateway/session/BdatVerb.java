package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * BDAT, RFC 3030: not offered and never taken. Its chunk follows without waiting for the reply, so
 * it is read and thrown away; run as commands it would be a way to smuggle mail. Where the end of
 * the chunk cannot be known, neither can the next command, and the session ends.
 */
final class BdatVerb implements Verb {

  /** RFC 3030 section 2; a chunk of more digits would outlast every session. */
  private static final Pattern ARGUMENT =
      Pattern.compile("([0-9]{1,15})(?:[ \t]+LAST)?", Pattern.CASE_INSENSITIVE);

  @Override
  public void run(SessionState session, String argument) throws IOException {
    session.own(Replies.NOT_IMPLEMENTED);
    discardRest(session, argument);
  }

  @Override
  public void discardRest(SessionState session, String argument) throws IOException {
    Matcher chunk = ARGUMENT.matcher(argument);
    if (chunk.matches()) {
      discard(session, Long.parseLong(chunk.group(1)));
      return;
    }
    MailTransaction open = session.transaction();
    if (open != null) {
      open.abandon(Replies.NO_CHUNK_SIZE);
    }
    session.farewell(Replies.NO_CHUNK_SIZE);
  }

  /** A chunk is content, and may come as slowly as that. */
  private static void discard(SessionState session, long octets) throws IOException {
    WireReader wire = session.wire().reader();
    ContentPace pace =
        new ContentPace(session.limits(), session.sessionEnd(), session.environment().nanoTime());
    long left = octets - wire.skip(octets);
    while (left > 0) {
      pace.fill(wire);
      left -= wire.skip(left);
    }
  }
}

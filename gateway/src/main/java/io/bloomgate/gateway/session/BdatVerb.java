package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * BDAT, RFC 3030: not offered and never accepted. The client sends the chunk without waiting for
 * the reply, so the chunk is read and dropped: if its lines were run as commands, a message could
 * be smuggled in them. When the size of the chunk cannot be read, nobody knows where the next
 * command begins, and the session ends.
 */
final class BdatVerb implements Verbs.Verb {

  /** RFC 3030 section 2; a chunk with more digits would last longer than any session. */
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
    session.answerAndEnd(Replies.NO_CHUNK_SIZE);
  }

  /** A chunk is content: the same limits of pace apply. */
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

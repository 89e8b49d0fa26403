package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;

/**
 * BDAT, RFC 3030: not offered and never taken. Its chunk follows without waiting for the reply, so
 * it is read and thrown away; run as commands it would be a way to smuggle mail.
 */
final class BdatVerb implements Verb {

  /** Beyond that many digits the end of the chunk is out of reach, and so is the next command. */
  private static final int MAX_SIZE_DIGITS = 15;

  @Override
  public void run(Dialog dialog, String argument) throws IOException {
    dialog.own(Replies.NOT_IMPLEMENTED);
    discardRest(dialog, argument);
  }

  @Override
  public void discardRest(Dialog dialog, String argument) throws IOException {
    int digits = 0;
    while (digits < argument.length() && Character.isDigit(argument.charAt(digits))) {
      digits++;
    }
    boolean sized = digits > 0 && (digits == argument.length() || isSpace(argument.charAt(digits)));
    if (sized && digits > MAX_SIZE_DIGITS) {
      dialog.end();
    } else if (sized) {
      discard(dialog, Long.parseLong(argument.substring(0, digits)));
    }
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  /** A chunk is content, and may come as slowly as that. */
  private static void discard(Dialog dialog, long octets) throws IOException {
    WireReader wire = dialog.wire().reader();
    ContentPace pace =
        new ContentPace(dialog.limits(), dialog.sessionEnd(), dialog.environment().nanoTime());
    long left = octets - wire.skip(octets);
    while (left > 0) {
      pace.fill(wire);
      left -= wire.skip(left);
    }
  }
}

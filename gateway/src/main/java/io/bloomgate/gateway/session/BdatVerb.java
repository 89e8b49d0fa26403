package io.bloomgate.gateway.session;

import io.bloomgate.gateway.observe.Limit;
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
    int digits = 0;
    while (digits < argument.length() && Character.isDigit(argument.charAt(digits))) {
      digits++;
    }
    boolean sized = digits > 0 && (digits == argument.length() || argument.charAt(digits) == ' ');
    if (!sized) {
      dialog.own(Replies.NOT_IMPLEMENTED);
    } else if (digits > MAX_SIZE_DIGITS) {
      dialog.farewell(Replies.NOT_IMPLEMENTED);
    } else {
      dialog.own(Replies.NOT_IMPLEMENTED);
      long octets = Long.parseLong(argument.substring(0, digits));
      long time = dialog.limits().dataTimeout().toNanos();
      dialog.wire().reader().discard(octets, dialog.within(time, Limit.DATA_TIMEOUT));
    }
  }
}

package io.bloomgate.gateway.message;

import java.util.Arrays;
import java.util.Optional;

/** A message's header block as it came. Made by {@link HeadReader}; one thread. */
public final class MessageHead {

  private final byte[] octets;
  private final int length;
  private final int end;
  private final int received;
  private final FieldCuts cuts;
  private final boolean headless;

  /**
   * @param length of the block
   * @param end behind the malformed line that ended it; the same where none did
   */
  MessageHead(byte[] octets, int length, int end, int received, FieldCuts cuts, boolean headless) {
    this.octets = octets;
    this.length = length;
    this.end = end;
    this.received = received;
    this.cuts = cuts;
    this.headless = headless;
  }

  /** Received fields, each a hop (RFC 5321 section 6.3). */
  public int receivedFields() {
    return received;
  }

  /** Fields that the mail server does not get. */
  public int removedFields(boolean tagged) {
    return (int) cuts.all().stream().filter(cut -> cut.applies(tagged)).count();
  }

  /** Octets as they came. */
  public int sizeOctets() {
    return length;
  }

  /**
   * The block as the mail server gets it: our fields, then what came, without every inbound {@code
   * X-Bloomgate} and {@code X-Bloomgate-Incident} and, with a tag of ours, every inbound {@code
   * X-Spam-Flag} and {@code X-Spam-Status} (contract section 6).
   *
   * <p>Where what came has no header, an empty line of ours ends our fields: otherwise a line that
   * begins with a blank would be part of the last of them, and what looks like fields below it
   * would pass for ours.
   *
   * @param ours whole fields with CRLF, from {@link TraceHeaders}
   */
  public byte[] forRelay(byte[] ours, boolean tagged) {
    byte[] above = headless ? withEmptyLine(ours) : ours;
    int total = above.length + length;
    for (FieldCuts.Cut cut : cuts.all()) {
      total -= cut.applies(tagged) ? cut.end() - cut.start() : 0;
    }
    byte[] relayed = new byte[total];
    System.arraycopy(above, 0, relayed, 0, above.length);
    int to = above.length;
    int from = 0;
    for (FieldCuts.Cut cut : cuts.all()) {
      if (cut.applies(tagged)) {
        int kept = cut.start() - from;
        System.arraycopy(octets, from, relayed, to, kept);
        to += kept;
        from = cut.end();
      }
    }
    System.arraycopy(octets, from, relayed, to, length - from);
    return relayed;
  }

  /**
   * What the content below the block has to go through: where a malformed line ended it, which is
   * in there already. Empty where all the rest is body.
   */
  public Optional<FieldSieve> sieve(boolean tagged) {
    return length == end
        ? Optional.empty()
        : Optional.of(new FieldSieve(Arrays.copyOfRange(octets, length, end), received, tagged));
  }

  private static byte[] withEmptyLine(byte[] fields) {
    byte[] ended = Arrays.copyOf(fields, fields.length + 2);
    ended[fields.length] = '\r';
    ended[fields.length + 1] = '\n';
    return ended;
  }
}

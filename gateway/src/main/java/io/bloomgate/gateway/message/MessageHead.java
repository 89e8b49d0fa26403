package io.bloomgate.gateway.message;

/** A message's header block as it came. Made by {@link HeadReader}; one thread. */
public final class MessageHead {

  private final byte[] octets;
  private final int length;
  private final int received;
  private final FieldCuts cuts;

  MessageHead(byte[] octets, int length, int received, FieldCuts cuts) {
    this.octets = octets;
    this.length = length;
    this.received = received;
    this.cuts = cuts;
  }

  /** Received fields, each a hop (RFC 5321 section 6.3). */
  public int receivedFields() {
    return received;
  }

  /** Octets as they came. */
  public int sizeOctets() {
    return length;
  }

  /**
   * The block as it goes upstream: our fields, then what came, less every inbound {@code
   * X-Bloomgate} and, beside a tag of ours, every inbound {@code X-Spam-Flag} and {@code
   * X-Spam-Status} (contract section 6).
   *
   * @param ours whole fields with CRLF, from {@link TraceHeaders}
   */
  public byte[] forRelay(byte[] ours, boolean tagged) {
    int total = ours.length + length;
    for (FieldCuts.Cut cut : cuts.all()) {
      total -= cut.applies(tagged) ? cut.end() - cut.start() : 0;
    }
    byte[] relayed = new byte[total];
    System.arraycopy(ours, 0, relayed, 0, ours.length);
    int to = ours.length;
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
}

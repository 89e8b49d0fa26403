package io.bloomgate.blocklists.campaign;

/**
 * A mail of which several copies have passed, as the nodes of a fleet tell each other: hashes with
 * the seed that all of them have, from which neither text nor addresses can be read. Made by {@link
 * Campaigns}. Immutable; the arrays must not be changed.
 */
public final class SharedCopy {

  /** Keys of a mail: those of its text, and of each attachment. */
  public static final int MOST_KEYS =
      CopyKeys.BANDS + CopyKeys.KEYS_A_VALUE * (1 + MailPrint.MOST_ATTACHMENTS);

  private final long[] keys;
  private final int bands;
  private final long network;
  private final long sender;
  private final long[] recipients;

  /**
   * A copy as it came from another node.
   *
   * @param keys of the mail, {@link #MOST_KEYS} at most
   * @param bands how many of the keys are of its likeness: none, or one for each two minima
   * @param recipients {@link PassingMail#MOST_RECIPIENTS} at most
   */
  public SharedCopy(long[] keys, int bands, long network, long sender, long[] recipients) {
    boolean isWhole = (keys.length - bands) % CopyKeys.KEYS_A_VALUE == 0;
    if ((bands != 0 && bands != CopyKeys.BANDS)
        || keys.length < Math.max(1, bands)
        || keys.length > MOST_KEYS
        || !isWhole
        || recipients.length > PassingMail.MOST_RECIPIENTS) {
      throw new IllegalArgumentException("no copy of a mail");
    }
    this.keys = keys.clone();
    this.bands = bands;
    this.network = network;
    this.sender = sender;
    this.recipients = recipients.clone();
  }

  /** First those of the likeness, then two for each exact value. */
  public long[] keys() {
    return keys;
  }

  /** How many of the keys are of the likeness. */
  public int bands() {
    return bands;
  }

  /** Of the client. */
  public long network() {
    return network;
  }

  /** Of the domain of the envelope sender. */
  public long sender() {
    return sender;
  }

  /** Of the recipients. */
  public long[] recipients() {
    return recipients;
  }
}

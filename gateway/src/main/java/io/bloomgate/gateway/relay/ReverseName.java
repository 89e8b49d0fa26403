package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;

/**
 * The state of a client's name in DNS, as Postfix distinguishes it. Immutable.
 *
 * @param confirmed the name whose own address is the client's; empty when there is none
 * @param claimed the name that the address has, even when it does not lead back to the address;
 *     empty when there is none
 * @param dead true when a name is empty because DNS gave no answer: it may have one later
 */
public record ReverseName(String confirmed, String claimed, boolean dead) {

  /** The address has no name, or no look-up was made. */
  public static final ReverseName NONE = new ReverseName("", "", false);

  /** DNS gave no answer. */
  public static final ReverseName DEAD = new ReverseName("", "", true);

  /**
   * A name that is being looked up since the session of its client began. Asked by the session's
   * thread when a mail server gets the client's identity.
   */
  @FunctionalInterface
  public interface Pending {

    /** No look-up is made. */
    Pending NONE = () -> ReverseName.NONE;

    /**
     * Blocks until the answer is there, or until the time limit of a look-up; then the answer is
     * {@link ReverseName#DEAD}.
     */
    ReverseName await();
  }

  /** Returns what a decision may take for known. */
  public ClientName fact() {
    if (!confirmed.isEmpty()) {
      return new ClientName(confirmed, ClientName.State.CONFIRMED);
    }
    if (dead) {
      return new ClientName(claimed, ClientName.State.UNKNOWN);
    }
    return new ClientName(
        claimed, claimed.isEmpty() ? ClientName.State.NONE : ClientName.State.UNCONFIRMED);
  }

  /** The words of Postfix's XCLIENT_README for what is not known. */
  static final String UNAVAILABLE = "[UNAVAILABLE]";

  private static final String TEMPORARILY_UNAVAILABLE = "[TEMPUNAVAIL]";

  /** The value of NAME. */
  String nameValue() {
    return value(confirmed);
  }

  /** The value of REVERSE_NAME. */
  String reverseNameValue() {
    return value(claimed);
  }

  private String value(String name) {
    if (!name.isEmpty()) {
      return name;
    }
    return dead ? TEMPORARILY_UNAVAILABLE : UNAVAILABLE;
  }
}

package io.bloomgate.config.settings;

import java.util.List;

/**
 * What of a transaction is compared with a list, strongest first: of two equally strong listings
 * the reply names the one whose check is first here (join rule of the contract, section 3).
 */
public enum Check {
  /** The address of the client. */
  CLIENT_IP("client_ip"),
  /**
   * The name of the client's address, when it leads back to the address. It has to be looked up, so
   * only lists that say so are asked.
   */
  CLIENT_NAME("client_name"),
  /** The name or address literal of HELO or EHLO. */
  HELO("helo"),
  /** The envelope sender's whole address. */
  SENDER("sender"),
  /** The domain of the envelope sender. */
  SENDER_DOMAIN("sender_domain");

  /**
   * Those that take no look-up: of a list that names no checks, and those that an entry of the
   * operator may name. An entry that holds for the client's address holds for its name too.
   */
  public static final List<Check> WITHOUT_LOOK_UP = List.of(CLIENT_IP, HELO, SENDER, SENDER_DOMAIN);

  private final String key;

  Check(String key) {
    this.key = key;
  }

  /** The word used in settings, JSON, logs and metrics. */
  public String key() {
    return key;
  }
}

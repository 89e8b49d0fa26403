package io.bloomgate.config.settings;

/**
 * What of a transaction is compared with a list, strongest first: of two equally strong listings
 * the reply names the one whose check is first here (join rule of the contract, section 3).
 */
public enum Check {
  /** The address of the client. */
  CLIENT_IP("client_ip"),
  /** The name or address literal of HELO or EHLO. */
  HELO("helo"),
  /** The envelope sender's whole address. */
  SENDER("sender"),
  /** The domain of the envelope sender. */
  SENDER_DOMAIN("sender_domain");

  private final String key;

  Check(String key) {
    this.key = key;
  }

  /** The word used in settings, JSON, logs and metrics. */
  public String key() {
    return key;
  }
}

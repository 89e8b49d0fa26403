package io.bloomgate.blocklists.decision;

/** Where in the dialog a decision is made or spoken. */
public enum Stage {
  CONNECT,
  HELO,
  MAIL,
  RCPT,
  DATA;

  /** The word in logs, JSON and metrics. */
  public String key() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}

package io.bloomgate.blocklists.decision;

/** The step of the dialog at which a decision is made, or its reply is sent. */
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

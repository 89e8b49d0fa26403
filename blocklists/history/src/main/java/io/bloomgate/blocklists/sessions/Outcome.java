package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.Keyed;

/** The outcome of a mail, as log lines and kept sessions name it. */
public enum Outcome implements Keyed {
  /** The mail server replied 250 and the client got it. */
  DELIVERED,
  /** We refused because of a list. */
  REFUSED,
  /** Lists would have refused; mode observe let it pass. */
  WOULD_REFUSE,
  /** A protocol rule, limit or the relay check refused a recipient or a message. */
  PROTOCOL,
  /** A limit ended the session, or a command of the client was wrong. */
  TURNED_AWAY,
  /** The mail server refused. */
  UPSTREAM_REFUSED,
  /** The mail server could not be used. */
  UPSTREAM_FAILED,
  /** Lost after the final dot: the mail server may or may not have it. */
  UNKNOWN,
  /** The client went away. */
  ABANDONED,
  /** The client got 250, and the mail ended here, as the settings of traps or reports say. */
  DROPPED
}

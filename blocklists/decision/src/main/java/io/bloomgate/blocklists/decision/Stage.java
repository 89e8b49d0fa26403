package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.Keyed;

/** The step of the dialog at which a decision is made, or its reply is sent. */
public enum Stage implements Keyed {
  CONNECT,
  HELO,
  MAIL,
  RCPT,
  DATA;
}

package io.bloomgate.gateway.log;

import io.bloomgate.config.name.Keyed;

/** Every limit of the SMTP edge and of the pages, as metrics and logs name it. */
public enum Limit implements Keyed {
  SESSIONS,
  SESSIONS_PER_IP,

  /** A quarter of {@code max_sessions}. */
  SESSIONS_PER_NETWORK,
  CONNECTION_RATE,

  /** {@code rates}: messages of one client. */
  CLIENT_RATE,

  /** Messages of one network of clients. */
  NETWORK_RATE,

  /** Messages of one domain of senders. */
  SENDER_DOMAIN_RATE,

  /** Messages for one recipient. */
  RECIPIENT_RATE,

  /** {@code banner_delay}: the client sent something before its end. */
  BANNER_DELAY,

  /** HTTP on an SMTP listener. */
  NOT_SMTP,
  COMMAND_LINE,
  COMMAND_TIMEOUT,
  DATA_TIMEOUT,
  MIN_DATA_RATE,
  SESSION_TIMEOUT,

  /** TLS records without data, such as key updates. */
  TLS_RECORDS,
  ERRORS,
  COMMANDS,
  RECIPIENTS,
  MESSAGE_SIZE,
  HEADER_SIZE,
  HOPS,

  /** {@code limits.mime}: shapes that bring down mail servers. */
  MIME,
  HELD_CONTENT,

  /** Some of what a mail carries was not read, because there is too much of it. */
  CONTENT,
  UPSTREAM_CONNECTIONS,

  /** Names of clients: no place for a look-up became free in time. */
  NAME_LOOKUPS,

  /** Wrong tokens for the administrator's page and the metrics. */
  PAGE_TOKENS,

  /** Questions of refused senders to {@code admin.why}. */
  WHY_QUESTIONS;
}

package io.bloomgate.gateway.session;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What a session did since its last accepted message (contract, section 2, limits). Used by the
 * session's thread.
 */
final class Tally {

  /** Names that a client may have DNS lists asked about; publishers count each question. */
  static final int MAX_NAMES = 50;

  private int errors;
  private int commands;
  private int names;

  void command() {
    commands++;
  }

  void error() {
    errors++;
  }

  /** DNS lists are asked about a name that the client chose. */
  void name() {
    names++;
  }

  /** A message was accepted. */
  void reset() {
    errors = 0;
    commands = 0;
    names = 0;
  }

  /** The limit that is passed; {@code null} for none. */
  @Nullable Limit passed(Settings.Limits limits) {
    if (errors >= limits.errors()) {
      return Limit.ERRORS;
    }
    return commands > limits.commands() || names > MAX_NAMES ? Limit.COMMANDS : null;
  }
}

package io.bloomgate.gateway.session;

/**
 * Errors and commands since the last accepted message (contract, section 2, limits). Used by one
 * session's thread.
 */
final class CommandTally {

  private int errors;
  private int commands;

  void error() {
    errors++;
  }

  void command() {
    commands++;
  }

  int errors() {
    return errors;
  }

  int commands() {
    return commands;
  }

  /** A message was accepted. */
  void forgive() {
    errors = 0;
    commands = 0;
  }
}

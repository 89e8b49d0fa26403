package io.bloomgate.gateway.session;

import java.io.IOException;

/**
 * One SMTP command. Stateless and shared by all sessions: what it reads and changes is the {@link
 * SessionState}.
 */
interface Verb {

  /**
   * Carries the command out and answers it.
   *
   * @param argument what followed the verb; empty for nothing
   */
  void run(SessionState session, String argument) throws IOException;

  /**
   * Reads away what a client sends behind the command without waiting for the reply, where it is
   * not carried out.
   */
  default void discardRest(SessionState session, String argument) throws IOException {}

  /** True for what RFC 3207 section 4 lets pass before TLS where TLS is required. */
  default boolean allowedBeforeTls() {
    return false;
  }
}

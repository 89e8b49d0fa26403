package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Role;

/**
 * Answers the requests of the command line inside the gateway, so that a page and a command never
 * disagree. Called on the threads of HTTP requests.
 */
@FunctionalInterface
public interface Questions {

  /**
   * Asks; what the role does not cover is refused.
   *
   * @param user who asks, for the audit
   */
  Answer ask(ControlRequest request, String user, Role role);

  /** The name in the audit and of entries; it has the role where entries depend on it. */
  static String author(String user, Role role) {
    return role == Role.SUPPORT ? user + " (support)" : user;
  }
}

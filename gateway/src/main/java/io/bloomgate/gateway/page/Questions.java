package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;

/**
 * Answers the requests of the command line inside the gateway, so that a page and a command never
 * disagree. Called on the threads of HTTP requests.
 */
@FunctionalInterface
public interface Questions {

  /**
   * Asks.
   *
   * @param author who asks, for the audit
   */
  Answer ask(ControlRequest request, String author);
}

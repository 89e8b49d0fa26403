package io.bloomgate.gateway.admin;

import java.io.IOException;

/**
 * Answers one request line with one or more lines. Called by {@link ControlServer} on the thread of
 * the connection.
 */
public interface RequestHandler {

  /**
   * The client of a control connection, as the kernel names it (SO_PEERCRED), for the audit.
   *
   * @param user Unix user name, or its number when it has no name
   */
  record Caller(String user) {}

  /** Takes the lines of an answer. */
  @FunctionalInterface
  interface LineSink {
    /**
     * Sends one line, or several that go out together.
     *
     * @param line without line feed at its end
     * @throws IOException when the client has gone or does not read
     */
    void send(String line) throws IOException;
  }

  /**
   * Answers.
   *
   * @param request as it came, without line feed
   * @throws IOException when the client has gone
   */
  void answer(String request, Caller caller, LineSink answer) throws IOException;

  /** The one line of the answer when a request cannot be read. */
  String refusal(String message, String hint);
}

package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.util.List;

/** Answers requests. Called by {@link ControlConnection} on the thread of the connection. */
@FunctionalInterface
public interface RequestHandler {

  /**
   * The client of a control connection, as the kernel names it (SO_PEERCRED), for the audit.
   *
   * @param user Unix user name, or its number when it has no name
   */
  record Caller(String user) {}

  /** Takes the replies of an answer. */
  @FunctionalInterface
  interface ReplySink {
    /**
     * Sends replies, which go out together.
     *
     * @throws IOException when the client has gone or does not read
     */
    void send(List<? extends ControlReply> replies) throws IOException;
  }

  /**
   * Answers.
   *
   * @throws IOException when the client has gone
   */
  void answer(ControlRequest request, Caller caller, ReplySink answer) throws IOException;
}

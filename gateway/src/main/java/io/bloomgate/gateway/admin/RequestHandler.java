package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.page.Questions;
import java.io.IOException;
import java.util.List;

/** Answers requests. Called by {@link ControlConnection} on the thread of the connection. */
@FunctionalInterface
public interface RequestHandler {

  /**
   * The client of a control connection, as the kernel names it (SO_PEERCRED), or the owner of a
   * token of the page.
   *
   * @param user Unix user name, or its number when it has no name
   */
  record Caller(String user, Role role) {

    /** The name for the audit and for entries, which tells the role. */
    String author() {
      return Questions.author(user, role);
    }
  }

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

package io.bloomgate.gateway.smtp;

/** The argument of a command is not well formed, or not possible here; the reply says why. */
public final class ArgumentException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Reply reply;

  /** Any client can cause it, so it carries no stack. */
  ArgumentException(Reply reply) {
    super(reply.toString(), null, false, false);
    this.reply = reply;
  }

  /** The reply to the command. */
  public Reply reply() {
    return reply;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** VRFY, RFC 5321 sections 3.5.3 and 7.3: tells harvesters nothing. */
final class VrfyVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    session.own(
        argument.isEmpty() ? Replies.syntax("Syntax: VRFY address") : Replies.CANNOT_VERIFY);
  }
}

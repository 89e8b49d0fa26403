package io.bloomgate.gateway.demo;

import io.bloomgate.config.name.Keyed;

/**
 * One mail of the demo and what must become of it. Immutable.
 *
 * @param shows what the mail is an example of
 * @param stage at which the last reply must come
 * @param expected what must become of it
 * @param delivered whether it the mail server must have it
 */
record DemoMail(
    String shows,
    String client,
    String helo,
    String from,
    String to,
    String stage,
    Verdict expected,
    boolean delivered) {

  /** The verdict as a client can see it. */
  enum Verdict implements Keyed {
    ACCEPT,
    TAG,
    TEMPFAIL,
    REJECT;
  }
}

package io.bloomgate.gateway.demo;

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

  /** What a client can see. */
  enum Verdict {
    ACCEPT,
    TAG,
    TEMPFAIL,
    REJECT;

    /** The word of the table. */
    String key() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}

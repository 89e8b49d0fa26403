package io.bloomgate.gateway.demo;

/**
 * One mail of the demo and what must become of it. Immutable.
 *
 * @param shows what the mail stands for
 * @param stage where its last word must be said
 * @param expected what must become of it
 * @param delivered whether it must be found in the sink
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

package io.bloomgate.blocklists.replay;

/**
 * The parser of one kind of log. Reads the lines of several files one after the other, the oldest
 * first, and gives each mail to the sink that it was made with. One thread.
 */
interface LogParser {

  /** Reads a line, of which the own text may begin anywhere; false when it is none of this log. */
  boolean line(String line, LogClock clock);

  /** Ends the lines: what is open ends here. */
  default void end() {}

  /** Mails that were open when too many were, and are not counted. */
  default long givenUp() {
    return 0;
  }
}

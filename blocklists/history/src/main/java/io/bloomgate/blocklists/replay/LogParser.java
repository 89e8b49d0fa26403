package io.bloomgate.blocklists.replay;

import java.util.function.Consumer;

/**
 * The parser of one kind of log. Reads the lines of several files one after the other, the oldest
 * first, and gives each mail to its sink. One thread.
 */
abstract class LogParser {

  final Consumer<LoggedMail> sink;

  /** Mails that were open when too many were, and are not counted. */
  long givenUp;

  LogParser(Consumer<LoggedMail> sink) {
    this.sink = sink;
  }

  /** Reads a line, of which the own text may begin anywhere; false when it is none of this log. */
  abstract boolean line(String line, LogClock clock);

  /** Ends the lines: what is open ends here. */
  void end() {}
}

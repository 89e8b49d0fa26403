package io.bloomgate.blocklists.replay;

import java.util.Locale;
import java.util.function.Consumer;

/** The logs that can be read. */
public enum LogFormat {
  POSTFIX("HELO of mail that was not refused, names of clients that do not lead back"),
  RSPAMD("HELO, the name of the client"),
  HARAKA("the name of the client, whether the next server took the mail"),
  EXIM("recipients of mail that was not delivered");

  private final String missing;

  LogFormat(String missing) {
    this.missing = missing;
  }

  /** What such a log does not hold, for people. */
  public String missing() {
    return missing;
  }

  /** The word in JSON and for people. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A parser of lines. */
  LogParser parser(Consumer<LoggedMail> sink) {
    return switch (this) {
      case POSTFIX -> new PostfixLog(sink);
      case HARAKA -> new HarakaLog(sink);
      case EXIM -> new EximLog(sink);
      case RSPAMD -> new JsonLines(new RspamdHistory(sink));
    };
  }

  /** A history with a row a line. */
  private record JsonLines(RspamdHistory rows) implements LogParser {
    @Override
    public boolean line(String line, LogClock clock) {
      return rows.line(line);
    }

    @Override
    public void end() {}

    @Override
    public long givenUp() {
      return 0;
    }
  }
}

package io.bloomgate.blocklists.replay;

import io.bloomgate.config.name.Keyed;
import java.util.function.Consumer;

/** The logs that can be read. */
public enum LogFormat implements Keyed {
  POSTFIX("HELO of mail that was not refused, names of clients that do not lead back"),
  RSPAMD("HELO, the name of the client"),
  HARAKA("the name of the client, whether the next server took the mail"),
  EXIM("recipients of mail that was not delivered");

  private final String missing;

  LogFormat(String missing) {
    this.missing = missing;
  }

  /** The parts of a session that such a log does not hold, for people. */
  public String missing() {
    return missing;
  }

  /** A parser of lines. */
  LogParser parser(Consumer<LoggedMail> sink) {
    return switch (this) {
      case POSTFIX -> new PostfixLog(sink);
      case HARAKA -> new HarakaLog(sink);
      case EXIM -> new EximLog(sink);
      case RSPAMD -> new RspamdHistory(sink);
    };
  }
}

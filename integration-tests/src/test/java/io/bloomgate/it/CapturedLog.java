package io.bloomgate.it;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * What some loggers of a gateway in this process say from level INFO on, in place of standard
 * error. Used by one test's thread; filled by the gateway's.
 */
final class CapturedLog implements AutoCloseable {

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final List<Logger> loggers;

  /** Begins with these loggers. */
  CapturedLog(String... names) {
    lines.start();
    loggers = Stream.of(names).map(name -> (Logger) LoggerFactory.getLogger(name)).toList();
    for (Logger logger : loggers) {
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(lines);
    }
  }

  /** Forgets what was said. */
  void clear() {
    lines.list.clear();
  }

  boolean contains(String words) {
    return List.copyOf(lines.list).stream()
        .anyMatch(event -> event.getFormattedMessage().contains(words));
  }

  @Override
  public String toString() {
    return lines.list.toString();
  }

  @Override
  public void close() {
    for (Logger logger : loggers) {
      logger.detachAppender(lines);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
  }
}

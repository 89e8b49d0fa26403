package io.bloomgate.gateway.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings and errors that one class logs until this is closed; nobody else sees them. */
public final class LogLines implements AutoCloseable {

  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> threads = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getFormattedMessage());
          threads.add(event.getThreadName());
        }
      };

  /** Listens to warnings and errors at once. */
  public LogLines(Class<?> writer) {
    this(writer, Level.WARN);
  }

  /** Listens to lines of this level and above at once. */
  public LogLines(Class<?> writer, Level level) {
    logger = (Logger) LoggerFactory.getLogger(writer);
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(level);
    logger.setAdditive(false);
  }

  /** Level and text of each, in order. */
  public List<String> all() {
    return List.copyOf(lines);
  }

  /** The same, where warnings are the least that is listened to. */
  public List<String> warnings() {
    return List.copyOf(lines);
  }

  /** The names of the threads that wrote them. */
  public List<String> threads() {
    return List.copyOf(threads);
  }

  @Override
  public void close() {
    logger.setAdditive(true);
    logger.setLevel(null);
    logger.detachAppender(appender);
  }
}

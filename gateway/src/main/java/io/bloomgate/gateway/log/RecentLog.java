package io.bloomgate.gateway.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The last lines of the gateway's own log, for {@code support dump}: where standard error goes is
 * not known to the gateway. Made by {@link OwnLog}; called by logback on the threads that log, read
 * on threads of control connections.
 */
public final class RecentLog extends AppenderBase<ILoggingEvent> {

  private static final int MOST_LINES = 400;

  /** A longer line is cut; a stack trace takes several. */
  private static final int MOST_CHARACTERS = 2_000;

  private final GatewayLogLayout layout = new GatewayLogLayout(false);
  private final ArrayDeque<String> lines = new ArrayDeque<>();

  @Override
  protected void append(ILoggingEvent event) {
    List<String> text = layout.doLayout(event).lines().toList();
    synchronized (lines) {
      for (String line : text) {
        if (lines.size() == MOST_LINES) {
          lines.removeFirst();
        }
        lines.addLast(
            line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...");
      }
    }
  }

  private List<String> kept() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** The last lines of this process, oldest first; none where logging is set up in another way. */
  public static List<String> lines() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Iterator<Appender<ILoggingEvent>> appenders =
          context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
      while (appenders.hasNext()) {
        if (appenders.next() instanceof RecentLog recent) {
          return recent.kept();
        }
      }
    }
    return List.of();
  }
}

package io.bloomgate.gateway.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's own log on standard error, one line per event: time, level, text. Made by {@link
 * OwnLog} and {@link RecentLog}; called by logback on the threads that log.
 *
 * <p>Messages and exceptions may quote what came from outside: control characters and everything
 * beyond ASCII are written as {@code \xHHHH}, so that no text from outside can forge a line or
 * control a terminal. Under systemd the journal adds the time itself, and the line begins with the
 * priority of sd-daemon(3).
 */
public final class GatewayLogLayout extends LayoutBase<ILoggingEvent> {

  private final boolean journal;

  /**
   * Lines for this reader.
   *
   * @param journal true when systemd's journal reads, which adds the time itself
   */
  GatewayLogLayout(boolean journal) {
    this.journal = journal;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    if (journal) {
      line.append(priority(event)).append("bloomgate: ");
    } else {
      Instant time = Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS);
      line.append(time).append(" bloomgate ").append(event.getLevel()).append(' ');
    }
    append(line, event.getFormattedMessage());
    line.append('\n');
    appendThrowable(line, event.getThrowableProxy());
    return line.toString();
  }

  private static String priority(ILoggingEvent event) {
    return switch (event.getLevel().toString()) {
      case "ERROR" -> "<3>";
      case "WARN" -> "<4>";
      case "INFO" -> "<6>";
      default -> "<7>";
    };
  }

  private static void appendThrowable(StringBuilder text, @Nullable IThrowableProxy thrown) {
    String head = "  ";
    for (IThrowableProxy next = thrown; next != null; next = next.getCause()) {
      append(text.append(head), next.getClassName() + ": " + next.getMessage());
      text.append('\n');
      for (StackTraceElementProxy step : next.getStackTraceElementProxyArray()) {
        append(text.append("    "), step.toString());
        text.append('\n');
      }
      head = "  caused by ";
    }
  }

  private static void append(StringBuilder line, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~') {
        line.append(c);
      } else {
        line.append("\\x").append("%04X".formatted((int) c));
      }
    }
  }
}

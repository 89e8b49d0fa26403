package io.bloomgate.gateway.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.read.CyclicBufferAppender;
import ch.qos.logback.core.spi.ContextAware;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.status.NopStatusListener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Sets up the gateway's own log: standard error, so that standard output is free for the decision
 * log. Found by logback among the services and called once, by the thread that makes the first
 * logger. In Java and not in logback.xml, because to read that file took a tenth of the start.
 */
public final class OwnLog extends ContextAwareBase implements Configurator {

  /** The system property that says from which level on our own loggers speak; INFO without it. */
  public static final String LEVEL = "bloomgate.log.level";

  /** The name of the appender that keeps the last lines. */
  private static final String RECENT = "recent";

  private static final int MOST_LINES = 400;

  /** A longer line is cut; a stack trace takes several. */
  private static final int MOST_CHARACTERS = 2_000;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getStatusManager().add(new NopStatusListener()); // says nothing about itself
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(standardError(context));
    root.addAppender(recent(context));
    // The library's own words about sessions say less than ours.
    context.getLogger("org.subethamail").setLevel(Level.ERROR);
    context
        .getLogger("io.bloomgate")
        .setLevel(Level.toLevel(System.getProperty(LEVEL), Level.INFO));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Appender<ILoggingEvent> standardError(LoggerContext context) {
    // systemd sets JOURNAL_STREAM when standard error goes to the journal (systemd.exec(5)).
    boolean journal = !System.getenv().getOrDefault("JOURNAL_STREAM", "").isEmpty();
    GatewayLogLayout layout = new GatewayLogLayout(journal);
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setLayout(begun(layout, context));
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setTarget("System.err");
    stderr.setEncoder(begun(encoder, context));
    return begun(stderr, context);
  }

  /** Keeps the last lines: the gateway does not know where its standard error goes. */
  private static Appender<ILoggingEvent> recent(LoggerContext context) {
    CyclicBufferAppender<ILoggingEvent> recent = new CyclicBufferAppender<>();
    recent.setName(RECENT);
    recent.setMaxSize(MOST_LINES);
    return begun(recent, context);
  }

  /**
   * The last lines of this process, oldest first, for {@code support dump}; none where logging is
   * set up in another way. Read on threads of control connections.
   */
  public static List<String> recentLines() {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)
        || !(context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(RECENT)
            instanceof CyclicBufferAppender<ILoggingEvent> recent)) {
      return List.of();
    }
    GatewayLogLayout layout = new GatewayLogLayout(false);
    List<String> lines = new ArrayList<>();
    synchronized (recent) { // as for an event that is added
      for (int i = 0; i < recent.getLength(); i++) {
        layout.doLayout(recent.get(i)).lines().map(OwnLog::cut).forEach(lines::add);
      }
    }
    return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
  }

  private static String cut(String line) {
    return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...";
  }

  private static <T extends ContextAware & LifeCycle> T begun(T part, LoggerContext context) {
    part.setContext(context);
    part.start();
    return part;
  }

  /**
   * The gateway's own log on standard error, one line per event: time, level, text. Made by {@link
   * OwnLog}; called by logback on the threads that log.
   *
   * <p>Messages and exceptions may quote what came from outside: control characters and everything
   * beyond ASCII are written as {@code \xHHHH}, so that no text from outside can forge a line or
   * control a terminal. Under systemd the journal adds the time itself, and the line begins with
   * the priority of sd-daemon(3).
   */
  public static final class GatewayLogLayout extends LayoutBase<ILoggingEvent> {

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
}

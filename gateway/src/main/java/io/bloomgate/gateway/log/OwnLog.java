package io.bloomgate.gateway.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAware;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.status.NopStatusListener;

/**
 * Sets up the gateway's own log: standard error, so that standard output is free for the decision
 * log. Found by logback among the services and called once, by the thread that makes the first
 * logger. In Java and not in logback.xml, because to read that file took a tenth of the start.
 */
public final class OwnLog extends ContextAwareBase implements Configurator {

  /** The system property that says from which level on our own loggers speak; INFO without it. */
  public static final String LEVEL = "bloomgate.log.level";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getStatusManager().add(new NopStatusListener()); // says nothing about itself
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(standardError(context));
    root.addAppender(begun(new RecentLog(), context));
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

  private static <T extends ContextAware & LifeCycle> T begun(T part, LoggerContext context) {
    part.setContext(context);
    part.start();
    return part;
  }
}

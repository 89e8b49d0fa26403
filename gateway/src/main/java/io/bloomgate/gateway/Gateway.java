package io.bloomgate.gateway;

import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.linux.ServiceManager;
import io.bloomgate.gateway.metrics.FilterCounters;
import io.bloomgate.gateway.session.SessionRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway put together: the composition root, and the only place that makes clocks, randomness
 * and threads. {@link Main} and the demo start it and close it; {@link Assembly} and {@link
 * Listeners} know the order.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /** How long messages in flight may take at a shutdown; systemd waits a little longer. */
  private static final Duration DRAIN = Duration.ofSeconds(40);

  private static final Duration AFTER_CUT = Duration.ofSeconds(5);

  private final ServiceManager service;
  private final ShutdownStack closer;
  private final LiveGateway running;
  private final SessionRegistry sessions;
  private final FilterCounters filters;
  private final Map<String, Integer> ports;

  private Gateway(
      Platform world, ShutdownStack closer, Assembly assembly, Map<String, Integer> ports) {
    this.service = world.service();
    this.closer = closer;
    this.running = assembly.running();
    this.sessions = assembly.sessions();
    this.filters = assembly.parts().filters();
    this.ports = Map.copyOf(ports);
  }

  /**
   * Starts a gateway; when this returns it listens.
   *
   * @param environment of the process, for overrides of settings
   * @throws StartFailure when it cannot start; nothing is left open
   */
  public static Gateway start(Path settingsFile, Map<String, String> environment)
      throws StartFailure {
    Platform world =
        new Platform(
            InstantSource.system(),
            System::nanoTime,
            new SecureRandom(),
            Gateway::threads,
            Thread.ofVirtual().name("session-", 0).factory(),
            settingsFile,
            Map.copyOf(environment),
            ZoneId.systemDefault(),
            ProcessHandle.current().pid(),
            new ServiceManager(environment, System::nanoTime, ProcessHandle.current().pid()));
    Configuration configuration = configuration(world);
    ShutdownStack closer = new ShutdownStack();
    boolean started = false;
    try {
      Assembly assembly = new Assembly(world, configuration, closer);
      Map<String, Integer> ports =
          new Listeners(world, configuration.settings(), assembly, closer).open();
      assembly.running().listening(ports);
      assembly.running().announce();
      started = true;
      return new Gateway(world, closer, assembly, ports);
    } finally {
      if (!started) {
        closer.close();
      }
    }
  }

  /** Threads with a name for stack dumps; daemons, because {@link #close} ends them. */
  private static ThreadFactory threads(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  private static Configuration configuration(Platform world) throws StartFailure {
    try {
      Configuration configuration =
          Configuration.load(world.settingsFile(), world.environment(), world.random());
      configuration.warnings().forEach(warning -> LOG.warn("{}", warning));
      return configuration;
    } catch (UnusableException e) {
      List<String> lines =
          e.problems().isEmpty()
              ? List.of(e.reason())
              : e.problems().stream().map(Object::toString).toList();
      throw new StartFailure(StartFailure.CONFIGURATION, lines);
    }
  }

  /** The port that a listener got. */
  public int port(String listener) {
    Integer port = ports.get(listener);
    if (port == null) {
      throw new IllegalArgumentException("no listener " + listener);
    }
    return port;
  }

  /** The live generation. */
  public ListSnapshot snapshot() {
    return running.snapshot();
  }

  /** What the Bloom filters have answered. */
  public FilterCounters filters() {
    return filters;
  }

  /** Reads the settings anew; what happened is logged. */
  public void reload() {
    running.reload();
  }

  /**
   * Ends in good order: idle sessions hear 421, messages in flight have a while to finish, then
   * everything is closed.
   */
  @Override
  public void close() {
    LOG.info("shutting down, {} sessions open", sessions.count());
    service.stopping();
    sessions.end();
    try {
      if (!sessions.awaitEmpty(DRAIN)) {
        LOG.warn("{} sessions are cut off", sessions.count());
        closeNow();
        sessions.awaitEmpty(AFTER_CUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closeNow();
    }
    closer.close();
    LOG.info("stopped");
  }

  /** Cuts off every session: for whoever cannot wait. */
  public void closeNow() {
    sessions.closeAll();
    running.closeUpstreams();
  }
}

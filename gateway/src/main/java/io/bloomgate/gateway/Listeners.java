package io.bloomgate.gateway;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.HostPort;
import io.bloomgate.gateway.admin.ControlHandlers;
import io.bloomgate.gateway.admin.ControlServer;
import io.bloomgate.gateway.admin.HttpEndpoint;
import io.bloomgate.gateway.session.SubethaListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens everything that listens, and starts what has to be looked after: control socket, HTTP,
 * housekeeping, and the SMTP listeners last, so that mail meets a whole gateway. Used once, by
 * {@link Gateway#start}.
 */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private static final Duration PROBE_INTERVAL = Duration.ofMinutes(5);

  /** An upstream that was down is looked for more often, so that status and alarm end in time. */
  private static final Duration RECOVERY_INTERVAL = Duration.ofSeconds(5);

  private static final Duration WIPE_INTERVAL = Duration.ofHours(1);

  /** What a kill may cost of what is known of good senders, and of the figures. */
  private static final Duration SAVE_INTERVAL = Duration.ofMinutes(2);

  private final Platform world;
  private final Settings settings;
  private final Assembly gateway;
  private final ShutdownStack closer;
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  Listeners(Platform world, Settings settings, Assembly gateway, ShutdownStack closer) {
    this.world = world;
    this.settings = settings;
    this.gateway = gateway;
    this.closer = closer;
  }

  /**
   * Opens all.
   *
   * @return the port of each listener
   * @throws StartFailure when one cannot be opened
   */
  Map<String, Integer> open() throws StartFailure {
    ControlServer control = control();
    http();
    housekeeping(control).start();
    for (Map.Entry<String, Settings.Listener> listener : settings.listeners().entrySet()) {
      listen(listener.getKey(), listener.getValue().address());
    }
    control.start();
    gateway.parts().feeds().start();
    return ports;
  }

  private ControlServer control() throws StartFailure {
    Parts parts = gateway.parts();
    try {
      return closer.add(
          "control socket",
          ControlServer.open(
              settings.admin().socket(),
              settings.admin().socketMode(),
              new ControlHandlers(
                  gateway.running(), parts.incidents(), parts.counts(), parts.tail()),
              world.virtualThreads(),
              world.nanoTime()));
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          StartFailure.PERMISSION, "admin.socket: no permission to make " + e.getFile(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  private void http() throws StartFailure {
    HostPort address = settings.admin().http();
    if (address == null) {
      return;
    }
    try {
      HttpEndpoint endpoint =
          closer.add(
              "http",
              HttpEndpoint.open(
                  address,
                  settings.admin().tokenFile(),
                  new HttpEndpoint.Pages(gateway.metrics()::scrape, gateway.running()::unready),
                  world.virtualThreads()));
      LOG.info(
          "metrics on http://{}/metrics",
          new HostPort(address.host(), endpoint.address().getPort()));
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  private Housekeeping housekeeping(ControlServer control) {
    Parts parts = gateway.parts();
    LiveGateway running = gateway.running();
    Housekeeping chores =
        closer.add("housekeeping", new Housekeeping(world.nanoTime(), world.threads()));
    parts.signs().add("housekeeping", chores::isLate);
    parts.signs().add("sender-watch", parts.watch()::isLate);
    chores.eachSecond("session watchdog", parts.sessions()::tick);
    chores.eachSecond("service manager", () -> world.service().tick(running::statusLine));
    chores.eachSecond("upstream watchdog", running::tick);
    chores.eachSecond("control watchdog", control::tick);
    chores.eachSecond("decision log", gateway.telemetry()::tick);
    chores.eachSecond("sums", () -> running.paces().writeDue(gateway.telemetry()::summed));
    chores.everySlowly(Duration.ofSeconds(1), "certificate", parts.certificate()::poll);
    chores.eachSecond("feeds", parts.feeds()::remember);
    chores.everySlowly(
        Duration.ofSeconds(1),
        "list files",
        () -> parts.operator().poll().forEach(line -> LOG.warn("{}", line)));
    chores.everySlowly(Duration.ofMinutes(1), "free space", parts.space()::look);
    chores.everySlowly(PROBE_INTERVAL, "upstream probe", running::probe);
    chores.everySlowly(RECOVERY_INTERVAL, "upstream recovery", running::probeIfDown);
    chores.everySlowly(WIPE_INTERVAL, "old incidents", parts.incidents()::wipeOld);
    chores.everySlowly(SAVE_INTERVAL, "figures", parts.figures()::save);
    chores.everySlowly(SAVE_INTERVAL, "known senders", parts.feeds()::saveSenders);
    return chores;
  }

  private void listen(String name, HostPort address) throws StartFailure {
    try {
      SubethaListener listener =
          new SubethaListener(
              new InetSocketAddress(InetAddress.getByName(address.host()), address.port()),
              () -> gateway.running().environment(name),
              gateway.sessions(),
              world.virtualThreads());
      int port = listener.start();
      closer.add(
          "listener " + name,
          () -> {
            gateway.sessions().closeAll(); // it would wait for sessions for ever
            listener.stop();
          });
      gateway.parts().signs().add("listener " + name, listener::isLate);
      ports.put(name, port);
      LOG.info("listener {} on {}", name, new HostPort(address.host(), port));
    } catch (BindException e) {
      throw new StartFailure(
          String.valueOf(e.getMessage()).contains("ermission")
              ? StartFailure.PERMISSION
              : StartFailure.CONFIGURATION,
          "listeners." + name + ".address: cannot listen on " + address + ": " + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new StartFailure(
          StartFailure.CONFIGURATION,
          "listeners." + name + ".address: cannot listen on " + address + ": " + e.getMessage(),
          e);
    }
  }
}

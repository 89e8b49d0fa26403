package io.bloomgate.gateway;

import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.ControlHandlers;
import io.bloomgate.gateway.admin.ControlServer;
import io.bloomgate.gateway.admin.SocketRoles;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.page.AdminPage;
import io.bloomgate.gateway.page.HttpListener;
import io.bloomgate.gateway.page.HttpListener.HttpEndpoint;
import io.bloomgate.gateway.page.Questions;
import io.bloomgate.gateway.page.WhyPage;
import io.bloomgate.gateway.session.SubethaListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what listens, and says which setting is wrong when that fails. Used by {@link Gateway}
 * while it starts, whose {@link ShutdownStack} closes what was opened.
 */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final Platform platform;
  private final ShutdownStack stack;
  private final Services services;
  private final LiveSettings live;
  private final Consumer<Limit> limitReached;

  /**
   * Opens nothing yet.
   *
   * @param limitReached counts questions that a limit turned away
   */
  Listeners(
      Platform platform,
      ShutdownStack stack,
      Services services,
      LiveSettings live,
      Consumer<Limit> limitReached) {
    this.platform = platform;
    this.stack = stack;
    this.services = services;
    this.live = live;
    this.limitReached = limitReached;
  }

  /** The control socket; bound, but not answering before {@link ControlServer#start}. */
  ControlServer control(ControlHandlers handlers) throws StartFailure {
    AdminSettings admin = live.settings().admin();
    SocketRoles roles =
        new SocketRoles(admin, platform.threads().apply("socket-roles"), platform.nanoTime());
    roles.check();
    try {
      return stack.add(
          "control socket",
          ControlServer.open(
              admin,
              roles::of,
              live.settings().stateDir(),
              handlers,
              platform.virtualThreads(),
              platform.nanoTime()));
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          StartFailure.PERMISSION, "admin.socket: no permission to make " + e.getFile(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  /** The HTTP servers that the settings ask for: metrics, health and page; reasons of refusals. */
  void http(Supplier<String> metrics, Supplier<String> unready, Questions questions)
      throws StartFailure {
    AdminSettings admin = live.settings().admin();
    if (admin.http() != null) {
      HttpEndpoint.Pages pages =
          new HttpEndpoint.Pages(metrics, unready, administrator(admin.tokenFile(), questions));
      listen(
          "http",
          "metrics on http://{}/metrics",
          admin.http(),
          address -> HttpEndpoint.open(address, pages, platform.virtualThreads()));
    }
    if (admin.why() != null) {
      WhyPage page =
          new WhyPage(
              questions,
              live::settings,
              () -> limitReached.accept(Limit.WHY_QUESTIONS),
              platform.nanoTime());
      listen(
          "why",
          "reasons of refusals on http://{}/why",
          admin.why(),
          address ->
              HttpListener.open("admin.why", address, page::answer, platform.virtualThreads()));
    }
  }

  private @Nullable AdminPage administrator(@Nullable Path readToken, Questions questions) {
    return readToken == null
        ? null
        : new AdminPage(
            live.settings(),
            readToken,
            questions,
            new AdminPage.Surroundings(
                () -> limitReached.accept(Limit.PAGE_TOKENS),
                platform.clock(),
                platform.nanoTime(),
                platform.random(),
                platform.zone()));
  }

  /** Opens one HTTP server. */
  @FunctionalInterface
  private interface Opening {
    HttpListener open(HostPort address) throws IOException;
  }

  private void listen(String name, String message, HostPort address, Opening opening)
      throws StartFailure {
    try {
      HttpListener opened = stack.add(name, opening.open(address));
      LOG.info(message, new HostPort(address.host(), opened.address().getPort()));
    } catch (IOException e) {
      throw cannotListen(String.valueOf(e.getMessage()), address, e);
    }
  }

  /** A listener for mail; returns its port. */
  int smtp(String name, HostPort address) throws StartFailure {
    try {
      SubethaListener listener =
          new SubethaListener(
              new InetSocketAddress(InetAddress.getByName(address.host()), address.port()),
              () -> live.services(name),
              services.sessions,
              platform.virtualThreads());
      int port = listener.start();
      LOG.info("listener {} on {}", name, new HostPort(address.host(), port));
      stack.add(
          "listener " + name,
          () -> {
            services.sessions.closeAll(); // the listener would wait for sessions for ever
            listener.stop();
          });
      services.housekeeping.watch("listener " + name, listener::isLate);
      return port;
    } catch (IOException e) {
      String setting = "listeners." + name + ".address: ";
      throw cannotListen(
          setting + "cannot listen on " + address + ": " + e.getMessage(), address, e);
    }
  }

  /** A port may be free later and an address may come; a right or a mistake stays as it is. */
  private static StartFailure cannotListen(String message, HostPort address, IOException e) {
    if (!(e instanceof BindException || e.getCause() instanceof BindException)) {
      return new StartFailure(StartFailure.CONFIGURATION, message, e);
    }
    if (message.contains("ermission")) {
      return new StartFailure(StartFailure.PERMISSION, message, e);
    }
    String next =
        message.contains("in use")
            ? "; `ss -ltnp 'sport = :" + address.port() + "'` shows the program that has it"
            : "; this machine does not have that address now, `ip address` shows those that it"
                + " has";
    return new StartFailure(StartFailure.TRY_AGAIN, message + next, e);
  }
}

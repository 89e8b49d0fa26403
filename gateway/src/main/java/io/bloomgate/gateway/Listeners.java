package io.bloomgate.gateway;

import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.config.settings.HostPort;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.admin.ControlHandlers;
import io.bloomgate.gateway.admin.ControlServer;
import io.bloomgate.gateway.admin.HttpEndpoint;
import io.bloomgate.gateway.page.HttpListener;
import io.bloomgate.gateway.page.WhyPage;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.session.SessionServices;
import io.bloomgate.gateway.session.SubethaListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what listens, and says which setting is wrong when that fails. Used by {@link Gateway}
 * while it starts; the caller closes what it gets.
 */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private Listeners() {}

  /** The control socket; bound, but not answering before {@link ControlServer#start}. */
  static ControlServer control(Settings settings, ControlHandlers handlers, Platform platform)
      throws StartFailure {
    AdminSettings admin = settings.admin();
    try {
      return ControlServer.open(
          admin.socket(),
          admin.socketMode(),
          settings.stateDir(),
          handlers,
          platform.virtualThreads(),
          platform.nanoTime());
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          StartFailure.PERMISSION, "admin.socket: no permission to make " + e.getFile(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  /** The HTTP server of metrics and health. */
  static HttpListener http(HostPort address, HttpEndpoint.Pages pages, Platform platform)
      throws StartFailure {
    try {
      HttpListener endpoint = HttpEndpoint.open(address, pages, platform.virtualThreads());
      LOG.info(
          "metrics on http://{}/metrics",
          new HostPort(address.host(), endpoint.address().getPort()));
      return endpoint;
    } catch (IOException e) {
      throw cannotListen(String.valueOf(e.getMessage()), address, e);
    }
  }

  /** The public page for refused senders. */
  static HttpListener why(HostPort address, WhyPage page, Platform platform) throws StartFailure {
    try {
      HttpListener listener =
          HttpListener.open("admin.why", address, page::answer, platform.virtualThreads());
      LOG.info(
          "reasons of refusals on http://{}/why",
          new HostPort(address.host(), listener.address().getPort()));
      return listener;
    } catch (IOException e) {
      throw cannotListen(String.valueOf(e.getMessage()), address, e);
    }
  }

  /** A listener for mail, and its port. */
  static Smtp smtp(
      String name,
      HostPort address,
      Supplier<SessionServices> services,
      SessionRegistry sessions,
      Platform platform)
      throws StartFailure {
    try {
      SubethaListener listener =
          new SubethaListener(
              new InetSocketAddress(InetAddress.getByName(address.host()), address.port()),
              services,
              sessions,
              platform.virtualThreads());
      int port = listener.start();
      LOG.info("listener {} on {}", name, new HostPort(address.host(), port));
      return new Smtp(listener, port);
    } catch (IOException e) {
      String setting = "listeners." + name + ".address: ";
      throw cannotListen(
          setting + "cannot listen on " + address + ": " + e.getMessage(), address, e);
    }
  }

  /** A listener for mail and the port that it got. */
  record Smtp(SubethaListener listener, int port) {}

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

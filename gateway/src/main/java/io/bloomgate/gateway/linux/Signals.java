package io.bloomgate.gateway.linux;

import io.bloomgate.gateway.Main;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of the operating system. Used by {@link Main} only: HUP reloads, TERM and INT end the
 * gateway in good order.
 */
public final class Signals {

  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /**
   * Runs this at each such signal, on a thread of the virtual machine's.
   *
   * <p>The JDK reports SIGHUP only through {@code sun.misc.Signal}. Code that names this class
   * causes a warning of javac that cannot be switched off, so reflection is used.
   */
  public static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object onSignal =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> handle(proxy, method.getName(), arguments, action));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), onSignal);
    } catch (ReflectiveOperationException e) {
      LOG.warn("SIG{} cannot be handled here: {}", name, String.valueOf(e.getCause()));
    }
  }

  private static @Nullable Object handle(
      Object proxy, String method, Object @Nullable [] arguments, Runnable action) {
    return switch (method) {
      case "handle" -> {
        action.run();
        yield null;
      }
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" ->
          arguments != null
              && System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
      default -> "signal handler";
    };
  }
}

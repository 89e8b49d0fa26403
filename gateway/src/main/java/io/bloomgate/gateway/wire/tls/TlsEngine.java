package io.bloomgate.gateway.wire.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names what encrypts: BoringSSL, or the JDK where that library cannot be loaded. Asked by whoever
 * makes a {@link TlsContext}, on any thread; the answer stays the same.
 */
public enum TlsEngine {
  NATIVE(SslProvider.OPENSSL),
  JDK(SslProvider.JDK);

  private static final Logger LOG = LoggerFactory.getLogger(TlsEngine.class);

  /** The system property that keeps the native engine from being loaded when it is {@code jdk}. */
  private static final String CHOICE = "bloomgate.tls.engine";

  /** The library's setting for the directory where it is unpacked for a moment at each start. */
  private static final String DIRECTORY = "io.netty.native.workdir";

  final SslProvider provider;

  TlsEngine(SslProvider provider) {
    this.provider = provider;
  }

  /** The one that was chosen, and since when it is known why. */
  private static final class Choice {
    static final TlsEngine MADE = make();

    private static TlsEngine make() {
      if (System.getProperty(CHOICE, "").equals("jdk")) {
        return JDK;
      }
      if (OpenSsl.isAvailable()) {
        return NATIVE;
      }
      LOG.warn(
          "TLS is done by Java, which takes more of the processor: the native library cannot be"
              + " loaded ({})",
          problem());
      return JDK;
    }
  }

  /** Returns the engine of this process. */
  public static TlsEngine inUse() {
    return Choice.MADE;
  }

  /** Names a directory from which code runs; before the first context is made. */
  public static void unpackIn(Path directory) {
    if (System.getProperty(DIRECTORY) == null) {
      System.setProperty(DIRECTORY, directory.toString());
    }
  }

  /** Says why the native engine cannot be used; empty when it can. */
  public static String problem() {
    Throwable cause = OpenSsl.unavailabilityCause();
    return cause == null ? "" : String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}

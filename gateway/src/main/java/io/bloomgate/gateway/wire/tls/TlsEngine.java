package io.bloomgate.gateway.wire.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names what encrypts: BoringSSL, or the JDK where that library cannot be loaded. Asked by all that
 * make a {@link TlsContext}, on any thread; the answer stays the same.
 */
public enum TlsEngine {
  NATIVE(SslProvider.OPENSSL),
  JDK(SslProvider.JDK);

  private static final Logger LOG = LoggerFactory.getLogger(TlsEngine.class);

  /** The system property that keeps the native engine from being loaded when it is {@code jdk}. */
  private static final String CHOICE = "bloomgate.tls.engine";

  /** The library's setting for the directory where it is unpacked for a moment at each start. */
  private static final String DIRECTORY = "io.netty.native.workdir";

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  final SslProvider provider;

  TlsEngine(SslProvider provider) {
    this.provider = provider;
  }

  /** The engine that was chosen when it was first asked for. */
  private static final class Choice {
    static final boolean WANTED = !System.getProperty(CHOICE, "").equals("jdk");
    static final String PROBLEM = WANTED ? unavailable() : "";
    static final TlsEngine MADE = WANTED && PROBLEM.isEmpty() ? NATIVE : JDK;

    private static String unavailable() {
      Throwable cause = OpenSsl.unavailabilityCause();
      if (cause == null) {
        return "";
      }
      String problem =
          reasons(cause)
              .filter(reason -> reason.startsWith("/"))
              .findFirst()
              .orElse(String.valueOf(cause.getMessage()));
      LOG.warn("TLS takes more of the processor: BoringSSL cannot be loaded ({})", problem);
      return problem;
    }

    /** Each place where the library was looked for has its own; the system's begins with a path. */
    private static Stream<String> reasons(Throwable fault) {
      return Stream.concat(
          Stream.of(String.valueOf(fault.getMessage())),
          Stream.concat(Stream.ofNullable(fault.getCause()), Stream.of(fault.getSuppressed()))
              .flatMap(Choice::reasons));
    }
  }

  /** Returns the engine of this process. */
  public static TlsEngine inUse() {
    return Choice.MADE;
  }

  /**
   * Has the library unpacked below the state directory, from which code runs on hardened systems
   * too; among the temporary files where that is not there yet. Before the first context is made.
   */
  public static void unpackBelow(Path stateDirectory) {
    Path directory = stateDirectory.resolve("native");
    if (System.getProperty(DIRECTORY) == null && Files.isWritable(stateDirectory)) {
      try {
        if (Files.notExists(directory)) {
          Files.createDirectory(directory, OWNER_ONLY);
        }
        System.setProperty(DIRECTORY, directory.toString());
      } catch (IOException | UnsupportedOperationException e) {
        LOG.debug("BoringSSL is not unpacked in {}: {}", directory, e.toString());
      }
    }
  }

  /** Says why the native engine cannot be used; empty when it can, or was not wanted. */
  public static String problem() {
    return Choice.PROBLEM;
  }
}

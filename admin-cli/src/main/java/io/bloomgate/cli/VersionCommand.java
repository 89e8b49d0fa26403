package io.bloomgate.cli;

import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bloomgate version}: of this program, no gateway is asked. */
@Command(
    description = "Print the version of this program.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
final class VersionCommand implements Callable<Integer> {

  /** Written into the jar by the build. */
  private static final String POM_PROPERTIES =
      "/META-INF/maven/io.bloomgate/bloomgate-admin-cli/pom.properties";

  /** The same, in the jar's manifest: a library with security updates. */
  private static final String TLS_ENGINE = "Tls-Engine";

  private static final String DEVELOPMENT = "development";

  private final Invocation in;

  VersionCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() {
    JsonValue.ObjectBuilder answer =
        JsonValue.object().put("version", version()).put("java", Runtime.version().toString());
    if (in.options().verbose) {
      answer.put("tls_engine", tlsEngine());
    }
    in.output()
        .item(
            answer.build(),
            (item, out) -> {
              out.line("bloomgate {version} (Java {java})", item);
              if (in.options().verbose) {
                out.line("TLS of the gateway: {tls_engine}", item);
              }
            });
    return ExitCode.OK;
  }

  /** The engine of TLS that is in the package, or {@code development} as below. */
  private static String tlsEngine() {
    String engine = null;
    try {
      URL itself = VersionCommand.class.getResource("VersionCommand.class");
      if (itself != null && itself.openConnection() instanceof JarURLConnection jar) {
        engine = jar.getMainAttributes().getValue(TLS_ENGINE);
      }
    } catch (IOException e) {
      // As below.
    }
    return engine == null ? DEVELOPMENT : engine;
  }

  /** The version, or {@code development} when run from class files. */
  static String version() {
    Properties properties = new Properties();
    try (InputStream file = VersionCommand.class.getResourceAsStream(POM_PROPERTIES)) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      // A jar that cannot be read would not have come so far; the fallback names itself.
    }
    return properties.getProperty("version", DEVELOPMENT);
  }
}

package io.bloomgate.cli;

import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
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

  private final Invocation in;

  VersionCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() {
    in.output()
        .item(
            JsonValue.object()
                .put("version", version())
                .put("java", Runtime.version().toString())
                .build(),
            (item, out) -> out.line("bloomgate {version} (Java {java})", item));
    return ExitCode.OK;
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
    return properties.getProperty("version", "development");
  }
}

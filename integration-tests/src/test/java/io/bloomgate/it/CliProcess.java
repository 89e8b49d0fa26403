package io.bloomgate.it;

import io.bloomgate.checkout.ClassArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of the command line in a separate process, so that it can be killed. */
final class CliProcess {

  private CliProcess() {}

  /** Starts the command; what it prints goes into a file. */
  static Process start(Path output, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(ClassArchive.COMMAND.classPath());
    command.add("io.bloomgate.cli.BloomgateCli");
    command.addAll(List.of(words));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}

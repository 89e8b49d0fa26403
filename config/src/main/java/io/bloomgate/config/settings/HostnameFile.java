package io.bloomgate.config.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The machine's own name for {@code hostname: auto}, from files and the environment and never from
 * DNS, which would make the start wait. Called by {@link SettingsFile#load}.
 */
final class HostnameFile implements Supplier<String> {

  private static final List<Path> FILES =
      List.of(Path.of("/etc/hostname"), Path.of("/proc/sys/kernel/hostname"));

  private final Map<String, String> environment;

  HostnameFile(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public String get() {
    String fromEnvironment = environment.getOrDefault("HOSTNAME", "").strip();
    if (fromEnvironment.indexOf('.') > 0) {
      return fromEnvironment;
    }
    String found = fromEnvironment;
    for (Path file : FILES) {
      String name = firstLine(file);
      if (name.indexOf('.') > 0) {
        return name;
      }
      found = found.isEmpty() ? name : found;
    }
    return found.isEmpty() ? "localhost" : found;
  }

  private static String firstLine(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      return "";
    }
  }
}

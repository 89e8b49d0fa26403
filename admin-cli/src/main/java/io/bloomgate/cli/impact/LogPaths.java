package io.bloomgate.cli.impact;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The log files that {@code replay} was given: each one once, and standard input as a temporary
 * file, because a log is read twice. Made and closed by {@link ReplayCommand}; one thread.
 */
final class LogPaths implements AutoCloseable {

  private static final String STANDARD_INPUT = "-";

  private static final String NAME_OF_INPUT = "standard input";

  private final Map<Path, String> names = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Path> temporary = new ArrayList<>();

  private LogPaths() {}

  /**
   * Checks the files.
   *
   * @throws CliException when one is missing, a folder, or may not be read
   */
  static LogPaths of(Invocation in, List<Path> given) throws CliException {
    LogPaths logs = new LogPaths();
    boolean complete = false;
    try {
      for (Path log : given) {
        logs.add(in, log);
      }
      complete = true;
      return logs;
    } catch (IOException e) {
      throw CliException.no("the logs cannot be read: " + Faults.words(e), "name other files", e);
    } finally {
      if (!complete) {
        logs.close();
      }
    }
  }

  private void add(Invocation in, Path log) throws CliException, IOException {
    if (log.toString().equals(STANDARD_INPUT)) {
      addInput(in);
      return;
    }
    Invocation.requireReadable(log);
    CliException.refuseIf(
        Files.isDirectory(log),
        log + " is a folder",
        "name its files, for example " + log + "/mail.log*");
    CliException.refuseIf(
        !Files.isRegularFile(log), "there is no log file " + log, "name the file itself");
    for (Path other : names.keySet()) {
      if (Files.isSameFile(log, other)) {
        warnings.add(log + " is given twice; it is read once");
        return;
      }
      if (Files.size(log) > 0 && Files.mismatch(log, other) < 0) {
        warnings.add(log + " is a copy of " + names.get(other) + "; it is left out");
        return;
      }
    }
    names.put(log, log.toString());
  }

  private void addInput(Invocation in) throws IOException {
    if (names.containsValue(NAME_OF_INPUT)) {
      warnings.add(NAME_OF_INPUT + " is given twice; it is read once");
      return;
    }
    Path copy = Files.createTempFile("bloomgate-replay", ".log");
    temporary.add(copy);
    try (OutputStream out = Files.newOutputStream(copy)) {
      in.around().in().transferTo(out);
    }
    names.put(copy, NAME_OF_INPUT);
  }

  /** The files to read. */
  List<Path> files() {
    return List.copyOf(names.keySet());
  }

  /** The name of the file for people. */
  String name(Path file) {
    return names.getOrDefault(file, file.toString());
  }

  /** The files that are left out, and the reasons. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void close() throws CliException {
    try {
      for (Path file : temporary) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw CliException.no(
          "a temporary file cannot be removed: " + Faults.words(e), "remove it", e);
    }
  }
}

package io.bloomgate.cli.command;

import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.ControlException;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One call of the command line: its surroundings and its global options. Every command has it; one
 * thread.
 */
public final class Invocation {

  /**
   * Names the socket independently of any file; it replaces {@code admin.socket} of the settings.
   */
  private static final String SOCKET_VARIABLE = "BLOOMGATE_ADMIN__SOCKET";

  /** Written into the jar by the build. */
  private static final String POM_PROPERTIES =
      "/META-INF/maven/io.bloomgate/bloomgate-admin-cli/pom.properties";

  /**
   * The end of an answer.
   *
   * @param failed true when the gateway sent a failure in place of an answer
   */
  public record Whole(int exitCode, boolean failed) {}

  private final Surroundings around;
  private final GlobalOptions options;

  public Invocation(Surroundings around, GlobalOptions options) {
    this.around = around;
    this.options = options;
  }

  public Surroundings around() {
    return around;
  }

  public GlobalOptions options() {
    return options;
  }

  /** Call after the options were read. */
  public Output output() {
    return new Output(around, options);
  }

  /** Reads an option that names a time that is not in the future. */
  public Instant past(String option, String text) throws CliException {
    return PointInTime.past(option, text, around.clock().instant(), options.zone());
  }

  /** Reads the option {@code --since}, of which some time has gone. */
  public Instant since(String text) throws CliException {
    Instant begin = past("--since", text);
    CliException.refuseIf(
        !begin.isBefore(around.clock().instant()),
        "--since " + text + " is not in the past",
        "write for example 7d");
    return begin;
  }

  /**
   * The control socket: as named, or as the settings say as far as they can be understood.
   *
   * @throws CliException when a settings file was named that is not there or may not be read, and
   *     the environment names no socket: its gateway is not the one at the usual place
   */
  public Path socket() throws CliException {
    if (options.socket != null) {
      return options.socket;
    }
    if (options.config != null && !around.environment().containsKey(SOCKET_VARIABLE)) {
      requireReadableSettings(options.config);
      if (Files.notExists(options.config)) {
        throw new CliException(
            ExitCode.CONFIG,
            "there is no settings file " + options.config,
            "name the settings file of the gateway with -c FILE, or its socket with --socket");
      }
    }
    return SettingsFile.controlSocket(options.configFile(), around.environment());
  }

  /** A connection to the gateway. */
  public ControlClient connect() throws CliException {
    try {
      return ControlClient.connect(socket(), options.timeout);
    } catch (ControlException e) {
      throw CliException.of(e);
    }
  }

  /** Asks the gateway and prints its answer; the result is the exit code. */
  public int ask(ControlRequest request, Output.View view) throws CliException {
    return whole(request, view).exitCode();
  }

  /** Asks and prints; the result says whether the gateway failed. */
  public Whole whole(ControlRequest request, Output.View view) throws CliException {
    Output out = output();
    return talk(request, out, progress(out), item -> out.item(item, view), () -> true);
  }

  /**
   * Asks for rows and prints them as a table of any length; the result is the exit code.
   *
   * @param titles of the table, see {@link TextTable}
   * @param none a sentence in place of a table without rows; empty for none
   */
  public int table(
      ControlRequest request, String titles, Function<JsonObject, List<String>> cells, String none)
      throws CliException {
    TextTable table = new TextTable(titles);
    Whole answer = whole(request, (item, out) -> table.row(cells.apply(item), out));
    Output out = output();
    if (!table.isEmpty()) {
      table.print(out);
    } else if (out.human() && !answer.failed() && !none.isEmpty()) {
      out.line(none);
    }
    return answer.exitCode();
  }

  /** Asks and hands over the objects of the answer, for a file; everything else is printed. */
  public int collect(ControlRequest request, Consumer<JsonObject> items) throws CliException {
    Output out = output();
    return talk(request, out, progress(out), items, () -> true).exitCode();
  }

  /** Asks for an answer without an end, and prints it until the reader closes. */
  public int follow(ControlRequest request, Output.View view) throws CliException {
    Output out = output();
    return talk(request, out, progress(out), item -> out.item(item, view), out::isRead).exitCode();
  }

  /** The same for {@code feeds refresh}, with a bar for each feed where a person can see one. */
  public int askWithBars(ControlRequest request, Output.View view) throws CliException {
    Output out = output();
    if (!out.canRewrite()) {
      return ask(request, view);
    }
    RefreshBars bars = new RefreshBars(out.palette(), TerminalSize.of(around.environment()).rows());
    Consumer<Progress> drawn = step -> out.block(bars.take(step.value()));
    return talk(request, out, drawn, item -> out.item(item, view), () -> true).exitCode();
  }

  private static Consumer<Progress> progress(Output out) {
    return step -> out.progress(step.text(), step.value());
  }

  /**
   * Asks and hands on the objects of the answer; everything else is printed as it comes. An answer
   * that nobody reads is still awaited to its end, because many callers need only its exit code.
   *
   * @param wanted asked after each reply; false ends an answer that has no end itself
   */
  private Whole talk(
      ControlRequest request,
      Output out,
      Consumer<Progress> progress,
      Consumer<JsonObject> items,
      BooleanSupplier wanted)
      throws CliException {
    CliException.refuseIf(options.offline, "this command needs the gateway", "leave --offline out");
    try (ControlClient client = connect()) {
      client.send(request);
      do {
        ControlReply reply = client.next();
        // Each command does this, and Java makes a class at run time for a switch over patterns.
        if (reply instanceof Item item) {
          items.accept(item.value());
        } else if (reply instanceof Done done) {
          return new Whole(done.exitCode(), false);
        } else if (reply instanceof Failed(int exitCode, String message, String hint)) {
          out.error(hint.isEmpty() ? message : message + "; " + hint);
          return new Whole(exitCode, true);
        } else if (reply instanceof Note note) {
          out.note(note.text());
        } else if (reply instanceof Progress step) {
          progress.accept(step);
        }
      } while (wanted.getAsBoolean());
      return new Whole(ExitCode.OK, false);
    } catch (ControlException e) {
      throw CliException.of(e);
    }
  }

  /** An answer; the result is the exit code. */
  @FunctionalInterface
  public interface Answer {
    /** Asks and prints. */
    int give() throws CliException;
  }

  /** Asks the gateway, or its files where no gateway answers and with {@code --offline}. */
  public int askOrRead(Answer online, Answer offline) throws CliException {
    if (options.offline) {
      return offline.give();
    }
    try {
      return online.give();
    } catch (CliException e) {
      if (!e.isWithoutGateway()) {
        throw e;
      }
      output().warn("warning: " + e.line() + "; answering from the files");
      return offline.give();
    }
  }

  /** Refuses a file of the command line that is missing, or that the caller may not read. */
  public static void requireReadable(Path file) throws CliException {
    CliException.refuseIf(Files.notExists(file), "there is no file " + file, "check the path");
    requireReadable(file, "become root or a member of its group");
  }

  /** The same for a settings file that may be missing, and that the gateway's group may read. */
  public static void requireReadableSettings(Path file) throws CliException {
    requireReadable(
        file,
        "become root or a member of its group; for the gateway's group: `chgrp bloomgate "
            + file
            + "; chmod 640 "
            + file
            + "`");
  }

  /** The same for what is in the state directory, or that directory: its owner alone may read. */
  public static void requireReadableState(Path place) throws CliException {
    requireReadable(place, "become root or the gateway's user");
  }

  private static void requireReadable(Path file, String hint) throws CliException {
    if (!Files.notExists(file) && !Files.isReadable(file)) {
      throw new CliException(ExitCode.PERMISSION, "you may not read " + file, hint);
    }
  }

  /** The same for a place that may be a web address or a glob, too. */
  public static void requireReadable(String place) throws CliException {
    CliException.refuseIf(
        place.startsWith("file:"),
        place + " is a file, not a web address",
        "give its path: " + place.replaceFirst("^file:(//)?", ""));
    if (!place.matches("(?i)(https?|rsync)://.*") && !place.matches(".*[*?\\[{].*")) {
      requireReadable(Path.of(place));
    }
  }

  /**
   * The settings for offline work.
   *
   * @throws CliException when they cannot be used; every problem was printed
   */
  public Settings settings() throws CliException {
    return settings(options.configFile(), Map.of());
  }

  /**
   * The settings for work that can be done without: a file that was named must be valid, the usual
   * one is used only when it is.
   */
  public Optional<Settings> settingsIfAny() throws CliException {
    if (options.config != null) {
      return Optional.of(settings());
    }
    return SettingsFile.load(options.configFile(), around.environment())
            instanceof SettingsResult.Loaded loaded
        ? Optional.of(loaded.settings())
        : Optional.empty();
  }

  /**
   * The settings of another file.
   *
   * @param instead variables that replace those of the environment
   * @throws CliException when they cannot be used; every problem was printed
   */
  public Settings settings(Path file, Map<String, String> instead) throws CliException {
    requireReadableSettings(file);
    Map<String, String> environment = new HashMap<>(around.environment());
    environment.putAll(instead);
    return valid(
            SettingsFile.load(file, environment),
            new CliException(ExitCode.CONFIG, "the settings cannot be used", "see the lines above"))
        .settings();
  }

  /** The settings that were read, or else this failure, after every problem was printed. */
  public SettingsResult.Loaded valid(SettingsResult read, CliException otherwise)
      throws CliException {
    if (read instanceof SettingsResult.Loaded loaded) {
      return loaded;
    }
    if (read instanceof SettingsResult.Invalid invalid) {
      invalid.problems().forEach(problem -> output().error(problem.toString()));
    }
    throw otherwise;
  }

  /** The version of this program, or {@code development} when run from class files. */
  public static String version() {
    Properties properties = new Properties();
    try (InputStream file = Invocation.class.getResourceAsStream(POM_PROPERTIES)) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      // A jar that cannot be read would not have come so far; the fallback names itself.
    }
    return properties.getProperty("version", "development");
  }
}

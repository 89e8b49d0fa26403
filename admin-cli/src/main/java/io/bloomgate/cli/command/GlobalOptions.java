package io.bloomgate.cli.command;

import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.SettingsFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command takes, before or after its name. Filled by picocli. */
public final class GlobalOptions {

  /** A form of answers. */
  public enum Format {
    HUMAN,
    JSON,
    RAW
  }

  /** Says when answers are coloured. */
  enum Color {
    AUTO,
    YES,
    NO
  }

  /** The commands that take these options, alone between backquotes. */
  private static final Pattern COMMAND =
      Pattern.compile("`bloomgate (?!run\\b|demo\\b|help\\b|completion\\b)[^`]+`");

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "settings file (default: /etc/bloomgate/bloomgate.yaml)")
  public @Nullable Path config;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      scope = ScopeType.INHERIT,
      description = "control socket (default: as the settings say)")
  public @Nullable Path socket;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "human (default); json: one object a line; raw: values between tabs")
  public Format output = Format.HUMAN;

  /** The columns of format raw. */
  @Option(
      names = "--fields",
      paramLabel = "NAMES",
      split = ",",
      hideParamSyntax = true,
      scope = ScopeType.INHERIT,
      description = "print these members of json as the columns of raw")
  public List<String> fields = List.of();

  /** True when the caller named the columns, and not the command. */
  public boolean fieldsNamed;

  @Option(
      names = "--local",
      scope = ScopeType.INHERIT,
      description = "times in the zone of this machine, not in UTC")
  boolean local;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "auto (default), yes or no; with auto, NO_COLOR switches colours off")
  Color color = Color.AUTO;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description =
          "print only the answer, no notes, no progress; nothing about files that it writes")
  public boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "say more, and show stack traces when the program itself fails")
  public boolean verbose;

  @Option(
      names = "--offline",
      scope = ScopeType.INHERIT,
      description = {
        "do not ask the gateway, read its files:",
        "explain, sessions, top, stats, feeds diff, import, support dump"
      })
  public boolean offline;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      scope = ScopeType.INHERIT,
      description = "how long to wait for an answer of the gateway (default: 10s)")
  Duration timeout = Duration.ofSeconds(10);

  @Option(
      names = {"-h", "--help"},
      scope = ScopeType.INHERIT,
      usageHelp = true,
      description = "show this help")
  boolean help;

  /**
   * The options that lead to this gateway, with a space in front, for commands that are printed to
   * be typed; empty for the usual one.
   */
  public String toThisGateway() {
    return (config == null ? "" : " -c " + TerminalText.word(config))
        + (socket == null ? "" : " --socket " + TerminalText.word(socket));
  }

  /**
   * A sentence for people, with the options that lead to this gateway in each command that it names
   * between backquotes.
   */
  public String inCommands(String sentence) {
    return config == null && socket == null
        ? sentence
        : COMMAND
            .matcher(sentence)
            .replaceAll(found -> Matcher.quoteReplacement(completed(found.group())));
  }

  private String completed(String command) {
    if (command.contains(" -c ") || command.contains(" --socket ")) {
      return command;
    }
    return command.substring(0, command.length() - 1) + toThisGateway() + "`";
  }

  /** The zone of times that are shown, and of those that are typed without one. */
  public ZoneId zone() {
    return local ? ZoneId.systemDefault() : ZoneOffset.UTC;
  }

  /** The zone that the gateway is asked for; {@code null} for what it has without one. */
  public @Nullable String zoneAsked() {
    return local ? zone().getId() : null;
  }

  /** The settings file that was named, or the usual one. */
  public Path configFile() {
    return config == null ? SettingsFile.DEFAULT_PATH : config;
  }
}

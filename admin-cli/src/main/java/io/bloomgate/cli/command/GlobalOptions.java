package io.bloomgate.cli.command;

import io.bloomgate.config.settings.SettingsFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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

  public @Nullable Path config;

  public @Nullable Path socket;

  public Format output = Format.HUMAN;

  /** The columns of format raw. */
  public List<String> fields = List.of();

  boolean local;

  Color color = Color.AUTO;

  public boolean quiet;

  public boolean verbose;

  public boolean offline;

  Duration timeout = Duration.ofSeconds(10);

  boolean help;

  /** Adds the options to a command, for it and all below it. */
  public void addTo(CommandSpec spec) {
    add(
        spec,
        Specs.option(Path.class, "FILE", value -> config = value, "-c", "--config")
            .description("settings file (default: /etc/bloomgate/bloomgate.yaml)"));
    add(
        spec,
        Specs.option(Path.class, "PATH", value -> socket = value, "--socket")
            .description("control socket (default: as the settings say)"));
    Values.FormatWord formats = new Values.FormatWord();
    add(
        spec,
        Specs.option(Format.class, "FORMAT", value -> output = value, "-o", "--output")
            .converters(formats)
            .completionCandidates(formats)
            .description("human (default); json: one object a line; raw: values between tabs"));
    add(
        spec,
        Specs.text("NAME,NAME", value -> fields = List.of(value.split(",")), "--fields")
            .description("print these members of json as the columns of raw"));
    add(
        spec,
        Specs.flag(value -> local = value, "--local")
            .description("times in the zone of this machine, not in UTC"));
    Values.ColorWord colors = new Values.ColorWord();
    add(
        spec,
        Specs.option(Color.class, "WHEN", value -> color = value, "--color")
            .converters(colors)
            .completionCandidates(colors)
            .description("auto (default), yes or no; with auto, NO_COLOR switches colours off"));
    add(
        spec,
        Specs.flag(value -> quiet = value, "-q", "--quiet")
            .description(
                "print only the answer, no notes, no progress; nothing about files that it"
                    + " writes"));
    add(
        spec,
        Specs.flag(value -> verbose = value, "-v", "--verbose")
            .description("say more, and show stack traces when the program itself fails"));
    add(
        spec,
        Specs.flag(value -> offline = value, "--offline")
            .description(
                "do not ask the gateway, read its files:",
                "explain, sessions, top, stats, feeds diff, import, support dump"));
    add(
        spec,
        Specs.option(Duration.class, "TIME", value -> timeout = value, "--timeout")
            .converters(new Values.DurationConverter())
            .description("how long to wait for an answer of the gateway (default: 10s)"));
    add(
        spec,
        Specs.flag(value -> help = value, "-h", "--help")
            .usageHelp(true)
            .description("show this help"));
  }

  private static void add(CommandSpec spec, OptionSpec.Builder option) {
    spec.addOption(option.scopeType(ScopeType.INHERIT).build());
  }

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
  ZoneId zone() {
    return local ? ZoneId.systemDefault() : ZoneOffset.UTC;
  }

  /** The settings file that was named, or the usual one. */
  public Path configFile() {
    return config == null ? SettingsFile.DEFAULT_PATH : config;
  }
}

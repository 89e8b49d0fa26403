package io.bloomgate.cli;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.InForce;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * {@code config diff}: what the settings file says against what counts in the running gateway. Both
 * sides are as {@code config show} writes them, so what may be a key is on neither.
 */
@Command(
    description = {
      "Compare the settings file with what is in effect in the running gateway.",
      "Exit code 0: no difference, 1: there are some. Keys in addresses and headers are neither"
          + " shown nor compared."
    })
@Example("")
final class ConfigDiffCommand extends CliCommand {

  private static final List<String> FEEDS = List.of("feeds", "sources");
  private static final List<String> LISTENERS = List.of("listeners");

  /** One difference; {@code null} on a side that has no such key. */
  private record Difference(
      String key,
      @Nullable String file,
      @Nullable String fileOrigin,
      @Nullable String effect,
      @Nullable String effectOrigin) {

    static Difference of(
        List<String> path, @Nullable EffectiveValue file, @Nullable EffectiveValue effect) {
      return new Difference(
          String.join(".", path),
          file == null ? null : file.value(),
          file == null ? null : file.origin().toString(),
          effect == null ? null : effect.value(),
          effect == null ? null : effect.origin().toString());
    }

    boolean isBy(String command) {
      return effectOrigin != null && effectOrigin.startsWith(command);
    }
  }

  @Override
  public Integer call() throws CliException {
    Map<List<String>, EffectiveValue> file = new LinkedHashMap<>();
    ofFile().forEach(value -> file.put(value.path(), value));
    Map<List<String>, EffectiveValue> effect = new LinkedHashMap<>();
    int exitCode = ask(in, sent -> effect.put(sent.path(), sent.effective()));
    return exitCode == ExitCode.OK ? compare(file, effect) : exitCode;
  }

  /** Asks the gateway for the values in force; the result is the exit code. */
  static int ask(Invocation in, Consumer<InForce> sent) throws CliException {
    return in.collect(
        new ControlRequest.ConfigEffective(),
        item -> JsonRecords.tryRead(InForce.class, item).ifPresent(sent));
  }

  private List<EffectiveValue> ofFile() throws CliException {
    Invocation.requireReadableSettings(in.options().configFile());
    return in.valid(
            SettingsFile.load(in.options().configFile(), in.around().environment()),
            CliException.no(
                "the settings file has mistakes, so the gateway would not take it",
                "see the lines above"))
        .values();
  }

  private int compare(
      Map<List<String>, EffectiveValue> file, Map<List<String>, EffectiveValue> effect) {
    Output out = in.output();
    Set<List<String>> paths = new LinkedHashSet<>(file.keySet());
    paths.addAll(effect.keySet());
    Set<List<String>> ofFile = owners(file);
    Set<List<String>> inEffect = owners(effect);
    Set<List<String>> shown = new HashSet<>();
    Set<String> remedies = new TreeSet<>();
    Set<String> restart = new LinkedHashSet<>();
    boolean equal = true;
    for (List<String> path : paths) {
      Difference found = Difference.of(path, file.get(path), effect.get(path));
      if (Objects.equals(found.file, found.effect)) {
        continue;
      }
      equal = false;
      List<String> whole = owner(path);
      boolean isWhole = ofFile.contains(whole) != inEffect.contains(whole);
      if (out.human() && (path.equals(FEEDS) || path.equals(LISTENERS))) {
        continue; // the other side has names in it, which are shown
      }
      if (!isWhole || !out.human()) {
        out.item(JsonRecords.of(found), ConfigDiffCommand::show);
      } else if (shown.add(whole)) {
        // Its keys are some dozens, and most of them are defaults.
        out.line(words(whole) + ": only in " + (found.file != null ? "the file" : "effect"));
      }
      if (needsRestart(path, isWhole)) {
        restart.add(isWhole ? words(whole) : TerminalText.safe(found.key));
      } else {
        remedies.add(remedy(found, whole));
      }
    }
    if (equal) {
      out.note("no difference: what the file says is in effect");
      return ExitCode.OK;
    }
    if (!restart.isEmpty()) {
      remedies.add("only a restart of the gateway changes: " + String.join(", ", restart));
    }
    for (String remedy : remedies) {
      out.note(remedies.size() > 1 ? remedy.replace("the file", "the rest of the file") : remedy);
    }
    return ExitCode.NO;
  }

  /** The step that takes this difference away. */
  private static String remedy(Difference found, List<String> whole) {
    if (found.isBy("bloomgate mode") && found.file != null) {
      return "a command set the mode: `bloomgate mode "
          + TerminalText.safe(found.file)
          + "` takes it back";
    }
    if (found.isBy("bloomgate feeds promote") && !whole.isEmpty()) {
      return "evidence moved an action: `bloomgate feeds promote "
          + TerminalText.safe(whole.getLast())
          + " --no-auto` takes it back";
    }
    return found.key.equals("mode") && found.isBy("no lists are loaded")
        ? "the configured mode counts when lists are loaded: `bloomgate status` says why not"
        : "`bloomgate config reload` puts the file into force";
  }

  /** True when the gateway uses the value only after a restart, as it reports at a reload. */
  private static boolean needsRestart(List<String> path, boolean isWhole) {
    return switch (path.getFirst()) {
      case "state_dir", "admin", "fleet" -> true;
      case "listeners" -> isWhole || path.getLast().equals("address");
      default -> false;
    };
  }

  private static Set<List<String>> owners(Map<List<String>, EffectiveValue> side) {
    return side.keySet().stream().map(ConfigDiffCommand::owner).collect(Collectors.toSet());
  }

  /** The path of the feed or listener that has the key; empty for other keys. */
  private static List<String> owner(List<String> path) {
    for (List<String> section : List.of(FEEDS, LISTENERS)) {
      int size = section.size();
      if (path.size() > size && path.subList(0, size).equals(section)) {
        return path.subList(0, size + 1);
      }
    }
    return List.of();
  }

  private static String words(List<String> owner) {
    return (owner.getFirst().equals("feeds") ? "feed " : "listener ")
        + TerminalText.safe(owner.getLast());
  }

  private static void show(JsonObject item, Output out) {
    out.line(HumanText.value(item, "key"));
    out.line("  file    " + side(item, "file"));
    out.line("  effect  " + side(item, "effect"));
  }

  private static String side(JsonObject item, String name) {
    return item.text(name).isEmpty()
        ? "(not there)"
        : HumanText.value(item, name) + "   # " + HumanText.value(item, name + "_origin");
  }
}

package io.bloomgate.cli;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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

  /** Sections whose keys are names, and a key that each name has below it. */
  private enum Section implements Keyed {
    FEED("feeds.sources.", ".checks"),
    LISTENER("listeners.", ".address");

    private final String path;
    private final String always;

    Section(String path, String always) {
      this.path = path;
      this.always = always;
    }
  }

  /** A feed or a listener; a name may hold dots. */
  private record Named(Section section, String name) {
    boolean has(String key) {
      return key.startsWith(section.path + name + ".");
    }

    @Override
    public String toString() {
      return section.key() + " " + TerminalText.safe(name);
    }
  }

  /** One side of a key. */
  private record Side(String value, String origin) {}

  @Override
  public Integer call() throws CliException {
    Map<String, Side> file = new LinkedHashMap<>();
    for (EffectiveValue value : ofFile()) {
      file.put(String.join(".", value.path()), new Side(value.value(), value.origin().toString()));
    }
    Map<String, Side> effect = new LinkedHashMap<>();
    int exitCode =
        in.collect(
            new ControlRequest.ConfigEffective(),
            item ->
                effect.put(
                    item.text("key").orElse(""),
                    new Side(item.text("value").orElse(""), item.text("origin").orElse(""))));
    return exitCode == ExitCode.OK ? compare(file, effect) : exitCode;
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

  private int compare(Map<String, Side> file, Map<String, Side> effect) {
    Output out = in.output();
    Set<String> keys = new LinkedHashSet<>(file.keySet());
    keys.addAll(effect.keySet());
    Set<Named> ofFile = named(file);
    Set<Named> inEffect = named(effect);
    Set<Named> shown = new HashSet<>();
    Set<String> remedies = new TreeSet<>();
    Set<String> restart = new LinkedHashSet<>();
    boolean equal = true;
    for (String key : keys) {
      Side here = file.get(key);
      Side there = effect.get(key);
      if (here != null && there != null && here.value.equals(there.value)) {
        continue;
      }
      equal = false;
      Named whole = owner(key, here != null ? ofFile : inEffect);
      boolean isWhole = ofFile.contains(whole) != inEffect.contains(whole);
      if (out.human() && isEmptySection(key)) {
        continue; // the other side has names in it, which are shown
      }
      if (!isWhole || !out.human()) {
        out.item(difference(key, here, there), ConfigDiffCommand::show);
      } else if (shown.add(whole)) {
        // Its keys are some dozens, and most of them are defaults.
        out.line(whole + ": only in " + (here != null ? "the file" : "effect"));
      }
      if (needsRestart(key, whole, isWhole)) {
        restart.add(isWhole ? String.valueOf(whole) : TerminalText.safe(key));
      } else {
        remedies.add(remedy(key, whole, here, there));
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

  private static boolean isEmptySection(String key) {
    return Stream.of(Section.values()).anyMatch(section -> section.path.equals(key + "."));
  }

  /** The step that takes this difference away. */
  private static String remedy(
      String key, @Nullable Named whole, @Nullable Side file, @Nullable Side effect) {
    if (effect != null && effect.origin.startsWith("bloomgate mode") && file != null) {
      return "a command set the mode: `bloomgate mode "
          + TerminalText.safe(file.value)
          + "` takes it back";
    }
    if (effect != null && effect.origin.startsWith("bloomgate feeds promote") && whole != null) {
      return "evidence moved an action: `bloomgate feeds promote "
          + TerminalText.safe(whole.name)
          + " --no-auto` takes it back";
    }
    if (key.equals("mode") && effect != null && effect.origin.equals("no lists are loaded")) {
      return "the configured mode counts when lists are loaded: `bloomgate status` says why not";
    }
    return "`bloomgate config reload` puts the file into force";
  }

  /** True when the gateway uses the value only after a restart, as it reports at a reload. */
  private static boolean needsRestart(String key, @Nullable Named whole, boolean isWhole) {
    return key.equals("state_dir")
        || key.startsWith("admin.")
        || key.startsWith("fleet.")
        || (whole != null
            && whole.section == Section.LISTENER
            && (isWhole || key.endsWith(".address")));
  }

  /** The feeds and listeners of one side. */
  private static Set<Named> named(Map<String, Side> side) {
    Set<Named> all = new LinkedHashSet<>();
    for (String key : side.keySet()) {
      for (Section section : Section.values()) {
        int end = key.length() - section.always.length();
        if (key.startsWith(section.path) && key.endsWith(section.always)) {
          all.add(new Named(section, key.substring(section.path.length(), end)));
        }
      }
    }
    return all;
  }

  /**
   * The section that the key belongs to: the one with the longest name, as a name may begin another
   * one.
   */
  private static @Nullable Named owner(String key, Set<Named> of) {
    return of.stream()
        .filter(named -> named.has(key))
        .max(Comparator.comparingInt(named -> named.name.length()))
        .orElse(null);
  }

  private static JsonObject difference(String key, @Nullable Side file, @Nullable Side effect) {
    return JsonValue.object()
        .put("key", key)
        .put("file", file == null ? null : file.value)
        .put("file_origin", file == null ? null : file.origin)
        .put("effect", effect == null ? null : effect.value)
        .put("effect_origin", effect == null ? null : effect.origin)
        .build();
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

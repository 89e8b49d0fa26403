package io.bloomgate.gateway;

import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.admin.GatewayControl.Reload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the settings again: all of them are loaded first, so that a bad file changes nothing. Run
 * by {@link LiveGateway}, one reload at a time; {@link #last} on any thread.
 */
final class SettingsReload {

  private static final Logger LOG = LoggerFactory.getLogger(SettingsReload.class);

  private final Platform platform;
  private final Settings started;
  private volatile Outcome last;

  /**
   * The outcome of the last reload, for alarms and metrics.
   *
   * @param failure empty when it succeeded
   */
  record Outcome(String failure, Instant lastSuccess) {
    boolean succeeded() {
      return failure.isEmpty();
    }
  }

  /**
   * The start counts as a reload that succeeded.
   *
   * @param started the settings of the start: some of them count until the gateway stops
   */
  SettingsReload(Platform platform, Settings started) {
    this.platform = platform;
    this.started = started;
    this.last = new Outcome("", platform.clock().instant());
  }

  Outcome last() {
    return last;
  }

  /**
   * Loads the settings and uses them.
   *
   * @param use replaces everything that depends on settings; answers with lines of list files that
   *     are not taken, which it has logged
   */
  Reload run(Function<Configuration, List<Problem>> use) {
    Configuration fresh;
    try {
      fresh =
          Configuration.load(platform.settingsFile(), platform.environment(), platform.random());
    } catch (UnusableException e) {
      last = new Outcome(e.reason(), last.lastSuccess());
      LOG.error("reload: {}; nothing was changed", e.reason());
      e.problems().forEach(problem -> LOG.error("{}", problem));
      return new Reload(false, e.problems(), List.of(), e.reason());
    }
    List<String> restartNeeded = restartNeeded(started, fresh.settings());
    List<Problem> problems = new ArrayList<>(fresh.warnings());
    problems.addAll(use.apply(fresh));
    last = new Outcome("", platform.clock().instant());
    fresh.warnings().forEach(warning -> LOG.warn("{}", warning));
    restartNeeded.forEach(name -> LOG.warn("{} changed; it counts after a restart", name));
    return new Reload(true, problems, restartNeeded, "");
  }

  /** Names settings that differ from the start and need a restart, as in the file. */
  private static List<String> restartNeeded(Settings started, Settings wanted) {
    List<String> names = new ArrayList<>();
    addIfChanged(names, "state_dir", started.stateDir(), wanted.stateDir());
    addIfChanged(names, "admin", started.admin(), wanted.admin());
    addIfChanged(names, "fleet", started.fleet(), wanted.fleet());
    for (Map.Entry<String, Listener> old : started.listeners().entrySet()) {
      Listener now = wanted.listeners().get(old.getKey());
      if (now == null || !now.address().equals(old.getValue().address())) {
        names.add("listeners." + old.getKey() + (now == null ? "" : ".address"));
      }
    }
    wanted.listeners().keySet().stream()
        .filter(name -> !started.listeners().containsKey(name))
        .forEach(name -> names.add("listeners." + name));
    return names;
  }

  private static void addIfChanged(
      List<String> names, String name, @Nullable Object started, @Nullable Object wanted) {
    if (!Objects.equals(started, wanted)) {
      names.add(name);
    }
  }
}

package io.bloomgate.gateway;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Listener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tells which changed settings count only after a restart. Pure; called at each reload. */
final class RestartNeeds {

  private RestartNeeds() {}

  /** The names of settings, as in the file. */
  static List<String> between(Settings running, Settings wanted) {
    List<String> names = new ArrayList<>();
    note(names, "state_dir", running.stateDir(), wanted.stateDir());
    note(names, "admin", running.admin(), wanted.admin());
    note(names, "log.max_incidents", running.log().maxIncidents(), wanted.log().maxIncidents());
    for (Map.Entry<String, Listener> old : running.listeners().entrySet()) {
      Listener now = wanted.listeners().get(old.getKey());
      if (now == null || !now.address().equals(old.getValue().address())) {
        names.add("listeners." + old.getKey() + (now == null ? "" : ".address"));
      }
    }
    wanted.listeners().keySet().stream()
        .filter(name -> !running.listeners().containsKey(name))
        .forEach(name -> names.add("listeners." + name));
    return names;
  }

  private static void note(List<String> names, String name, Object running, Object wanted) {
    if (!Objects.equals(running, wanted)) {
      names.add(name);
    }
  }
}

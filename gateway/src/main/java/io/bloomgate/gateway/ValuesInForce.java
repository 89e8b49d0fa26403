package io.bloomgate.gateway;

import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings that count now, for {@code config diff}: those that were read last, but for those
 * that count from a start on, the mode that a command set, and actions that evidence moved. Pure
 * and immutable; asked by {@link LiveSettings} on any thread.
 */
final class ValuesInForce {

  private final List<EffectiveValue> started;

  /**
   * A view of them.
   *
   * @param started what the start read
   */
  ValuesInForce(List<EffectiveValue> started) {
    this.started = List.copyOf(started);
  }

  /**
   * Returns the values that are in force now.
   *
   * @param read what was read last
   * @param lists settings with the actions in force
   */
  List<EffectiveValue> of(List<EffectiveValue> read, ModeState mode, Settings lists) {
    List<EffectiveValue> values = inOrder(read);
    List<String> listeners =
        started.stream()
            .filter(value -> isOfListener(value))
            .map(value -> value.path().get(1))
            .distinct()
            .toList();
    values.removeIf(value -> isOfListener(value) && !listeners.contains(value.path().get(1)));
    Map<String, Action> actions = actions(lists);
    return values.stream().map(value -> inForce(value, mode, actions)).toList();
  }

  /** Each section stays in one piece, as a file has it. */
  private List<EffectiveValue> inOrder(List<EffectiveValue> read) {
    Map<List<String>, EffectiveValue> untilRestart = new LinkedHashMap<>();
    started.stream()
        .filter(ValuesInForce::needsRestart)
        .forEach(value -> untilRestart.put(value.path(), value));
    List<EffectiveValue> values = new ArrayList<>();
    for (EffectiveValue value : read) {
      EffectiveValue counts = needsRestart(value) ? untilRestart.remove(value.path()) : value;
      if (counts != null) {
        values.add(counts);
      }
    }
    for (EffectiveValue gone : untilRestart.values()) {
      int end = values.size();
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i).path().getFirst().equals(gone.path().getFirst())) {
          end = i + 1;
        }
      }
      values.add(end, gone);
    }
    return values;
  }

  /** Returns true for the values that {@link LiveSettings} names. */
  private static boolean needsRestart(EffectiveValue value) {
    String first = value.path().getFirst();
    return first.equals("state_dir")
        || first.equals("admin")
        || first.equals("fleet")
        || (isOfListener(value) && value.path().getLast().equals("address"));
  }

  private static boolean isOfListener(EffectiveValue value) {
    return value.path().size() == 3 && value.path().getFirst().equals("listeners");
  }

  private static EffectiveValue inForce(
      EffectiveValue value, ModeState mode, Map<String, Action> actions) {
    if (value.path().equals(List.of("mode")) && mode.effective() != mode.configured()) {
      return changed(value, mode.effective().key(), cause(mode));
    }
    Action action = action(value.path(), actions);
    return action == null || action.key().equals(value.value())
        ? value
        : changed(value, action.key(), "bloomgate feeds promote --auto");
  }

  private static String cause(ModeState mode) {
    if (mode.override() == null || mode.override() != mode.effective()) {
      return "no lists are loaded";
    }
    return "bloomgate mode" + (mode.until() == null ? "" : ", until " + mode.until());
  }

  private static EffectiveValue changed(EffectiveValue value, String word, String cause) {
    return new EffectiveValue(
        value.path(), word, new Origin.Command(cause), value.changed(), value.notation());
  }

  private static @Nullable Action action(List<String> path, Map<String, Action> actions) {
    boolean ofSource =
        path.size() == 4
            && path.get(0).equals("feeds")
            && path.get(1).equals("sources")
            && path.get(3).equals("action");
    return ofSource ? actions.get(path.get(2)) : null;
  }

  private static Map<String, Action> actions(Settings lists) {
    Map<String, Action> actions = new HashMap<>();
    lists.feeds().sources().forEach((name, feed) -> actions.put(name, feed.action()));
    lists.feeds().dnsLists().forEach((name, list) -> actions.put(name, list.action()));
    return actions;
  }
}

package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Listener;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code signs}: which of them count, and what each asks for alone. Called once for
 * each reading of the settings.
 */
final class SignsBinder {

  private static final Map<String, Sign> SIGNS =
      Arrays.stream(Sign.values()).collect(Collectors.toUnmodifiableMap(Sign::key, sign -> sign));

  /** Faults in DNS, which the administrators of wanted mail servers make too. */
  private static final Set<Sign> OF_NAMES =
      Collections.unmodifiableSet(
          EnumSet.of(Sign.NO_REVERSE_NAME, Sign.UNCONFIRMED_NAME, Sign.GENERIC_NAME));

  private SignsBinder() {}

  /**
   * The signs that are named, with their actions.
   *
   * @param listeners an early talker is seen only where the banner waits
   * @param bulk {@code null} where copies are not counted
   */
  static Map<Sign, Action> bind(
      Section root, Map<String, Listener> listeners, @Nullable BulkSettings bulk) {
    Map<Sign, Action> signs = new EnumMap<>(Sign.class);
    root.named("signs")
        .forEach((name, section) -> {
          Action action = section.value("action", "observe", RulesBinder.ACTION);
          Sign sign = SIGNS.get(name);
          if (sign == null) {
            unknown(name, section);
          } else {
            signs.put(sign, action);
            check(sign, section, action);
          }
        });
    if (signs.isEmpty()) {
      root.recordEmpty("signs");
    }
    if (signs.containsKey(Sign.EARLY_TALKER)) {
      checkDelay(root, listeners);
    }
    if (signs.containsKey(Sign.BULK) && bulk == null) {
      root.section("signs")
          .section(Sign.BULK.key())
          .warn(
              "action",
              "copies of mails are not counted, so no mail is bulk",
              "set content: {bulk: {networks: 20}}");
    }
    return Collections.unmodifiableMap(signs);
  }

  private static void unknown(String name, Section section) {
    List<String> known = Arrays.stream(Sign.values()).map(Sign::key).toList();
    section.problem(
        "action",
        Shown.quoted(name) + " is not a sign",
        Suggestion.hint(name, known, "write one of: " + String.join(", ", known)));
  }

  private static void check(Sign sign, Section section, Action action) {
    section.problemIf(
        action == Action.TRUST,
        "action",
        "the sign " + sign.key() + " has the action trust",
        "trust is for lists");
    section.problemIf(
        sign.needsContent() && action == Action.GREYLIST,
        "action",
        "the sign " + sign.key() + " greylists, and a mail shows it when it is too late for that",
        "write action: tag");
    section.problemIf(
        sign == Sign.BULK && action.compareTo(Action.OBSERVE) > 0,
        "action",
        "the sign bulk is no reason to act alone: newsletters have many copies, too",
        "write action: observe, and join it with lists in a rule");
    section.warnIf(
        (OF_NAMES.contains(sign) || sign.needsContent()) && action.compareTo(Action.TEMPFAIL) >= 0,
        "action",
        "the sign " + sign.key() + " alone hits good senders too",
        "write action: observe, and join it with lists in a rule");
  }

  private static void checkDelay(Section root, Map<String, Listener> listeners) {
    if (listeners.values().stream().allMatch(listener -> listener.bannerDelay().isZero())) {
      root.section("signs")
          .section(Sign.EARLY_TALKER.key())
          .warn(
              "action",
              "no listener has a banner_delay, so no client can speak before the banner",
              "set banner_delay: 6s at the listener");
    }
  }
}

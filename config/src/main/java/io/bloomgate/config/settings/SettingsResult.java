package io.bloomgate.config.settings;

import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.Problem;
import java.util.List;

/** The result of reading a settings file. Immutable. */
public sealed interface SettingsResult {

  /**
   * The settings can be used.
   *
   * @param warnings what loses mail or identity although it is allowed
   * @param values every key with its value and origin, in the order of the sample file
   */
  record Loaded(Settings settings, List<Problem> warnings, List<EffectiveValue> values)
      implements SettingsResult {}

  /**
   * The settings cannot be used.
   *
   * @param problems everything that is wrong, in the order of the file, warnings among them
   */
  record Invalid(List<Problem> problems) implements SettingsResult {}
}

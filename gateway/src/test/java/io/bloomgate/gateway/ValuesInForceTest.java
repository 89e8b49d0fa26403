package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.SettingsText;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is in force after a reload of settings that need a restart in parts. */
final class ValuesInForceTest {

  private static final String STARTED =
      """
      domains: [example.com]
      hostname: mx.example.com
      state_dir: /var/lib/one
      downstream: {host: 192.0.2.25}
      listeners: {mx: {address: "127.0.0.1:25"}, late: {address: "127.0.0.1:26"}}
      """;

  private static Loaded loaded(String text) {
    SettingsResult read = SettingsFile.parse("/f.yaml", text, Map.of(), () -> "mx.example.com");
    return assertInstanceOf(Loaded.class, read, read.toString());
  }

  @Test
  void theyAreAFileThatCanBeReadBack() {
    Loaded read =
        loaded(
            STARTED
                .replace("/one", "/two")
                .replace(":25\"}", ":27\", tls: none}")
                .replace(", late: {address: \"127.0.0.1:26\"}", ", new: {address: \"[::]:28\"}"));
    List<EffectiveValue> values =
        new ValuesInForce(loaded(STARTED).values())
            .of(
                read.values(),
                new ModeState(Mode.SOFT, Mode.OBSERVE, Mode.SOFT, null),
                read.settings());
    Loaded back = loaded(SettingsText.render(values, true));
    assertEquals(Mode.SOFT, back.settings().mode());
    assertEquals("/var/lib/one", back.settings().stateDir().toString());
    assertEquals(
        List.of("mx 127.0.0.1:25", "late 127.0.0.1:26"),
        back.settings().listeners().entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue().address())
            .toList());
  }
}

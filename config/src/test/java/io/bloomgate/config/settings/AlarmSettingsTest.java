package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The section {@code alarms}. */
class AlarmSettingsTest {

  private static SettingsResult.Loaded loaded(String section) {
    return Reading.loaded("alarms: " + section + "\n");
  }

  private static String problem(String section) {
    return Reading.problems("alarms: " + section + "\n").getFirst();
  }

  @Test
  void nobodyIsSentUnlessAskedFor() {
    assertEquals(new AlarmSettings(null, null), loaded("{}").settings().alarms());
  }

  @Test
  void thePathOfTheAddressIsNeverShown() {
    SettingsResult.Loaded loaded = loaded("{url: \"https://hooks.example:8443/T0/KEY?x=KEY\"}");
    assertEquals("https://hooks.example:8443/...", loaded.settings().alarms().shownUrl());
    assertEquals(
        "https://hooks.example:8443/T0/KEY?x=KEY",
        String.valueOf(loaded.settings().alarms().url()));
    assertFalse((loaded.values() + " " + loaded.settings()).contains("KEY"));
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void mistakesSayWhatToWrite() {
    assertTrue(problem("{url: ftp://KEY}").contains("this is not a web address"));
    assertFalse(problem("{url: ftp://KEY}").contains("KEY"));
    assertTrue(problem("{url: \"https://u:p@hooks.example/\"}").contains("user name or password"));
    assertTrue(problem("{to: nobody}").contains("is not a mail address"));
  }

  @Test
  void whatMayNotArriveIsAWarning() {
    assertTrue(
        loaded("{to: a@other.example}").warnings().getFirst().message().contains("not at one"));
    assertTrue(
        loaded("{url: http://hooks.example/x}").warnings().getFirst().message().contains("plain"));
    assertEquals(List.of(), loaded("{url: http://127.0.0.1:9/x}").warnings());
  }
}

package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sections {@code report} and {@code alarms}: what is sent to whom. */
class SentSettingsTest {

  private static ReportSettings report(String section) {
    return Reading.loaded("report: " + section + "\n").settings().report();
  }

  @Test
  void nothingIsSentUnlessAskedFor() {
    assertNull(report("{}").to());
    assertEquals(LocalTime.of(7, 0), report("{}").at());
  }

  @Test
  void theRecipientIsAsWritten() {
    ReportSettings report = report("{to: Post.Master+x@Example.com, at: 06:30}");
    assertEquals("Post.Master+x@Example.com", report.to());
    assertEquals(LocalTime.of(6, 30), report.at());
    assertEquals("example.com", ReportSettings.domain("x@Example.com"));
  }

  @Test
  void aRecipientElsewhereIsAWarning() {
    assertEquals(List.of(), Reading.warnings("report: {to: a@example.com}\n"));
    assertEquals(
        "/etc/bg/f.yaml:3:14: the report goes to an address that is not at one of our domains; the"
            + " mail server may refuse to relay it; name a mailbox at one of `domains`",
        Reading.warnings("report: {to: a@elsewhere.example}\n")
            .getFirst()
            .replace("warning: ", ""));
  }

  private static SettingsResult.Loaded loaded(String section) {
    return Reading.loaded("alarms: " + section + "\n");
  }

  @Test
  void noAlarmIsSentUnlessAskedFor() {
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
  void whatMayNotArriveIsAWarning() {
    assertTrue(
        loaded("{to: a@other.example}").warnings().getFirst().message().contains("not at one"));
    assertTrue(
        loaded("{url: http://hooks.example/x}").warnings().getFirst().message().contains("plain"));
    assertEquals(List.of(), loaded("{url: http://127.0.0.1:9/x}").warnings());
  }
}

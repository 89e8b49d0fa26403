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

  private static String problem(String section) {
    return Reading.problems("report: " + section + "\n").getFirst();
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

  @Test
  void whatIsNoAddressOrNoTimeIsRefused() {
    for (String to :
        List.of("nobody", "a@", "'a b@example.com'", "'a@[192.0.2.1]'", "'<a@example.com>'")) {
      assertEquals(
          "is not a mail address; write a mailbox, as postmaster@example.com",
          problem("{to: " + to + "}").replaceAll(".*` ", ""),
          to);
    }
    for (String at : List.of("7", "25:00", "noon", "07:00Z")) {
      assertEquals(
          "is not a time of the day; write hours and minutes: \"07:00\"",
          problem("{at: '" + at + "'}").replaceAll(".*` ", ""),
          at);
    }
  }

  private static SettingsResult.Loaded loaded(String section) {
    return Reading.loaded("alarms: " + section + "\n");
  }

  private static String alarmProblem(String section) {
    return Reading.problems("alarms: " + section + "\n").getFirst();
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
  void mistakesOfAlarmsSayWhatToWrite() {
    assertTrue(alarmProblem("{url: ftp://KEY}").contains("this is not a web address"));
    assertFalse(alarmProblem("{url: ftp://KEY}").contains("KEY"));
    assertTrue(
        alarmProblem("{url: \"https://u:p@hooks.example/\"}").contains("user name or password"));
    assertTrue(alarmProblem("{to: nobody}").contains("is not a mail address"));
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

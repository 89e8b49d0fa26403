package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The section {@code report}. */
class ReportSettingsTest {

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
}

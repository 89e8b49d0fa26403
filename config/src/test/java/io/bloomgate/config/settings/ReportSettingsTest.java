package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The section {@code report}. */
class ReportSettingsTest {

  private static SettingsResult read(String section) {
    String text =
        "domains: [example.com, .corp.example]\ndownstream: {host: mail}\nreport: "
            + section
            + "\n";
    return SettingsFile.parse("/f.yaml", text, Map.of(), () -> "mx.example.com");
  }

  private static ReportSettings report(String section) {
    return switch (read(section)) {
      case SettingsResult.Loaded loaded -> loaded.settings().report();
      case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
    };
  }

  private static List<String> warnings(String section) {
    return switch (read(section)) {
      case SettingsResult.Loaded loaded ->
          loaded.warnings().stream().map(Problem::toString).toList();
      case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
    };
  }

  private static String problem(String section) {
    return switch (read(section)) {
      case SettingsResult.Loaded loaded -> throw new AssertionError(loaded.settings().report());
      case SettingsResult.Invalid invalid -> invalid.problems().getFirst().toString();
    };
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
    assertEquals(List.of(), warnings("{to: a@example.com}"));
    assertEquals(List.of(), warnings("{to: a@eu.corp.example}"));
    assertEquals(
        "/f.yaml:3:14: the report goes to an address that is not at one of our domains; the mail"
            + " server may refuse to relay it; name a mailbox at one of `domains`",
        warnings("{to: a@elsewhere.example}").getFirst().replace("warning: ", ""));
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

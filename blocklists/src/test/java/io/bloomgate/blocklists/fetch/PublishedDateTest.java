package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.format.FeedContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads as publishers write them; each was seen in a real file or in a manual. */
class PublishedDateTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir private Path directory;
  private int files;

  private FeedContent content(String text) throws IOException {
    return new FeedContent(List.of(Files.writeString(directory.resolve("f" + files++), text)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "# last updated 1647435002 (Wed Mar 16 12:50:02 2022 GMT) | 2022-03-16T12:50:02Z",
        "; Last-Modified: Sun, 10 Mar 2024 09:13:24 GMT | 2024-03-10T09:13:24Z",
        "# This File Date  : Mon Nov 26 11:24:46 UTC 2018 | 2018-11-26T11:24:46Z",
        "# Last updated: 2024-04-04 07:03:03 UTC         # | 2024-04-04T07:03:03Z",
        "# Last update: Sat, 22 Aug 2026 03:00:29 +0200 | 2026-08-22T03:00:29Z",
        "# Last modified: So 24. Jul 12:32:56 UTC 2022 | 2022-07-24T12:32:56Z",
        "! Last modified: 18 Sep 2025 | 2025-09-18T00:00:00Z",
        "# Last modified: Fri, 16 Jul 2021, 13:07 UTC+02 | 2021-07-16T13:07:00Z",
        "# Date: 13 April 2021 14:04:03 (UTC) | 2021-04-13T14:04:03Z",
        "#  TimeUpdated: 2021-03-06T00:34:02+01:00 | 2021-03-06T00:34:02Z",
        "# Last updated: 11/20/2026 is no form, 2026-11-20 07:30:00 PM is | 2026-11-20T19:30:00Z",
        "# Generated: Fri Nov 20 12:30:00 AM UTC 2026 | 2026-11-20T00:30:00Z",
        "# Updated: 20 Nov 2026 12:05 p.m. | 2026-11-20T12:05:00Z",
        "# Last updated: 2026-11-20 19:30:00 PM | 2026-11-20T19:30:00Z",
        "$TIMESTAMP 1647435002 ~7d | 2022-03-16T12:50:02Z",
        "$TIMESTAMP 2026-11-20:07:30:00 | 2026-11-20T07:30:00Z",
        "$TIMESTAMP 2026-11-20 | 2026-11-20T00:00:00Z",
      })
  void readsWhatPublishersWrite(String line, String date) throws IOException {
    String text = "# a list\r\n# Expires: Updated regularly\r\n" + line + "\r\n192.0.2.1\r\n";
    assertEquals(Optional.of(Instant.parse(date)), PublishedDate.inside(content(text), NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# This filter is regularly updated with data",
        "# Update Frequency: 1 min",
        "# generated entries 2024 without dates",
        "# Last updated: 2031-01-01",
        "# Last updated: 2026-13-45",
        "date2024-01-01.example",
        "$TIMESTAMP 0",
      })
  void guessesNothing(String line) throws IOException {
    assertEquals(Optional.empty(), PublishedDate.inside(content(line + "\n192.0.2.1\n"), NOW));
  }

  @Test
  void readsTheMetadataRecordOfSpamhaus() throws IOException {
    String text =
        "{\"cidr\":\"192.0.2.0/24\",\"sblid\":\"SBL1\",\"rir\":\"x\"}\n".repeat(2000)
            + "{\"type\":\"metadata\",\"timestamp\":1763700000,\"size\":1,\"records\":2000}\n";
    assertEquals(
        Optional.of(Instant.ofEpochSecond(1763700000)), PublishedDate.inside(content(text), NOW));
  }

  /**
   * Without a bound each beginning looks through the rest of the text: half an hour for such a
   * file.
   */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aListFullOfBeginningsIsReadInAShortTime() throws IOException {
    String text = "{" + "\"type\":\"metadata\",".repeat(100_000);
    assertEquals(Optional.empty(), PublishedDate.inside(content(text), NOW));
  }

  private List<String> older(String fresh, String freshModified, String live, String liveModified)
      throws IOException {
    return PublishedDate.older(
        content(fresh), modified(freshModified), content(live), modified(liveModified), NOW);
  }

  private static Validators modified(String date) {
    return new Validators(Map.of("u", new Validators.Stamp("", date)), "", "", "u");
  }

  @Test
  void aVersionThatGoesBackIsOlder() throws IOException {
    String one = "# last updated: 2026-11-20 10:00:00\n";
    String hourBefore = "# last updated: 2026-11-20 09:00:00\n";
    List<String> reasons = older(hourBefore, "", one, "");
    assertEquals(1, reasons.size());
    assertTrue(
        reasons
            .getFirst()
            .startsWith("older than the live version: says that it is of 2026-11-20T09:00:00Z"),
        reasons.toString());
    assertEquals(List.of(), older(one, "", hourBefore, ""));
    assertEquals(List.of(), older(one, "", one, ""));
    assertEquals(List.of(), older("# last updated: 2026-11-20 09:00:01\n", "", one, ""), "mirrors");
  }

  @Test
  void theServersWordCountsWhereTheTextHasNone() throws IOException {
    String monday = "Mon, 16 Nov 2026 07:00:00 GMT";
    String sunday = "Sun, 15 Nov 2026 07:00:00 GMT";
    assertEquals(1, older("a\n", sunday, "b\n", monday).size());
    assertEquals(List.of(), older("a\n", monday, "b\n", sunday));
    assertEquals(List.of(), older("a\n", "yesterday", "b\n", monday));
    String newer = "# last updated: 2026-11-20\n";
    String old = "# last updated: 2026-11-19\n";
    assertEquals(List.of(), older(newer, sunday, old, monday), "the text knows better");
  }
}

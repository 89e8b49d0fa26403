package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.yaml.YamlReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Feeds come and go in a settings file, and every other line stays as it was. */
class SourcesTextTest {

  private static final String FEED = "new:\n  url: https://x.example/list\n";

  private static final String WRITTEN =
      """
      # mine
      domains: [example.com]
      feeds:
        # all of them
        every: 1h   # often
        sources:
          # the first
          one: {file: one.txt}   # in braces
          two:
            file: two.txt
            # inside two

            checks: [helo]

        # behind
      log: {target: stdout}
      """;

  @Test
  void aFeedIsAddedBehindTheOthers() throws BadValueException {
    assertEquals(
        WRITTEN.replace(
            "      checks: [helo]\n",
            "      checks: [helo]\n    new:\n      url: https://x.example/list\n"),
        SourcesText.add(WRITTEN, "new", FEED));
  }

  @Test
  void aFeedIsTakenOutWithWhatIsInIt() throws BadValueException {
    assertEquals(
        WRITTEN.replaceFirst("(?s)    two:.*?helo\\]\n", ""),
        SourcesText.remove(WRITTEN, "two", List.of()));
    assertEquals(
        WRITTEN.replaceFirst("    one: [^\n]*\n", ""),
        SourcesText.remove(WRITTEN, "one", List.of()));
  }

  /** Those that were changed are the administrator's, and what is above them too. */
  @Test
  void theCommentsThatWereWrittenAboveAFeedGoWithIt() throws BadValueException {
    List<String> comments = List.of("# New: a list.", "# Terms: free.");
    String feed = String.join("\n", comments) + "\n" + FEED;
    String added = SourcesText.add(WRITTEN, "new", feed);
    assertTrue(added.contains("    # Terms: free.\n    new:\n"), added);
    assertEquals(WRITTEN, SourcesText.remove(added, "new", comments));
    String own = added.replace("# New: a list.", "# New: my list.");
    assertEquals(
        WRITTEN.replace("      checks: [helo]\n", "      checks: [helo]\n    # New: my list.\n"),
        SourcesText.remove(own, "new", comments));
    String changed = added.replace("# Terms: free.", "# Terms: free, I asked.");
    assertEquals(
        changed.replace("    new:\n      url: https://x.example/list\n", ""),
        SourcesText.remove(changed, "new", comments));
    String once = "feeds:\n  sources:\n    new: {file: new.txt}\n";
    assertEquals("feeds:\n  sources: {}\n", SourcesText.remove(once, "new", comments));
  }

  @Test
  void anActionIsWrittenOrReplaced() throws BadValueException {
    String tags = SourcesText.act(WRITTEN, "two", "tag");
    assertEquals(WRITTEN.replace("checks: [helo]\n", "checks: [helo]\n      action: tag\n"), tags);
    String commented = tags.replace("action: tag", "action: tag   # since May");
    assertEquals(
        commented.replace(": tag", ": reject"), SourcesText.act(commented, "two", "reject"));
    String braces = WRITTEN.replace("one.txt}", "one.txt, action: tag}");
    assertEquals(braces.replace("tag}", "reject}"), SourcesText.act(braces, "one", "reject"));
    assertThrows(BadValueException.class, () -> SourcesText.act(WRITTEN, "one", "tag"));
    assertThrows(BadValueException.class, () -> SourcesText.act(WRITTEN, "none", "tag"));
    assertThrows(
        BadValueException.class,
        () -> SourcesText.act(tags.replace("action: tag", "action: 'tag'"), "two", "reject"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "domains: [example.com]\n",
        "feeds:\n",
        "feeds: {}\n",
        "feeds:\n  every: 1h\nmode: soft\n",
        "feeds:\n  sources:\nmode: soft\n",
        "feeds:\n  sources: {}   # none yet\nmode: soft\n",
        "feeds:\n    sources:\n        old:\n            file: old.txt\n",
        ""
      })
  void whatWasAddedCanBeReadAndTakenOutAgain(String text) throws Exception {
    String added = SourcesText.add(text, "new", FEED);
    assertTrue(YamlReader.read(added).orElseThrow().toString().contains("key=new"), added);
    for (String line : text.replace("{}", "").lines().toList()) {
      assertTrue(added.contains(line.stripTrailing()), added);
    }
    String back = SourcesText.remove(added, "new", List.of());
    assertTrue(YamlReader.read(back).orElseThrow().toString().indexOf("key=new") < 0, back);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "feeds: {sources: {one: {file: one.txt}}}\n",
        "feeds:\n  sources: {one: {file: one.txt}}\n",
        "feeds:\n  sources:\n    new: {file: one.txt}\n",
        "feeds: [\n"
      })
  void whatCannotBeDoneIsSaid(String text) {
    assertThrows(BadValueException.class, () -> SourcesText.add(text, "new", FEED));
    assertThrows(BadValueException.class, () -> SourcesText.remove(text, "nosuch", List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "one | `one` is still named by the rule both (rules.both.all), the rule some"
            + " (rules.some.of) | take it out of these first, then remove it",
        "zen | `zen` is still named by the DNS list sbl (its dns_of) | take it out of this first,"
            + " then remove it"
      })
  void whatIsStillNamedStays(String name, String problem, String hint) {
    String text =
        """
        feeds:
          sources:
            one: {file: one.txt}
            two: {file: two.txt}
            zen: {dns: zen.example}
            sbl: {dns_of: zen, codes: [127.0.0.2]}
        rules:
          both: {all: [one, two], action: reject}
          some:
            any: 1
            of: [one, sbl]
            action: tag
        """;
    BadValueException refused =
        assertThrows(BadValueException.class, () -> SourcesText.remove(text, name, List.of()));
    assertEquals(problem, refused.problem());
    assertEquals(hint, refused.hint());
  }
}

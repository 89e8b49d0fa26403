package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which checks a feed has by itself, and those that can find nothing in it. */
class CheckReachTest {

  private static SettingsResult read(String source) {
    return Reading.of("feeds: {sources: {some: {file: /tmp/list," + source + "}}}\n");
  }

  private static SettingsResult.Loaded loaded(String source) {
    return assertInstanceOf(SettingsResult.Loaded.class, read(source));
  }

  private static Set<Check> checks(String source) {
    return loaded(source).settings().feeds().sources().values().iterator().next().checks();
  }

  @Test
  void theFormatDecidesTheUsualChecks() {
    assertEquals(Set.of(Check.ATTACHMENT), checks(" format: sha256"));
    assertEquals(Set.copyOf(Check.WITHOUT_LOOK_UP), checks(" format: urls"));
    assertEquals(Set.copyOf(Check.WITHOUT_LOOK_UP), checks(" format: ips"));
    assertEquals(List.of(), loaded(" format: ips").warnings());
  }

  @Test
  void aCheckThatFindsNothingIsNamed() {
    String mixed = loaded(" format: ips, checks: [client_ip, url, sender]").warnings().toString();
    assertTrue(
        mixed.contains("the checks sender, url find nothing in a list of format ips"), mixed);
    for (String good :
        List.of(
            " format: urls, checks: [url, url_host, sender_domain]",
            " format: \"csv:2\", checks: [client_ip, from]",
            " format: sha256, checks: [attachment, body]",
            " checks: [url, attachment]")) {
      assertEquals(List.of(), loaded(good).warnings(), good);
    }
  }
}

package io.bloomgate.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.page.Show.ProfileRow;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who has which profile, as the page shows it. */
final class ProfileRowTest {

  private static JsonObject recipient(String subject, String profile, boolean expired) {
    return JsonValue.object()
        .put("subject", subject)
        .put("profile", profile)
        .put("expired", expired)
        .build();
  }

  private static JsonObject value(List<String> path, String value) {
    return JsonValue.object()
        .put("path", JsonValue.ofStrings(path))
        .put("value", value)
        .put("changed", true)
        .build();
  }

  @Test
  void eachProfileHasWhatItSaysAndItsRecipients() {
    List<ProfileRow> rows =
        ProfileRow.of(
            List.of(
                value(List.of("policy", "exempt_recipients"), "[abuse]"),
                value(List.of("profiles", "strict", "feeds", "x"), "reject"),
                value(List.of("profiles", "strict", "feeds", "y"), "tag")),
            List.of(
                recipient("a@example.com", "strict", false),
                recipient("b@example.com", "strict", true),
                recipient("c@example.com", "gone", false)));
    assertEquals(
        List.of("default", "off", "exempt", "strict", "gone"),
        rows.stream().map(ProfileRow::name).toList());
    assertEquals(List.of("[abuse]"), rows.get(2).recipients());
    assertEquals("feeds.x: reject, feeds.y: tag", rows.get(3).difference());
    assertEquals(List.of("a@example.com"), rows.get(3).recipients());
    assertEquals(new ProfileRow("gone", List.of(), List.of("c@example.com")), rows.get(4));
  }

  /** As many as may be stored; each is looked at once. */
  @Test
  void manyRecipientsAreCounted() {
    List<JsonObject> all =
        IntStream.range(0, 50_000)
            .mapToObj(i -> recipient("u" + i + "@example.com", "off", false))
            .toList();
    assertTrue(ProfileRow.of(List.of(), all).get(1).shown().endsWith(" and 49980 more"));
  }
}

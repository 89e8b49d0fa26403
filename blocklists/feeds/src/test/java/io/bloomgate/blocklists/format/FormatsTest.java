package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What the lines of each format give, as {@code formats.txt} says it. A list begins with {@code ==}
 * and its format; {@code skipped} and {@code counted} are what its totals say.
 */
class FormatsTest {

  private static final Pattern HEAD =
      Pattern.compile("(\\S+): .+?(?:, skipped (\\d+))?(?:, counted (\\d+))?");

  @TestFactory
  Stream<DynamicTest> lists() throws IOException {
    String file;
    try (var text = FormatsTest.class.getResourceAsStream("formats.txt")) {
      file = new String(Objects.requireNonNull(text).readAllBytes(), UTF_8);
    }
    return Arrays.stream(file.split("(?m)^== ", -1))
        .skip(1)
        .map(list -> dynamicTest(list.lines().findFirst().orElseThrow(), () -> read(list)));
  }

  private static void read(String list) {
    int end = list.indexOf('\n');
    Matcher head = HEAD.matcher(list.substring(0, end));
    assertTrue(head.matches(), list);
    String lines = list.substring(end + 1).stripTrailing() + "\n";
    Reading read = Reading.expect(head.group(1), lines.replace("\\t", "\t").replace("\\s", " "));
    if (head.group(2) != null) {
      assertEquals(Long.parseLong(head.group(2)), read.totals.skipped());
    }
    if (head.group(3) != null) {
      assertEquals(Long.parseLong(head.group(3)), read.totals.entries());
    }
  }

  @Test
  void unboundZonesKnowTheirDataWhereverItStands() {
    StringBuilder text = new StringBuilder("local-data: \"www.before.example A 192.0.2.80\"\n");
    text.append("local-zone: \"before.example\" static\n");
    text.append("local-zone: \"behind.example\" static\n");
    for (int i = 0; i < 5000; i++) {
      text.append(
          "local-zone: \"x" + i + ".example\" " + (i % 2 == 0 ? "static" : "refuse") + "\n");
    }
    text.append("local-data: \"behind.example A 192.0.2.81\"\n");
    Reading r = Reading.of("unbound", text.toString());
    assertEquals(5000, r.entries.size());
    assertEquals(List.of(), r.entries.stream().filter(e -> e.startsWith("be")).toList());
  }

  @Test
  void anUnclosedParenthesisDamagesTheZone() {
    Reading r =
        Reading.of("rpz", "a.example CNAME .\nb.example CNAME . ( oops\nc.example CNAME .\n");
    assertEquals(List.of("a.example:1"), r.entries);
    assertEquals("line 2: parenthesis that is not closed", r.totals.damage().orElseThrow());
  }

  /** Neither the name itself nor what is below another is what the list says. */
  @Test
  void whatIsBelowANameStaysBelowItWhateverTheMatchMode() {
    byte[] zone = "*.a.example CNAME .\nb.example CNAME .\n".getBytes(UTF_8);
    assertEquals(
        List.of("*.a.example:1", "b.example:2"), Reading.of("rpz", zone, Match.EXACT).entries);
    assertEquals(
        List.of("*.a.example:1", "b.example+:2"), Reading.of("rpz", zone, Match.SUFFIX).entries);
  }

  @Test
  void mispListsAreReadByTheirTypeWhereverItStands() {
    String list = "{\"list\":[\"a.example\",\".b.example\",\"192.0.2.0/24\",7],\"type\":\"%s\"}";
    Reading r = Reading.of("misp", String.format(list, "hostname"));
    assertEquals(List.of("a.example:1", "b.example+:1", "192.0.2.0/24:1"), r.entries);
    assertEquals(1, r.problems.size(), r.problems::toString);
    assertTrue(r.totals.damage().isEmpty());
    assertTrue(Reading.of("misp", String.format(list, "regex")).totals.damage().isPresent());
    assertTrue(Reading.of("misp", "{\"list\":[\"a.example\"]}").totals.damage().isPresent());
    assertTrue(Reading.of("misp", "{\"type\":\"cidr\"}").totals.damage().isPresent());
    assertTrue(Reading.of("zeek-intel", "192.0.2.1\tIntel::ADDR\n").totals.damage().isPresent());
  }

  private static String readAs(Set<Check> checks) {
    return Reading.format("urls").forChecks(checks).name();
  }

  @Test
  void theChecksSayWhatAUrlGives() {
    assertEquals("urls", readAs(EnumSet.of(Check.SENDER_DOMAIN, Check.URL_HOST)));
    assertEquals("urls:paths", readAs(EnumSet.of(Check.URL, Check.URL_HOST)));
    assertEquals("urls:paths-only", readAs(EnumSet.of(Check.URL)));
    assertEquals("urls:paths", Reading.format("urls").whole().name());
    assertEquals("lines", Reading.format("lines").forChecks(Set.of(Check.URL)).name());
    for (Set<Check> checks : List.of(Set.of(Check.URL), Set.of(Check.URL, Check.HELO))) {
      FeedFormat format = Reading.format("urls").forChecks(checks);
      assertEquals(format.name(), Reading.format(format.name()).name(), "it is found by its name");
      assertTrue(Reading.format(format.name()).listsUrls());
    }
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.demo.Demo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bloomgate demo --once}: the whole story over loopback. */
final class DemoTest {

  @Test
  void twentyMailsFareAsTheyMust() throws Exception {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Demo.Surroundings world =
        new Demo.Surroundings(
            Thread.ofVirtual().factory(), InstantSource.system(), System::nanoTime, () -> {});
    Demo demo =
        new Demo(Main::startForDemo, new PrintStream(shown, true, StandardCharsets.UTF_8), world);
    boolean good = demo.run(true);
    String text = shown.toString(StandardCharsets.UTF_8);
    assertTrue(good, text);
    List<String> rows = text.lines().filter(l -> l.matches("^[ 12]\\d  .*")).toList();
    assertEquals(20, rows.size(), text);
    assertTrue(
        rows.get(11).matches("12  203\\.0\\.113\\.7 +bob@partner\\.example +rcpt +reject .*"),
        text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 101), text);
    assertTrue(
        text.contains("6 accepted, 1 tagged, 11 rejected, 2 tempfail; Bloom filters: "), text);
    assertTrue(text.contains("20 of 20 mails as expected"), text);
  }
}

package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reading what EHLO offers. */
class UpstreamExtensionsTest {

  @Test
  void readsPostfix() {
    UpstreamExtensions offered =
        UpstreamExtensions.parse(
            List.of(
                "mail.example.com",
                "PIPELINING",
                "SIZE 10240000",
                "ETRN",
                "starttls",
                "AUTH PLAIN LOGIN",
                "XCLIENT NAME ADDR  helo",
                "XFORWARD NAME ADDR",
                "ENHANCEDSTATUSCODES",
                "8BITMIME",
                "DSN",
                "SMTPUTF8"));
    assertEquals(
        new UpstreamExtensions(
            true,
            true,
            true,
            true,
            true,
            10_240_000,
            Set.of("NAME", "ADDR", "HELO"),
            Set.of("NAME", "ADDR")),
        offered);
  }

  @Test
  void theGreetingOffersNothing() {
    assertEquals(UpstreamExtensions.NONE, UpstreamExtensions.parse(List.of("PIPELINING")));
    assertEquals(UpstreamExtensions.NONE, UpstreamExtensions.parse(List.of()));
  }

  @Test
  void sizeWithoutAUsableNumberIsNoFixedLimit() {
    for (String size :
        List.of("SIZE", "SIZE 0", "SIZE x", "SIZE -1", "SIZE 99999999999999999999")) {
      assertEquals(0, UpstreamExtensions.parse(List.of("x", size)).sizeOctets(), size);
    }
    assertEquals(-1, UpstreamExtensions.parse(List.of("x", "SIZES 5")).sizeOctets());
  }

  @Test
  void whatIsReadOfNoiseCanBeKept() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      List<String> lines = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        StringBuilder line = new StringBuilder();
        for (int j = random.nextInt(12); j > 0; j--) {
          line.append("SIZE XCLIENT \t=1\u00e9\0".charAt(random.nextInt(18)));
        }
        lines.add(line.toString());
      }
      UpstreamExtensions offered = UpstreamExtensions.parse(lines);
      UpstreamExtensions kept =
          JsonRecords.read(UpstreamExtensions.class, JsonRecords.text(offered));
      assertEquals(offered, kept, "seed " + seed + ": " + lines);
    }
    assertTrue(UpstreamExtensions.parse(List.of("x", " PIPELINING ")).pipelining());
  }
}

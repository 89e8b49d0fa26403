package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
            Set.of("NAME", "ADDR"),
            UpstreamExtensions.NO_MAXIMUM,
            UpstreamExtensions.NO_MAXIMUM),
        offered);
  }

  /** RFC 9422. */
  @Test
  void readsLimits() {
    UpstreamExtensions offered =
        UpstreamExtensions.parse(List.of("x", "LIMITS rcptmax=20 MAILMAX=5 RCPTDOMAINMAX=1 X=y"));
    assertEquals(5, offered.mailMax());
    assertEquals(20, offered.rcptMax());
    for (String none : List.of("", " MAILMAX=0", " MAILMAX=x", " MAILMAX", " MAILMAX=9999999")) {
      assertEquals(
          UpstreamExtensions.NO_MAXIMUM,
          UpstreamExtensions.parse(List.of("x", "LIMITS" + none)).mailMax(),
          none);
    }
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
  void whatIsReadOfNoiseCanBeSaidInOrder() {
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
      List<String> same = new ArrayList<>(List.of("x"));
      same.addAll(offered.lines());
      assertEquals(offered, UpstreamExtensions.parse(same), "seed " + seed + ": " + lines);
    }
    assertTrue(UpstreamExtensions.parse(List.of("x", " PIPELINING ")).pipelining());
  }
}

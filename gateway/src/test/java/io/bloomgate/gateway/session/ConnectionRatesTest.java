package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import org.junit.jupiter.api.Test;

/** How often one client may connect. */
class ConnectionRatesTest {

  @Test
  void theRateIsOneOfEachClientAndMadeGoodByTime() {
    long[] now = {Long.MAX_VALUE - 5}; // it wraps
    ConnectionRates rates = new ConnectionRates(() -> now[0], 2);
    IpAddress one = ip("192.0.2.1");
    for (int i = 0; i < 3; i++) {
      assertTrue(rates.take(one, 3));
    }
    assertFalse(rates.take(one, 3));
    assertTrue(rates.take(ip("192.0.2.2"), 3));
    now[0] += 19_999_999_999L;
    assertFalse(rates.take(one, 3));
    now[0] += 1;
    assertTrue(rates.take(one, 3));
    assertFalse(rates.take(one, 3));
    assertTrue(rates.take(ip("2001:db8:0:1::1"), 1));
    assertFalse(rates.take(ip("2001:db8:0:1:ffff::1"), 1), "a /64 is one client");
    assertTrue(rates.take(ip("2001:db8:0:2::1"), 1));
    assertEquals(2, rates.size(), "who came least recently is forgotten");
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }
}

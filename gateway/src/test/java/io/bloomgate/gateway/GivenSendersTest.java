package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import org.junit.jupiter.api.Test;

/** How often the other nodes get one sender, by a clock that the test turns. */
class GivenSendersTest {

  private final GivenSenders given = new GivenSenders();
  private long now = Long.MAX_VALUE - 5; // it wraps

  private boolean isDue(int host, String sender) {
    return given.isDue(IpAddress.ofV4(host) + " " + sender, now);
  }

  @Test
  void eachSenderIsGivenOnceADay() {
    assertTrue(isDue(1, "a@shop.example"));
    assertFalse(isDue(1, "a@shop.example"));
    assertTrue(isDue(1, "b@shop.example"));
    assertTrue(isDue(2, "a@shop.example"));
    now += GivenSenders.AGAIN.toNanos() - 1;
    assertFalse(isDue(1, "a@shop.example"));
    now += 1;
    assertTrue(isDue(1, "a@shop.example"));
    assertFalse(isDue(1, "a@shop.example"));
  }

  @Test
  void whatIsRememberedIsBounded() {
    assertTrue(isDue(-1, "quiet"));
    for (int i = 0; i < GivenSenders.MOST; i++) {
      assertTrue(isDue(i, ""));
      assertFalse(isDue(0, "") && i > 0, "who comes all the time stays");
    }
    assertTrue(isDue(-1, "quiet"));
  }
}

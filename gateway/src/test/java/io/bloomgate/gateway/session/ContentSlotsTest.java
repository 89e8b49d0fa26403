package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions that keep a connection to the mail server within content while others wait for one. */
final class ContentSlotsTest {

  /** Content that the mail server already takes cannot go on elsewhere: its session ends. */
  @ParameterizedTest
  @CsvSource({"1, SESSIONS", "0, MIN_DATA_RATE"})
  void sessionThatIsSilentWithinContentEndsSoonForAWaitingClient(int waiting, Limit ends)
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ScriptedUpstream upstream = new ScriptedUpstream();
    upstream.onContent = begun::countDown;
    try (TestGateway gateway = new TestGateway("", "", upstream).tickedOnce();
        SmtpClient silent = gateway.connect().upToContent()) {
      silent.raw("Subject: x\r\n\r\n" + "0123456789\r\n".repeat(30_000));
      begun.await();
      upstream.awaited.set(waiting);
      while (!gateway.registry.awaitEmpty(Duration.ofMillis(2))) {
        gateway.ahead.addAndGet(Duration.ofSeconds(1).toNanos());
        gateway.registry.tick();
      }
      assertEquals(List.of(ends), gateway.telemetry.limits);
      expect("421", silent.reply());
    }
  }

  /** Fast enough for the rate, and yet for ever: others get their turn. */
  @Test
  void sessionThatTakesItsTimeForContentEndsForAWaitingClient() throws Exception {
    String twoSeconds = "0123456789\r\n".repeat(1_500);
    TestGateway gateway = TestGateway.plain().tickedOnce();
    try (gateway;
        SmtpClient slow = gateway.connect().upToContent()) {
      slow.raw("Subject: x\r\n\r\n" + "0123456789\r\n".repeat(30_000));
      gateway.upstream.awaited.set(1);
      while (!gateway.registry.awaitEmpty(Duration.ofMillis(2))) {
        gateway.ahead.addAndGet(Duration.ofSeconds(2).toNanos());
        gateway.registry.tick();
        slow.raw(twoSeconds);
      }
    } catch (IOException e) {
      // It was closed while content was on its way.
    }
    assertEquals(List.of(Limit.SESSIONS), gateway.telemetry.limits);
  }
}

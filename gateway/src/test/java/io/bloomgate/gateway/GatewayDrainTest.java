package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drain, resume, reload and end of a whole gateway with mail in flight. */
final class GatewayDrainTest {

  private static final String DRAINED = "421 4.3.2";

  @TempDir private Path directory;
  private final ScriptedUpstream upstream = ScriptedUpstream.start();

  private GatewayHouse house() throws Exception {
    return new GatewayHouse(directory).mode("observe").upstream(upstream.port()).write();
  }

  @AfterEach
  void close() {
    upstream.close();
  }

  private static SmtpClient greeted(Gateway gateway) throws Exception {
    SmtpClient client = new SmtpClient(gateway.port("mx"));
    assertTrue(client.reply().startsWith("220 "));
    client.ask("EHLO client.example");
    return client;
  }

  /** A client whose recipient was taken and whose content has begun. */
  private static SmtpClient inContent(Gateway gateway) throws Exception {
    SmtpClient client = greeted(gateway);
    client.ask("MAIL FROM:<a@sender.example>");
    assertTrue(client.ask("RCPT TO:<alice@company.example>").startsWith("250"));
    assertTrue(client.ask("DATA").startsWith("354"));
    client.raw("Subject: in flight\r\n\r\nhalf of it\r\n");
    return client;
  }

  private static JsonObject only(GatewayHouse house, ControlRequest request) throws Exception {
    return house.ask(request).only();
  }

  /** Nothing ends it so in life; whatever does, no list would be refreshed any more. */
  @Test
  void healthNamesAThreadThatHasEnded() throws Exception {
    GatewayHouse house = house();
    Gateway gateway = house.start();
    try {
      house.refresh();
      house.done(new ControlRequest.Health());
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals("feed-refresher")) {
          thread.interrupt();
          thread.join();
        }
      }
      var health = house.ask(new ControlRequest.Health());
      assertEquals(1, health.exitCode());
      assertEquals(List.of(new JsonString("feed-refresher")), health.only().elements("late"));
      JsonObject status = only(house, new ControlRequest.Status());
      assertHas(status.elements("alarms").toString(), "late: feed-refresher");
    } finally {
      gateway.close();
    }
  }

  @Test
  void theEndWaitsForWhatIsInFlight() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    GatewayHouse house = house();
    Gateway gateway = house.start();
    try (SmtpClient idle = greeted(gateway);
        SmtpClient busy = inContent(gateway)) {
      Thread.ofPlatform()
          .start(() -> {
            gateway.close();
            closed.countDown();
          });
      assertTrue(idle.reply().startsWith(DRAINED));
      assertEquals(1, house.ask(new ControlRequest.Resume()).exitCode());
      assertEquals(1, closed.getCount());
      assertTrue(busy.ask(".").startsWith("250"));
      assertTrue(busy.reply().startsWith(DRAINED));
      assertTrue(closed.await(60, TimeUnit.SECONDS));
    }
    assertTrue(upstream.nextDelivery().content().endsWith("half of it\r\n"));
    assertEquals(1, upstream.deliveredCount());
  }
}

package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** kill -9 at the worst moments, to a gateway in a separate process. */
class CrashStoryTest extends Story {

  private static final int NAMES = 10_000;

  private final int port = FreePort.next();

  private GatewayFixture settings() {
    return gateway
        .with("listeners", "{plain: {address: \"127.0.0.1:" + port + "\"}}")
        .with("limits", "{errors: 1000}")
        .prepare();
  }

  @Test
  void whatWasAnsweredSurvivesAKill() throws IOException {
    GatewayFixture settings = settings();
    for (int round = 0; round < 2; round++) {
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        String recipients = gateway.control(new ControlRequest.RecipientList()).json();
        for (int earlier = 0; earlier < round; earlier++) {
          assertEquals(0, check(gateway, "round" + earlier + ".example"), "round " + round);
          assertTrue(recipients.contains("round" + earlier + "@example.com"), recipients);
        }
        gateway.control(add("round" + round + ".example"));
        List<String> line = List.of("round" + round + "@example.com off");
        gateway.control(new ControlRequest.RecipientSet("", 1, line));
        gateway.kill();
      }
    }
  }

  /** A question writes what is queued; without one it is written within a second. */
  @Test
  void whatWasKeptOfSessionsSurvivesAKill() throws IOException {
    GatewayFixture settings = settings();
    List<String> before;
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      for (int i = 0; i < 20; i++) {
        try (SmtpClient client = new SmtpClient(port)) {
          client.rcpt("mail.partner.example", "a" + i + "@partner.example", "x@elsewhere.example");
        }
      }
      before = sessions(gateway);
      gateway.kill();
    }
    assertEquals(20, before.size());
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      assertEquals(before, sessions(gateway));
    }
  }

  private static List<String> sessions(GatewayProcess gateway) {
    return gateway
        .control(
            new ControlRequest.SessionsList(Instant.EPOCH, null, null, null, null, null, 1_000))
        .items()
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static int check(GatewayProcess gateway, String subject) {
    return gateway.control(new ControlRequest.ListCheck(ListKind.ALLOW, subject, null)).exitCode();
  }

  private static ControlRequest add(String subject) {
    return Addition.allow(subject).reason("test").request();
  }

  @Test
  void aKillInTheMiddleOfARefreshLeavesAWholeGeneration() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    GatewayFixture settings = settings();
    writeNames(0);
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true));
      gateway.kill();
    }
    for (int round = 1; round <= 2; round++) {
      writeNames(round);
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        assertWhole(gateway, "seed " + seed + ", round " + round);
        CompletableFuture<?> refresh =
            CompletableFuture.runAsync(
                () -> gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true)));
        // Somewhere inside the refresh, or just behind it: every moment must do.
        long moment = System.nanoTime() + random.nextLong(400_000_000L);
        Conditions.await("the moment", () -> System.nanoTime() > moment || refresh.isDone());
        gateway.kill();
        awaitEnd(refresh);
      }
    }
    try (GatewayProcess gateway = GatewayProcess.start(settings)) {
      assertWhole(gateway, "seed " + seed + ", at the end");
    }
  }

  /** Entries that every version has are found, and nothing that no version ever had. */
  private void assertWhole(GatewayProcess gateway, String when) throws IOException {
    assertEquals(0, gateway.control(new ControlRequest.Health()).exitCode(), when);
    try (SmtpClient client = new SmtpClient(port)) {
      client.lines();
      client.command("EHLO mail.partner.example");
      for (int i = 0; i < NAMES; i += NAMES / 20) {
        assertTrue(ask(client, "n" + i + ".common.example").startsWith("554 "), when);
        assertTrue(ask(client, "m" + i + ".common.example").startsWith("250 "), when);
      }
    }
  }

  private static String ask(SmtpClient client, String domain) throws IOException {
    client.command("RSET");
    client.command("MAIL FROM:<a@" + domain + ">");
    return client.command("RCPT TO:<bob@example.com>");
  }

  private void writeNames(int round) throws IOException {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < NAMES; i++) {
      names.append('n').append(i).append(".common.example\n");
      names.append('r').append(i).append(".round").append(round).append(".example\n");
    }
    Files.writeString(folder.resolve("names.txt"), names);
  }

  private static void awaitEnd(CompletableFuture<?> refresh) {
    try {
      refresh.join();
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof UncheckedIOException)) {
        throw e;
      }
    }
  }
}

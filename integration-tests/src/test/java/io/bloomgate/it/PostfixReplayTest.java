package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.replay.LogReplay;
import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay} of a log that a real Postfix wrote, of sessions whose truth is known. */
class PostfixReplayTest {

  private static final long SEED = 0x9057f1;
  private static final int SESSIONS = 500;

  /** Clients below this number are on the list that is tried. */
  private static final int LISTED = 12;

  private static final String MAIN =
      """
      relay_transport = discard:
      smtpd_client_restrictions = check_client_access cidr:{{45.77.0.0/24 REJECT Client host [45.77.0.0] blocked using trap.example}}
      smtpd_recipient_restrictions = check_recipient_access inline:{{nobody@example.com = 550 5.1.1 User unknown here}}
      """;

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Truth> truth = new ArrayList<>();

  /** What happened in a session, as its log must show. */
  private record Truth(String client, String from, Outcome outcome, List<String> lists) {

    static Truth of(PastSession session) {
      var sender = session.facts().sender();
      return new Truth(
          session.facts().client().toString(),
          sender.isEmpty() ? "" : sender.getFirst().toString(),
          session.outcome(),
          session.lists());
    }

    boolean isListed() {
      return client.startsWith("45.66.")
          && Integer.parseInt(client.substring(client.lastIndexOf('.') + 1)) < LISTED;
    }
  }

  @Test
  void everySessionIsFoundAndCounted() throws IOException, InterruptedException {
    int port = FreePort.next();
    Path log;
    try (PostfixServer postfix =
        PostfixServer.start(
            folder,
            MAIN,
            """
            127.0.0.1:%d inet n - n - 10 smtpd -o smtpd_upstream_proxy_protocol=haproxy
            discard unix - - n - - discard
            """
                .formatted(port),
            port)) {
      log = postfix.log();
      for (int i = 0; i < SESSIONS; i++) {
        session(port);
      }
      long delivered = truth.stream().filter(t -> t.outcome() == Outcome.ACCEPTED).count();
      Conditions.await(
          "all mails are delivered",
          () ->
              Files.readString(log).lines().filter(l -> l.endsWith(": removed")).count()
                  == delivered);
    }
    LogReplay replay =
        new LogReplay(List.of(log), Instant.EPOCH, Instant.now(), ZoneId.systemDefault());
    List<PastSession> sessions = new ArrayList<>();
    replay.forEach(sessions::add);
    assertEquals(SESSIONS, sessions.size(), "seed " + SEED);
    List<Truth> found = new ArrayList<>(sessions.stream().map(Truth::of).toList());
    List<Truth> missing = new ArrayList<>(truth);
    missing.removeIf(found::remove);
    assertEquals(List.of(), missing, () -> "seed " + SEED + ", found instead: " + found);
    replayed(log);
  }

  /** One connection with one mail; what is to be found of it is noted. */
  private void session(int port) throws IOException {
    int kind = random.nextInt(7);
    String client = (kind == 0 ? "45.77.0." : "45.66.0.") + random.nextInt(60);
    String from = kind == 1 ? "" : "u" + random.nextInt(9) + "@d" + random.nextInt(20) + ".example";
    try (SmtpClient smtp = SmtpClient.proxied(port, client)) {
      expect("220", smtp.reply());
      expect("250", smtp.ask("EHLO mail.d1.example"));
      expect("250", smtp.ask("MAIL FROM:<" + from + ">"));
      Outcome outcome =
          switch (kind) {
            case 0 -> refused(smtp, "bob@example.com", "postmaster@example.com");
            case 2 -> refused(smtp, "nobody@example.com");
            case 3 -> refused(smtp, "x@elsewhere.example");
            case 4 -> {
              expect("250", smtp.ask("RCPT TO:<bob@example.com>"));
              yield Outcome.OTHER;
            }
            case 5 -> {
              refused(smtp, "nobody@example.com", "nobody@example.com");
              yield delivered(smtp);
            }
            default -> delivered(smtp);
          };
      expect("221", smtp.ask("QUIT"));
      boolean trapped = kind == 0;
      truth.add(
          new Truth(
              client,
              // The sender is in the log once there is content, or a refusal.
              kind == 4 ? "" : from,
              trapped ? Outcome.REFUSED : outcome,
              trapped ? List.of("trap.example") : List.of()));
    }
  }

  private static Outcome refused(SmtpClient smtp, String... recipients) throws IOException {
    for (String recipient : recipients) {
      expect("5", smtp.ask("RCPT TO:<" + recipient + ">"));
    }
    return Outcome.OTHER;
  }

  private Outcome delivered(SmtpClient smtp) throws IOException {
    for (int i = random.nextInt(3); i >= 0; i--) {
      expect("250", smtp.ask("RCPT TO:<bob" + i + "@example.com>"));
    }
    expect("354", smtp.ask("DATA"));
    expect("250", smtp.ask("Subject: hello\r\n\r\nhello\r\n."));
    return Outcome.ACCEPTED;
  }

  /** The command counts the same, with a list of the clients below a number. */
  private void replayed(Path log) throws IOException {
    List<String> listed = new ArrayList<>();
    for (int i = 0; i < LISTED; i++) {
      listed.add("45.66.0." + i);
    }
    Path list = Files.write(folder.resolve("tried.txt"), listed, US_ASCII);
    CommandLineInProcess.Result result =
        CommandLineInProcess.run(
            "-o", "json", "replay", log.toString(), "--feeds", list.toString());
    List<Truth> hits = truth.stream().filter(Truth::isListed).toList();
    assertTrue(hits.size() > 50, "seed " + SEED);
    long delivered = hits.stream().filter(hit -> hit.outcome() == Outcome.ACCEPTED).count();
    try {
      JsonObject report = (JsonObject) Json.parse(result.out().strip());
      assertEquals(SESSIONS, report.number("sessions").orElse(-1), result::out);
      JsonObject fresh = report.object("new").orElseThrow();
      assertEquals(hits.size(), fresh.number("sessions").orElse(-1), result::out);
      assertEquals(delivered, fresh.number("delivered").orElse(-1), result::out);
    } catch (JsonSyntaxException e) {
      throw new AssertionError(result.out() + result.err(), e);
    }
  }
}

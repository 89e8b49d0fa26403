package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Sessions before two scripted mail servers, whose settings each test gives. */
abstract class BeforeServers {

  static final String BOB = "bob@example.com";
  static final String EVE = "eve@example.com";

  /** Of the other route, where there is one. */
  static final String SUE = "sue@one.sub.example.com";

  final ScriptedUpstream one = ScriptedUpstream.start();
  final ScriptedUpstream other = ScriptedUpstream.start();

  /** What single recipients were answered. */
  AnswerMemory memory = new AnswerMemory(InstantSource.system());

  /** What the LMTP server answers behind the dot, if not 250. */
  final Map<String, String> answers = new ConcurrentHashMap<>();

  /** Who has a message there. */
  final List<String> held = new CopyOnWriteArrayList<>();

  private @Nullable MailRoutes routes;
  private @Nullable TestGateway gateway;

  @AfterEach
  void close() {
    if (gateway != null) {
      gateway.close();
    }
    if (routes != null) {
      routes.close();
    }
    memory.close();
    one.close();
    other.close();
  }

  /** Starts with these settings of {@code downstream}. */
  void start(String downstream) throws IOException {
    String yaml =
        "domains: [example.com, .sub.example.com]\ndownstream: {host: 127.0.0.1, client_address:"
            + " none, "
            + downstream
            + "}\n";
    MailRoutes made = TestGateway.mailRoutes(yaml);
    routes = made;
    gateway = TestGateway.before(made, memory, new RecordingTelemetry());
  }

  /** Starts with {@link #other} for the subdomains. */
  void startRouted() throws IOException {
    start(
        "port: "
            + one.port()
            + ", routes: {.sub.example.com: {host: 127.0.0.1, port: "
            + other.port()
            + ", client_address: none}}");
  }

  /** RFC 2033: no EHLO, no DATA without recipients, a reply for each recipient behind the dot. */
  void startLmtp() throws IOException {
    one.offering("PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME")
        .always("EHLO", connection -> connection.reply("500 5.5.1 LHLO here"))
        .always(ScriptedUpstream.FINAL_DOT, this::answerEach);
    start("protocol: lmtp, port: " + one.port());
  }

  void answerEach(UpstreamConnection connection) throws IOException {
    for (String path : connection.recipients()) {
      String to = path.substring(1, path.indexOf('>'));
      String answer = answers.getOrDefault(to, "250 2.0.0 <" + to + "> saved");
      if (answer.equals("drop")) {
        connection.drop();
        return;
      }
      if (answer.startsWith("250")) {
        held.add(to);
      }
      connection.reply(answer);
    }
  }

  TestGateway gateway() {
    return Objects.requireNonNull(gateway, "not started");
  }

  /** A client that has said MAIL. */
  SmtpClient upToMail() throws IOException {
    return gateway().connect().upToMail("alice@sender.example");
  }

  static String rcpt(SmtpClient client, String to) throws IOException {
    return client.ask("RCPT TO:<" + to + ">");
  }
}

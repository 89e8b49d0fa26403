package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest.Doctor;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor finds at a whole gateway that is well, and at one that is not. */
final class GatewayDoctorTest {

  private static final Doctor EVERYTHING = new Doctor(false, false, false, false);
  private static final Doctor OPEN_RELAY = new Doctor(true, false, false, false);
  private static final Doctor IDENTITY = new Doctor(false, true, false, false);
  private static final Doctor TLS = new Doctor(false, false, true, false);

  @TempDir private Path directory;
  private final ScriptedUpstream upstream = ScriptedUpstream.start();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    upstream.close();
  }

  private GatewayHouse house() throws Exception {
    return new GatewayHouse(directory).upstream(upstream.port());
  }

  private ScriptedUpstream refusing() {
    return upstream.always(
        "RCPT", connection -> connection.reply("554 5.7.1 <x>: Relay access denied"));
  }

  private static JsonObject found(Answer answer, String check, String state) {
    List<JsonObject> matching =
        answer.items().stream()
            .filter(item -> item.text("check").orElse("").equals(check))
            .filter(item -> item.text("state").orElse("").equals(state))
            .toList();
    assertFalse(matching.isEmpty(), check + " " + state + " is not in " + answer);
    return matching.getFirst();
  }

  private static void assertSays(String text, JsonObject finding) {
    String what = finding.text("what").orElse("") + " " + finding.text("mend").orElse("");
    assertTrue(what.contains(text), text + " is not in " + finding);
  }

  @Test
  void visitsToListenersAreCountedNowhere() throws Exception {
    refusing();
    GatewayHouse house = house().write();
    try (Gateway _ = house.start()) {
      String before = counted(house);
      found(house.ask(OPEN_RELAY), "open-relay", "ok");
      assertEquals(before, counted(house));
    }
    Path log = directory.resolve("decisions.log");
    assertEquals("", Files.exists(log) ? Files.readString(log) : "");
  }

  private static String counted(GatewayHouse house) throws Exception {
    JsonObject status = house.status();
    return status.object("verdicts_1h") + " " + status.object("unknown_domains");
  }

  @Test
  void aServerWithoutIpv6FailsAndIsAnAlarm() throws Exception {
    upstream
        .always(
            ScriptedUpstream.CONNECT,
            connection -> connection.reply("220 mx.example ESMTP Postfix"))
        .offering("XCLIENT NAME ADDR PORT PROTO HELO DESTADDR DESTPORT")
        .always(
            "XCLIENT",
            connection ->
                connection.reply(
                    connection.commands().getLast().contains("IPV6:")
                        ? "501 5.5.4 Bad ADDR syntax"
                        : "220 mx.example"));
    GatewayHouse house =
        house().listener(", proxy_protocol: v1, trusted_proxies: [127.0.0.1]").write();
    try (Gateway gateway = house.start()) {
      assertLacks(house.alarms(), "IPv6");
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        client.raw("PROXY TCP6 2001:db8::7 2001:db8::25 4711 25\r\n");
        String answer =
            client.rcpt("mail.partner.example", "a@partner.example", "bob@company.example");
        assertTrue(answer.startsWith("451 "), answer);
      }
      assertHas(house.alarms(), "serves no senders with IPv6 addresses");
      Answer answer = house.ask(IDENTITY);
      assertEquals(1, answer.exitCode());
      assertSays("XCLIENT", found(answer, "identity", "ok"));
      assertSays("inet_protocols = all", found(answer, "identity", "fail"));
    }
  }

  @Test
  void aMailServerThatIsAwayFails() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway _ = house.start()) {
      Answer answer = house.ask(EVERYTHING);
      assertEquals(1, answer.exitCode());
      assertSays("downstream.host", found(answer, "upstream", "fail"));
      assertSays("`bloomgate mode enforce`", found(answer, "gateway", "warn"));
    }
  }

  @Test
  void silentServersDoNotKeepTheAnswer() throws Exception {
    upstream.always(ScriptedUpstream.CONNECT, UpstreamConnection::awaitEnd);
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      int port = silent.getLocalPort();
      GatewayHouse house =
          house()
              .downstream(", backups: ['127.0.0.1:" + port + "']")
              .source("away: {url: \"http://127.0.0.1:" + port + "/a\", checks: [sender]}")
              .write()
              .answeredOnce();
      try (Gateway _ = house.start()) {
        Answer answer = house.ask(EVERYTHING);
        assertEquals(1, answer.exitCode(), answer.toString());
        String given = "this check did not end within 3 s";
        for (String check : List.of("upstream", "identity", "open-relay")) {
          assertSays(given, found(answer, check, "fail"));
          assertEquals(
              1,
              answer.items().stream()
                  .filter(item -> item.text("check").orElse("").equals(check))
                  .filter(item -> item.text("what").orElse("").contains(given))
                  .count(),
              "one finding names both servers: " + answer);
        }
        assertSays("proxy-v2", found(answer, "upstream", "fail"));
        assertSays("clock not checked", found(answer, "clock", "warn"));
        assertSays("5 forms of foreign recipients", found(answer, "open-relay", "ok"));
        assertFalse(
            house.alarms().contains("Closed by interrupt"), "a check that gave up is no proof");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "auto     | it may expect a PROXY header: set downstream.client_address: proxy-v2",
        "proxy-v2 | if it does not expect a PROXY header, set downstream.client_address: auto"
      })
  void aServerThatHangsUpMayWantAnotherWayToLearnTheClient(String way, String hint)
      throws Exception {
    upstream.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    GatewayHouse house = house().downstream(", client_address: " + way).write();
    try (Gateway _ = house.start()) {
      assertSays(hint, found(house.ask(EVERYTHING), "upstream", "fail"));
    }
  }

  @Test
  void certificatesAreJudgedAsSendersWould() throws Exception {
    Path certificate = directory.resolve("mx.crt");
    Path key = directory.resolve("mx.key");
    TestCertificate.create("dns:*.company.example").writePem(certificate, key);
    GatewayHouse house =
        house()
            .listener(", tls: starttls")
            .more("tls: {certificate: " + certificate + ", key: " + key + "}")
            .write();
    try (Gateway _ = house.start()) {
      Answer answer = house.ask(TLS);
      assertTrue(answer.items().toString().contains("it is for mx.company.example"), "the star");
      assertHas(answer.items().toString(), "no authority has signed it");
      house.hostname("mx.elsewhere.example").more("").write();
      assertEquals(0, house.reload().exitCode());
      assertHas(house.ask(TLS).items().toString(), "self-signed");
    }
  }

  @Test
  void aFeedWithoutAGoodVersionAndAWrongClockFail() throws Exception {
    refusing();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerAll(server));
      String address = "http://127.0.0.1:" + server.getLocalPort() + "/path?key=secret";
      GatewayHouse house =
          house().source("away: {url: \"" + address + "\", checks: [sender]}").write();
      try (Gateway _ = house.start()) {
        house.refresh();
        Answer answer = house.ask(EVERYTHING);
        assertEquals(1, answer.exitCode(), answer.toString());
        assertSays("feeds show away", found(answer, "feeds", "fail"));
        assertSays(" s ahead", found(answer, "clock", "fail"));
        assertHas(asked.toString(), "HEAD / HTTP/1.1");
      }
    }
  }

  /** A web server that lives in the past and has no list. */
  private void answerAll(ServerSocket server) {
    while (true) {
      try (Socket client = server.accept()) {
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        String line = String.valueOf(in.readLine());
        asked.add(line);
        while (!line.isEmpty()) {
          line = String.valueOf(in.readLine());
        }
        String reply =
            String.join(
                "\r\n",
                "HTTP/1.1 404 Not Found",
                "Date: Mon, 01 Jan 2024 08:00:00 GMT",
                "Content-Length: 0",
                "Connection: close",
                "",
                "");
        client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Settings and files for a gateway under test: one listener on any port that takes PROXY headers
 * from loopback, one feed of senders, an upstream that nobody answers for.
 */
final class GatewayHouse {

  /** Where nobody listens. */
  private static final int NOBODY = 1;

  private final Path directory;
  private String mode = "enforce";
  private String hostname = "mx.company.example";
  private String listener = "";
  private int upstreamPort = NOBODY;
  private String downstream = "";
  private String source = "";
  private String log = "";
  private String admin = "";
  private String more = "";

  GatewayHouse(Path directory) throws IOException {
    this.directory = directory;
    Files.writeString(feed(), "junk.example\nspammer@freemail.example\n");
  }

  Path feed() {
    return directory.resolve("senders.txt");
  }

  Path settings() {
    return directory.resolve("bloomgate.yaml");
  }

  Path log() {
    return directory.resolve("decisions.log");
  }

  GatewayHouse mode(String word) {
    mode = word;
    return this;
  }

  GatewayHouse hostname(String name) {
    hostname = name;
    return this;
  }

  /** More settings of the listener, each with a comma in front. */
  GatewayHouse listener(String settings) {
    listener = settings;
    return this;
  }

  /** An upstream that answers. */
  GatewayHouse upstream(int port) {
    upstreamPort = port;
    return this;
  }

  /** More settings of the mail server, each with a comma in front. */
  GatewayHouse downstream(String settings) {
    downstream = settings;
    return this;
  }

  /** One more feed. */
  GatewayHouse source(String yaml) {
    source = yaml;
    return this;
  }

  /** More settings of the log, each with a comma in front. */
  GatewayHouse log(String settings) {
    log = settings;
    return this;
  }

  /** More settings of the control socket, each with a comma in front. */
  GatewayHouse admin(String settings) {
    admin = settings;
    return this;
  }

  /** More lines of settings. */
  GatewayHouse more(String lines) {
    more = lines;
    return this;
  }

  /** Gives a command on a new connection. */
  Answer ask(ControlRequest request) throws IOException {
    return ControlClient.ask(socket(), request);
  }

  /** Gives a command that succeeds. */
  Answer done(ControlRequest request) throws IOException {
    Answer answer = ask(request);
    assertEquals(0, answer.exitCode(), answer.toString());
    return answer;
  }

  /** The operator's entries of this list. */
  List<JsonObject> entries(ListKind list) throws IOException {
    return ask(new ControlRequest.ListShow(list, "", Long.MAX_VALUE, null)).items();
  }

  /** Reads the settings again. */
  Answer reload() throws IOException {
    return ask(new ControlRequest.ConfigReload(false));
  }

  /** Checks all feeds now. */
  Answer refresh() throws IOException {
    return ask(new ControlRequest.FeedsRefresh(List.of(), true, true));
  }

  JsonObject status() throws IOException {
    return ask(new ControlRequest.Status()).only();
  }

  String alarms() throws IOException {
    return status().elements("alarms").toString();
  }

  Answer explain(String subject) throws IOException {
    return ask(new ControlRequest.Explain(subject, null, null, null, null));
  }

  /** Explains the refusal whose id ends a reply, once it is written beside the reply path. */
  Answer incident(String reply) throws IOException {
    String id = reply.substring(reply.length() - 11, reply.length() - 1);
    Answer answer = explain(id);
    for (int tries = 1; answer.items().isEmpty() && tries < 500; tries++) {
      answer = explain(id);
    }
    return answer;
  }

  /** The reply to RCPT of a mail for alice. */
  String rcpt(Gateway gateway, String from) throws IOException {
    try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      return client.rcpt("mail.home.example", from, "alice@company.example");
    }
  }

  private Path socket() {
    return directory.resolve("control.sock");
  }

  /** Writes the settings file. */
  GatewayHouse write() throws IOException {
    Files.writeString(
        settings(),
        """
        mode: @MODE@
        hostname: @HOST@
        domains: [company.example]
        state_dir: @DIR@/state
        listeners:
          mx: {address: "127.0.0.1:0", max_sessions_per_ip: 1000@LISTENER@}
        downstream: {host: 127.0.0.1, port: @UPSTREAM@@DOWNSTREAM@, reverse_names: off}
        feeds:
          sources:
            senders:
              file: "@DIR@/senders.txt"
              format: lines
              match: suffix
              checks: [sender, sender_domain]
              action: reject
            @SOURCE@
        log: {target: "file:@DIR@/decisions.log"@LOG@}
        admin: {socket: "@DIR@/control.sock", http: "127.0.0.1:0"@ADMIN@}
        @MORE@
        """
            .replace("@MODE@", mode)
            .replace("@HOST@", hostname)
            .replace("@DIR@", directory.toString())
            .replace("@LISTENER@", listener)
            .replace("@DOWNSTREAM@", downstream)
            .replace("@UPSTREAM@", String.valueOf(upstreamPort))
            .replace("@SOURCE@", source)
            .replace("@LOG@", log)
            .replace("@ADMIN@", admin)
            .replace("@MORE@", more));
    return upstreamPort == NOBODY ? answeredOnce() : this;
  }

  /** The upstream has answered a gateway before: else clients get 421 as long as it does not. */
  GatewayHouse answeredOnce() throws IOException {
    Path state = directory.resolve("state");
    if (Files.notExists(state)) {
      Files.createDirectory(state);
      Files.writeString(
          state.resolve("mail.servers"),
          "{\"servers\":{\"127.0.0.1:" + upstreamPort + "\":{\"offers\":{\"size_octets\":0}}}}");
    }
    return this;
  }

  Gateway start() throws StartFailure {
    return Gateway.start(settings(), Map.of(), 0);
  }
}

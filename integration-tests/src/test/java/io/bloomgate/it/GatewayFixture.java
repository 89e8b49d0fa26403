package io.bloomgate.it;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.Gateway;
import io.bloomgate.gateway.StartFailure;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The real gateway, started from a settings file in a test's own folder, on free ports.
 *
 * <p>Listeners: {@code plain} takes clients as they come, {@code mx} believes PROXY headers of
 * loopback and offers STARTTLS, {@code near} takes XCLIENT, {@code strict} wants TLS. Its lists
 * name documentation addresses and example domains only; see {@link #writeLists}.
 */
final class GatewayFixture implements AutoCloseable {

  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|\\S)+");

  private final Path folder;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private @Nullable TestCertificate certificate;
  private @Nullable Gateway gateway;

  private GatewayFixture(Path folder, int upstreamPort) {
    this.folder = folder;
    settings.put("mode", "enforce");
    settings.put("hostname", "mx.example.com");
    settings.put("domains", "[example.com, .sub.example.com]");
    settings.put("state_dir", folder.resolve("state").toString());
    settings.put(
        "listeners",
        """

          plain: {address: "127.0.0.1:0"}
          mx: {address: "127.0.0.1:0", tls: starttls, proxy_protocol: both,
               trusted_proxies: [127.0.0.1/32], max_sessions_per_ip: 10000}
          near: {address: "127.0.0.1:0", xclient_from: [127.0.0.1/32]}
          strict: {address: "127.0.0.1:0", tls: starttls-required}\
        """);
    settings.put(
        "downstream", "{host: 127.0.0.1, port: " + upstreamPort + ", client_address: none}");
    settings.put("tls", "{certificate: " + folder + "/cert.pem, key: " + folder + "/key.pem}");
    settings.put("log", "{target: \"file:" + folder.resolve("mail.log") + "\"}");
    settings.put(
        "allow", "{files: [" + folder.resolve("allow.list") + "], never_block: [loopback]}");
    feeds(
        """
        drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
        grey: {file: FOLDER/grey.txt, format: ips, checks: [client_ip], action: tempfail, allow_bogons: true}
        names: {file: FOLDER/names.txt, format: domains, checks: [helo, sender_domain], match: suffix,
                action: reject, info_url: "https://why.example.com/names"}
        senders: {file: FOLDER/senders.txt, format: lines, checks: [sender], action: reject}
        bulk: {file: FOLDER/bulk.txt, format: domains, checks: [sender_domain], action: tag}
        """);
  }

  /** A gateway that is not started yet, in front of a mail server on this port. */
  static GatewayFixture in(Path folder, int upstreamPort) {
    return new GatewayFixture(folder, upstreamPort);
  }

  /** Another value for a top-level setting, in YAML; {@code FOLDER} is the folder of its files. */
  GatewayFixture with(String key, String yaml) {
    settings.put(key, yaml.replace("FOLDER", folder.toString()));
    return this;
  }

  /** These feeds alone, as below {@code sources} of the settings, whatever versions they get. */
  GatewayFixture feeds(String sources) {
    String guard = "\n  guard: {max_turnover: none, max_shrink: 100%}\n  sources:\n";
    return with("feeds", guard + sources.indent(4).stripTrailing());
  }

  /** One listener on this port, which believes PROXY headers of loopback. */
  GatewayFixture listening(int port) {
    return with(
        "listeners",
        "{mx: {address: \"127.0.0.1:%d\", proxy_protocol: both, trusted_proxies: [127.0.0.1/32], max_sessions_per_ip: 10000}}"
            .formatted(port));
  }

  private String setting(String key) {
    return Objects.requireNonNull(settings.get(key), key);
  }

  /** Starts it, loads every feed and waits for the first word from the mail server. */
  GatewayFixture start() {
    prepare();
    try {
      gateway = Gateway.start(settingsFile(), Map.of(), 0);
      control(new ControlRequest.FeedsRefresh(List.of(), true, false));
      return this;
    } catch (StartFailure e) {
      throw new IllegalStateException("the gateway did not start: " + e, e);
    }
  }

  /** Writes settings, lists and a certificate; for a gateway that is started elsewhere. */
  GatewayFixture prepare() {
    try {
      writeLists();
      certificate = TestCertificate.shared("dns:mx.example.com");
      certificate.writePem(folder.resolve("cert.pem"), folder.resolve("key.pem"));
      writeSettings();
      return this;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is listed; every address and name is one that nobody owns. */
  private void writeLists() throws IOException {
    write("drop.txt", "203.0.113.7", "203.0.113.128/25", "2001:db8:bad::/48");
    write("grey.txt", "198.51.100.0/24");
    write("names.txt", "spam.example", "b\u00fccher-spam.example");
    write("senders.txt", "lottery@mixed.example");
    write("bulk.txt", "newsletter.example");
    write("allow.list", "203.0.113.200", "good.spam.example");
    write("allowed-patterns.list", "news-*@spam.example");
    write(
        "blocked-patterns.list",
        ".top force=yes",
        "*.dyn.example",
        "offer-*@shop.example",
        "dyn-*.pool.example");
    write("dqs", "s3cretkeyofours");
    Files.setPosixFilePermissions(
        folder.resolve("dqs"), PosixFilePermissions.fromString("rw-r-----"));
  }

  /** Writes a list file. */
  void write(String name, String... lines) throws IOException {
    Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  /** Writes the settings as they are now; a running gateway takes them at the next reload. */
  void writeSettings() throws IOException {
    StringBuilder yaml = new StringBuilder();
    settings.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    Files.writeString(settingsFile(), yaml.toString());
  }

  /** Where its files are. */
  Path folder() {
    return folder;
  }

  Path settingsFile() {
    return folder.resolve("bloomgate.yaml");
  }

  Path logFile() {
    return folder.resolve("mail.log");
  }

  /** The running gateway. */
  Gateway gateway() {
    return Objects.requireNonNull(gateway, "not started");
  }

  /** The certificate that it shows. */
  TestCertificate certificate() {
    return Objects.requireNonNull(certificate, "not prepared");
  }

  int port(String listener) {
    return gateway().port(listener);
  }

  /** Sends a request to the control socket and waits for the end of its answer. */
  Answer control(ControlRequest request) {
    Path socket = Path.of(setting("state_dir")).resolve("control.sock");
    try {
      Answer answer = ControlClient.ask(socket, request);
      if (!answer.failure().isEmpty()) {
        throw new IOException("exit " + answer.exitCode() + ": " + answer.failure());
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException("control socket " + socket, e);
    }
  }

  /** The reply to RCPT of a mail for bob. */
  String rcpt(String client, String from) throws IOException {
    return rcpt(client, from, "bob@example.com");
  }

  String rcpt(String client, String from, String to) throws IOException {
    return rcpt(client, "mail.partner.example", from, to);
  }

  String rcpt(String client, String helo, String from, String to) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(port("mx"), client)) {
      return smtp.rcpt(helo, from, to);
    }
  }

  /**
   * The reply to the final dot of a mail whose recipients are taken; for bob when there are none.
   */
  String send(String client, String from, String content, String... recipients) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(port("mx"), client)) {
      smtp.reply();
      smtp.ask("EHLO mail.partner.example");
      SmtpClient.expect("250", smtp.ask("MAIL FROM:<" + from + ">"));
      for (String to : recipients.length == 0 ? new String[] {"bob@example.com"} : recipients) {
        SmtpClient.expect("250", smtp.ask("RCPT TO:<" + to + ">"));
      }
      return smtp.message(content);
    }
  }

  JsonObject explain(String subject) {
    return control(new ControlRequest.Explain(subject, null, null, null, null)).only();
  }

  /** The refusal whose id a reply has in brackets; it is written beside the reply path. */
  JsonObject incident(String reply) throws IOException {
    String id = reply.replaceFirst("(?s).*\\[([0-9A-Z]{10})].*", "$1");
    ControlRequest request = new ControlRequest.Explain(id, null, null, null, null);
    Conditions.await("the incident", () -> !ask(request).items().isEmpty());
    return ask(request).only();
  }

  /** The answer to a request that may fail. */
  Answer ask(ControlRequest request) throws IOException {
    return ControlClient.ask(Path.of(setting("state_dir")).resolve("control.sock"), request);
  }

  JsonObject status() {
    return control(new ControlRequest.Status()).only();
  }

  /** Checks these feeds now; all when there are none. */
  Answer refresh(String... feeds) {
    return control(new ControlRequest.FeedsRefresh(List.of(feeds), feeds.length == 0, true));
  }

  /** Runs a command line, as people type it or a gateway prints it, with these settings. */
  CommandLineInProcess.Result cli(String line) {
    return cli(words(line).toArray(String[]::new));
  }

  /** The words of a command line, as a shell has them, without the program. */
  static List<String> words(String line) {
    return WORD.matcher(line.replaceFirst("^bloomgate ", ""))
        .results()
        .map(word -> word.group().replaceAll("['\"]", ""))
        .toList();
  }

  /** Runs a command with these settings. */
  CommandLineInProcess.Result cli(String... words) {
    List<String> all = new ArrayList<>(List.of("-c", settingsFile().toString()));
    all.addAll(List.of(words));
    return CommandLineInProcess.run(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    if (gateway != null) {
      gateway.closeNow();
      gateway.close();
      gateway = null;
    }
  }
}

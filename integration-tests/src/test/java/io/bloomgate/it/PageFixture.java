package io.bloomgate.it;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway with the page and the page for refused senders, and requests of them. */
final class PageFixture implements AutoCloseable {

  static final String READ = "read-0123456789-abcdef";
  static final String WRITE = "write-0123456789-abcdef";
  static final String SUPPORT = "support-0123456789-abcdef";
  static final String READ_TOO = "read-too-0123456789-abcdef";
  static final String AUTHOR = "ada";

  private static final Pattern ID = Pattern.compile("\\[([0-9A-HJKMNP-TV-Z]{10})\\]");

  /** For GET, by their addresses: what is tried again where the page has closed a connection. */
  private static final Map<String, HttpClient> CLIENTS = new ConcurrentHashMap<>();

  private final ScriptedUpstream upstream = ScriptedUpstream.start();
  private final GatewayFixture gateway;
  private final int http = FreePort.next();
  private final int why = FreePort.next();

  PageFixture(Path folder) throws IOException {
    writeTokens(
        folder, AUTHOR + " " + WRITE + "\nsue " + SUPPORT + " support\nbob " + READ_TOO + " read");
    gateway =
        GatewayFixture.in(folder, upstream.port())
            .with(
                "admin",
                """
                {http: "127.0.0.1:%d", why: "127.0.0.1:%d", token_file: %s, write_tokens_file: %s}\
                """
                    .formatted(http, why, folder.resolve("read"), folder.resolve("write")))
            .start();
  }

  /** Replaces the tokens that may write. */
  static void writeTokens(Path folder, String lines) throws IOException {
    write(folder.resolve("read"), READ);
    write(folder.resolve("write"), "# who may write\n" + lines);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  GatewayFixture gateway() {
    return gateway;
  }

  ScriptedUpstream upstream() {
    return upstream;
  }

  int httpPort() {
    return http;
  }

  String address(String path) {
    return "http://127.0.0.1:" + http + path;
  }

  String whyAddress(String path) {
    return "http://127.0.0.1:" + why + path;
  }

  /** The reply to RCPT of one mail of this client. */
  String rcpt(String client, String helo, String from) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), client)) {
      return smtp.rcpt(helo, from, "bob@example.com");
    }
  }

  /** The id that a refusal names. */
  static String id(String reply) {
    Matcher id = ID.matcher(reply);
    if (!id.find()) {
      throw new AssertionError("no id: " + reply);
    }
    return id.group(1);
  }

  /** The header that shows a token. */
  static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", address(path), "", headers);
  }

  HttpResponse<String> post(String path, String form, String... headers)
      throws IOException, InterruptedException {
    return send("POST", address(path), form, headers);
  }

  /** A page for refused senders. */
  HttpResponse<String> why(String path) throws IOException, InterruptedException {
    return send("GET", whyAddress(path), "");
  }

  /** Sends a request with these headers, names and values in turn; follows no redirect. */
  static HttpResponse<String> send(String method, String address, String form, String... headers)
      throws IOException, InterruptedException {
    return sendFrom("127.0.0.1", method, address, form, headers);
  }

  /** The same from another address of this machine. */
  static HttpResponse<String> sendFrom(
      String client, String method, String address, String form, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address))
            .method(
                method, form.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(form))
            .header("Content-Type", "application/x-www-form-urlencoded");
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    if (method.equals("GET")) {
      return CLIENTS
          .computeIfAbsent(client, PageFixture::client)
          .send(request.build(), BodyHandlers.ofString());
    }
    try (HttpClient one = client(client)) {
      return one.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static HttpClient client(String address) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .localAddress(InetAddress.ofLiteral(address))
        .build();
  }

  @Override
  public void close() {
    gateway.close();
    upstream.close();
  }
}

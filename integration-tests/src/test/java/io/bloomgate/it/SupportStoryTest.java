package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.gateway.testkit.Addition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;

/** What a helper gets to see of a gateway, and what nobody gets to see. */
class SupportStoryTest extends Story {

  /** In every place that is secret or private, a word that is nowhere else. */
  private static final List<String> CANARIES =
      List.of(
          "canaryComment",
          "canaryToken",
          "canarySecretFile",
          "canaryHeaderFile",
          "canaryHeaderText",
          "canaryPath",
          "canaryQuery",
          "canaryUser",
          "canaryPassword",
          "canaryDqs",
          "canaryzonekey1234",
          "canarySender",
          "canarysenderdomain",
          "canaryHelo",
          "canaryRecipient",
          "canaryunknown",
          "canaryallowed",
          "canaryReason",
          "canaryServer",
          "203.0.113.7",
          "198.51.100.77");

  private void prepare() throws IOException {
    secret("token", "canaryToken");
    secret("key", "canarySecretFile");
    secret("auth", "Bearer canaryHeaderFile");
    secret("proxy", "canaryUser:canaryPassword");
    secret("dqs", "canaryDqs");
    gateway
        .with("# canaryComment", "")
        .with("dns", "{servers: [\"127.0.0.1:9\"]}")
        .with(
            "admin",
            "{http: \"127.0.0.1:"
                + FreePort.next()
                + "\", token_file: "
                + folder.resolve("token")
                + "}")
        .feeds(
            """
            drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
            web:
              url: "https://127.0.0.1:9/canaryPath/{secret}/list.txt?key=canaryQuery"
              secret_file: FOLDER/key
              headers: {Auth-Key: "file:FOLDER/auth", X-Key: canaryHeaderText}
              proxy: "http://127.0.0.1:9"
              proxy_credentials_file: FOLDER/proxy
            zen: {dns: zen.dq.spamhaus.net, key_file: FOLDER/dqs, timeout: 1s}
            own: {dns: canaryzonekey1234.dbl.dq.spamhaus.net, checks: [sender_domain], timeout: 1s}
            """);
  }

  private void secret(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, content + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aDumpHoldsFiguresAndNothingSecret() throws IOException {
    Path file = folder.resolve("dump.tar.gz");
    prepare();
    gateway.start();
    gateway.control(
        Addition.allow("canaryallowed.example", "198.51.100.77").reason("canaryReason").request());
    gateway.rcpt(
        "203.0.113.7",
        "canaryHelo.example",
        "canarySender@canarysenderdomain.example",
        "canaryRecipient@example.com");
    gateway.rcpt(
        "203.0.113.7",
        "canaryHelo.example",
        "canarySender@canarysenderdomain.example",
        "x@canaryunknown.example");
    Conditions.await(
        "the log", () -> Files.readString(gateway.logFile()).contains("canaryunknown"));
    CommandLineInProcess.Result done = gateway.cli("support", "dump", file.toString());
    assertEquals(0, done.exitCode(), done.err());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(2, gateway.cli("support", "dump", file.toString()).exitCode());
    Map<String, String> dump = unpacked(file);
    requireNoCanary(dump);
    assertTrue(dump.get("settings.yaml").contains("secret_file:"), dump.get("settings.yaml"));
    assertTrue(dump.get("process.jsonl").contains("\"part\":\"thread\""), "threads");
    assertTrue(dump.get("process.jsonl").contains("Max open files"), "limits");
    assertTrue(dump.get("status.jsonl").contains("\"mode\":\"enforce\""), "status");
    assertTrue(dump.get("doctor.jsonl").contains("\"check\":\"upstream\""), "doctor");
    assertTrue(dump.get("feeds.jsonl").contains("\"feed\":\"drop\""), "feeds");
    String sessions = dump.get("sessions.jsonl");
    assertTrue(sessions.contains("\"verdict\":\"reject\""), sessions);
    assertTrue(sessions.contains("\"list\":\"drop\""), sessions);
  }

  private static void requireNoCanary(Map<String, String> dump) {
    dump.forEach((name, text) -> {
      String lower = text.toLowerCase(Locale.ROOT);
      for (String canary : CANARIES) {
        int at = lower.indexOf(canary.toLowerCase(Locale.ROOT));
        assertTrue(
            at < 0,
            () ->
                name
                    + " holds "
                    + canary
                    + ": "
                    + text.substring(Math.max(0, at - 80), Math.min(text.length(), at + 40)));
      }
    });
  }

  /** Without a gateway, and with settings that cannot be used. */
  @Test
  void theOtherHalfWorksWithoutAGateway() throws IOException {
    Path file = folder.resolve("dump.tar.gz");
    prepare();
    gateway.prepare();
    CommandLineInProcess.Result alone = gateway.cli("support", "dump", file.toString());
    assertEquals(4, alone.exitCode(), alone.err());
    assertTrue(unpacked(file).get("gateway.txt").contains("no gateway"), "gateway.txt");
    requireNoCanary(unpacked(file));
    gateway
        .with(
            "feeds",
            "{sources: {web: {url: \"https://canaryUser:canaryPassword@192.0.2.1/x\"},"
                + " key: {url: \"ftp://192.0.2.1/?canaryQuery\"}}}")
        .writeSettings();
    assertEquals(
        0, gateway.cli("support", "dump", file.toString(), "--force", "--offline").exitCode());
    assertTrue(unpacked(file).get("settings-problems.txt").contains("password"), "problems");
    requireNoCanary(unpacked(file));
  }

  private static Map<String, String> unpacked(Path file) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    try (InputStream octets = new ByteArrayInputStream(Files.readAllBytes(file));
        TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(octets))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        texts.put(entry.getName(), new String(tar.readAllBytes(), ISO_8859_1));
      }
    }
    return texts;
  }
}

package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section {@code fleet}. */
class FleetSettingsTest {

  private static final String SERVERS =
      """
      {node: mx1, redis: "rediss://gate:S3CRET@redis.example:6380", generations: \
      "https://mx1.example/fleet", public_key: fleet.pub, secret_file: fleet.secret}\
      """;

  private static SettingsResult.Loaded read(String section) {
    return Reading.loaded(section.isEmpty() ? "" : "fleet: " + section + "\n");
  }

  @Test
  void aGatewayIsAloneUnlessItHasAName() {
    assertNull(read("").settings().fleet());
  }

  /** Counts are about people, so they do not travel without a secret. */
  @Test
  void nodesCountTogetherWhereRedisAndASecretAreSet() {
    assertTrue(fleet("{node: mx1, redis: 'redis://r', secret_file: s}").countsTogether());
    assertTrue(fleet("{node: mx1, redis: 'redis://r'}").countsTogether());
    assertFalse(
        fleet("{node: mx1, redis: 'redis://r', secret_file: s, counters: false}").countsTogether());
    assertFalse(
        fleet("{node: mx1, role: leader, publish: p, private_key: k, secret_file: s}")
            .countsTogether());
  }

  private static FleetSettings fleet(String section) {
    return Objects.requireNonNull(read(section).settings().fleet());
  }

  /** The client of Redis would take capitals for a connection without TLS. */
  @Test
  void aSchemeInCapitalsIsTheSameScheme() {
    FleetSettings.RedisAddress redis =
        Objects.requireNonNull(fleet("{node: mx1, redis: 'REDISS://R.example'}").redis());
    assertTrue(redis.isSecure());
    assertEquals("rediss://R.example", redis.toString());
  }

  @Test
  void noPasswordOfAServerIsShown() {
    SettingsResult.Loaded loaded = read(SERVERS);
    FleetSettings fleet = Objects.requireNonNull(loaded.settings().fleet());
    assertEquals("rediss://redis.example:6380", String.valueOf(fleet.redis()));
    List<String> telling =
        loaded.values().stream()
            .filter(value -> value.value().contains("S3CRET"))
            .map(value -> String.join(".", value.path()))
            .toList();
    assertEquals(List.of(), telling);
  }

  private static List<String> problems(Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("f.yaml"),
            """
            domains: [example.com]
            hostname: mx.example.com
            downstream: {host: mail.example.com}
            fleet: {node: mx1, role: leader, publish: out, private_key: key, public_key: key.pub,
                    secret_file: key.secret}
            """);
    return switch (SettingsFile.load(file, Map.of())) {
      case SettingsResult.Loaded loaded ->
          loaded.warnings().stream().map(Problem::toString).toList();
      case SettingsResult.Invalid invalid ->
          invalid.problems().stream().map(Problem::toString).toList();
    };
  }

  private static String pem(String kind, java.security.Key key) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(kind, Base64.getEncoder().encodeToString(key.getEncoded()));
  }

  private static void write(Path file, String text, String mode) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void eachKeyFileThatCannotBeUsedHasOneLine(@TempDir Path folder) throws Exception {
    List<String> missing = problems(folder);
    assertEquals(3, missing.size(), missing::toString);
    for (String line : missing) {
      assertTrue(line.contains("there is no such file; `bloomgate fleet key FILE`"), line);
    }
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    KeyPair other = KeyPairGenerator.getInstance("X25519").generateKeyPair();
    String secret = "0123456789abcdef0123456789abcdef";
    Path key = folder.resolve("key");
    Path shown = folder.resolve("key.pub");
    Path common = folder.resolve("key.secret");
    write(key, pem("PRIVATE KEY", pair.getPrivate()), "rw-r-----");
    write(shown, pem("PUBLIC KEY", pair.getPublic()), "rw-r--r--");
    write(common, secret + "\n", "rw-r-----");
    assertEquals(List.of(), problems(folder));
    Map<String, String> bad =
        Map.of(
            pem("PUBLIC KEY", pair.getPublic()),
            "holds a PUBLIC KEY",
            pem("PRIVATE KEY", other.getPrivate()),
            "is no Ed25519 PRIVATE KEY",
            "-----BEGIN PRIVATE KEY-----\n!!",
            "is no Ed25519 PRIVATE KEY");
    for (Map.Entry<String, String> one : bad.entrySet()) {
      write(key, one.getKey(), "rw-r-----");
      assertEquals(1, problems(folder).size());
      assertTrue(problems(folder).getFirst().contains(one.getValue()), problems(folder)::toString);
    }
    write(key, pem("PRIVATE KEY", pair.getPrivate()), "rw-r--r--");
    assertTrue(problems(folder).getFirst().contains("others may read"), problems(folder)::toString);
    write(key, pem("PRIVATE KEY", pair.getPrivate()), "rw-r-----");
    write(shown, pem("PRIVATE KEY", pair.getPrivate()), "rw-r--r--");
    assertTrue(
        problems(folder).getFirst().contains("belongs to the leader alone"),
        problems(folder)::toString);
    Files.delete(shown);
    Files.createDirectory(shown);
    assertEquals(1, problems(folder).size(), problems(folder)::toString);
    Files.delete(shown);
    write(shown, pem("PUBLIC KEY", pair.getPublic()), "rw-r--r--");
    write(common, "short", "rw-r-----");
    assertTrue(problems(folder).getFirst().contains("fewer than 16"), problems(folder)::toString);
    assertFalse(problems(folder).getFirst().contains("short\""), "the secret is not shown");
  }
}

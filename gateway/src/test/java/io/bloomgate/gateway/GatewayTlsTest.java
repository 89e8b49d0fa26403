package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest.Doctor;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate of a whole gateway, as its clients see it. */
final class GatewayTlsTest {

  private static final Doctor TLS = new Doctor(false, false, true, false);

  @TempDir private Path directory;

  private static X509Certificate shown(Gateway gateway) throws Exception {
    try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      client.reply();
      X509Certificate certificate = client.startTls();
      assertTrue(client.ask("EHLO client.example").startsWith("250"));
      return certificate;
    }
  }

  @Test
  void withoutACertificateOneIsMadeAndALaterOneTakesItsPlace() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).listener(", tls: starttls").write();
    X509Certificate made;
    try (Gateway gateway = house.start()) {
      made = shown(gateway);
      assertEquals("CN=mx.company.example", made.getSubjectX500Principal().getName());
      assertHas(house.alarms(), "self-signed");
    }
    try (Gateway gateway = house.start()) {
      assertEquals(made, shown(gateway), "a restart changes nothing");
      Path certificate = directory.resolve("mx.crt");
      Path key = directory.resolve("mx.key");
      TestCertificate.create("dns:a.example").writePem(certificate, key);
      house.more("tls: {certificate: " + certificate + ", key: " + key + "}").write();
      assertEquals(0, house.reload().exitCode());
      X509Certificate given = shown(gateway);
      assertEquals("CN=test", given.getSubjectX500Principal().getName());

      // Renewed while the gateway runs: the housekeeping sees it.
      TestCertificate.create("dns:b.example").writePem(certificate, key);
      X509Certificate renewed = shown(gateway);
      while (renewed.equals(given)) {
        LockSupport.parkNanos(50_000_000);
        renewed = shown(gateway);
      }
      assertEquals(
          List.of(List.of(2, "b.example")), List.copyOf(renewed.getSubjectAlternativeNames()));
    }
  }

  private List<String> pairs(String... kinds) throws Exception {
    List<String> pairs = new ArrayList<>();
    for (String kind : kinds) {
      Path certificate = directory.resolve(kind + ".crt");
      Path key = directory.resolve(kind + ".key");
      TestCertificate.shared("dns:mx.company.example", kind).writePem(certificate, key);
      pairs.add("{certificate: " + certificate + ", key: " + key + "}");
    }
    return pairs;
  }

  /** With its name, its record for DANE, and a handshake of a sender that can check it alone. */
  @Test
  void eachOfSeveralCertificatesIsTriedAtTheListener() throws Exception {
    List<String> pairs = pairs("RSA", "EC");
    GatewayHouse house = new GatewayHouse(directory).listener(", tls: starttls");
    house.more("tls: {certificates: [" + pairs.getFirst() + "]}").write();
    try (Gateway _ = house.start()) {
      String one = house.ask(TLS).items().toString();
      assertHas(one, "it shows CN=test (RSA)", "only RSA: a full handshake takes twice");

      house.more("tls: {certificates: " + pairs + "}").write();
      assertEquals(0, house.reload().exitCode());
      String both = house.ask(TLS).items().toString();
      for (String kind : List.of("CN=test (RSA)", "CN=test (ECDSA)")) {
        assertHas(both, "it shows " + kind);
      }
      assertLacks(both, "only RSA");
      assertEquals(3, both.split("TLSA 3 1 1 [0-9a-f]{64}\\b", -1).length, both);
      List<JsonValue> status = house.status().elements("certificates");
      assertHas(status.toString(), "RSA");
      assertEquals(2, status.size());
    }
  }

  /** At the start and at a reload; it is loaded once it is whole, and nothing is left of it. */
  @Test
  void aBrokenPairKeepsNeitherTheGatewayNorTheOtherOneFromWorking() throws Exception {
    List<String> pairs = pairs("EC", "RSA");
    Path file = directory.resolve("EC.crt");
    String whole = Files.readString(file);
    Files.writeString(file, "");
    GatewayHouse house = new GatewayHouse(directory).listener(", tls: starttls");
    house.more("tls: {certificates: " + pairs + "}").write();
    try (Gateway gateway = house.start()) {
      assertEquals("RSA", shown(gateway).getPublicKey().getAlgorithm());
      String broken = "tls.certificates[0].certificate: " + file + " holds no certificate";
      assertHas(house.alarms(), broken);
      Files.writeString(file, whole);
      while (shown(gateway).getPublicKey().getAlgorithm().equals("RSA")) {
        LockSupport.parkNanos(50_000_000);
      }
      assertLacks(house.alarms(), "holds no certificate");

      Files.writeString(file, "");
      Answer reload = house.reload();
      assertEquals(0, reload.exitCode());
      assertHas(reload.toString(), broken);
      assertEquals("EC", shown(gateway).getPublicKey().getAlgorithm());
      assertHas(house.alarms(), "the former certificate stays in use");
      Files.writeString(file, whole);
      while (house.alarms().contains(broken)) {
        LockSupport.parkNanos(50_000_000);
      }
      assertEquals("EC", shown(gateway).getPublicKey().getAlgorithm());
      assertLacks(house.alarms(), "reload");

      // Without any that can be read there is nothing to begin with.
      Files.writeString(file, "");
      Files.writeString(directory.resolve("RSA.crt"), "");
      assertEquals(1, house.reload().exitCode());
    }
    assertThrows(StartFailure.class, house::start);
  }

  /** The command is for the user that runs here, so only others than root can see it. */
  @Test
  void aKeyThatMayNotBeReadIsReportedWithTheCommandThatOpensIt() throws Exception {
    Path certificate = directory.resolve("mx.crt");
    Path key = directory.resolve("mx.key");
    TestCertificate.create("dns:a.example").writePem(certificate, key);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(key), "root may read everything");
    GatewayHouse house =
        new GatewayHouse(directory)
            .more("tls: {certificate: " + certificate + ", key: " + key + "}")
            .write();
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(
        List.of("tls.key: cannot read " + key + " (permission denied); chmod u+r " + key),
        failure.lines());
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate of a whole gateway, as its clients see it. */
final class GatewayTlsTest {

  @TempDir private Path directory;

  private static X509Certificate shown(Gateway gateway) throws Exception {
    try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      client.reply();
      X509Certificate certificate = client.startTls();
      assertTrue(client.ask("EHLO client.example").startsWith("250"));
      return certificate;
    }
  }

  private static String alarms(GatewayHouse house) throws Exception {
    List<JsonValue> alarms = house.ask(new ControlRequest.Status()).only().elements("alarms");
    return alarms.toString();
  }

  @Test
  void withoutACertificateOneIsMadeAndALaterOneTakesItsPlace() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).listener(", tls: starttls").write();
    X509Certificate made;
    try (Gateway gateway = house.start()) {
      made = shown(gateway);
      assertEquals("CN=mx.company.example", made.getSubjectX500Principal().getName());
      assertTrue(alarms(house).contains("self-signed"), alarms(house));
    }
    try (Gateway gateway = house.start()) {
      assertEquals(made, shown(gateway), "a restart changes nothing");
      Path certificate = directory.resolve("mx.crt");
      Path key = directory.resolve("mx.key");
      TestCertificate.create(directory, "dns:a.example").writePem(certificate, key);
      house.more("tls: {certificate: " + certificate + ", key: " + key + "}").write();
      assertEquals(0, house.ask(new ControlRequest.ConfigReload(false)).exitCode());
      X509Certificate given = shown(gateway);
      assertEquals("CN=test", given.getSubjectX500Principal().getName());

      // Renewed while the gateway runs: the housekeeping sees it.
      TestCertificate.create(directory, "dns:b.example").writePem(certificate, key);
      X509Certificate renewed = shown(gateway);
      while (renewed.equals(given)) {
        renewed = shown(gateway);
      }
      assertEquals(
          List.of(List.of(2, "b.example")), List.copyOf(renewed.getSubjectAlternativeNames()));
    }
  }

  /** The command is for the user that runs here, so only others than root can see it. */
  @Test
  void aKeyThatMayNotBeReadIsReportedWithTheCommandThatOpensIt() throws Exception {
    Path certificate = directory.resolve("mx.crt");
    Path key = directory.resolve("mx.key");
    TestCertificate.create(directory, "dns:a.example").writePem(certificate, key);
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

package io.bloomgate.gateway.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.Der;
import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and keys as an administrator's files bring them. */
final class PemTlsTest {

  @TempDir private Path directory;

  private Path certificate(String name) {
    return directory.resolve(name + ".crt");
  }

  private Path key(String name) {
    return directory.resolve(name + ".key");
  }

  private TestCertificate make(String name, String algorithm) {
    TestCertificate made = TestCertificate.shared("dns:" + name, algorithm);
    made.writePem(certificate(name), key(name));
    return made;
  }

  private static void pem(Path file, String label, byte[] octets) throws IOException {
    Files.writeString(file, "a remark\n" + PemBlock.text(label, octets));
  }

  private PemTls load(String certificate, String key) throws PemException {
    return PemTls.load(new PemFiles("tls", certificate(certificate), key(key)));
  }

  private void assertRefused(String certificate, String key, String reason) {
    PemException refused = assertThrows(PemException.class, () -> load(certificate, key));
    assertTrue(refused.toString().contains(reason), refused.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void everyUsualKindOfKeyIsTaken(String algorithm) throws Exception {
    TestCertificate made = make("a", algorithm);
    assertEquals(made.certificate(), load("a", "a").leaf());
  }

  @Test
  void whatCannotBeUsedIsExplained() throws Exception {
    make("a", "EC");
    make("b", "EC");
    make("c", "Ed25519");
    assertRefused("a", "b", "does not belong to the first certificate");
    assertRefused("a", "c", "does not belong to the first certificate");
    assertRefused("a", "missing", "cannot read");
    Files.copy(certificate("a"), key("swapped"));
    assertRefused("a", "swapped", "holds no key");
    pem(key("dsa"), "DSA PRIVATE KEY", new byte[] {1, 2, 3});
    assertRefused("a", "dsa", "openssl pkcs8 -topk8 -nocrypt");
    pem(key("pkcs1"), "RSA PRIVATE KEY", new byte[] {1, 2, 3});
    assertRefused("a", "pkcs1", "is damaged");
    pem(key("sec1"), "EC PRIVATE KEY", new byte[] {0x30, (byte) 0x83, 1, 2, 3});
    assertRefused("a", "sec1", "is damaged");
    pem(key("no-curve"), "EC PRIVATE KEY", Der.sequence(Der.integer(1)));
    assertRefused("a", "no-curve", "does not name its curve; convert it to PKCS #8: openssl");
    Files.writeString(
        key("old-locked"),
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAQID\n-----END RSA PRIVATE"
            + " KEY-----\n");
    assertRefused("a", "old-locked", "is encrypted");
    pem(key("locked"), "ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});
    assertRefused("a", "locked", "is encrypted");
    pem(key("damaged"), "PRIVATE KEY", new byte[] {1, 2, 3});
    assertRefused("a", "damaged", "is damaged");
    Files.writeString(certificate("empty"), "");
    assertRefused("empty", "a", "tls.certificate");
  }

  @Test
  void aChainThatIsStillBeingWrittenIsNotUsed() throws Exception {
    make("a", "EC");
    String leaf = Files.readString(certificate("a"));
    String chain = leaf + leaf;
    for (int octets = leaf.length() + 30; octets < chain.length() - 5; octets += 100) {
      Files.writeString(certificate("cut"), chain.substring(0, octets));
      assertRefused("cut", "a", "ends inside a block");
    }
    Files.writeString(certificate("whole"), chain);
    assertEquals(2, PemBlock.readAll("tls.certificate", certificate("whole")).size());
  }

  /** The octets inside PKCS #8 are the older form. */
  private static byte[] unwrap(Path pkcs8) throws Exception {
    byte[] der = PemBlock.readAll("tls.key", pkcs8).getFirst().octets("tls.key", pkcs8);
    for (int from = 2; from < der.length; from++) {
      byte[] content = Arrays.copyOfRange(der, from, der.length);
      byte[] wrapped = Der.value(Der.OCTET_STRING, content);
      int begin = der.length - wrapped.length;
      if (begin >= 0 && Arrays.equals(wrapped, 0, wrapped.length, der, begin, der.length)) {
        return content;
      }
    }
    throw new AssertionError("no octet string at the end of " + pkcs8);
  }

  @Test
  void olderFormsOfKeysAreTaken() throws Exception {
    make("rsa", "RSA");
    pem(key("pkcs1"), "RSA PRIVATE KEY", unwrap(key("rsa")));
    assertEquals("RSA", load("rsa", "pkcs1").leaf().getPublicKey().getAlgorithm());

    make("ec", "EC");
    byte[] inner = unwrap(key("ec"));
    int head = Der.sequence(Der.integer(1)).length + 2; // and those of the octet string
    byte[] secret = Arrays.copyOfRange(inner, head, head + 32);
    byte[] curve = Der.value(Der.EXPLICIT, Der.oid("1.2.840.10045.3.1.7"));
    pem(
        key("sec1"),
        "EC PRIVATE KEY",
        Der.sequence(Der.integer(1), Der.value(Der.OCTET_STRING, secret), curve));
    assertEquals("EC", load("ec", "sec1").leaf().getPublicKey().getAlgorithm());
  }

  @Test
  void oneFileMayHoldBoth() throws Exception {
    make("a", "EC");
    Files.writeString(
        certificate("both"), Files.readString(key("a")) + Files.readString(certificate("a")));
    Files.copy(certificate("both"), key("both"));
    assertEquals(load("a", "a").leaf(), load("both", "both").leaf());
  }

  @Test
  void aKeyThatOthersCanReadIsReported() throws Exception {
    make("a", "EC");
    Files.setPosixFilePermissions(key("a"), PosixFilePermissions.fromString("rw-r-----"));
    assertEquals(List.of(), load("a", "a").warnings());
    Files.setPosixFilePermissions(key("a"), PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(load("a", "a").warnings().getFirst().contains("chmod 0640"));
  }
}

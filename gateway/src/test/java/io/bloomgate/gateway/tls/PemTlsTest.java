package io.bloomgate.gateway.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.Der;
import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates and keys as an administrator's files bring them. */
final class PemTlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** By what keytool was asked for; it takes a second each time. */
  private static final Map<List<String>, byte[]> STORES = new HashMap<>();

  @TempDir private Path directory;

  private Path certificate(String name) {
    return directory.resolve(name + ".crt");
  }

  private Path key(String name) {
    return directory.resolve(name + ".key");
  }

  /** A self-signed pair by the JDK's own keytool, as PEM. */
  private void make(String name, String... algorithm) throws Exception {
    List<String> asked = new ArrayList<>(List.of(algorithm));
    asked.add(name);
    if (!STORES.containsKey(asked)) {
      STORES.put(asked, store(name, List.of(algorithm)));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(new ByteArrayInputStream(STORES.get(asked)), PASSWORD);
    Key key = keys.getKey(name, PASSWORD);
    pem(certificate(name), "CERTIFICATE", keys.getCertificate(name).getEncoded());
    pem(key(name), "PRIVATE KEY", key.getEncoded());
  }

  private byte[] store(String name, List<String> algorithm) throws Exception {
    Path store = directory.resolve(name + ".p12");
    ProcessBuilder keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-genkeypair",
            "-alias",
            name,
            "-dname",
            "CN=mx.company.example",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    keytool.command().addAll(algorithm);
    Process run = keytool.redirectErrorStream(true).start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, run.waitFor(), said);
    return Files.readAllBytes(store);
  }

  private static void pem(Path file, String label, byte[] octets) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(octets);
    Files.writeString(
        file,
        "a remark\n-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
  }

  private PemTls load(String certificate, String key) throws PemException {
    return PemTls.load(new PemFiles("tls", certificate(certificate), key(key)));
  }

  private void assertRefused(String certificate, String key, String reason) {
    PemException refused = assertThrows(PemException.class, () -> load(certificate, key));
    assertTrue(refused.toString().contains(reason), refused.toString());
  }

  @ParameterizedTest
  @CsvSource({"RSA,-keysize,2048", "EC,-groupname,secp256r1", "Ed25519,-validity,10"})
  void everyUsualKindOfKeyIsTaken(String algorithm, String option, String value) throws Exception {
    make("a", "-keyalg", algorithm, option, value);
    PemTls tls = load("a", "a");
    assertEquals("CN=mx.company.example", tls.leaf().getSubjectX500Principal().getName());
  }

  @Test
  void whatCannotBeUsedIsExplained() throws Exception {
    make("a", "-keyalg", "EC", "-groupname", "secp256r1");
    make("b", "-keyalg", "EC", "-groupname", "secp256r1");
    make("c", "-keyalg", "Ed25519");
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
    make("a", "-keyalg", "EC", "-groupname", "secp256r1");
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
    make("rsa", "-keyalg", "RSA", "-keysize", "2048");
    pem(key("pkcs1"), "RSA PRIVATE KEY", unwrap(key("rsa")));
    assertEquals("RSA", load("rsa", "pkcs1").leaf().getPublicKey().getAlgorithm());

    make("ec", "-keyalg", "EC", "-groupname", "secp384r1");
    byte[] inner = unwrap(key("ec"));
    int head = Der.sequence(Der.integer(1)).length + 2; // and those of the octet string
    byte[] secret = Arrays.copyOfRange(inner, head, head + 48);
    byte[] curve = Der.value(Der.EXPLICIT, Der.oid("1.3.132.0.34"));
    pem(
        key("sec1"),
        "EC PRIVATE KEY",
        Der.sequence(Der.integer(1), Der.value(Der.OCTET_STRING, secret), curve));
    assertEquals("EC", load("ec", "sec1").leaf().getPublicKey().getAlgorithm());
  }

  @Test
  void oneFileMayHoldBoth() throws Exception {
    make("a", "-keyalg", "EC", "-groupname", "secp256r1");
    Files.writeString(
        certificate("both"), Files.readString(key("a")) + Files.readString(certificate("a")));
    Files.copy(certificate("both"), key("both"));
    assertEquals(load("a", "a").leaf(), load("both", "both").leaf());
  }

  @Test
  void aKeyThatOthersCanReadIsReported() throws Exception {
    make("a", "-keyalg", "EC", "-groupname", "secp256r1");
    Files.setPosixFilePermissions(key("a"), PosixFilePermissions.fromString("rw-r-----"));
    assertEquals(List.of(), load("a", "a").warnings());
    Files.setPosixFilePermissions(key("a"), PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(load("a", "a").warnings().getFirst().contains("chmod 0640"));
  }
}

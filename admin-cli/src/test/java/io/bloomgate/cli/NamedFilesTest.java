package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.PemBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code config validate} says about the files that the settings name. */
class NamedFilesTest {

  /** The number of a user that the machine does not know. */
  private static final int STRANGER = 4_242_421;

  @TempDir Path folder;

  private String settings(String more) throws IOException {
    return Shell.settings(folder, more);
  }

  /** A pair of {@code NAME.pem} and {@code NAME.key}, by the JDK's own keytool. */
  private void pair(String name, String algorithm) throws Exception {
    pair(name, algorithm, "2026/11/20 00:00:00");
  }

  /** The same, valid for thirty days from this time on. */
  private void pair(String name, String algorithm, String begin) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keyalg",
                algorithm,
                "-keysize",
                algorithm.equals("RSA") ? "2048" : "256",
                "-dname",
                "CN=test",
                "-ext",
                "san=dns:mx.example.com",
                "-startdate",
                begin,
                "-validity",
                "30",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, keytool.waitFor());
    char[] password = "changeit".toCharArray();
    KeyStore keys = KeyStore.getInstance(store.toFile(), password);
    String alias = keys.aliases().nextElement();
    Files.writeString(
        folder.resolve(name + ".pem"),
        PemBlock.text("CERTIFICATE", keys.getCertificate(alias).getEncoded()));
    Files.writeString(
        folder.resolve(name + ".key"),
        PemBlock.text("PRIVATE KEY", keys.getKey(alias, password).getEncoded()));
  }

  @Test
  void aCertificateThatIsNotValidNowIsNamed() throws Exception {
    pair("old", "EC", "2026/10/01 00:00:00");
    pair("new", "EC", "2027/01/01 00:00:00");
    String file =
        settings(
            """
            tls:
              certificates:
                - {certificate: old.pem, key: old.key}
                - {certificate: new.pem, key: new.key}
            """);
    Shell.Result result = Shell.run("config", "validate", file).exits(0);
    String old = "tls.certificates[0].certificate: " + folder.resolve("old.pem");
    result.prints(old + " expired at 2026-10-");
    String early = "tls.certificates[1].certificate: " + folder.resolve("new.pem");
    result.prints(early + " is not valid before 20");
  }

  /** Each with the line of its pair. */
  @Test
  void eachPairOfSeveralCertificatesIsRead() throws Exception {
    pair("rsa", "RSA");
    for (String end : List.of(".pem", ".key")) {
      Files.copy(folder.resolve("rsa" + end), folder.resolve("again" + end));
    }
    pair("ecdsa", "EC");
    String file =
        settings(
            """
            tls:
              certificates:
                - {certificate: rsa.pem, key: rsa.key}
                - {certificate: again.pem, key: again.key}
                - certificate: ecdsa.pem
                  key: rsa.key
                - {certificate: missing.pem, key: rsa.key}
            """);
    Shell.Result result = Shell.run("config", "validate", file);
    String end = "; the gateway starts with the others, and loads it once it can be read\n";
    result
        .answers(
            file
                + ":8:1: warning: tls.certificates[1].certificate: it is never shown: "
                + folder.resolve("rsa.pem")
                + " has the same names and an RSA key, too; keep one of them\n"
                + file
                + ":9:1: warning: tls.certificates[2]: the key "
                + folder.resolve("rsa.key")
                + " does not belong to the first certificate in "
                + folder.resolve("ecdsa.pem")
                + end
                + file
                + ":11:1: warning: tls.certificates[3].certificate: cannot read "
                + folder.resolve("missing.pem")
                + " (there is no such file or folder)"
                + end
                + "0 errors, 3 warnings\n")
        .exits(0);
  }

  /**
   * A file that the gateway's user, who owns the state directory, may not read: for root one of
   * root, who reads it; for others one of their own.
   */
  private Path closed(String name) throws IOException {
    Path state = folder.resolve("state");
    boolean root = (int) Files.getAttribute(folder, "unix:uid") == 0;
    if (!Files.exists(state)) {
      Files.createDirectory(state);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-x---"));
      if (root) {
        Files.setAttribute(state, "unix:uid", STRANGER);
        Files.setAttribute(state, "unix:gid", STRANGER);
      }
    }
    Path file = folder.resolve(name);
    Files.writeString(file, "0123456789abcdef0123456789abcdef\n");
    return Files.setPosixFilePermissions(
        file, PosixFilePermissions.fromString(root ? "rw-------" : "---------"));
  }

  /**
   * As openssl and certbot write keys: root reads them, and the next start of the gateway fails.
   */
  @Test
  void aKeyThatOnlyRootMayReadIsAnError() throws IOException {
    Path key = closed("key.pem");
    Shell.run("config", "validate", settings("tls: {certificate: cert.pem, key: key.pem}\n"))
        .ends(
            1,
            "bloomgate.yaml:5:1: tls.key: the gateway's user ",
            " may not read " + key + "; ch",
            "+r " + key + "\n1 error, 0 warnings\n");
  }

  @Test
  void listsAndKeysOfListsThatTheGatewayMayNotReadAreWarnedOf() throws IOException {
    closed("list.txt");
    closed("token");
    closed("lists.d.txt");
    String file =
        settings(
            """
            admin: {http: "127.0.0.1:9190", token_file: token}
            allow: {files: [list.txt, "lists.*.txt"]}
            """);
    String out = Shell.run("config", "validate", file).out();
    assertEquals(3, out.lines().filter(line -> line.contains(" may not read ")).count(), out);
    for (String line :
        List.of(
            ":6:1: warning: allow.files: the gateway's user ",
            " may not read " + folder.resolve("lists.d.txt") + "; ch",
            ":5:1: warning: admin.token_file: the gateway's user ")) {
      Shell.assertHas(out, line);
    }
  }

  /** With -c it is the file that the gateway reads; another one may be a draft. */
  @Test
  void settingsThatTheGatewayMayNotReadAreAnError() throws IOException {
    closed("other");
    String file = settings("");
    Assumptions.assumeTrue(
        (int) Files.getAttribute(folder, "unix:uid") == 0, "a stranger's folder");
    Files.setPosixFilePermissions(Path.of(file), PosixFilePermissions.fromString("rw-------"));
    Shell.Result result = Shell.run("-c", file, "config", "validate").exits(1);
    assertTrue(
        result
            .out()
            .startsWith(file + ": the gateway's user " + STRANGER + " may not read " + file),
        result.out());
    Shell.run("config", "validate", file).exits(0);
  }

  @Test
  void theDefaultsNeedNoFileAndAreValid() throws IOException {
    Path file = folder.resolve("complete.yaml");
    Files.writeString(file, Shell.run("config", "show", "--default").exits(0).out());
    Shell.run("config", "validate", file.toString()).exits(0);
  }
}

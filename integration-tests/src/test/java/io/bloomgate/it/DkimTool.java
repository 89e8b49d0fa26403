package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A real opendkim that signs and verifies messages by a key in a file, without DNS (its setting
 * TestPublicKeys). Tests that need it are skipped where it is not installed.
 */
final class DkimTool {

  private static final Path OPENDKIM = Path.of("/usr/sbin/opendkim");

  private final Path folder;

  private DkimTool(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a key for {@code sender.example}.
   *
   * @param folder for its files
   */
  static DkimTool inOrSkip(Path folder) throws IOException {
    assumeTrue(Files.isExecutable(OPENDKIM), "opendkim is not installed");
    KeyPair pair = newPair();
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    Files.writeString(
        folder.resolve("dkim.pem"),
        "-----BEGIN PRIVATE KEY-----\n"
            + lines.encodeToString(pair.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
    Files.writeString(
        folder.resolve("dkim.keys"),
        "s1._domainkey.sender.example v=DKIM1; k=rsa; p="
            + Base64.getEncoder().encodeToString(pair.getPublic().getEncoded())
            + "\n");
    Files.writeString(
        folder.resolve("sign.conf"),
        """
        Mode s
        Domain sender.example
        Selector s1
        KeyFile FOLDER/dkim.pem
        RequireSafeKeys no
        Canonicalization simple/simple
        SignatureAlgorithm rsa-sha256
        """
            .replace("FOLDER", folder.toString()));
    Files.writeString(
        folder.resolve("verify.conf"), "Mode v\nTestPublicKeys " + folder + "/dkim.keys\n");
    return new DkimTool(folder);
  }

  private static KeyPair newPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }

  /** The message with a DKIM-Signature field on top, which covers every octet of its body. */
  String sign(String message) throws IOException {
    String said = run("sign.conf", message);
    int field = said.indexOf("DKIM-Signature:");
    if (field < 0) {
      throw new AssertionError("opendkim did not sign: " + said);
    }
    return said.substring(field).stripTrailing() + "\r\n" + message;
  }

  /** What opendkim says of a message. */
  String verify(String message) throws IOException {
    return run("verify.conf", message);
  }

  private String run(String settings, String message) throws IOException {
    Path file = folder.resolve("message.eml");
    Files.writeString(file, message, ISO_8859_1);
    Process process =
        new ProcessBuilder(
                OPENDKIM.toString(),
                "-x",
                folder.resolve(settings).toString(),
                "-t",
                file.toString())
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), ISO_8859_1);
  }
}

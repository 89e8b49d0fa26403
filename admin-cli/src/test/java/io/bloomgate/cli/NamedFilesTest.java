package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code config validate} says about the files that the settings name. */
class NamedFilesTest {

  @TempDir Path folder;

  private String settings(String more) throws IOException {
    Path file = folder.resolve("bloomgate.yaml");
    Files.writeString(
        file,
        "domains: [example.com]\nhostname: mx.example.com\nstate_dir: state\n"
            + "downstream: {host: 192.0.2.25}\n"
            + more);
    return file.toString();
  }

  /** The gateway starts without them, and an administrator who mistyped a path must see it. */
  @Test
  void validateWarnsOfListFilesThatAreNotThere() throws IOException {
    Files.createFile(folder.resolve("there.txt"));
    Files.createDirectory(folder.resolve("lists"));
    String file =
        settings(
            """
            allow:
              files: [there.txt, lists/*.txt, typo.txt]
              known_good: [nowhere/*.txt]
            block: {files: [lists]}
            feeds:
              protect: [there.txt]
              sources:
                mine:
                  file: typo.txt
                  format: lines
                  checks: [client_ip]
            """);
    Shell.Result result = Shell.run("config", "validate", file);
    String end = "; nothing of it counts until the gateway can read it\n";
    String missing = folder.resolve("typo.txt") + " does not exist" + end;
    assertEquals(
        new Shell.Result(
            0,
            (file + ":13:1: warning: feeds.sources.mine.file: " + missing)
                + (file + ":6:1: warning: allow.files: " + missing)
                + (file + ":7:1: warning: allow.known_good: ")
                + folder.resolve("nowhere")
                + " does not exist"
                + end
                + (file + ":8:1: warning: block.files: ")
                + folder.resolve("lists")
                + " is a folder"
                + end
                + "0 errors, 4 warnings\n",
            ""),
        result);
  }

  @Test
  void validateNamesTheLinesOfListFilesThatAreNotTaken() throws IOException {
    Files.writeString(folder.resolve("a.list"), "a.example expires=2026-12-01 # x\nfoo bar\n");
    Files.writeString(folder.resolve("b.list"), "spam.example\n\nexample.com\n192.0.2.25\n");
    String file = settings("allow: {files: ['*a.list']}\nblock: {files: [b.list]}\n");
    String own = "; mail that your users send through other servers would be refused; write";
    assertEquals(
        new Shell.Result(
            0,
            folder.resolve("a.list")
                + ":2:1: warning: text with blanks is no subject\n"
                + folder.resolve("b.list")
                + ":3:1: warning: example.com is your own domain"
                + own
                + " force=yes into the line if you mean it\n"
                + folder.resolve("b.list")
                + ":4:1: warning: 192.0.2.25 holds 192.0.2.25, which is your mail server or a"
                + " proxy that you trust; block the part that you mean; with force=yes the entry"
                + " is stored, and never_block still spares 192.0.2.25\n"
                + "0 errors, 3 warnings\n",
            ""),
        Shell.run("config", "validate", file));
  }

  /** With these settings a restart would leave mail without a gateway. */
  @Test
  void aCertificateThatKeepsTheGatewayFromStartingIsAnError() throws IOException {
    String file = settings("tls: {certificate: cert.pem, key: key.pem}\n");
    Path certificate = folder.resolve("cert.pem");
    String begin = file + ":5:1: tls.certificate: ";
    String end = "; the gateway does not start with it\n1 error, 0 warnings\n";
    assertEquals(
        new Shell.Result(
            1,
            begin + "cannot read " + certificate + " (there is no such file or folder)" + end,
            ""),
        Shell.run("config", "validate", file));
    Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n");
    assertEquals(
        new Shell.Result(
            1,
            begin
                + certificate
                + " ends inside a block; it was cut off, or is still being written"
                + end,
            ""),
        Shell.run("config", "validate", file));
  }
}

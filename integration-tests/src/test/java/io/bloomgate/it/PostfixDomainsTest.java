package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code init --domains-from-postfix} asks a real Postfix. Skipped where there is none. */
class PostfixDomainsTest {

  @TempDir private Path folder;

  @BeforeAll
  static void postfix() {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/postconf")), "no Postfix here");
  }

  private CommandLineInProcess.Result init(String main) throws IOException {
    Files.writeString(
        folder.resolve("main.cf"),
        "compatibility_level = 3.6\nmyhostname = mx1.example.com\nmydomain = example.com\n"
            + main.replace("FOLDER", folder.toString()));
    return CommandLineInProcess.run(
        Map.of("MAIL_CONFIG", folder.toString(), "PATH", "/usr/bin:/bin"),
        "init",
        "--downstream",
        "192.0.2.25",
        "--domains-from-postfix",
        "-c",
        settingsFile().toString());
  }

  private Path settingsFile() {
    return folder.resolve("bloomgate.yaml");
  }

  private Settings settings() {
    return assertInstanceOf(
            SettingsResult.Loaded.class, SettingsFile.load(settingsFile(), Map.of()))
        .settings();
  }

  @Test
  void namesReferencesAndTables() throws Exception {
    Files.writeString(
        folder.resolve("relay"), "relay.example  OK\nb\u00e4d\n".replace("b\u00e4d\n", ""));
    Files.writeString(folder.resolve("vmail"), "one.example\ntwo.example\n");
    Files.writeString(
        folder.resolve("virtual"), "alias.example x\njoe@alias.example joe\npostmaster joe\n");
    CommandLineInProcess.Result result =
        init(
            """
            mydestination = $myhostname, localhost.$mydomain, localhost, $mydomain, no_name.example
            relay_domains = lmdb:FOLDER/relay, partner.example
            virtual_mailbox_domains = FOLDER/vmail, mysql:FOLDER/domains.cf, !no.example
            virtual_alias_domains = hash:FOLDER/virtual
            """);
    assertEquals(0, result.exitCode(), result.err());
    Settings settings = settings();
    assertEquals(
        List.of("mx1.example.com", "example.com", ".partner.example", "alias.example"),
        settings.domainSources().named());
    assertEquals(
        List.of(".file:" + folder + "/relay", "file:" + folder + "/vmail"),
        settings.domainSources().files().stream().map(DomainFile::element).toList());
    assertEquals(
        List.of(
            "mx1.example.com",
            "example.com",
            ".partner.example",
            "alias.example",
            ".relay.example",
            "one.example",
            "two.example"),
        settings.domains());
    for (String line :
        List.of(
            "mydestination: localhost was not taken: no mail comes from outside for it",
            "mydestination: no_name.example was not taken: it is not a domain",
            "relay_domains: partner.example -> .partner.example",
            "virtual_mailbox_domains: mysql:" + folder + "/domains.cf was not taken: only tables",
            "virtual_mailbox_domains: !no.example was not taken: `domains` has no exceptions",
            "they were copied, because its text holds more than domains")) {
      assertTrue(result.out().contains(line), result.out());
    }
  }

  @Test
  void onlyExactWherePostfixSaysSo() throws Exception {
    init("mydestination =\nrelay_domains = a.example\nparent_domain_matches_subdomains =\n");
    assertEquals(List.of("a.example"), settings().domains());
  }

  @Test
  void aPostfixWithoutDomainsIsAnError() throws IOException {
    CommandLineInProcess.Result result = init("mydestination = localhost\nrelay_domains =\n");
    assertEquals(2, result.exitCode());
    assertTrue(result.err().contains("names no domain that was understood"), result.err());
  }

  @Test
  void aMachineWithoutPostfixIsAnError() throws IOException {
    CommandLineInProcess.Result result = init("no_such(\n");
    assertEquals(1, result.exitCode(), result.out());
    assertTrue(result.err().contains("Postfix was not asked"), result.err());
  }
}

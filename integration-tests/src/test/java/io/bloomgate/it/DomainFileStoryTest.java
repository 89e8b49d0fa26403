package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Own domains of a file: a change counts without a command, a broken file changes nothing. */
class DomainFileStoryTest extends Story {

  @BeforeEach
  void nameTheFile() {
    gateway
        .with("domains", "[example.com, \"file:" + folder + "/relay_domains\"]")
        .with("allow", "{never_block: [loopback, domains]}");
  }

  private void domains(String... lines) throws IOException {
    Files.writeString(folder.resolve("relay_domains"), String.join("\n", lines) + "\n");
  }

  private String rcpt(String to) throws IOException {
    return gateway.rcpt("198.18.0.1", "a@partner.example", to);
  }

  private boolean takes(String domain) throws IOException {
    return rcpt("bob@" + domain).startsWith("250");
  }

  @Test
  void aStartWithoutTheFileUsesTheNamesOfBefore() throws IOException {
    IllegalStateException failed = assertThrows(IllegalStateException.class, gateway::start);
    assertTrue(failed.getMessage().contains("relay_domains cannot be read"), failed.toString());
    domains("a.example");
    gateway.start();
    Conditions.await(
        "the names are kept", () -> Files.exists(folder.resolve("state").resolve("domains.kept")));
    assertTrue(takes("a.example"));
    gateway.close();
    Files.delete(folder.resolve("relay_domains"));
    gateway.start();
    assertTrue(takes("a.example"));
    assertTrue(gateway.status().toString().contains("the former names count"));
    CommandLineInProcess.Result checked =
        CommandLineInProcess.run("config", "validate", gateway.settingsFile().toString());
    assertEquals(0, checked.exitCode(), checked.out());
    assertTrue(checked.out().contains("2 domains: 1 of the settings, 1 of file:"));
    gateway.close();
  }
}

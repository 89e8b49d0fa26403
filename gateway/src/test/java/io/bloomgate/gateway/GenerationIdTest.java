package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The id by which an administrator sees whether the gateways of a fleet list the same. */
final class GenerationIdTest {

  @TempDir private Path directory;

  private Path secret(String text) throws Exception {
    Path file = Files.writeString(directory.resolve("secret"), text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** Of a new node; Redis is away, which changes nothing of this. */
  private Optional<String> id(String node, String list, String more) throws Exception {
    Path folder = Files.createDirectory(directory.resolve(node));
    GatewayHouse house =
        new GatewayHouse(folder)
            .more("fleet: {node: " + node + ", redis: \"redis://127.0.0.1:1\"" + more + "}")
            .write();
    Files.writeString(house.feed(), list);
    try (Gateway _ = house.start()) {
      house.refresh();
      return house.status().text("generation_id");
    }
  }

  @Test
  void nodesWithOneSecretThatListTheSameShareIt() throws Exception {
    String secret = ", secret_file: \"" + secret("a secret that all nodes have") + "\"";
    String first = id("mx1", "spam.example\n", secret).orElse("none");
    assertEquals(first, id("mx2", "spam.example\n", secret).orElse(""));
    assertFalse(id("mx3", "other.example\n", secret).orElse("").equals(first));
  }

  /** Random seeds would show ids that differ where the lists do not. */
  @Test
  void withoutASecretThereIsNone() throws Exception {
    assertEquals(Optional.empty(), id("mx1", "spam.example\n", ""));
  }
}

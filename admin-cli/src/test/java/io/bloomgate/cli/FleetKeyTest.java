package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fleet key}: which files it makes, who may read these, and what it does not replace. */
class FleetKeyTest {

  @TempDir Path folder;

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }

  @Test
  void makesThreeFilesAndReplacesNone() throws IOException {
    String file = folder.resolve("fleet").toString();
    Shell.Result made = Shell.run("fleet", "key", file).ends(0, file + ".pub");
    assertEquals(
        List.of("rw-------", "rw-------", "rw-r--r--"),
        List.of(mode("fleet"), mode("fleet.secret"), mode("fleet.pub")));
    String secret = Files.readString(folder.resolve("fleet.secret"));
    assertTrue(secret.matches("[0-9a-f]{64}\n"), "a secret of 256 bits");
    assertTrue(Files.readString(folder.resolve("fleet")).startsWith("-----BEGIN PRIVATE KEY-----"));
    assertFalse(made.out().contains(secret.strip()), "it is not shown");

    Files.delete(folder.resolve("fleet"));
    Shell.run("fleet", "key", file).fails(2, ".pub is there already");
    assertFalse(Files.exists(folder.resolve("fleet")), "all or nothing");
  }
}

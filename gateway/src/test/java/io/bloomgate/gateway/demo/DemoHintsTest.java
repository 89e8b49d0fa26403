package io.bloomgate.gateway.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.demo.Demo.DemoHints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that the demo prints run as they are, wherever its jars are. */
class DemoHintsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "gateway/target/bloomgate-gateway.jar, gateway/bin/bloomgate",
    "gateway/target/classes, gateway/bin/bloomgate",
    "usr/lib/bloomgate/gateway/bloomgate-gateway.jar, usr/bin/bloomgate"
  })
  void theLauncherOfTheClassesIsNamedWithItsPath(String code, String bin) throws IOException {
    Path launcher = folder.resolve(bin);
    Files.createDirectories(launcher.getParent());
    Files.createFile(
        launcher,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    assertEquals(launcher.toString(), DemoHints.command(folder.resolve(code)));
  }

  @Test
  void aPathIsOneWordOfAShell() {
    assertEquals("/tmp/demo1/control.sock", DemoHints.quoted("/tmp/demo1/control.sock"));
    assertEquals("'/tmp/my demo/x'", DemoHints.quoted("/tmp/my demo/x"));
    assertEquals("'/tmp/o'\\''k'", DemoHints.quoted("/tmp/o'k"));
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reload says of the list files that the settings name. */
final class ListFilesReloadTest {

  @TempDir private Path directory;

  @Test
  void eachReloadNamesTheLinesThatAreNotTaken() throws Exception {
    Path list =
        Files.writeString(
            directory.resolve("block.list"),
            "company.example\nfoo bar\ngmail.com\nyahoo.com force=yes\n");
    GatewayHouse house =
        new GatewayHouse(directory).more("block: {files: [\"" + list + "\"]}").write();
    try (Gateway _ = house.start()) {
      for (int reload = 0; reload < 2; reload++) {
        Answer answer = house.reload();
        assertEquals(0, answer.exitCode(), answer.toString());
        assertTrue(
            answer.says(list + ":1:1: warning: company.example is your own"), answer::toString);
        assertTrue(answer.says(list + ":2:1: warning: text with blanks"), answer::toString);
        assertTrue(answer.says(list + ":3:1: warning: gmail.com is protected"), answer::toString);
        assertTrue(answer.says("write force=yes into the line"), answer::toString);
        assertFalse(answer.says("yahoo.com"), answer::toString);
      }
      Files.writeString(list, "# nothing any more\n");
      house.reload();
      Answer answer = house.reload();
      assertFalse(answer.says("warning"), answer::toString);
    }
  }
}

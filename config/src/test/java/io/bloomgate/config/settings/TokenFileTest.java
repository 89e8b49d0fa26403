package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.SecretFile.UnusableException;
import io.bloomgate.config.settings.SettingsResult.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of names and tokens: what is read, what is refused, and that no message shows a token. */
final class TokenFileTest {

  private static final String TOKEN = "0123456789abcdef";

  @TempDir private Path folder;

  private Path file(String mode, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void namesAndTokensAreReadInTheirOrder() throws IOException {
    String lines = " ada \t " + TOKEN + "\r\nbob " + TOKEN + "! support\ncy " + TOKEN + "? read\n";
    Path file = file("rw-r-----", "# who\n\n" + lines);
    assertEquals(
        List.of(
            new TokenFile.Owned("ada", TOKEN, Role.ADMIN),
            new TokenFile.Owned("bob", TOKEN + "!", Role.SUPPORT),
            new TokenFile.Owned("cy", TOKEN + "?", Role.READ)),
        TokenFile.read(file));
    assertTrue(KeyFiles.problem(file, TokenFile::read).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "ada, line 1 is not a name",
    "ada 0123456789abcdef more, line 1 is not a name",
    "a/da 0123456789abcdef, line 1 is not a name",
    "ada short, the token of line 1 has less than 16 characters",
  })
  void aBadLineIsNamedWithoutItsToken(String line, String problem) throws IOException {
    Path file = file("rw-------", line + "\n");
    String message =
        String.valueOf(
            assertThrows(UnusableException.class, () -> TokenFile.read(file)).getMessage());
    assertTrue(message.contains(problem), message);
    assertFalse(message.contains(TOKEN), message);
  }

  @Test
  void namesAndTokensAreUnique() throws IOException {
    for (String second : new String[] {"ada " + TOKEN + "x", "bob " + TOKEN}) {
      Path file = file("rw-------", "ada " + TOKEN + "\n" + second + "\n");
      assertThrows(UnusableException.class, () -> TokenFile.read(file));
    }
  }

  @Test
  void settingsNameFilesThatOthersMayRead() throws IOException {
    Path open = file("rw-r--r--", "ada " + TOKEN + "\n");
    Path settings =
        Files.writeString(
            folder.resolve("bloomgate.yaml"),
            """
            domains: [example.com]
            downstream: {host: 192.0.2.1}
            admin: {http: 127.0.0.1:9190, token_file: FILE, write_tokens_file: FILE}
            """
                .replace("FILE", open.toString()));
    String problems =
        SettingsFile.load(settings, Map.of()) instanceof Invalid(var all) ? all.toString() : "";
    assertEquals(2, problems.split("others may read or change it", -1).length - 1, problems);
  }
}

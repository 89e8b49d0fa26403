package io.bloomgate.cli.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that only the settings and their files tell apart from usual words. */
class KnownSecretsTest {

  @TempDir private Path folder;

  @Test
  void tokensOfPersonsAndKeysInZonesAreKnown() throws Exception {
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, "ann\tannsTokenIsAWord\nbob  bobsTokenIsAWord\n");
    Path reading = folder.resolve("token");
    Files.writeString(reading, "theTokenThatReads\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(reading, PosixFilePermissions.fromString("rw-------"));
    Path file = folder.resolve("bloomgate.yaml");
    Files.writeString(
        file,
        """
        state_dir: %1$s/state
        downstream: {host: 127.0.0.1, port: 9}
        domains: [example.com]
        admin: {http: "127.0.0.1:9090", token_file: %1$s/token, write_tokens_file: %1$s/tokens}
        feeds:
          sources:
            own: {dns: shortkey.dbl.dq.spamhaus.net, checks: [sender_domain], timeout: 1s}
            uk: {dns: list.lists.example.co.uk, timeout: 1s}
            zen: {dns: zen.spamhaus.org, timeout: 1s}
        """
            .formatted(folder));
    SettingsResult read = SettingsFile.load(file, Map.of());
    SettingsResult.Loaded loaded =
        assertInstanceOf(SettingsResult.Loaded.class, read, read.toString());
    Mask mask = new Mask(KnownSecrets.of(loaded.settings()));
    assertEquals("ann *** bob ***", mask.text("ann annsTokenIsAWord bob bobsTokenIsAWord"));
    assertEquals("***.spamhaus.net", mask.text("ShortKey.dbl.dq.spamhaus.net"));
    assertEquals("***.co.uk", mask.text("list.lists.example.co.uk"));
    assertEquals("zen.spamhaus.org", mask.text("zen.spamhaus.org"));
  }
}

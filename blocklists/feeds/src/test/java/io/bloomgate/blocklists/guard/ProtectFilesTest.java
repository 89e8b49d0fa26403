package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the operator's own files and the gateway's own addresses keep out of every feed. */
class ProtectFilesTest {

  @TempDir private Path directory;

  private static ListEntry network(String text) {
    return new ListEntry.Network(IpPrefix.parse(text).toOptional().orElseThrow(), false, 1);
  }

  private static ListEntry name(String text) {
    DomainName name = DomainName.parse(text).toOptional().orElseThrow();
    return new ListEntry.Domain(name, NameMatch.SUFFIX, false, 1);
  }

  private static Optional<String> held(ProtectedSet set, ListEntry entry) {
    return new EntryGuard(FeedTest.DEFAULT_GUARD, false, List.of(set)).holds(entry);
  }

  @Test
  void filesProtectNetworksNamesAndTrees() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("protect.list"),
            """
            # partners
            198.51.100.0/24 # their pool\r
            partner.example
            .tree.example

            no entry
            """);
    ProtectFiles read = ProtectFiles.read(List.of(file));
    Optional<String> reason = Optional.of("protected by feeds.protect");
    assertEquals(reason, held(read.set(), network("198.51.100.7")));
    assertEquals(reason, held(read.set(), network("198.51.100.0/25")));
    assertEquals(Optional.empty(), held(read.set(), network("198.51.0.0/16")), "others are in it");
    assertEquals(Optional.empty(), held(read.set(), network("198.51.101.7")));
    assertEquals(reason, held(read.set(), name("partner.example")));
    assertEquals(Optional.empty(), held(read.set(), name("x.partner.example")));
    assertEquals(reason, held(read.set(), name("x.tree.example")));
    assertEquals(1, read.problems().size());
    assertEquals(true, read.problems().getFirst().startsWith(file + ":6: "), read.toString());
  }

  @Test
  void aFileThatIsNotThereIsNoEmptyFile() {
    assertThrows(
        NoSuchFileException.class, () -> ProtectFiles.read(List.of(directory.resolve("none"))));
  }

  @Test
  void theGatewaysOwnAddressesAndNameAreProtected() {
    Settings settings =
        switch (SettingsFile.parse(
            "test",
            """
            hostname: mx.company.example
            domains: [company.example]
            downstream: {host: 192.0.2.25}
            listeners:
              mx: {address: "198.51.100.25:25"}
              all: {address: "[::]:587"}
            """,
            Map.of(),
            () -> "mx.company.example")) {
          case SettingsResult.Loaded loaded -> loaded.settings();
          case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    ProtectedSet own =
        ProtectedSet.own(
            settings, List.of(IpAddress.parse("2001:db8::25").toOptional().orElseThrow()));
    Optional<String> reason = Optional.of("the gateway's own address or host name");
    assertEquals(reason, held(own, network("198.51.100.25")));
    assertEquals(Optional.empty(), held(own, network("198.51.100.0/24")), "others are in it");
    assertEquals(reason, held(own, network("2001:db8::25")));
    assertEquals(reason, held(own, name("mx.company.example")));
    assertEquals(Optional.empty(), held(own, network("198.51.100.26")));
    assertEquals(Optional.empty(), held(own, network("2001:db9::1")));
  }
}

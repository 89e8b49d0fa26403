package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.DnsList.Hosts;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists that are asked by DNS, and name servers, as settings files say them. */
class DnsSettingsTest {

  private static DnsList list(Loaded loaded, String name) {
    return Objects.requireNonNull(loaded.settings().feeds().dnsLists().get(name));
  }

  private static int address(int a, int b, int c, int d) {
    return a << 24 | b << 16 | c << 8 | d;
  }

  @Test
  void readsAZoneAndItsParts() {
    Loaded loaded =
        Reading.loaded(
            """
            dns: {servers: [127.0.0.1, "[::1]:5353"]}
            feeds:
              sources:
                pbl: {dns_of: zen, codes: [127.0.0.10-11], action: tag}
                zen:
                  dns: zen.dq.spamhaus.net
                  key_file: secrets/dqs
                  checks: [client_ip, helo]
                  codes: [127.0.0.2-9, 127.0.1.4]
                  timeout: 3s
                  action: reject
                  info_url: https://check.spamhaus.org/
                drop: {file: drop.txt}
            rules: {both: {all: [pbl, drop], action: reject}}
            """);
    assertEquals(
        List.of(new HostPort("127.0.0.1", 53), new HostPort("::1", 5353)),
        loaded.settings().dns().servers());
    assertEquals(Set.of("drop"), loaded.settings().feeds().sources().keySet());
    DnsList zen = list(loaded, "zen");
    assertEquals("zen.dq.spamhaus.net", zen.zone());
    assertEquals(Path.of("/etc/bg/secrets/dqs"), zen.keyFile());
    assertEquals(Set.of(Check.CLIENT_IP, Check.HELO), zen.checks());
    assertEquals(Duration.ofSeconds(3), zen.timeout());
    assertTrue(zen.codes().getFirst().contains(address(127, 0, 0, 9)));
    assertFalse(zen.codes().getFirst().contains(address(127, 0, 0, 10)));
    assertFalse(zen.codes().getFirst().contains(address(127, 0, 1, 4)));
    DnsList pbl = list(loaded, "pbl");
    assertEquals(zen.zone(), pbl.zone());
    assertEquals(zen.keyFile(), pbl.keyFile());
    assertEquals(zen.checks(), pbl.checks());
    assertEquals("zen", pbl.family(), "parts of one zone count once in rules");
    assertEquals(Action.TAG, pbl.action());
  }

  @Test
  void hasDefaults() {
    DnsList bl = list(Reading.loaded("feeds: {sources: {bl: {dns: bl.example}}}"), "bl");
    assertEquals(Set.of(Check.CLIENT_IP), bl.checks());
    assertEquals(Duration.ofSeconds(2), bl.timeout());
    assertEquals(Action.OBSERVE, bl.action());
    assertEquals("test", bl.testName());
    assertTrue(bl.codes().getFirst().contains(address(127, 0, 0, 255)));
    assertFalse(bl.codes().getFirst().contains(address(127, 0, 0, 1)));
  }

  @Test
  void readsListsAboutTheContent() {
    Loaded loaded =
        Reading.loaded(
            """
            feeds:
              sources:
                uribl: {dns: multi.example, checks: [url_host, from_domain], hosts: [registered, addresses],
                        bits: [2], test_name: test.uribl.com}
                grey: {dns_of: uribl, checks: [url_host], bits: [4, 8], codes: [127.0.1.2]}
                zen: {dns: zen.example, checks: [client_ip, url_host]}
                hbl: {dns: hbl.example, checks: [attachment], test_name: AB._cw}
            """);
    assertEquals(List.of(), loaded.warnings());
    DnsList uribl = list(loaded, "uribl");
    assertEquals(Set.of(Check.URL_HOST, Check.FROM_DOMAIN), uribl.checks());
    assertEquals(Set.of(Hosts.REGISTERED, Hosts.ADDRESSES), uribl.hosts());
    assertEquals(List.of("bit 2"), uribl.codes().stream().map(DnsList.Codes::text).toList());
    assertTrue(uribl.hasBits());
    assertTrue(uribl.codes().getFirst().contains(address(127, 0, 0, 14)));
    assertFalse(uribl.codes().getFirst().contains(address(127, 0, 0, 3)), "bit 1: refused");
    assertFalse(uribl.codes().getFirst().contains(address(127, 0, 1, 2)));
    DnsList grey = list(loaded, "grey");
    assertEquals(uribl.hosts(), grey.hosts());
    assertEquals(
        List.of("bit 4", "bit 8", "127.0.1.2"),
        grey.codes().stream().map(DnsList.Codes::text).toList());
    assertEquals(Set.of(Hosts.ADDRESSES), list(loaded, "zen").hosts());
    assertEquals(Set.of(Hosts.NAMES), list(loaded, "hbl").hosts());
    assertEquals("ab._cw", list(loaded, "hbl").testName());
  }

  /** What is warned of; none of it may hide the settings. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          zen: {dns: zen.dq.spamhaus.net} | the zones of dq.spamhaus.net answer only with a key
          zen: {dns: abcdefghijklm.zen.dq.spamhaus.net} | the key is a part of the zone's name
          names: {dns: z.example, checks: [helo, sender_domain]} | the list is tested with the name `test`
          """)
  void warnsOfListsThatWillNotDoWhatIsMeant(String sources, String message) {
    List<Problem> warnings = Reading.loaded("feeds: {sources: {" + sources + "}}\n").warnings();
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().toString().contains(message), warnings::toString);
  }

  @Test
  void warnsOfPublicResolversOnlyWhereThereAreDnsLists() {
    String servers = "dns: {servers: [127.0.0.1, 8.8.8.8, \"[2620:fe:0::fe]:53\"]}\n";
    assertEquals(List.of(), Reading.loaded(servers).warnings());
    List<Problem> warnings =
        Reading.loaded(servers + "feeds: {sources: {a: {dns: z.example}}}").warnings();
    assertEquals(2, warnings.size(), warnings::toString);
    assertTrue(
        warnings.getFirst().toString().contains("through the public resolver 8.8.8.8"),
        warnings::toString);
  }

  @Test
  void warnsOfAKeyThatCannotBeUsed(@TempDir Path folder) throws IOException {
    Path key = folder.resolve("key");
    assertTrue(warningsWith(folder).contains("there is no such file"), warningsWith(folder));
    Files.writeString(key, "");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    assertTrue(warningsWith(folder).contains("it is empty"), warningsWith(folder));
    Files.writeString(key, "abcdef");
    assertEquals("[]", warningsWith(folder));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(warningsWith(folder).contains("others may read or change it"), warningsWith(folder));
    assertFalse(warningsWith(folder).contains("abcdef"), "the key is not shown");
  }

  private static String warningsWith(Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("d.yaml"),
            """
            domains: [example.com]
            hostname: mx.example.com
            downstream: {host: mail.example.com}
            feeds: {sources: {zen: {dns: z.example, key_file: key}}}
            """);
    SettingsResult result = SettingsFile.load(file, Map.of());
    return assertInstanceOf(Loaded.class, result, result::toString).warnings().toString();
  }

  @Test
  void aFileThatMayNotBeLookedAtIsNoWarning(@TempDir Path folder) throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path key = Files.writeString(closed.resolve("key"), "");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    // The superuser may look at it.
    boolean seen = Files.exists(key);
    assertEquals(seen, KeyFiles.problem(key, SecretFile::read).isPresent());
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
  }
}

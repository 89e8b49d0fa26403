package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.SettingsResult.Invalid;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists that are asked by DNS, and name servers, as settings files say them. */
class DnsSettingsTest {

  private static SettingsResult parse(String more) {
    String yaml = "domains: [example.com]\ndownstream: {host: mail.example.com}\n" + more;
    return SettingsFile.parse("/etc/bg/d.yaml", yaml, Map.of(), () -> "mx.example.com");
  }

  private static Loaded loaded(String more) {
    SettingsResult result = parse(more);
    return assertInstanceOf(Loaded.class, result, result::toString);
  }

  private static DnsList list(Loaded loaded, String name) {
    return Objects.requireNonNull(loaded.settings().feeds().dnsLists().get(name));
  }

  private static int address(int a, int b, int c, int d) {
    return a << 24 | b << 16 | c << 8 | d;
  }

  @Test
  void readsAZoneAndItsParts() {
    Loaded loaded =
        loaded(
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
    DnsList bl = list(loaded("feeds: {sources: {bl: {dns: bl.example}}}"), "bl");
    assertEquals(Set.of(Check.CLIENT_IP), bl.checks());
    assertEquals(Duration.ofSeconds(2), bl.timeout());
    assertEquals(Action.OBSERVE, bl.action());
    assertEquals("test", bl.testName());
    assertTrue(bl.codes().getFirst().contains(address(127, 0, 0, 255)));
    assertFalse(bl.codes().getFirst().contains(address(127, 0, 0, 1)));
  }

  @Test
  void nothingIsAskedWithoutTheSection() {
    Settings settings = loaded("").settings();
    assertTrue(settings.feeds().dnsLists().isEmpty());
    assertTrue(settings.dns().servers().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          feeds: {sources: {bl: {dns: "not a zone"}}} | not a zone
          feeds: {sources: {bl: {dns: bl.example, codes: [128.0.0.2]}}} | outside 127.0.0.0/8
          feeds: {sources: {bl: {dns: bl.example, codes: [127.0.0.9-2]}}} | out of order
          feeds: {sources: {bl: {dns: bl.example, codes: [127.0.0.300]}}} | out of order
          feeds: {sources: {bl: {dns: bl.example, codes: [127.255.255.254]}}} | report errors
          feeds: {sources: {bl: {dns: bl.example, codes: [two]}}} | not an answer of a DNS list
          feeds: {sources: {bl: {dns: bl.example, checks: [sender]}}} | sender
          feeds: {sources: {bl: {dns: bl.example, checks: []}}} | asked about nothing
          feeds: {sources: {bl: {dns: bl.example, timeout: 1h}}} | 1h
          feeds: {sources: {bl: {dns: bl.example, url: "https://h.example/"}}} | url
          feeds: {sources: {bl: {dns: bl.example, stale_after: 3d}}} | stale_after
          feeds: {sources: {bl: {dns_of: zen}}} | not a source with `dns`
          feeds: {sources: {bl: {dns_of: bl}}} | not a source with `dns`
          feeds: {sources: {zen: {dns: z.example}, bl: {dns: b.example, dns_of: zen}}} | `dns` and `dns_of`
          dns: {servers: [resolver.example]} | resolver.example
          dns: {servers: ["127.0.0.1:0x"]} | 0x
          """)
  void namesWhatIsWrong(String yaml, String message) {
    SettingsResult result = parse(yaml + "\n");
    Invalid invalid = assertInstanceOf(Invalid.class, result, result::toString);
    assertTrue(
        invalid.problems().stream().anyMatch(p -> p.toString().contains(message)),
        () -> invalid.problems().toString());
  }
}

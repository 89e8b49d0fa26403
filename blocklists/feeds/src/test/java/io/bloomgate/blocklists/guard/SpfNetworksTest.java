package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of several providers, and those that try to be more than they are. */
final class SpfNetworksTest {

  private final Map<String, List<String>> records = new HashMap<>();

  private List<String> networks(String... names) throws IOException {
    return SpfNetworks.of(List.of(names), name -> records.getOrDefault(name, List.of())).stream()
        .map(IpPrefix::toString)
        .toList();
  }

  @Test
  void includesAndRedirectsAreFollowedAndNarrowerNetworksLeftOut() throws IOException {
    records.put(
        "a.example",
        List.of(
            "other text",
            "v=spf1 ip4:192.0.2.0/24 +ip4:192.0.2.7 ip6:2001:db8::/32 include:b.example a mx"
                + " -ip4:198.51.100.0/24 exists:%{i}.x.example include:%{d}.y redirect=c.example"));
    records.put("b.example", List.of("v=spf1 ip4:203.0.113.9 include:a.example ~all"));
    records.put("c.example", List.of("v=spf1 ip4:203.0.113.128/25 -all"));
    assertEquals(
        List.of("192.0.2.0/24", "203.0.113.9", "203.0.113.128/25", "2001:db8::/32"),
        networks("a.example"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v=spf1 a -all | names no network",
        "v=spf1 ip4:0.0.0.0/1 | names 2147483648 IPv4 addresses",
        "v=spf1 ip6:::/0 | names 18446744073709552000 IPv6 networks of /64",
        "v=spf1 ip4:20.0.0.0/10 ip4:40.0.0.0/10 ip4:60.0.0.0/32 | names 8388609 IPv4 addresses",
        "v=spf1 ip6:2a00::/28 ip6:2b00::/64 | names 68719476737 IPv6 networks of /64",
        "v=spf1 ip4:192.0.2.300 | cannot be read",
        "v=spf1 include:none.example | 0 SPF records",
        "v=spf10 ip4:192.0.2.1 | 0 SPF records",
      })
  void aRecordThatCannotBeBelievedIsNamed(String text, String problem) {
    records.put("a.example", List.of(text));
    IOException e = assertThrows(IOException.class, () -> networks("a.example"));
    assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
  }

  @Test
  void asMuchAsALargeProviderHasIsBelieved() throws IOException {
    // What lies inside another network counts once.
    records.put(
        "a.example",
        List.of(
            "v=spf1 ip4:20.0.0.0/10 ip4:40.0.0.0/10 ip4:20.1.0.0/16 ip6:2a00::/28"
                + " ip6:2a00::/32"));
    assertEquals(List.of("20.0.0.0/10", "40.0.0.0/10", "2a00::/28"), networks("a.example"));
  }

  /** All of IPv4, in networks that one by one are not too wide. */
  @Test
  void manyWideNetworksTogetherAreNotBelieved() {
    StringBuilder record = new StringBuilder("v=spf1");
    for (int i = 4; i < 892; i++) {
      record.append(" ip4:").append(i / 4).append('.').append(i % 4 * 64).append(".0.0/10");
    }
    records.put("a.example", List.of(record.toString()));
    IOException e = assertThrows(IOException.class, () -> networks("a.example"));
    assertEquals(
        "a.example names 3724541952 IPv4 addresses in all, which is too much to be believed: at"
            + " most 8388608 of one provider",
        e.getMessage());
  }

  @Test
  void everyShippedProviderIsSmallEnough() throws IOException {
    for (MailProviders.Provider provider : MailProviders.providers()) {
      List<String> terms =
          provider.networks().stream()
              .map(network -> (network.isV4() ? "ip4:" : "ip6:") + network)
              .toList();
      records.put("a.example", List.of("v=spf1 " + String.join(" ", terms)));
      assertEquals(terms.size(), networks("a.example").size(), provider.name());
      assertTrue(!provider.name().isBlank() && !terms.isEmpty(), provider.name());
    }
    assertTrue(MailProviders.providers().size() >= 7);
    assertEquals(List.of("_spf.google.com"), MailProviders.providers().getFirst().records());
  }

  @Test
  void endlessIncludesEnd() {
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                SpfNetworks.of(
                    List.of("a.example"),
                    name -> List.of("v=spf1 include:x" + name + " include:y" + name)));
    assertTrue(String.valueOf(e.getMessage()).contains("more than 50 records"), e.getMessage());
  }
}

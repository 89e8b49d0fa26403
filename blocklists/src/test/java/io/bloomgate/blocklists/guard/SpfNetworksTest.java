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
        "v=spf1 ip4:0.0.0.0/1 | too wide",
        "v=spf1 ip6:2000::/3 | too wide",
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

  @Test
  void everyShippedProviderHasANameAndNetworks() {
    assertTrue(MailProviders.providers().size() >= 7);
    for (MailProvider provider : MailProviders.providers()) {
      assertTrue(!provider.name().isBlank() && !provider.networks().isEmpty(), provider.name());
    }
    assertEquals(List.of("_spf.google.com"), MailProviders.providers().getFirst().records());
  }
}

package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.testkit.KeptSession;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code explain} says of the filters that a kept session was asked of. */
final class IncidentListingsTest {

  private static final String LIFTED = "allowed by the operator";

  private static Settings settings() {
    String text =
        """
        domains: [company.example]
        downstream: {host: 127.0.0.1}
        feeds:
          sources:
            drop: {file: /feeds/drop.txt, format: lines, action: reject}
        """;
    return SampleStatus.settings(text);
  }

  private static String bloom(Evidence.Listing... listings) {
    return Json.write(JsonRecords.of(listings(listings).bloom()));
  }

  private static IncidentListings listings(Evidence.Listing... listings) {
    Evidence session = new KeptSession().listings(List.of(listings)).evidence();
    return new IncidentListings(session, settings(), Optional.empty(), Optional.empty());
  }

  private static Evidence.Listing listing(Check check, String subject, String list, String pardon) {
    return new Evidence.Listing(check, subject, list, subject, 1, Action.REJECT, pardon);
  }

  @ParameterizedTest
  @CsvSource({
    "SENDER_DOMAIN,junk.example,domain",
    "SENDER,news@junk.example,address",
    "CLIENT_IP,203.0.113.7,ip",
    "URL,evil.example/a,url",
    "URL_HOST,evil.example,domain",
    "FROM,news@junk.example,address"
  })
  void aListingOfAcceptedMailThatWasLiftedWasFoundByItsFilter(
      Check check, String subject, String filter) {
    assertEquals(
        "{\"filter\":\"" + filter + "\",\"hit\":true,\"confirmed\":true}",
        bloom(listing(check, subject, "drop", LIFTED)));
  }

  @Test
  void mailWithoutAListingHitNoFilter() {
    String none = "{\"filter\":\"ip\",\"hit\":false,\"confirmed\":false}";
    assertEquals(none, bloom());
    assertEquals(none, bloom(listing(Check.CLIENT_IP, "203.0.113.7", "operator", LIFTED)));
  }
}

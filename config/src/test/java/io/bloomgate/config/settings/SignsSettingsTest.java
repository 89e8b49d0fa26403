package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The section {@code signs}, and signs as members of rules, as settings files say them. */
class SignsSettingsTest {

  private static final String FEED = "feeds: {sources: {a: {file: a.txt}}}\n";

  private static Loaded loaded(String more) {
    return Reading.loaded(FEED + more);
  }

  @Test
  void nothingCountsUnlessItIsNamed() {
    assertEquals(Map.of(), loaded("").settings().signs());
    assertEquals(
        Set.of(Check.CLIENT_IP, Check.HELO, Check.SENDER, Check.SENDER_DOMAIN),
        loaded("").settings().feeds().sources().values().iterator().next().checks(),
        "no list is asked for a name that has to be looked up");
  }

  @Test
  void aForwarderIsNoExemptNetworkAndNoBigPartOfTheInternet() {
    String both = "policy: {forwarders: [192.0.2.0/24], exempt_networks: [192.0.2.0/25]}\n";
    String said = loaded(both).warnings().toString();
    assertTrue(said.contains("192.0.2.0/24 overlaps exempt_networks, which win"), said);
    said = loaded("policy: {forwarders: [16.0.0.0/4]}\n").warnings().toString();
    assertTrue(said.contains("16.0.0.0/4 is wider than /8"), said);
    assertEquals(List.of(), loaded("policy: {forwarders: [192.0.2.0/24]}\n").warnings());
  }

  @Test
  void aRuleMayGreylistByAListThatIsAboutClientsToo() {
    Object _ =
        Reading.loaded(
            """
            feeds: {sources: {a: {file: a.txt, format: urls, checks: [client_ip, url]}}}
            rules: {weak: {any: 1, of: [a], action: greylist}}
            """);
  }

  @Test
  void signsHaveActionsAndMayBeMembersOfRules() {
    Loaded loaded =
        loaded(
            """
            signs: {generic_name: {action: tag}, no_reverse_name: {}}
            rules: {weak: {any: 2, of: [a, generic_name], action: reject}}
            """);
    assertEquals(
        Map.of(Sign.GENERIC_NAME, Action.TAG, Sign.NO_REVERSE_NAME, Action.OBSERVE),
        loaded.settings().signs());
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void anEarlyTalkerIsSeenOnlyWhereTheBannerWaits() {
    String sign = "signs: {early_talker: {action: tag}}\n";
    assertTrue(loaded(sign).warnings().toString().contains("no listener has a banner_delay"));
    assertEquals(
        List.of(),
        loaded(sign + "listeners: {mx: {address: '[::]:2525', banner_delay: 6s}}\n").warnings());
  }

  @Test
  void aSignThatIsAFaultOfDnsMayNotRefuseAloneWithoutAWarning() {
    String warned =
        loaded("signs: {no_reverse_name: {action: reject}, own_name_in_helo: {action: reject}}\n")
            .warnings()
            .toString();
    assertTrue(warned.contains("the sign no_reverse_name alone hits good senders too"), warned);
    assertFalse(warned.contains("own_name_in_helo"), warned);
  }
}

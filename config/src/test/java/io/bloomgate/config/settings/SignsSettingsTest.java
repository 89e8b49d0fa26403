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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Nobody can be asked to come again with the same content. */
  @Test
  void whatMailsCarryIsNotGreylisted() {
    String feed = "feeds: {sources: {a: {file: a.txt, format: urls, checks: [CHECKS]%s}}}\n";
    String said =
        Reading.problems(feed.formatted(", action: greylist").replace("CHECKS", "client_ip, url"))
            .toString();
    assertTrue(said.contains("greylist has no effect on what mails carry (url)"), said);
    String rule = "rules: {weak: {any: 1, of: [a], action: greylist}}\n";
    String saidOfRule =
        Reading.problems(feed.formatted("").replace("CHECKS", "url") + rule).toString();
    assertTrue(saidOfRule.contains("the rule weak greylists"), saidOfRule);
    Object _ = Reading.loaded(feed.formatted("").replace("CHECKS", "client_ip, url") + rule);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          signs: {generic_nam: {action: tag}} | `generic_nam` is not a sign; did you mean `generic_name`?
          signs: {generic_name: {action: trust}} | has the action trust; trust is for lists
          signs: {generic_name: {acton: tag}} | did you mean `action`?
          signs: {generic_name: tag} | write its keys below it, indented, for example `generic_name: {action: observe}`
          signs: tag | for example `signs: {no_reverse_name: {action: observe}}`
          greylist: off | `greylist` is a section; write its keys below it, indented, for example `greylist: {delay: 5m}`
          signs: {bulk: {action: tag}} | is no reason to act alone: newsletters have many copies, too
          {signs: {bulk: {}}, rules: {r: {any: 1, of: [bulk], action: tag}}} | the rule r is met by bulk alone
          {signs: {bulk: {}}, rules: {r: {all: [bulk], action: tag}}} | the rule r is met by bulk alone
          signs: {odd_letters: {action: greylist}} | the sign odd_letters greylists
          content: {brands: [paypal]} | `paypal` is not a domain of a brand
          content: {brands: [192.0.2.1]} | is an address, not a domain
          policy: {forwarders: [mx.example.com]} | `mx.example.com` is not a network
          content: {bulk: {networks: many}} | `many`
          content: {bulk: {networks: 1}} | 2
          signs: {generic_name: {action: block}} | is not one of: observe, tag, greylist, tempfail, reject
          rules: {r: {any: 1, of: [generic_name], action: tag}} | `generic_name` is a sign that the section signs does not name; write signs: {generic_name: {action: observe}}
          {signs: {early_talker: {}}, rules: {early_talker: {any: 1, of: [a], action: tag}}} | has the name of a list
          """)
  void saysWhatIsWrong(String more, String message) {
    String lines =
        more.startsWith("{")
            ? more.substring(1, more.length() - 1).replace(", rules:", "\nrules:")
            : more;
    String said = Reading.problems(FEED + lines + "\n").toString();
    assertTrue(said.contains(message), said);
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

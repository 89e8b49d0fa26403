package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.domain;
import static io.bloomgate.blocklists.decision.World.ip;
import static io.bloomgate.blocklists.decision.World.prefix;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From settings to policy. */
class PolicyTest {

  private static final String SETTINGS =
      """
      domains: [example.com, .corp.example]
      downstream: {host: 10.0.0.5}
      listeners:
        mx: {proxy_protocol: v2, trusted_proxies: [192.0.2.1], xclient_from: [192.0.2.2/31]}
      policy: {exempt_recipients: [Postmaster], exempt_networks: [198.51.100.0/24], on_error: tempfail}
      feeds:
        sources:
          web: {url: "https://lists.example/drop.txt", format: ips, action: tag, stale_after: 1d}
          local: {file: /etc/bloomgate/local.txt, format: lines}
      """;

  private static Settings settings(String text) {
    return switch (SettingsFile.parse("test.yaml", text, Map.of(), () -> "mx.example.com")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
    };
  }

  private static Policy policy(String text) {
    return PolicyFactory.policy(settings(text), Set.of(), List.of(ip("10.0.0.6")), List.of());
  }

  private static ProtectedSet set(Policy policy, String word) {
    return policy.protectedSets().stream()
        .filter(set -> set.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new AssertionError(word));
  }

  @Test
  void feedsKeepTheirOrderAndFilesDoNotAge() {
    Policy policy = policy(SETTINGS);
    Policy.FeedRule web = policy.feeds().get("web");
    Policy.FeedRule local = policy.feeds().get("local");
    assertTrue(web != null && local != null);
    assertEquals(0, web.order());
    assertEquals(Action.TAG, web.action());
    assertEquals(Duration.ofDays(1), web.staleAfter());
    assertEquals(1, local.order());
    assertNull(local.staleAfter());
    assertNull(local.expireAfter());
    assertEquals(Settings.Policy.OnError.TEMPFAIL, policy.onError());
  }

  @Test
  void disabledFeedsDoNotCount() {
    Policy policy = PolicyFactory.policy(settings(SETTINGS), Set.of("web"), List.of(), List.of());
    assertEquals(Set.of("local"), policy.feeds().keySet());
  }

  @Test
  void downstreamCoversEveryHostThatSpeaksForUs() {
    ProtectedSet downstream = set(policy(SETTINGS), "downstream");
    for (String inside :
        List.of("10.0.0.5", "10.0.0.6", "192.0.2.1", "192.0.2.3", "198.51.100.200")) {
      assertTrue(downstream.networks().stream().anyMatch(n -> n.contains(ip(inside))), inside);
    }
    assertFalse(downstream.networks().stream().anyMatch(n -> n.contains(ip("10.0.0.7"))));
    Policy named = policy("{domains: [example.com], downstream: {host: mail.example.net}}");
    assertEquals(Set.of(domain("mail.example.net")), set(named, "downstream").names());
  }

  @Test
  void eachSetIsThereByDefaultAndNoneWhenSwitchedOff() {
    Policy policy = policy(SETTINGS);
    assertEquals(
        List.of(
            "private", "loopback", "downstream", "domains", "mail-providers", "public-suffixes"),
        policy.protectedSets().stream().map(ProtectedSet::word).toList());
    assertTrue(set(policy, "private").networks().contains(prefix("10.0.0.0/8")));
    assertTrue(set(policy, "loopback").networks().contains(prefix("::1")));
    assertEquals(Set.of(domain("example.com")), set(policy, "domains").names());
    assertEquals(List.of(domain("corp.example")), set(policy, "domains").trees());
    assertTrue(set(policy, "mail-providers").names().contains(domain("gmail.com")));
    assertTrue(set(policy, "public-suffixes").publicSuffixes());
    assertEquals(List.of(), policy(SETTINGS + "allow: {never_block: []}\n").protectedSets());
  }

  @Test
  void exemptRecipientsAreCaseBlindAndAtOwnDomains() {
    Policy policy = policy(SETTINGS);
    assertTrue(isExempt(policy, "postmaster", true));
    assertFalse(isExempt(policy, "postmaster", false));
    assertFalse(isExempt(policy, "abuse", true), "not in these settings");
  }

  private static boolean isExempt(Policy policy, String localPart, boolean ownDomain) {
    Recipients.Own own =
        policy.recipients().of(new Facts.Recipient(localPart, "example.com", ownDomain), World.NOW);
    return own != null && own.profile().isExempt();
  }

  @Test
  void widthRulesKnowOwnDomainsAndDownstream() {
    var rules = PolicyFactory.widthRules(settings(SETTINGS), List.of(ip("10.0.0.6")));
    for (Subject subject :
        List.<Subject>of(
            prefix("10.0.0.6"),
            prefix("192.0.2.0/24"),
            domain("example.com"),
            domain("mail.corp.example"))) {
      assertTrue(
          rules.check(NewEntry.of(ListKind.BLOCK, subject, "")).isPresent(), subject.toString());
    }
    assertTrue(rules.check(NewEntry.of(ListKind.ALLOW, domain("co.uk"), "")).isPresent());
  }
}

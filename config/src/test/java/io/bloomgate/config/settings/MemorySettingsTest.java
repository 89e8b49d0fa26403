package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The memory of the section {@code traps}, and the feeds and the rule that it makes. */
class MemorySettingsTest {

  private static Settings settings(String more) {
    return Reading.loaded(more).settings();
  }

  private static Source feed(Settings settings, String name) {
    return Objects.requireNonNull(settings.feeds().sources().get(name), name);
  }

  @Test
  void nothingIsRememberedUnlessAsked() {
    assertNull(settings("").memory());
    assertNull(settings("traps: {keep: none}").memory());
    assertNull(settings("traps: {sightings: 3}").memory());
    assertTrue(settings("").feeds().sources().isEmpty());
    assertEquals(
        Duration.ofDays(30),
        Objects.requireNonNull(settings("reports: {address: spam@example.com}").memory()).keep());
  }

  @Test
  void itsListsAreFeeds() {
    Settings on = settings("traps: {keep: 30d}\nfeeds: {guard: {max_invalid: 7%}}");
    assertEquals(MemorySettings.LISTS, List.copyOf(on.feeds().sources().keySet()));
    Source strong = feed(on, MemorySettings.STRONG);
    assertEquals(Action.TAG, strong.action());
    assertEquals(Set.of(Check.URL, Check.URL_HOST, Check.BODY), strong.checks());
    assertEquals(
        new Location.Files(Path.of("/var/lib/bloomgate/own-memory.list").toString()),
        strong.location());
    assertEquals(0.07, strong.guard().maxInvalid());
    assertEquals(0, strong.guard().maxGoodHits());
    assertEquals(Double.POSITIVE_INFINITY, strong.guard().maxGrowth(), "empty at first");
    assertEquals(Action.TAG, feed(on, MemorySettings.WEAK).action());
    assertEquals(Action.TAG, feed(on, MemorySettings.SENDERS).action());
    assertEquals(Action.GREYLIST, feed(on, MemorySettings.NETWORKS).action());
    assertTrue(
        on.feeds().sources().values().stream().allMatch(f -> f.family().equals("own-memory")));
  }

  /** A known sender is tagged at most, so refusing is left to a rule. */
  @Test
  void aRuleRefuses() {
    Rule rule = settings("traps: {keep: 30d}").rules().get(MemorySettings.RULE);
    assertEquals(
        new Rule(
            MemorySettings.RULE,
            1,
            false,
            List.of("own-memory"),
            Action.REJECT,
            true,
            Rule.Where.ANYWHERE),
        rule);
    assertTrue(settings("traps: {keep: 30d, action: tag}").rules().isEmpty());
    Settings watched = settings("traps: {keep: 30d, action: observe, weak_action: observe}");
    assertEquals(Action.OBSERVE, feed(watched, MemorySettings.STRONG).action());
    assertTrue(watched.rules().isEmpty());
  }

  @Test
  void rulesOfTheOperatorMayNameItsLists() {
    Settings on =
        settings(
            "traps: {keep: 30d}\n"
                + "rules: {r: {all: [own-memory-weak, own-memory-senders], action: reject}}");
    assertEquals(List.of("r", MemorySettings.RULE), List.copyOf(on.rules().keySet()));
  }

  @Test
  void whatKeepsItFromRefusingIsSaid() {
    Loaded loaded = Reading.loaded("traps: {keep: 30d}\nsessions: {retain: 7d}");
    assertTrue(loaded.warnings().toString().contains("no more than tag"), loaded::toString);
    assertFalse(
        Objects.requireNonNull(loaded.settings().memory()).knowsGoodMail(loaded.settings()));
  }
}

package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.guard.FirstListed;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Since when a feed lists an entry, against a plain history; and which version says so. */
class ListingOriginTest extends RefreshStories {

  private static final String NO_GUARD =
      ", guard: {max_shrink: 100%, max_growth: 100000%, max_turnover: none}";

  /** Entries of every kind, each with the key that only it lists. */
  private static Map<String, ListKey> entries() {
    Map<String, ListKey> all = new LinkedHashMap<>();
    for (int i = 1; i <= 12; i++) {
      all.put("203.0.113." + i, ip("203.0.113." + i));
      all.put("198.51." + i + ".0/24", ip("198.51." + i + ".77"));
      all.put("192.0.2." + 16 * i + "-192.0.2." + (16 * i + 2), ip("192.0.2." + (16 * i + 2)));
      all.put("2001:db8:" + i + "::/48", ip("2001:db8:" + i + "::5"));
      all.put("spam" + i + ".example", domain("spam" + i + ".example"));
      all.put("a" + i + "@mail.example", address("a" + i + "@mail.example"));
    }
    return all;
  }

  private static ListKey ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static DomainName domain(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static MailAddress address(String text) {
    return MailAddress.parse(text).toOptional().orElseThrow();
  }

  private static @Nullable Listing listing(RefreshStage stage, ListKey key) {
    return stage.live.current().ask(key) instanceof ListAnswer.Listed(var filter, var listings)
        ? listings.getFirst()
        : null;
  }

  private ListingOrigin origin(RefreshStage stage, ListKey key) throws Exception {
    Listing listing = Objects.requireNonNull(listing(stage, key), key::toString);
    return ListingOrigin.of(stateDir, stage.live.current().manifest(), listing).orElseThrow();
  }

  @Test
  void everyEntryIsListedSinceTheFirstVersionThatHasItWithoutAGap() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Map<String, ListKey> all = entries();
    Map<String, Instant> since = new LinkedHashMap<>();
    Instant now = START;
    for (int version = 1; version <= 25; version++) {
      List<String> listed = new ArrayList<>();
      listed.add("192.0.2.250");
      listed.add("2001:db8:ffff::/48"); // or the first ones would be growth without bounds
      for (String entry : all.keySet()) {
        boolean keep = random.nextInt(100) < (since.containsKey(entry) ? 85 : 25);
        if (!keep) {
          since.remove(entry);
        } else {
          since.putIfAbsent(entry, now);
          listed.add(entry);
        }
      }
      server.serve("/list", String.join("\n", listed) + "\n");
      // Each version in another gateway: everything must be on disk.
      try (RefreshStage s = new RefreshStage(stateDir, now, url("bad", "/list", NO_GUARD))) {
        s.refresher.tick();
        for (Map.Entry<String, ListKey> entry : all.entrySet()) {
          String what = "seed " + seed + " version " + version + " " + entry.getKey();
          Instant expected = since.get(entry.getKey());
          assertEquals(expected != null, listing(s, entry.getValue()) != null, what);
          if (expected != null) {
            ListingOrigin origin = origin(s, entry.getValue());
            assertEquals(expected, origin.since(), what);
            assertEquals(expected.equals(START), origin.atLeast(), what);
          }
        }
      }
      now = now.plus(HOUR.multipliedBy(2));
    }
  }

  @Test
  void theVersionIsNamedAndTheFeedsOwnReference() throws Exception {
    server.serve(
        "/json",
        """
        {"cidr":"203.0.113.0/24","sblid":"SBL256894","rir":"arin"}
        {"type":"metadata","timestamp":1763700000,"size":90,"records":1}
        """);
    server.serve("/list", "# list\n198.51.100.0/24 ; SBL77 \u001b[2J\n198.51.101.7\n");
    try (RefreshStage s =
        stage(url("drop", "/json", ", format: spamhaus-json"), url("plain", "/list", NO_GUARD))) {
      s.refresher.tick();
      ListingOrigin drop = origin(s, ip("203.0.113.9"));
      assertEquals("SBL256894", drop.reference());
      FirstListed.Version version = Objects.requireNonNull(drop.version());
      assertEquals(1, version.number());
      assertEquals(START, version.fetched());
      assertEquals(64, version.sha256().length());
      assertEquals("SBL77  [2J", origin(s, ip("198.51.100.9")).reference());
      assertNull(origin(s, ip("198.51.101.7")).reference());
    }
  }

  @Test
  void aDamagedHistoryIsKnownToBeginLater() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage(url("bad", "/list", NO_GUARD))) {
      s.refresher.tick();
    }
    server.serve("/list", ips(0, 11));
    try (RefreshStage s =
        new RefreshStage(
            stateDir, START.plus(HOUR.multipliedBy(2)), url("bad", "/list", NO_GUARD))) {
      s.refresher.tick();
      assertFalse(origin(s, ip("203.0.113.10")).atLeast());
      Path history;
      try (Stream<Path> files = Files.walk(stateDir.resolve("feeds/bad/versions/2"))) {
        history = files.filter(f -> f.endsWith("first-listed")).findFirst().orElseThrow();
      }
      byte[] octets = Files.readAllBytes(history);
      octets[octets.length / 2] ^= 1;
      Files.write(history, octets);
      ListingOrigin origin = origin(s, ip("203.0.113.10"));
      assertEquals(START.plus(HOUR.multipliedBy(2)), origin.since());
      assertTrue(origin.atLeast());
    }
  }
}

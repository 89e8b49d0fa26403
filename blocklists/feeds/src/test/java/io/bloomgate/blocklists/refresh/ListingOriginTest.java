package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.ListAnswer;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Since when a feed lists an entry, by the generations that are kept; which version says so. */
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

  /** What a generation listed. */
  private record Made(Instant at, Set<String> entries) {}

  /** The oldest of the kept generations that lists an entry without a gap. */
  private int first(List<Made> made, String entry) {
    int first = made.size() - 1;
    for (int older = first - 1; older >= 0; older--) {
      if (isKept(older)) {
        if (!made.get(older).entries().contains(entry)) {
          return first;
        }
        first = older;
      }
    }
    return first;
  }

  private boolean isKept(int index) {
    return Files.exists(stateDir.resolve("snapshots/%010d".formatted(index + 1)));
  }

  @Test
  void everyEntryIsListedSinceTheFirstGenerationThatHasItWithoutAGap() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    Map<String, ListKey> all = entries();
    Set<String> listed = new LinkedHashSet<>();
    List<Made> made = new ArrayList<>();
    int exact = 0;
    Instant now = START;
    for (int version = 1; version <= 10; version++) {
      for (String entry : all.keySet()) {
        boolean keep = random.nextInt(100) < (listed.contains(entry) ? 85 : 25);
        if (keep) {
          listed.add(entry);
        } else {
          listed.remove(entry);
        }
      }
      // Two more, or the first ones would be growth without bounds.
      String lines = "192.0.2.250\n2001:db8:ffff::/48\n" + String.join("\n", listed) + "\n";
      server.serve("/list", lines);
      // Each version in another gateway: everything must be on disk.
      try (RefreshStage s = new RefreshStage(stateDir, now, url("bad", "/list", NO_GUARD))) {
        s.loop.tick();
        made.add(new Made(now, Set.copyOf(listed)));
        assertEquals(made.size(), s.live.current().generation());
        for (Map.Entry<String, ListKey> entry : all.entrySet()) {
          String what = "seed " + seed + " version " + version + " " + entry.getKey();
          assertEquals(listed.contains(entry.getKey()), listing(s, entry.getValue()) != null, what);
          if (listed.contains(entry.getKey())) {
            int first = first(made, entry.getKey());
            ListingOrigin origin = origin(s, entry.getValue());
            assertEquals(made.get(first).at(), origin.since(), what);
            boolean known =
                isKept(first - 1) && !made.get(first - 1).entries().contains(entry.getKey());
            assertEquals(!known, origin.atLeast(), what);
            exact += known ? 1 : 0;
          }
        }
      }
      now = now.plus(HOUR.multipliedBy(2));
    }
    assertTrue(exact > 60, "seed " + seed + ": known of " + exact);
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
      s.loop.tick();
      ListingOrigin drop = origin(s, ip("203.0.113.9"));
      assertEquals("SBL256894", drop.reference());
      ListingOrigin.Version version = Objects.requireNonNull(drop.version());
      assertEquals(1, version.number());
      assertEquals(START, version.fetched());
      assertEquals(64, version.sha256().length());
      assertEquals("SBL77  [2J", origin(s, ip("198.51.100.9")).reference());
      assertNull(origin(s, ip("198.51.101.7")).reference());
    }
  }

  @Test
  void behindADamagedGenerationAnEntryMayBeOlder() throws Exception {
    begun(ips(0, 10), NO_GUARD).close();
    server.serve("/list", ips(0, 11));
    try (RefreshStage s =
        new RefreshStage(
            stateDir, START.plus(HOUR.multipliedBy(2)), url("bad", "/list", NO_GUARD))) {
      s.loop.tick();
      assertFalse(origin(s, ip("203.0.113.10")).atLeast());
      for (String file : List.of("network.index", "manifest.json")) {
        Path damaged = stateDir.resolve("snapshots/0000000001").resolve(file);
        byte[] whole = Files.readAllBytes(damaged);
        byte[] octets = whole.clone();
        octets[100] ^= 1;
        Files.write(damaged, octets);
        ListingOrigin origin = origin(s, ip("203.0.113.10"));
        assertEquals(START.plus(HOUR.multipliedBy(2)), origin.since(), file);
        assertTrue(origin.atLeast(), file);
        Files.write(damaged, whole);
      }
    }
  }
}

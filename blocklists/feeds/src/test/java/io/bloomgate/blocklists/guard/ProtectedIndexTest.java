package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One look never lets through what a rule would hold. */
class ProtectedIndexTest {

  private static final long SEED = 0x0507_e7c4L;
  private static final int ENTRIES = 100_000;
  private static final List<String> NAMES =
      List.of("gmail.com", "co.uk", "github.io", "own.example", "mx.tree.example", "spam.example");

  private final List<ProtectedSet> sets =
      ProtectedSet.of(
          EnumSet.allOf(NeverBlock.class),
          List.of(prefix("203.0.113.7"), prefix("198.51.100.0/22"), prefix("2001:db8:1::/48")),
          List.of(name("mail.own.example")),
          List.of("own.example", ".tree.example"));
  private final ProtectedIndex all = ProtectedIndex.of(sets);

  @Test
  void missesNothingThatARuleHolds() {
    SplittableRandom random = new SplittableRandom(SEED);
    int untouched = 0;
    int held = 0;
    for (int i = 0; i < ENTRIES; i++) {
      ListEntry entry = entry(random, i);
      boolean holds =
          sets.stream().anyMatch(set -> set.protects(entry))
              || (entry instanceof ListEntry.Network network
                  && ReservedNetworks.overlap(network.prefix()));
      boolean touches = all.touches(entry);
      assertTrue(touches || !holds, "seed " + SEED + ": " + entry);
      untouched += touches ? 0 : 1;
      held += holds ? 1 : 0;
    }
    assertTrue(untouched > ENTRIES / 4, "answered at once: " + untouched);
    assertTrue(held > ENTRIES / 10, "held by rules: " + held);
  }

  @Test
  void tellsOrdinaryEntriesAtOnce() {
    assertFalse(all.touches(new ListEntry.Network(prefix("81.2.69.0/24"), false, 1)));
    assertFalse(
        all.touches(new ListEntry.Domain(name("spam.example"), NameMatch.SUFFIX, false, 1)));
  }

  private static ListEntry entry(SplittableRandom random, int line) {
    return switch (random.nextInt(3)) {
      case 0 ->
          new ListEntry.Network(
              IpPrefix.around(IpAddress.ofV4(random.nextInt()), random.nextInt(33)), false, line);
      case 1 ->
          new ListEntry.Network(
              IpPrefix.around(
                  new IpAddress(random.nextLong() >>> random.nextInt(64), random.nextLong()),
                  random.nextInt(32)),
              false,
              line);
      default -> {
        String known = NAMES.get(random.nextInt(NAMES.size()));
        yield new ListEntry.Domain(
            name(random.nextBoolean() ? known : "a" + random.nextInt(9) + "." + known),
            NameMatch.EXACT,
            false,
            line);
      }
    };
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow();
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }
}

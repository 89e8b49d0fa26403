package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A protected set finds what it holds, whether it is small or large. */
class ProtectedSetTest {

  private static final int ENTRIES = 20_000;

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 3", "3, 8", "4, 9", "5, 500"})
  void findsWhatALookAtAllOfItFinds(long seed, int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<IpPrefix> networks = new ArrayList<>();
    Set<DomainName> names = new HashSet<>();
    List<DomainName> trees = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      networks.add(network(random));
      names.add(name(random));
      trees.add(name(random));
    }
    ProtectedSet set = new ProtectedSet("any", networks, names, trees, false);
    int held = 0;
    for (int line = 1; line <= ENTRIES; line++) {
      ListEntry entry =
          random.nextBoolean()
              ? new ListEntry.Network(network(random), false, line)
              : new ListEntry.Domain(name(random), NameMatch.SUFFIX, false, line);
      boolean protects =
          switch (entry) {
            case ListEntry.Network network ->
                networks.stream().anyMatch(one -> one.overlaps(network.prefix()));
            case ListEntry.Domain domain ->
                names.contains(domain.name())
                    || trees.stream().anyMatch(tree -> tree.covers(domain.name()))
                    || Stream.concat(names.stream(), trees.stream())
                        .anyMatch(domain.name()::covers);
            case ListEntry.Address _,
                ListEntry.Url _,
                ListEntry.Hash _,
                ListEntry.As _,
                ListEntry.AsnRow _ ->
                false;
          };
      assertEquals(protects, set.protects(entry), "seed " + seed + ": " + entry);
      held += protects ? 1 : 0;
    }
    assertTrue(size == 0 ? held == 0 : held > 0 && held < ENTRIES, "held " + held);
  }

  private static IpPrefix network(SplittableRandom random) {
    return random.nextBoolean()
        ? IpPrefix.around(IpAddress.ofV4(random.nextInt()), random.nextInt(10, 33))
        : IpPrefix.around(
            new IpAddress(0x2000L << 48 | random.nextLong() >>> 8, random.nextLong()),
            random.nextInt(12, 129));
  }

  private static DomainName name(SplittableRandom random) {
    StringBuilder text = new StringBuilder("t" + random.nextInt(40));
    for (int more = random.nextInt(1, 4); more > 0; more--) {
      text.insert(0, "n" + random.nextInt(12) + ".");
    }
    return DomainName.parse(text.toString()).toOptional().orElseThrow();
  }
}

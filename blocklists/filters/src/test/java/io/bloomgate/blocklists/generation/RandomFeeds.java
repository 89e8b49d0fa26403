package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes feeds out of a seed, crowded enough that entries nest, repeat and except one another, and
 * keys that lie in and beside them. Used by the property tests of this package.
 */
final class RandomFeeds {

  private static final String[] WORDS = {"a", "mail", "spam", "x-1", "news", "co", "b2"};
  private static final String[] TOPS = {"example", "test", "invalid"};

  private static final List<NameMatch> MATCHES = List.of(NameMatch.values());

  private final SplittableRandom random;

  RandomFeeds(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The entries of one feed, line by line. */
  List<ListEntry> feed(int size) {
    List<ListEntry> entries = new ArrayList<>();
    for (int line = 1; line <= size; line++) {
      boolean exception = random.nextInt(10) == 0;
      entries.add(
          switch (random.nextInt(4)) {
            case 0, 1 -> new ListEntry.Network(prefix(), exception, line);
            case 2 ->
                new ListEntry.Domain(
                    name(), MATCHES.get(random.nextInt(MATCHES.size())), exception, line);
            default -> new ListEntry.Address(mailAddress(), exception, line);
          });
    }
    return entries;
  }

  IpPrefix prefix() {
    IpAddress address = address();
    int longest = address.isV4() ? 32 : 128;
    // Most lists hold hosts; every length occurs.
    return IpPrefix.around(
        address, random.nextInt(3) == 0 ? longest : random.nextInt(6, longest + 1));
  }

  IpAddress address() {
    if (random.nextBoolean()) {
      int[] nets = {0x0a000000, 0xc0000200, 0xcb007100, 0xffffff00, 0};
      return IpAddress.ofV4(nets[random.nextInt(nets.length)] | random.nextInt(1 << 11));
    }
    long[] highs = {0x20010db8_00000000L, 0x2a001450_40010800L, 0xfe800000_00000000L, 0};
    long high = highs[random.nextInt(highs.length)] | (random.nextLong() & 0x3_000fL);
    long low = random.nextBoolean() ? random.nextLong(1 << 6) : random.nextLong() & 0xf00f_0000L;
    return new IpAddress(high, low << random.nextInt(32));
  }

  DomainName name() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append('.');
    }
    return DomainName.parse(text + TOPS[random.nextInt(TOPS.length)]).toOptional().orElseThrow();
  }

  MailAddress mailAddress() {
    return new MailAddress(
        WORDS[random.nextInt(WORDS.length)] + (random.nextBoolean() ? "" : "é" + random.nextInt(4)),
        random.nextInt(4) == 0
            ? new MailAddress.Host.Literal(address())
            : new MailAddress.Host.Name(name()));
  }

  ListKey key() {
    return switch (random.nextInt(3)) {
      case 0 -> address();
      case 1 -> name();
      default -> mailAddress();
    };
  }
}

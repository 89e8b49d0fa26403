package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import java.util.SplittableRandom;

/** Entries and keys of a space so small that most keys are covered by some entry. */
record HistoryUniverse(SplittableRandom random) {

  ListEntry entry() {
    boolean exception = random.nextInt(8) == 0;
    return switch (random.nextInt(8)) {
      case 0, 1, 2 ->
          new ListEntry.Network(IpPrefix.around(v4(), random.nextInt(20, 33)), exception, 1);
      case 3 -> new ListEntry.Network(IpPrefix.host(v4()), exception, 1);
      case 4 -> new ListEntry.Network(IpPrefix.around(v6(), random.nextInt(40, 129)), exception, 1);
      case 5 -> new ListEntry.Address(address(), exception, 1);
      default -> {
        NameMatch match = List.of(NameMatch.values()).get(random.nextInt(3));
        yield new ListEntry.Domain(name(), match, exception, 1);
      }
    };
  }

  ListKey key() {
    return switch (random.nextInt(4)) {
      case 0 -> v4();
      case 1 -> v6();
      case 2 -> address();
      default -> name();
    };
  }

  private IpAddress v4() {
    return IpAddress.ofV4(0xc633_6400 | random.nextInt(64));
  }

  private IpAddress v6() {
    return new IpAddress(0x2001_0db8_0000_0000L | random.nextInt(4), random.nextInt(32));
  }

  private DomainName name() {
    String text = "n" + random.nextInt(6) + ".example";
    for (int labels = random.nextInt(3); labels > 0; labels--) {
      text = "l" + random.nextInt(3) + "." + text;
    }
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private MailAddress address() {
    return MailAddress.parse("u" + random.nextInt(9) + "@n.example").toOptional().orElseThrow();
  }
}

package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two feeds, one of addresses and one of as many names, computed one by one so that they take no
 * memory. IPs: 8 of 10 IPv4 hosts, 1 IPv4 network of /20 to /30, 1 IPv6 /64. Names: 13 to 27
 * octets.
 *
 * @param each entries of each feed
 */
record SnapshotEntries(int each) {

  private static final byte[] DIGITS = "0123456789abcdefghijklmnopqrstuv".getBytes(US_ASCII);
  private static final int DIGIT_BITS = 5;
  private static final byte[] SUFFIX = ".example".getBytes(US_ASCII);

  /** As a build takes them. */
  List<FeedInput> feeds() {
    return List.of(new FeedInput("ips", "1", this::ips), new FeedInput("names", "1", this::names));
  }

  /** Tells the first feed. */
  void ips(Consumer<? super ListEntry> consumer) {
    for (int i = 0; i < each; i++) {
      IpPrefix prefix =
          switch (i % 10) {
            case 8 -> IpPrefix.around(host(i), 20 + bits(i) % 11);
            case 9 -> IpPrefix.around(new IpAddress(0x2001_0db8_0000_0000L | bits(i), 0), 64);
            default -> IpPrefix.host(host(i));
          };
      consumer.accept(new ListEntry.Network(prefix, false, i + 1));
    }
  }

  /** Tells the second feed. */
  void names(Consumer<? super ListEntry> consumer) {
    for (int i = 0; i < each; i++) {
      consumer.accept(new ListEntry.Domain(name(i), NameMatch.SUFFIX, false, i + 1));
    }
  }

  /** Listed hosts lie in the lower half of IPv4, clean ones in the upper. */
  static IpAddress host(int number) {
    return IpAddress.ofV4(bits(number));
  }

  /** A listed name. */
  static DomainName name(int number) {
    byte[] text = new byte[32];
    int length = 0;
    long random = Keys.mix(number);
    for (int left = 4 + (number & 7); left > 0; left--) {
      text[length++] = DIGITS[(int) random & (DIGITS.length - 1)];
      random >>>= DIGIT_BITS;
    }
    text[length++] = '-';
    for (int rest = number; rest != 0; rest >>>= DIGIT_BITS) {
      text[length++] = DIGITS[rest & (DIGITS.length - 1)];
    }
    text[length++] = 'x';
    for (byte octet : SUFFIX) {
      text[length++] = octet;
    }
    return DomainName.parse(text, 0, length).toOptional().orElseThrow();
  }

  /** Spreads numbers over 31 bits. */
  static int bits(int number) {
    return (int) (Keys.mix(number) >>> 33);
  }
}

package io.bloomgate.blocklists.format;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.util.Optional;

/**
 * IPv4 addresses as {@code rbldnsd(8)} writes them: {@code a.b.c.d}, the beginning of an address
 * ({@code a.b.c} is a /24), {@code prefix/length}, {@code first-last} where either may be cut short
 * and a last of one number means the last number of the first ({@code 127.16-31}). Both ends
 * included. Immutable.
 */
record RbldnsdRange(IpAddress first, IpAddress last) {

  private static final int OCTETS = 4;

  /** Numbers of an address that may be cut short. */
  private record Cut(int value, int octets) {
    int first() {
      return octets == OCTETS ? value : value << (8 * (OCTETS - octets));
    }

    int last() {
      return octets == OCTETS ? value : first() | (-1 >>> (8 * octets));
    }
  }

  /** Reads one. */
  static Parsed<RbldnsdRange> parse(String text) {
    int slash = text.indexOf('/');
    int dash = text.indexOf('-');
    if (slash >= 0) {
      return network(text.substring(0, slash), text.substring(slash + 1));
    }
    Optional<Cut> first = cut(dash < 0 ? text : text.substring(0, dash));
    if (first.isEmpty()) {
      return Parsed.bad("not an IPv4 address");
    }
    if (dash < 0) {
      return range(first.get().first(), first.get().last());
    }
    return cut(text.substring(dash + 1))
        .map(last -> range(first.get().first(), end(first.get(), last)))
        .orElseGet(() -> Parsed.bad("not an IPv4 address"));
  }

  private static int end(Cut first, Cut last) {
    if (last.octets == 1 && first.octets > 1) {
      return new Cut((first.value & ~0xff) | last.value, first.octets).last();
    }
    return last.last();
  }

  private static Parsed<RbldnsdRange> network(String address, String length) {
    Optional<Cut> cut = cut(address);
    if (cut.isEmpty()) {
      return Parsed.bad("not an IPv4 address");
    }
    return switch (IpPrefix.parse(IpAddress.ofV4(cut.get().first()) + "/" + length)) {
      case Parsed.Bad<IpPrefix>(String reason) -> Parsed.bad(reason);
      case Parsed.Ok<IpPrefix>(IpPrefix prefix, var ignored) ->
          Parsed.ok(new RbldnsdRange(prefix.network(), prefix.last()));
    };
  }

  private static Parsed<RbldnsdRange> range(int first, int last) {
    return Integer.compareUnsigned(first, last) > 0
        ? Parsed.bad("range that ends before it begins")
        : Parsed.ok(new RbldnsdRange(IpAddress.ofV4(first), IpAddress.ofV4(last)));
  }

  /** One to four numbers without leading zeros; a dot may end a cut address. */
  private static Optional<Cut> cut(String text) {
    String[] numbers =
        (text.endsWith(".") ? text.substring(0, text.length() - 1) : text).split("\\.", -1);
    if (numbers.length > OCTETS) {
      return Optional.empty();
    }
    int value = 0;
    for (String number : numbers) {
      if (!number.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(number) > 255) {
        return Optional.empty();
      }
      value = (value << 8) | Integer.parseInt(number);
    }
    return Optional.of(new Cut(value, numbers.length));
  }

  long addresses() {
    return Integer.toUnsignedLong(last.v4Bits()) - Integer.toUnsignedLong(first.v4Bits()) + 1;
  }

  /** The network that is exactly this range, if there is one. */
  Optional<IpPrefix> prefix() {
    long size = addresses();
    if (Long.bitCount(size) != 1) {
      return Optional.empty();
    }
    IpPrefix around = IpPrefix.around(first, 32 - Long.numberOfTrailingZeros(size));
    return around.network().equals(first) ? Optional.of(around) : Optional.empty();
  }
}

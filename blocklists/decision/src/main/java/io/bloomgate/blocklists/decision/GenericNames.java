package io.bloomgate.blocklists.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.PublicSuffixes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Knows names that a provider gave an address, not its user: those that hold the address, or a word
 * for a pool and a number. Words for fixed lines and for hosts that send mail speak against it. The
 * words are in {@code generic-names.txt}. Asked by {@link Signs}; pure, a few passes over a name of
 * at most 253 octets.
 */
final class GenericNames {

  private static final int V4_OCTETS = 4;

  /** Digits of an octet with leading zeros. */
  private static final int PADDED_DIGITS = 3;

  /**
   * Hexadecimal digits of half an IPv6 address; a half with fewer, but for leading zeros, is none.
   */
  private static final int MIN_V6_DIGITS = 8;

  private static final List<String> LINES = read("generic-names.txt");
  private static final Predicate<String> POOL = words("pool ");
  private static final Predicate<String> FIXED = words("fixed ");
  private static final Predicate<String> MAIL = words("mail ");
  private static final Pattern DIGITS = Pattern.compile("[0-9]++");

  private GenericNames() {}

  /**
   * True for a name of this kind.
   *
   * @param name of the address; empty for none
   */
  static boolean isGeneric(String name, IpAddress client) {
    if (name.isEmpty()) {
      return false;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    String host = hostPart(lower);
    if (FIXED.test(host) || MAIL.test(host)) {
      return false;
    }
    return holdsAddress(lower, client) || (DIGITS.matcher(host).find() && POOL.test(host));
  }

  /** The labels in front of the registered domain; the whole of what is no domain name. */
  private static String hostPart(String name) {
    DomainName domain = DomainName.orNull(name);
    if (domain == null) {
      return name;
    }
    for (int label = 1; domain.labels() - label >= 2; label++) {
      if (PublicSuffixes.contains(domain.from(label))) {
        return before(name, label - 1);
      }
    }
    return before(name, domain.labels() - 2);
  }

  /** The first labels. */
  private static String before(String name, int labels) {
    int end = 0;
    for (int i = 0; i < labels; i++) {
      end = name.indexOf('.', end) + 1;
    }
    return name.substring(0, end);
  }

  private static boolean holdsAddress(String name, IpAddress client) {
    return client.isV4() ? holdsV4(name, client.v4Bits()) : holdsV6(name, client);
  }

  private static boolean holdsV4(String name, int bits) {
    int[] octets = new int[V4_OCTETS];
    for (int i = 0; i < V4_OCTETS; i++) {
      octets[i] = bits >>> (Integer.SIZE - Byte.SIZE * (i + 1)) & 0xff;
    }
    int[] reversed = new int[] {octets[3], octets[2], octets[1], octets[0]};
    String numbers =
        DIGITS
            .matcher(name)
            .results()
            .map(run -> octet(run.group()))
            .collect(Collectors.joining("-", "-", "-"));
    return holds(numbers, octets[1], octets[2], octets[3])
        || (holdsPair(numbers, octets[0], octets[1]) && holdsPair(numbers, octets[2], octets[3]))
        || holds(numbers, octets[3], octets[2], octets[1])
        || name.contains(padded(octets))
        || name.contains(padded(reversed))
        || name.contains(HexFormat.of().toHexDigits(bits));
  }

  /** The number as an address has it; what is none in an address stands for itself. */
  private static String octet(String digits) {
    return digits.length() > PADDED_DIGITS ? digits : Integer.toString(Integer.parseInt(digits));
  }

  /** True when the numbers follow each other. */
  private static boolean holds(String numbers, int... some) {
    return numbers.contains(
        IntStream.of(some).mapToObj(Integer::toString).collect(Collectors.joining("-", "-", "-")));
  }

  private static boolean holdsPair(String numbers, int first, int second) {
    return holds(numbers, first, second) || holds(numbers, second, first);
  }

  private static String padded(int[] octets) {
    return "%03d%03d%03d%03d".formatted(octets[0], octets[1], octets[2], octets[3]);
  }

  /** Half of the address in one row: with its zeros, or without those in front of each group. */
  private static boolean holdsV6(String name, IpAddress client) {
    String row = name.replace("-", "").replace(".", "").replace("_", "");
    return holdsHalf(row, client.high()) || holdsHalf(row, client.low());
  }

  private static boolean holdsHalf(String row, long half) {
    String full = HexFormat.of().toHexDigits(half);
    StringBuilder groups = new StringBuilder();
    for (int shift = Long.SIZE - Short.SIZE; shift >= 0; shift -= Short.SIZE) {
      groups.append(Long.toHexString(half >>> shift & 0xffff));
    }
    boolean enough = Long.toHexString(half).length() >= MIN_V6_DIGITS;
    return enough
        && (row.contains(full)
            || row.contains(new StringBuilder(full).reverse())
            || (groups.length() >= MIN_V6_DIGITS && row.contains(groups)));
  }

  /**
   * Finds one of the words of a kind: a run of letters, of which the file may leave an end open.
   */
  private static Predicate<String> words(String kind) {
    return LINES.stream()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()).replace("*", "[a-z]*"))
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("|", "(?<![a-z])(?:", ")(?![a-z])"),
                words -> Pattern.compile(words).asPredicate()));
  }

  private static List<String> read(String name) {
    try (InputStream resource =
            Objects.requireNonNull(
                GenericNames.class.getResourceAsStream(name), "resource " + name);
        BufferedReader lines = new BufferedReader(new InputStreamReader(resource, UTF_8))) {
      return lines.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

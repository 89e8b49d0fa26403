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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Knows names that a provider gave an address, not its user: those that hold the address, or a word
 * for a pool and a number. Words for fixed lines and for hosts that send mail speak against it. The
 * words are in {@code generic-names.txt}. Asked by {@link Signs}; pure, a few passes over a name of
 * at most 253 octets and no regular expressions.
 */
final class GenericNames {

  private static final int V4_OCTETS = 4;

  /** Numbers of an IPv4 address that must be together, the last of the address among them. */
  private static final int MIN_OCTETS = 3;

  /** Digits of an octet with leading zeros. */
  private static final int PADDED_DIGITS = 3;

  /**
   * Hexadecimal digits of half an IPv6 address; a half with fewer, but for leading zeros, is none.
   */
  private static final int MIN_V6_DIGITS = 8;

  private static final int MAX_OCTET = 255;

  private static final List<String> LINES = read("generic-names.txt");
  private static final Words POOL = Words.of("pool ");
  private static final Words FIXED = Words.of("fixed ");
  private static final Words MAIL = Words.of("mail ");

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
    List<String> words = runs(hostPart(lower), false);
    if (FIXED.holdOneOf(words) || MAIL.holdOneOf(words)) {
      return false;
    }
    return holdsAddress(lower, client)
        || (POOL.holdOneOf(words) && !runs(hostPart(lower), true).isEmpty());
  }

  /** The labels in front of the registered domain; the whole of what is no domain name. */
  private static String hostPart(String name) {
    DomainName domain = DomainName.parse(name).toOptional().orElse(null);
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

  /** The runs of digits, or of letters. */
  private static List<String> runs(String text, boolean digits) {
    List<String> runs = new ArrayList<>();
    int start = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean inside = i < text.length() && isOf(text.charAt(i), digits);
      if (inside && start < 0) {
        start = i;
      } else if (!inside && start >= 0) {
        runs.add(text.substring(start, i));
        start = -1;
      }
    }
    return runs;
  }

  private static boolean isOf(char c, boolean digits) {
    char first = digits ? '0' : 'a';
    char last = digits ? '9' : 'z';
    return c >= first && c <= last;
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
    int[] numbers = runs(name, true).stream().mapToInt(GenericNames::octet).toArray();
    return holdsRow(numbers, octets, 1)
        || (holdsPair(numbers, octets[0], octets[1]) && holdsPair(numbers, octets[2], octets[3]))
        || holdsRow(numbers, reversed, 0)
        || name.contains(padded(octets))
        || name.contains(padded(reversed))
        || name.contains(HexFormat.of().toHexDigits(bits));
  }

  /** The value of up to three digits; -1 for what is no octet. */
  private static int octet(String digits) {
    int value = digits.length() > PADDED_DIGITS ? -1 : Integer.parseInt(digits);
    return value > MAX_OCTET ? -1 : value;
  }

  /** True when three numbers of the address, from this one on, follow one another. */
  private static boolean holdsRow(int[] numbers, int[] octets, int from) {
    for (int at = 0; at + MIN_OCTETS <= numbers.length; at++) {
      int same = 0;
      while (same < MIN_OCTETS && numbers[at + same] == octets[from + same]) {
        same++;
      }
      if (same == MIN_OCTETS) {
        return true;
      }
    }
    return false;
  }

  /** True when the two follow one another, in either order. */
  private static boolean holdsPair(int[] numbers, int first, int second) {
    for (int at = 0; at + 1 < numbers.length; at++) {
      if ((numbers[at] == first && numbers[at + 1] == second)
          || (numbers[at] == second && numbers[at + 1] == first)) {
        return true;
      }
    }
    return false;
  }

  private static String padded(int[] octets) {
    StringBuilder text = new StringBuilder();
    for (int octet : octets) {
      text.append((char) ('0' + octet / 100))
          .append((char) ('0' + octet / 10 % 10))
          .append((char) ('0' + octet % 10));
    }
    return text.toString();
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

  /** Words of one kind: whole ones, and those with more letters in front or behind. */
  private record Words(List<String> whole, List<String> prefixes, List<String> suffixes) {

    static Words of(String kind) {
      Words words = new Words(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      LINES.stream()
          .filter(line -> line.startsWith(kind))
          .forEach(line -> {
            String word = line.substring(kind.length());
            if (word.endsWith("*")) {
              words.prefixes.add(word.substring(0, word.length() - 1));
            } else if (word.startsWith("*")) {
              words.suffixes.add(word.substring(1));
            } else {
              words.whole.add(word);
            }
          });
      return words;
    }

    boolean holdOneOf(List<String> words) {
      for (String word : words) {
        if (whole.contains(word)
            || prefixes.stream().anyMatch(word::startsWith)
            || suffixes.stream().anyMatch(word::endsWith)) {
          return true;
        }
      }
      return false;
    }
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

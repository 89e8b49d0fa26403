package io.bloomgate.blocklists.fetch;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.FeedUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checksums that a publisher gives with a list, in the forms of {@code sha256sum}, of BSD's
 * {@code sha256}, or bare: SHA-256, SHA-512 or MD5, recognised by their length. They find damage on
 * the way and save downloads; against a publisher who lies they prove nothing. Immutable; used by
 * {@link HttpFeedSource}.
 *
 * @param byName hexadecimal in small letters by file name; the empty name for a bare one
 */
record ChecksumList(Map<String, String> byName) {

  /** Octets of the publisher's text. */
  static final int MOST_OCTETS = 1 << 20;

  private static final String HEX = "([0-9A-Fa-f]{32}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})";
  private static final Pattern BARE = Pattern.compile(HEX);
  private static final Pattern NAMED = Pattern.compile(HEX + "[ \\t]+\\*?(\\S.*)");
  private static final Pattern BSD =
      Pattern.compile("(?:MD5|SHA-?256|SHA-?512) ?\\((.+)\\) ?= ?" + HEX);

  /**
   * Reads a text; lines that are no checksum are passed over.
   *
   * @throws DamagedFeedException when none is
   */
  static ChecksumList read(byte[] text) throws DamagedFeedException {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String line : new String(text, StandardCharsets.ISO_8859_1).lines().toList()) {
      String said = line.strip();
      Matcher bare = BARE.matcher(said);
      Matcher named = NAMED.matcher(said);
      Matcher bsd = BSD.matcher(said);
      if (bare.matches()) {
        byName.merge("", lower(bare.group(1)), ChecksumList::stronger);
      } else if (named.matches()) {
        byName.merge(lastName(named.group(2)), lower(named.group(1)), ChecksumList::stronger);
      } else if (bsd.matches()) {
        byName.merge(lastName(bsd.group(1)), lower(bsd.group(2)), ChecksumList::stronger);
      }
    }
    if (byName.isEmpty()) {
      throw new DamagedFeedException("it has no SHA-256, SHA-512 or MD5");
    }
    return new ChecksumList(byName);
  }

  /** Chooses of two checksums for one file the longer; of equally long ones the first. */
  private static String stronger(String first, String second) {
    return second.length() > first.length() ? second : first;
  }

  private static String lower(String hex) {
    return hex.toLowerCase(Locale.ROOT);
  }

  /** The last part of a path, or of a URL's path. */
  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The checksum that a file of this name must have; one checksum alone needs no name. */
  private Optional<String> of(String name) {
    Optional<String> own = Optional.ofNullable(byName.get(name));
    return own.isPresent() || byName.size() > 1 ? own : byName.values().stream().findFirst();
  }

  /** The reason why the file of an address is not the one that is meant; empty for none. */
  Optional<String> trouble(FeedUrl address, Path file) throws IOException {
    String path = address.uri("").getPath();
    String name = lastName(path == null ? "" : path);
    Optional<String> expected = of(name);
    if (expected.isEmpty()) {
      return Optional.of("the publisher's checksums do not name " + Octets.escape(name));
    }
    return matches(file, expected.get())
        ? Optional.empty()
        : Optional.of("it does not have the checksum that the publisher gives for it");
  }

  /** One text for all of them, to be compared with the last one. */
  String fingerprint() {
    StringBuilder all = new StringBuilder();
    byName.forEach((name, hex) -> all.append(name).append('\n').append(hex).append('\n'));
    return Fingerprint.ofText(all.toString()).toString();
  }

  /** True when the file has the checksum. */
  @SuppressWarnings("deprecation") // some publishers give no other than MD5
  private static boolean matches(Path file, String hex) throws IOException {
    HashFunction function =
        switch (hex.length()) {
          case 32 -> Hashing.md5();
          case 64 -> Hashing.sha256();
          default -> Hashing.sha512();
        };
    return com.google.common.io.Files.asByteSource(file.toFile())
        .hash(function)
        .toString()
        .equals(hex);
  }
}

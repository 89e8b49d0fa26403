package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.Octets;
import java.security.PrivateKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code SHA256SUMS}: what the leader of a fleet has live, as {@code sha256sum -c} reads it. What
 * followers need besides is in comments, and the last line is the signature of those before it, so
 * that the file is right or wrong as a whole. Written by {@link Publisher}, read by {@link
 * Follower}. Immutable.
 *
 * @param number above that of every one before, so that nobody can present an old one
 * @param time of the leader's clock, for people
 * @param node name of the leader
 * @param every how often the leader writes one at least
 */
record ListSums(long number, Instant time, String node, Duration every, List<Feed> feeds) {

  static final String NAME = "SHA256SUMS";

  /** Octets: a feed takes about 300. */
  static final int MAX_OCTETS = 4 << 20;

  private static final String SIGNED = "# signed ";
  private static final Pattern FORMAT = Pattern.compile("# bloomgate lists ([0-9]{1,9}):.*");

  private static final Pattern HEAD =
      Pattern.compile(
          "# bloomgate lists 2: number ([0-9]{1,15}), ([0-9T:.Z-]{1,40}) by"
              + " ([!-~]{1,128}), every ([0-9]{1,5}) s");

  private static final Pattern FEED =
      Pattern.compile(
          "# feed ([a-z0-9._-]{1,64}): checked ([0-9T:.Z-]{1,40})"
              + "(?:, accepted by ([!-~]{1,64}) at ([0-9T:.Z-]{1,40})(, with held entries)?)?");

  private static final Pattern FILE =
      Pattern.compile("([0-9a-f]{64})  ([a-z0-9._-]{1,64})(\\.[0-9a-f]{64}(?:\\.held)?\\.gz)");

  ListSums {
    every = every.truncatedTo(ChronoUnit.SECONDS);
    feeds = List.copyOf(feeds);
  }

  /**
   * The live version of a feed.
   *
   * @param checked when the leader last found that the feed has this version
   * @param accepted who let the version through on the leader; {@code null} where its guard did
   * @param files of its text in their order, then what is held back
   */
  record Feed(String name, Instant checked, @Nullable Acceptance accepted, List<Listed> files) {

    Feed {
      files = List.copyOf(files);
    }

    /** Changes when a follower has something to do; holds nothing else. */
    String mark() {
      return "fleet "
          + files.stream().map(Listed::name).collect(Collectors.joining(" "))
          + (accepted == null ? "" : " accepted " + accepted.at() + " " + accepted.entries());
    }
  }

  /**
   * A file beside this one. Its name has the feed and the SHA-256 of what is inside, so that no
   * other content ever has the name.
   *
   * @param sha256 of the file as it is, packed by gzip
   */
  record Listed(String sha256, String name) {

    private static final String HELD = ".held";

    /** The name of a file with this content. */
    static String name(String feed, String content, boolean held) {
      return feed + "." + content + (held ? HELD : "") + ".gz";
    }

    /** True for the entries that the leader holds back, false for a text. */
    boolean isHeld() {
      return name.endsWith(HELD + ".gz");
    }
  }

  Optional<Feed> feed(String name) {
    return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
  }

  /** Returns the marks that followers have to do something about, by feed. */
  Map<String, String> marks() {
    Map<String, String> marks = new HashMap<>();
    feeds.forEach(feed -> marks.put(feed.name(), feed.mark()));
    return marks;
  }

  /** Names of all files. */
  Set<String> names() {
    return feeds.stream()
        .flatMap(feed -> feed.files().stream())
        .map(Listed::name)
        .collect(Collectors.toSet());
  }

  /** The whole file. */
  byte[] signed(PrivateKey key) {
    StringBuilder text = new StringBuilder();
    text.append(
        "# bloomgate lists 2: number %d, %s by %s, every %d s\n"
            .formatted(number, time, node, every.toSeconds()));
    for (Feed feed : feeds) {
      text.append("# feed ").append(feed.name()).append(": checked ").append(feed.checked());
      Acceptance by = feed.accepted();
      if (by != null) {
        text.append(", accepted by ").append(by.by()).append(" at ").append(by.at());
        text.append(by.entries() ? ", with held entries" : "");
      }
      text.append('\n');
      feed.files()
          .forEach(
              file -> text.append(file.sha256()).append("  ").append(file.name()).append('\n'));
    }
    byte[] signature = FleetKeys.sign(key, text.toString().getBytes(ISO_8859_1));
    text.append(SIGNED).append(Base64.getEncoder().encodeToString(signature)).append('\n');
    return text.toString().getBytes(ISO_8859_1);
  }

  /**
   * Reads what {@link #signed} gave.
   *
   * @param isRight says whether the second octets are the signature of the first
   * @throws DamagedFeedException when it is something else; the message is what is wrong with it
   */
  static ListSums read(byte[] octets, BiPredicate<byte[], byte[]> isRight)
      throws DamagedFeedException {
    String all = new String(octets, ISO_8859_1);
    int end = Math.max(0, all.lastIndexOf(SIGNED));
    List<String> lines = all.substring(0, end).lines().toList();
    try {
      byte[] signature =
          Base64.getDecoder().decode(all.substring(end).replaceFirst(SIGNED, "").strip());
      if (lines.isEmpty() || !isRight.test(all.substring(0, end).getBytes(ISO_8859_1), signature)) {
        throw new DamagedFeedException("is not signed by the key of this fleet");
      }
      return read(lines);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new DamagedFeedException("is damaged: " + Octets.escape(e.toString()));
    }
  }

  private static ListSums read(List<String> lines) throws DamagedFeedException {
    Matcher format = matched(FORMAT, lines.getFirst());
    if (!format.group(1).equals("2")) {
      throw new DamagedFeedException(
          "has format "
              + format.group(1)
              + ", and this release reads format 2; update the older gateway");
    }
    Matcher head = matched(HEAD, lines.getFirst());
    List<Feed> feeds = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int at = 1; at < lines.size(); ) {
      Matcher feed = matched(FEED, lines.get(at++));
      List<Listed> files = new ArrayList<>();
      while (at < lines.size() && !lines.get(at).startsWith("#")) {
        files.add(file(feed.group(1), lines.get(at++)));
      }
      if (!names.add(feed.group(1)) || files.stream().allMatch(Listed::isHeld)) {
        throw new DamagedFeedException("names a feed twice or without a text");
      }
      feeds.add(new Feed(feed.group(1), Instant.parse(feed.group(2)), accepted(feed), files));
    }
    return new ListSums(
        Long.parseLong(head.group(1)),
        Instant.parse(head.group(2)),
        head.group(3),
        Duration.ofSeconds(Math.clamp(Long.parseLong(head.group(4)), 1, 86_400)),
        feeds);
  }

  private static @Nullable Acceptance accepted(Matcher feed) {
    return feed.group(3) == null
        ? null
        : new Acceptance(feed.group(3), Instant.parse(feed.group(4)), feed.group(5) != null);
  }

  private static Listed file(String feed, String line) throws DamagedFeedException {
    Matcher file = matched(FILE, line);
    if (!file.group(2).equals(feed)) {
      throw new DamagedFeedException("has a file of another feed below feed " + feed);
    }
    return new Listed(file.group(1), feed + file.group(3));
  }

  private static Matcher matched(Pattern pattern, String line) throws DamagedFeedException {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw new DamagedFeedException("has a line that this release does not read");
    }
    return matcher;
  }
}

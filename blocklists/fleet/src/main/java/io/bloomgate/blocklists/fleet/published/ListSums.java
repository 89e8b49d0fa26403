package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
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
  private static final String FORMAT = "# bloomgate lists 3: ";

  /** Longer numbers are damage: who took one would refuse all that comes later. */
  private static final long MAX_NUMBER = 999_999_999_999_999L;

  private static final Pattern FILE =
      Pattern.compile("([a-z0-9._-]{1,64})\\.[0-9a-f]{64}(?:\\.held)?\\.gz");

  ListSums {
    every = Duration.ofSeconds(Math.clamp(every.toSeconds(), 1, 86_400));
    feeds = List.copyOf(feeds);
    require(number >= 0 && number <= MAX_NUMBER, "a number that none has");
    require(
        feeds.stream().map(Feed::name).distinct().count() == feeds.size(),
        "a feed that is there twice");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /**
   * The live version of a feed.
   *
   * @param checked when the leader last found that the feed has this version
   * @param accepted who let the version through on the leader; {@code null} where its guard did
   * @param files of its text in their order, then what is held back
   */
  record Feed(
      String name,
      Instant checked,
      @Inline @Rare @Nullable Acceptance accepted,
      List<Listed> files) {

    Feed {
      files = List.copyOf(files);
      for (Listed file : files) {
        Matcher known = FILE.matcher(file.name());
        require(known.matches() && known.group(1).equals(name), "a file of another feed");
      }
      require(!files.stream().allMatch(Listed::isHeld), "a feed without a text");
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
    StringBuilder text = new StringBuilder(FORMAT).append(JsonRecords.text(this)).append('\n');
    for (Feed feed : feeds) {
      feed.files()
          .forEach(
              file -> text.append(file.sha256()).append("  ").append(file.name()).append('\n'));
    }
    byte[] signature = FleetKeys.sign(key, text.toString().getBytes(UTF_8));
    text.append(SIGNED).append(Base64.getEncoder().encodeToString(signature)).append('\n');
    return text.toString().getBytes(UTF_8);
  }

  /**
   * Reads what {@link #signed} gave.
   *
   * @param isRight says whether the second octets are the signature of the first
   * @throws DamagedFeedException when it is something else; the message is what is wrong with it
   */
  static ListSums read(byte[] octets, BiPredicate<byte[], byte[]> isRight)
      throws DamagedFeedException {
    String all = new String(octets, UTF_8);
    int end = Math.max(0, all.lastIndexOf(SIGNED));
    String head = all.substring(0, end).lines().findFirst().orElse("");
    try {
      byte[] signature =
          Base64.getDecoder().decode(all.substring(end).replaceFirst(SIGNED, "").strip());
      if (end == 0 || !isRight.test(all.substring(0, end).getBytes(UTF_8), signature)) {
        throw new DamagedFeedException("is not signed by the key of this fleet");
      }
      if (!head.startsWith(FORMAT)) {
        throw new DamagedFeedException(
            "has a format that this release does not read; update the older gateway");
      }
      return JsonRecords.read(ListSums.class, head.substring(FORMAT.length()));
    } catch (IllegalArgumentException | JsonSyntaxException e) {
      throw new DamagedFeedException("is damaged: " + Octets.escape(e.toString()));
    }
  }
}

package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The octets of one version on disk: one file, or several that are read one after the other as one
 * list, with line numbers that go on. Immutable while the files are; read by the feed-refresher and
 * by {@code feeds test}.
 *
 * @param parts in reading order, at least one
 */
public record FeedContent(List<Path> parts) {

  private static final int SNIFFED_OCTETS = 1024;

  /** Comment lines that are shown of a list without entries. */
  private static final int NOTICE_LINES = 3;

  /** Characters that are shown of a reference. */
  private static final int MAX_REFERENCE_LENGTH = 80;

  /** Formats in which a comment may follow the entry on its line. */
  private static final Set<String> WITH_COMMENTS = Set.of("lines", "ips", "domains", "entries");

  private static final Pattern COMMENT_BEHIND = Pattern.compile("\\s[;#]");

  private static final Pattern COMMENT = Pattern.compile("[#;!]+|//");

  /** The beginning of a web page. */
  private static final Pattern WEB_PAGE =
      Pattern.compile("(?i)\\s*<(?:!doctype|html|head|\\?xml|!--)");

  public FeedContent {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a version without files");
    }
  }

  /** The format of the first part. */
  public FeedFormat detect() throws IOException {
    try (InputStream first = Files.newInputStream(parts.getFirst())) {
      return FormatDetector.detect(first);
    }
  }

  /** Reads all parts into the sink, up to the first that is damaged. */
  public ParseTotals read(FeedFormat format, @Nullable Match match, FeedSink sink)
      throws IOException {
    ParseRun run = new ParseRun(sink, match);
    for (Path part : parts) {
      try (InputStream octets = Files.newInputStream(part)) {
        format.parse(octets, run);
      }
      if (run.totals().damage().isPresent()) {
        return run.totals();
      }
    }
    ParseTotals sum = run.totals();
    return ended(sum.lines() > Integer.MAX_VALUE ? sum.damaged("more than 2^31 lines") : sum, sink);
  }

  /**
   * A feed's text about the entry on a line, when {@code explain} asks: Spamhaus's SBL number, or
   * the comment after the entry; empty where there is none.
   *
   * @param format by name, as the version was read
   * @param line counted from 1 over all parts
   */
  public Optional<String> reference(String format, int line) throws IOException {
    boolean json = format.equals("spamhaus-json");
    if (!json && !WITH_COMMENTS.contains(format)) {
      return Optional.empty();
    }
    // Control characters would reach logs and terminals.
    return line(line)
        .flatMap(text -> json ? sblId(text) : comment(text))
        .map(text -> text.replaceAll("\\p{Cntrl}", " ").strip())
        .map(text -> text.substring(0, Math.min(text.length(), MAX_REFERENCE_LENGTH)))
        .filter(text -> !text.isEmpty());
  }

  private Optional<String> line(int number) throws IOException {
    int before = 0;
    for (Path part : parts) {
      try (InputStream octets = Files.newInputStream(part);
          InputStream text = FeedBytes.open(octets)) {
        FeedLines lines = new FeedLines(text);
        while (lines.next()) {
          if (before + lines.number() == number) {
            return Optional.of(lines.text());
          }
        }
        before += lines.number();
      }
    }
    return Optional.empty();
  }

  /** Member {@code sblid} of Spamhaus's JSON lists, such as {@code SBL256894}. */
  private static Optional<String> sblId(String line) {
    try {
      return Json.parse(line) instanceof JsonObject object
          ? object.text("sblid")
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> comment(String line) {
    Matcher comment = COMMENT_BEHIND.matcher(line);
    return comment.find() ? Optional.of(line.substring(comment.end())) : Optional.empty();
  }

  /** Tells the sink that this was all. */
  public static ParseTotals ended(ParseTotals totals, FeedSink sink) {
    try {
      sink.end();
      return totals;
    } catch (TooManyEntriesException e) {
      return totals.damaged(String.valueOf(e.getMessage()));
    }
  }

  /** The first characters of the text; none of a damaged one, which the parser reports. */
  private String beginning() throws IOException {
    try (InputStream octets = Files.newInputStream(parts.getFirst());
        InputStream text = FeedBytes.open(octets)) {
      return new String(text.readNBytes(SNIFFED_OCTETS), StandardCharsets.ISO_8859_1);
    } catch (DamagedFeedException e) {
      return "";
    }
  }

  /** True when the text begins like a web page: the usual answer of a list that has moved. */
  public boolean looksLikeWebPage() throws IOException {
    return WEB_PAGE.matcher(beginning()).lookingAt();
  }

  /**
   * The list's text about itself: its first lines that are comments; empty when it begins
   * otherwise.
   */
  public Optional<String> notice() throws IOException {
    String said =
        beginning()
            .lines()
            .map(String::strip)
            .takeWhile(line -> line.isEmpty() || COMMENT.matcher(line).lookingAt())
            .map(line -> COMMENT.matcher(line).replaceFirst("").strip())
            .filter(line -> !line.isEmpty())
            .limit(NOTICE_LINES)
            .collect(Collectors.joining(" "));
    return Optional.of(Octets.escape(said)).filter(line -> !line.isEmpty());
  }

  /** Size on the disk, as it came. */
  public long octets() throws IOException {
    long sum = 0;
    for (Path part : parts) {
      sum += Files.size(part);
    }
    return sum;
  }

  /** SHA-256 over all octets, in hexadecimal. */
  public String sha256() throws IOException {
    MessageDigest digest = Fingerprint.sha256();
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      for (Path part : parts) {
        Files.copy(part, out);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a publisher made a version, as far as its head or the server says, and whether that is
 * before the live one: a mirror that has gone back, or an old copy that somebody serves again.
 * Called by the feed-refresher and the tests; reads the first octets of a version, otherwise pure.
 *
 * <p>Read are a comment line with a word for "last changed" (FireHOL, Team Cymru, abuse.ch,
 * Spamhaus text, adblock lists ...), {@code $TIMESTAMP} of rbldnsd, and the metadata record of
 * Spamhaus JSON. Time zones are ignored, because a publisher keeps to one.
 */
public final class PublishedDate {

  /** What is less older than this is no step back: mirrors lag, and clocks change for summer. */
  static final Duration TOLERANCE = Duration.ofHours(1);

  /** Octets of the text in which the head must end. */
  private static final int HEAD_OCTETS = 16 * 1024;

  /** Octets of a Spamhaus list that are read to find its last record; its largest has 100 kB. */
  private static final int JSON_OCTETS = 4 << 20;

  /** Dates ahead of the clock by more are not believed: nothing could ever follow them. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private static final Pattern DATED =
      Pattern.compile(
          "^[#;!/ \\t]*(?:last[ -]?updated?|last[ -]?modified|time ?updated|this file date|"
              + "generated(?: on| at)?|updated|date|timestamp)\\b[ \\t]*:?(.*)$",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern RBLDNSD =
      Pattern.compile("^#?\\$TIMESTAMP[ \\t]+(\\S+)", Pattern.CASE_INSENSITIVE);

  /** The distance is bounded, as a list may repeat the beginning as often as it likes. */
  private static final Pattern METADATA =
      Pattern.compile(
          "\"type\"\\s{0,4}:\\s{0,4}\"metadata\".{0,100}?\"timestamp\"\\s{0,4}:\\s{0,4}([0-9]{9,11})\\b");

  private static final int NOON = 12;

  private static final Pattern EPOCH = Pattern.compile("(?<![0-9])(1[0-9]{9})(?![0-9])");
  private static final String HALF = "(?: ?(?<half>[AaPp])\\.?[Mm]\\b)?";
  private static final String TIME =
      "(?:[T ,:]+(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?" + HALF + ")?";
  private static final String MONTH =
      "(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";

  /** {@code 2026-11-21 07:00:00}, also with colons as rbldnsd has it. */
  private static final Pattern YEAR_FIRST =
      Pattern.compile("(?<year>\\d{4})[-:/](?<month>\\d{2})[-:/](?<day>\\d{2})" + TIME);

  /** {@code 21 Nov 2026 07:00:00}. */
  private static final Pattern DAY_FIRST =
      Pattern.compile(
          "(?<day>\\d{1,2})\\.? +" + MONTH + " +(?<year>\\d{4})" + TIME, Pattern.CASE_INSENSITIVE);

  private static final String TIME_AND_YEAR =
      " +(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})"
          + HALF
          + "(?: +[A-Z]{2,5})? +(?<year>\\d{4})";

  /** {@code Nov 21 07:00:00 UTC 2026}. */
  private static final Pattern YEAR_LAST =
      Pattern.compile(MONTH + " +(?<day>\\d{1,2})" + TIME_AND_YEAR, Pattern.CASE_INSENSITIVE);

  /** {@code 21. Nov 07:00:00 UTC 2026}. */
  private static final Pattern DAY_FIRST_YEAR_LAST =
      Pattern.compile("(?<day>\\d{1,2})\\.? +" + MONTH + TIME_AND_YEAR, Pattern.CASE_INSENSITIVE);

  private static final List<Pattern> FORMS =
      List.of(YEAR_FIRST, YEAR_LAST, DAY_FIRST_YEAR_LAST, DAY_FIRST);

  private static final Map<String, Integer> MONTHS =
      Map.ofEntries(
          Map.entry("jan", 1),
          Map.entry("feb", 2),
          Map.entry("mar", 3),
          Map.entry("apr", 4),
          Map.entry("may", 5),
          Map.entry("jun", 6),
          Map.entry("jul", 7),
          Map.entry("aug", 8),
          Map.entry("sep", 9),
          Map.entry("oct", 10),
          Map.entry("nov", 11),
          Map.entry("dec", 12));

  private PublishedDate() {}

  /**
   * Why a version is older than the live one; empty when it is not, or when nothing shows it.
   *
   * @param fresh what the server said of the version
   * @param live what it said of the live one
   */
  public static List<String> older(
      FeedContent content, Validators fresh, FeedContent liveContent, Validators live, Instant now)
      throws IOException {
    Optional<Instant> before = inside(liveContent, now);
    Optional<Instant> then = inside(content, now);
    if (before.isPresent() && then.isPresent()) {
      return older("says that it is", then.get(), before.get());
    }
    for (Map.Entry<String, Validators.Stamp> page : fresh.pages().entrySet()) {
      Validators.Stamp was = live.pages().get(page.getKey());
      Optional<Instant> nowModified = httpDate(page.getValue().lastModified());
      Optional<Instant> wasModified = was == null ? Optional.empty() : httpDate(was.lastModified());
      if (nowModified.isPresent() && wasModified.isPresent()) {
        List<String> reasons = older("Last-Modified is", nowModified.get(), wasModified.get());
        if (!reasons.isEmpty()) {
          return reasons;
        }
      }
    }
    return List.of();
  }

  private static List<String> older(String how, Instant then, Instant live) {
    return then.plus(TOLERANCE).isAfter(live)
        ? List.of()
        : List.of("older than the live version: %s of %s, live is %s".formatted(how, then, live));
  }

  /** RFC 9110, section 5.6.7. */
  private static Optional<Instant> httpDate(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The date in the text itself. */
  static Optional<Instant> inside(FeedContent content, Instant now) throws IOException {
    try (InputStream octets = Files.newInputStream(content.parts().getFirst());
        InputStream text = FeedBytes.open(octets)) {
      String head = new String(text.readNBytes(HEAD_OCTETS), ISO_8859_1);
      Optional<Instant> found =
          head.startsWith("{")
              ? metadata(head + new String(text.readNBytes(JSON_OCTETS), ISO_8859_1))
              : ofHead(head);
      return found.filter(date -> date.isBefore(now.plus(AHEAD)));
    } catch (DamagedFeedException e) {
      // The parser reports what is wrong.
      return Optional.empty();
    }
  }

  private static Optional<Instant> metadata(String text) {
    Matcher record = METADATA.matcher(text);
    return record.find() ? epoch(record.group(1)) : Optional.empty();
  }

  static Optional<Instant> ofHead(String head) {
    for (String line : head.split("\\R", -1)) {
      Matcher rbldnsd = RBLDNSD.matcher(line);
      if (rbldnsd.find()) {
        return date(rbldnsd.group(1));
      }
      Matcher dated = DATED.matcher(line);
      if (isComment(line) && dated.find()) {
        Optional<Instant> date = date(dated.group(1));
        if (date.isPresent()) {
          return date;
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isComment(String line) {
    return !line.isEmpty() && "#;!/".indexOf(line.charAt(0)) >= 0;
  }

  private static Optional<Instant> date(String text) {
    Matcher epoch = EPOCH.matcher(text);
    if (epoch.find()) {
      return epoch(epoch.group(1));
    }
    for (Pattern form : FORMS) {
      Matcher found = form.matcher(text);
      if (found.find()) {
        return date(found);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> date(Matcher found) {
    try {
      String month = found.group("month").toLowerCase(Locale.ROOT);
      Integer named = MONTHS.get(month);
      return Optional.of(
          LocalDateTime.of(
                  Integer.parseInt(found.group("year")),
                  named != null ? named : Integer.parseInt(month),
                  Integer.parseInt(found.group("day")),
                  hour(found),
                  number(found, "minute"),
                  number(found, "second"))
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Twelve of either half is its beginning. */
  private static int hour(Matcher found) {
    int hour = number(found, "hour");
    String half = found.group("half");
    if (half == null || hour < 1 || hour > NOON) {
      return hour;
    }
    return hour % NOON + (half.equalsIgnoreCase("p") ? NOON : 0);
  }

  private static int number(Matcher found, String group) {
    String digits = found.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static Optional<Instant> epoch(String seconds) {
    return Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)));
  }
}

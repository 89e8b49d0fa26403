package io.bloomgate.gateway.relay;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the mail server offered in its last EHLO. Immutable.
 *
 * @param sizeOctets limit of RFC 1870; 0 for no fixed limit, -1 when SIZE is not offered
 * @param xclientAttributes names behind XCLIENT, empty when not offered
 * @param xforwardAttributes names behind XFORWARD, empty when not offered
 * @param mailMax MAIL commands in one session, RFC 9422; {@link #NO_MAXIMUM} when not announced
 * @param rcptMax RCPT commands in one transaction, RFC 9422; {@link #NO_MAXIMUM} when not announced
 */
public record UpstreamExtensions(
    boolean pipelining,
    boolean eightBitMime,
    boolean smtpUtf8,
    boolean dsn,
    boolean startTls,
    long sizeOctets,
    Set<String> xclientAttributes,
    Set<String> xforwardAttributes,
    int mailMax,
    int rcptMax) {

  /** The value of a limit that the mail server does not name. */
  public static final int NO_MAXIMUM = Integer.MAX_VALUE;

  /** Nothing offered: before the first probe, or a mail server of RFC 821. */
  public static final UpstreamExtensions NONE =
      new UpstreamExtensions(
          false, false, false, false, false, -1, Set.of(), Set.of(), NO_MAXIMUM, NO_MAXIMUM);

  public UpstreamExtensions {
    xclientAttributes = Set.copyOf(xclientAttributes);
    xforwardAttributes = Set.copyOf(xforwardAttributes);
  }

  /** What both offer; the smaller size counts. */
  UpstreamExtensions and(UpstreamExtensions other) {
    return new UpstreamExtensions(
        pipelining && other.pipelining,
        eightBitMime && other.eightBitMime,
        smtpUtf8 && other.smtpUtf8,
        dsn && other.dsn,
        startTls && other.startTls,
        smaller(sizeOctets, other.sizeOctets),
        Set.of(),
        Set.of(),
        Math.min(mailMax, other.mailMax),
        Math.min(rcptMax, other.rcptMax));
  }

  /** Where one names no limit, the other's counts. */
  private static long smaller(long one, long other) {
    return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
  }

  /**
   * Reads the reply to EHLO (RFC 5321 section 4.1.1.1). Unknown and malformed lines are ignored.
   *
   * @param lines the texts behind the reply codes, the first being the greeting
   */
  static UpstreamExtensions parse(List<String> lines) {
    Set<String> keywords = new HashSet<>();
    long size = -1;
    Set<String> xclient = Set.of();
    Set<String> xforward = Set.of();
    Set<String> limits = Set.of();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      String[] words = line.strip().toUpperCase(Locale.ROOT).split("[ \\t]+", -1);
      switch (words[0]) {
        case "SIZE" -> size = parseSize(words);
        case "XCLIENT" -> xclient = arguments(words);
        case "XFORWARD" -> xforward = arguments(words);
        case "LIMITS" -> limits = arguments(words);
        default -> keywords.add(words[0]);
      }
    }
    return new UpstreamExtensions(
        keywords.contains("PIPELINING"),
        keywords.contains("8BITMIME"),
        keywords.contains("SMTPUTF8"),
        keywords.contains("DSN"),
        keywords.contains("STARTTLS"),
        size,
        xclient,
        xforward,
        limit(limits, "MAILMAX="),
        limit(limits, "RCPTMAX="));
  }

  /** RFC 9422 section 3: a number without leading zero, of at most six digits. */
  private static int limit(Set<String> limits, String name) {
    return limits.stream()
        .filter(limit -> limit.startsWith(name))
        .map(limit -> limit.substring(name.length()))
        .filter(number -> number.matches("[1-9][0-9]{0,5}"))
        .mapToInt(Integer::parseInt)
        .min()
        .orElse(NO_MAXIMUM);
  }

  /** RFC 1870 section 4: no number or zero means no fixed limit; so does what is not a number. */
  private static long parseSize(String[] words) {
    if (words.length < 2 || !words[1].matches("[0-9]{1,18}")) {
      return 0;
    }
    return Long.parseLong(words[1]);
  }

  private static Set<String> arguments(String[] words) {
    return new HashSet<>(List.of(words).subList(1, words.length));
  }
}

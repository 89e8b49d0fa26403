package io.bloomgate.blocklists.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.format.Reading;
import io.bloomgate.blocklists.guard.FeedGuard.Judgement;
import io.bloomgate.blocklists.guard.FeedGuard.Verdict;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Versions and what the guard says of them; for its tests. */
abstract class GuardedVersions {

  static final List<ProtectedSet> PROTECTED =
      ProtectedSet.of(
          EnumSet.allOf(NeverBlock.class),
          List.of(IpPrefix.parse("198.51.100.25").toOptional().orElseThrow()),
          List.of(DomainName.parse("mail.inside.example").toOptional().orElseThrow()),
          List.of("own.example", ".tree.example"));

  static final EntryGuard NO_RULES =
      new EntryGuard(
          new Settings.Feeds.Guard(0.5, 3.0, 0.5, 0.05, 0, 0, 1.0, 20, Duration.ofDays(3), 5),
          true,
          List.of());

  static final Settings.Feeds.Guard NO_TURNOVER =
      new Settings.Feeds.Guard(0.5, 3.0, null, 0.05, 8, 19, 0.2, 20, Duration.ofDays(3), 5);

  static DigestedVersion version(String text) {
    return version(text, new EntryGuard(FeedTest.DEFAULT_GUARD, false, PROTECTED));
  }

  static DigestedVersion version(String text, EntryGuard guard) {
    return read("lines", text, guard, FeedLimits.entries(1L << 29));
  }

  static DigestedVersion read(String format, String text, EntryGuard guard, long mostEntries) {
    byte[] octets = text.getBytes(UTF_8);
    try {
      return DigestedVersion.read(
          sink -> {
            ParseTotals totals =
                Reading.format(format).parse(new ByteArrayInputStream(octets), null, sink);
            return FeedContent.ended(totals, sink);
          },
          guard,
          FeedSink.NONE,
          new EntryLimit(mostEntries));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static String entries(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "203.0." + i / 256 + "." + i % 256 + "\n")
        .collect(Collectors.joining());
  }

  static Judgement judge(DigestedVersion fresh, String live) {
    return judge(FeedTest.DEFAULT_GUARD, fresh, live.isEmpty() ? null : version(live));
  }

  /** Judges a version beside the live one, which null is for none. */
  static Judgement judge(
      Settings.Feeds.Guard guard, DigestedVersion fresh, @Nullable DigestedVersion live) {
    return FeedGuard.judge(
        guard, fresh, Optional.ofNullable(live).map(DigestedVersion::digest), false, List.of());
  }

  static Verdict verdict(String fresh, String live) {
    return judge(version(fresh), live).verdict();
  }
}

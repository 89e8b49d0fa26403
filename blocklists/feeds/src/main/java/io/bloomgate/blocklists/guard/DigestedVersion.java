package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version as the guard looks at it. Immutable; read by the feed-refresher and by {@code feeds
 * test}, on their threads.
 */
public record DigestedVersion(ParseTotals totals, FeedDigest digest) {

  /** Content that is read once, or twice if it has exceptions: see {@link Exceptions}. */
  @FunctionalInterface
  interface Reading {
    ParseTotals into(FeedSink sink) throws IOException;
  }

  /**
   * Reads a version.
   *
   * @param guard says which entries would be held back
   * @param beside takes all entries and problems, too
   * @throws IOException only when the content cannot be read
   */
  public static DigestedVersion read(
      FeedContent content,
      FeedFormat format,
      @Nullable Match match,
      EntryGuard guard,
      FeedSink beside)
      throws IOException {
    return read(sink -> content.read(format, match, sink), guard, beside, EntryLimit.ofHeap());
  }

  /** The same without another sink. */
  public static DigestedVersion read(
      FeedContent content, FeedFormat format, @Nullable Match match, EntryGuard guard)
      throws IOException {
    return read(content, format, match, guard, FeedSink.NONE);
  }

  /** Reads only those entries of a version that are held back and may be accepted. */
  public static DigestedVersion ofHeldBack(
      FeedContent content, FeedFormat format, @Nullable Match match, EntryGuard guard)
      throws IOException {
    return read(
        sink -> content.read(format, match, LiveEntries.heldBack(guard, sink)),
        guard.accepted(),
        FeedSink.NONE,
        EntryLimit.ofHeap());
  }

  static DigestedVersion read(Reading version, EntryGuard guard, FeedSink beside, EntryLimit limit)
      throws IOException {
    DigestCollector collector = new DigestCollector(guard, limit, new Exceptions(limit));
    FeedSink sink = beside.equals(FeedSink.NONE) ? collector : new FeedSink.Both(collector, beside);
    ParseTotals totals = version.into(new Narrowing(guard, sink));
    collector.exceptions.close();
    if (totals.damage().isEmpty() && collector.exceptions.any()) {
      collector = new DigestCollector(guard, limit.again(), collector.exceptions);
      ParseTotals again = version.into(new Narrowing(guard, collector));
      if (again.damage().isPresent()) {
        totals = totals.damaged(again.damage().get());
      }
    }
    return new DigestedVersion(totals, FeedDigest.of(collector));
  }

  /** Passes on every entry as far as it may reach. */
  record Narrowing(EntryGuard guard, FeedSink next) implements FeedSink {
    @Override
    public void entry(ListEntry entry) {
      next.entry(guard.narrowed(entry));
    }

    @Override
    public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
      next.range(first, last, networks);
    }

    @Override
    public void problem(ParseProblem problem) {
      next.problem(problem);
    }

    @Override
    public void end() {
      next.end();
    }
  }
}

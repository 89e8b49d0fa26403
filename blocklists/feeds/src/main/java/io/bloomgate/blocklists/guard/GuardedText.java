package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A text, and the way to read it as a list. Immutable; read by the feed-refresher, by commands that
 * test and compare lists, and by the page of the gateway, on their threads.
 *
 * @param content {@code null} for a list without entries
 * @param match {@code null} where the format decides
 * @param guard says which of its entries do not go live
 */
public record GuardedText(
    @Nullable FeedContent content, FeedFormat format, @Nullable Match match, EntryGuard guard) {

  /** The same list without any entry. */
  public GuardedText emptied() {
    return new GuardedText(null, format, match, guard);
  }

  /** Gives all entries, those too that do not go live. */
  private ParseTotals read(FeedSink sink) throws IOException {
    return content == null ? ParseTotals.NONE : content.read(format, match, sink);
  }

  /** Gives all entries as far as each may reach, a range as its networks. */
  ParseTotals all(FeedSink sink) throws IOException {
    return read(entry -> sink.entry(guard.narrowed(entry)));
  }

  /** Gives what may go live; of a damaged text what is before the damage. */
  public ParseTotals live(FeedSink sink) throws IOException {
    return read(new LiveEntries(guard, sink));
  }

  /** Gives what is held back and an operator may accept. */
  public ParseTotals heldBack(FeedSink sink) throws IOException {
    return read(LiveEntries.heldBack(guard, sink));
  }

  /**
   * Gives what may go live.
   *
   * @throws IOException when the content cannot be read, or is damaged
   */
  public void entries(FeedSink sink) throws IOException {
    proven(live(sink));
  }

  /** Looks at it as the guard of versions does. */
  public DigestedVersion digested() throws IOException {
    return digested(FeedSink.NONE);
  }

  /**
   * The same.
   *
   * @param beside takes all entries and problems, too
   */
  public DigestedVersion digested(FeedSink beside) throws IOException {
    return DigestedVersion.read(this::read, guard, beside, EntryLimit.ofHeap());
  }

  /** The digest of a text that must not be damaged. */
  FeedDigest digest() throws IOException {
    DigestedVersion read = digested();
    proven(read.totals());
    return read.digest();
  }

  /** The digest of those entries only that are held back and may be accepted. */
  public FeedDigest heldBack() throws IOException {
    return DigestedVersion.read(
            this::heldBack, guard.accepted(), FeedSink.NONE, EntryLimit.ofHeap())
        .digest();
  }

  private static void proven(ParseTotals totals) throws IOException {
    if (totals.damage().isPresent()) {
      throw new IOException(totals.damage().get());
    }
  }
}

package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.impact.AcceptedSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The newest kept sessions with accepted mail that no list was against, newest first: as many as
 * the guard of feeds wants, and no more than it has time for. Read by the gateway on the
 * feed-refresher thread; each call reads again.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 * @param nanoTime monotonic time in nanoseconds
 */
public record AcceptedSessions(
    SessionSearch search, Instant since, Instant until, LongSupplier nanoTime)
    implements AcceptedSource {

  /**
   * Kept sessions of any kind that are looked at. A flood of more sessions hides older mail from
   * the guard, which then logs that it did not read on.
   */
  private static final long MAX_ROWS = 10_000_000;

  /** Time for reading, on a machine that does other work meanwhile. */
  private static final Duration MAX_READING = Duration.ofSeconds(10);

  @Override
  public Optional<String> read(Taker taker) throws IOException {
    ReadingBound bound = new ReadingBound(MAX_ROWS, MAX_READING, nanoTime);
    search.accepted(SessionQuery.of(since, until), bound, taker);
    return bound.reached();
  }
}

package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.impact.AcceptedMail;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSessions;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * The newest kept sessions with accepted mail that no list was against, newest first: as many as
 * the guard of feeds looks at, and no more rows than it has time for. Read by the gateway on the
 * feed-refresher thread; each call reads again.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 */
public record AcceptedSessions(SessionSearch search, Instant since, Instant until)
    implements PastSessions {

  /** Kept sessions of any kind that are looked at; about a second of reading. */
  private static final long MAX_ROWS = 2_000_000;

  @Override
  public void forEach(Consumer<? super PastSession> consumer) throws IOException {
    search.accepted(SessionQuery.of(since, until), AcceptedMail.MAX_SESSIONS, MAX_ROWS, consumer);
  }
}

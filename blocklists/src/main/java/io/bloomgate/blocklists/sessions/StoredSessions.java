package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSessions;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Kept sessions as {@code impact} takes them. Read by the command line, and by the gateway for its
 * guard; each call reads again.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 */
public record StoredSessions(SessionSearch search, Instant since, Instant until)
    implements PastSessions {

  @Override
  public void forEach(Consumer<? super PastSession> consumer) throws IOException {
    search.past(SessionQuery.of(since, until), consumer);
  }
}

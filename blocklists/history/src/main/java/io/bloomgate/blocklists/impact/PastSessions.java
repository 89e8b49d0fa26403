package io.bloomgate.blocklists.impact;

import java.io.IOException;
import java.util.function.Consumer;

/** A source of past sessions. Read on the thread that asks for the impact. */
@FunctionalInterface
public interface PastSessions {

  /**
   * Hands over every session, in no particular order; each call reads again.
   *
   * @throws IOException when what was kept cannot be read
   */
  void forEach(Consumer<? super PastSession> consumer) throws IOException;
}

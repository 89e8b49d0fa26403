package io.bloomgate.blocklists.impact;

import java.io.IOException;
import java.util.function.Consumer;

/** Where past sessions are read from. Read on the thread that asks for the impact. */
@FunctionalInterface
public interface PastSessions {

  /**
   * Hands over every session, in no particular order; each call reads again.
   *
   * @throws IOException when what was kept cannot be read
   */
  void forEach(Consumer<? super PastSession> consumer) throws IOException;

  /**
   * The same for one who does not decide on every session.
   *
   * @throws IOException when what was kept cannot be read
   */
  default void read(PastTaker taker) throws IOException {
    forEach(taker::take);
  }
}

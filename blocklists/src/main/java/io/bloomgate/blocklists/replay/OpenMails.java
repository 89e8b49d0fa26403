package io.bloomgate.blocklists.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is open while a log is read, by id, in bounded memory: the oldest is given up and counted.
 * One thread.
 */
final class OpenMails<T> {

  /** Open mails or connections of one log; about 500 octets each. */
  static final int MAX_OPEN = 50_000;

  private final Map<String, T> open = new LinkedHashMap<>();
  private long givenUp;

  @Nullable T get(String id) {
    return open.get(id);
  }

  void put(String id, T mail) {
    if (open.size() == MAX_OPEN && !open.containsKey(id)) {
      open.remove(open.keySet().iterator().next());
      givenUp++;
    }
    open.put(id, mail);
  }

  @Nullable T remove(String id) {
    return open.remove(id);
  }

  /** All that is left, the oldest first; nothing is open then. */
  List<T> drain() {
    List<T> left = new ArrayList<>(open.values());
    open.clear();
    return left;
  }

  /** How many were given up. */
  long givenUp() {
    return givenUp;
  }
}

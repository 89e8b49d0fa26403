package io.bloomgate.blocklists.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The open mails and connections while a log is read, by id, in bounded memory: when they are too
 * many or too large, the oldest are pushed out. Used by the parsers of logs; one thread.
 */
final class OpenMails<T> {

  /** Open mails or connections of one log. */
  static final int MAX_OPEN = 50_000;

  /** Octets of all of them (32 MiB): about 600 each when there are {@link #MAX_OPEN}. */
  static final long MAX_OCTETS = 32L << 20;

  /** Octets of the place of one, beside the characters of its id. */
  private static final int PLACE_OCTETS = 150;

  private final ToLongFunction<T> octetsOf;
  private final Consumer<T> pushedOut;
  private final Map<String, Place<T>> places = new LinkedHashMap<>();
  private long octets;

  /** Octets as they were counted last. */
  private record Place<T>(T value, long octets) {}

  /**
   * Nothing is open yet.
   *
   * @param octetsOf what one needs, about
   * @param pushedOut receives each that is open no more because there were too many
   */
  OpenMails(ToLongFunction<T> octetsOf, Consumer<T> pushedOut) {
    this.octetsOf = octetsOf;
    this.pushedOut = pushedOut;
  }

  @Nullable T get(String id) {
    Place<T> place = places.get(id);
    return place == null ? null : place.value;
  }

  /** Opens one, the newest of all; replaces the one with this id. */
  void put(String id, T value) {
    remove(id);
    count(id, value);
    limit();
  }

  /** Counts one again, which may be larger now; nothing when it is not open. */
  void changed(String id) {
    Place<T> place = places.get(id);
    if (place != null) {
      octets -= place.octets;
      count(id, place.value);
      limit();
    }
  }

  @Nullable T remove(String id) {
    Place<T> place = places.remove(id);
    if (place == null) {
      return null;
    }
    octets -= place.octets;
    return place.value;
  }

  /** All that is left, the oldest first; nothing is open then. */
  List<T> drain() {
    List<T> left = new ArrayList<>(places.size());
    places.values().forEach(place -> left.add(place.value));
    places.clear();
    octets = 0;
    return left;
  }

  private void count(String id, T value) {
    long needed = PLACE_OCTETS + LogText.octets(id) + octetsOf.applyAsLong(value);
    places.put(id, new Place<>(value, needed));
    octets += needed;
  }

  private void limit() {
    while (places.size() > MAX_OPEN || octets > MAX_OCTETS) {
      T oldest = remove(places.keySet().iterator().next());
      if (oldest != null) {
        pushedOut.accept(oldest);
      }
    }
  }
}

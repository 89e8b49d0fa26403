package io.bloomgate.blocklists.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open mails and connections while a log is read, by id: when they are too many, the oldest are
 * pushed out. Parsers keep short texts only, so this bounds the memory too. One thread.
 */
final class OpenMails<T> {

  /** Open mails or connections of one log. */
  static final int MAX_OPEN = 50_000;

  private final Consumer<T> pushedOut;
  private final LinkedHashMap<String, T> open = new LinkedHashMap<>();

  /**
   * Nothing is open yet.
   *
   * @param pushedOut receives each that is open no more because there were too many
   */
  OpenMails(Consumer<T> pushedOut) {
    this.pushedOut = pushedOut;
  }

  @Nullable T get(String id) {
    return open.get(id);
  }

  /** Opens one, the newest of all; replaces the one with this id. */
  void put(String id, T value) {
    open.putLast(id, value);
    if (open.size() > MAX_OPEN) {
      pushedOut.accept(open.pollFirstEntry().getValue());
    }
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
}

package io.bloomgate.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * The threads that have to live as long as the gateway, and whether each gets on. Filled while the
 * gateway starts; asked by `health` and `status`. Thread-safe.
 */
final class LifeSigns {

  private final List<Sign> signs = new CopyOnWriteArrayList<>();

  /**
   * @param thread as the operator shall read it
   * @param late true when it ended, or hangs in one piece of work
   */
  private record Sign(String thread, BooleanSupplier late) {}

  /** One more thread. */
  void add(String thread, BooleanSupplier late) {
    signs.add(new Sign(thread, late));
  }

  /** Those that ended or hang. */
  List<String> late() {
    return signs.stream().filter(sign -> sign.late.getAsBoolean()).map(Sign::thread).toList();
  }
}

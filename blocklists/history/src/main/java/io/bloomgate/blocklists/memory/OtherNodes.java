package io.bloomgate.blocklists.memory;

import java.util.Map;
import java.util.Optional;

/**
 * The other nodes of a fleet, as the memory of one of them sees them: what one of them tells, all
 * remember, and each keeps texts that the others read. {@link OwnMemory} calls it on threads of
 * sessions and handlers and on its chore; no call waits longer than 50 ms.
 */
public interface OtherNodes {

  /** There are none. */
  OtherNodes NONE =
      new OtherNodes() {
        @Override
        public Optional<Map<String, Boolean>> connected() {
          return Optional.of(Map.of());
        }

        @Override
        public void tell(String text) {}

        @Override
        public void keep(String name, String text) {}

        @Override
        public Optional<String> kept(String node, String name) {
          return Optional.empty();
        }
      };

  /**
   * Says of each other node, by name, whether it is connected now; those that are gone for long are
   * left out.
   *
   * @return empty while nobody knows
   */
  Optional<Map<String, Boolean>> connected();

  /** Gives a text to all; returns at once. */
  void tell(String text);

  /** Keeps a text of this node for three days, in place of the one of this name before. */
  void keep(String name, String text);

  /** Reads the text that a node keeps under this name; empty where it cannot be read now. */
  Optional<String> kept(String node, String name);
}

package io.bloomgate.blocklists.fleet;

/**
 * Says how far the last command of a node has got. Immutable.
 *
 * @param nodes that have applied it
 * @param connected all that are here
 * @param away known nodes that are not here; those that are gone for long are left out
 * @param queued it is on the disk of this node only
 */
public record Confirmation(int nodes, int connected, int away, boolean queued) {
  /** {@code on 3 of 4 nodes (1 away)}. */
  public String text() {
    return queued
        ? "on this node; queued for the others, because Redis cannot be reached"
        : "on %d of %d nodes%s"
            .formatted(nodes, connected, away == 0 ? "" : " (" + away + " away)");
  }
}

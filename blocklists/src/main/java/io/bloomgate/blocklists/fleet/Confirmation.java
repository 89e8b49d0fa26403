package io.bloomgate.blocklists.fleet;

/**
 * How far the last command of a node has got. Immutable.
 *
 * @param nodes that have applied it
 * @param connected all that are here
 * @param queued it is on the disk of this node only
 */
public record Confirmation(int nodes, int connected, boolean queued) {
  /** {@code on 3 of 4 nodes}. */
  public String text() {
    return queued
        ? "on this node; queued for the others, because Redis cannot be reached"
        : "on " + nodes + " of " + connected + " nodes";
  }
}

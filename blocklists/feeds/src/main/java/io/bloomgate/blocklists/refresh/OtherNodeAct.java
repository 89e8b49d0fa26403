package io.bloomgate.blocklists.refresh;

/**
 * An act on another node of a fleet about a feed. Versions are named by the SHA-256 of their
 * octets, because each node numbers its own. Immutable; carried out by {@link FollowedActs}.
 */
public sealed interface OtherNodeAct {

  String feed();

  /** The person who did it, and the node: {@code alice@mx1}. */
  String by();

  /**
   * {@code feeds accept}.
   *
   * @param entries what was held back of a live version, not a version as a whole
   */
  record Accept(String feed, String sha256, boolean entries, String by) implements OtherNodeAct {}

  /**
   * {@code feeds rollback}.
   *
   * @param from the version that was live until then
   * @param to the version that is live since then
   */
  record Rollback(String feed, String from, String to, String by) implements OtherNodeAct {}
}

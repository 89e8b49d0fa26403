package io.bloomgate.config.name;

/**
 * The rights of a user of a gateway, the least first: each role may do what those before it may.
 * Given by control socket and page to the user of a request; all modules may call, any thread.
 */
public enum Role implements Keyed {
  /** May not even ask. */
  NONE,
  /** May ask, and changes nothing. */
  READ,
  /** May also let senders pass for some days. */
  SUPPORT,
  /** May do everything. */
  ADMIN;

  /** True when this role may do what needs that one. */
  public boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }
}

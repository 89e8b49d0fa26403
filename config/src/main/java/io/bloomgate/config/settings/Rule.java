package io.bloomgate.config.settings;

import java.util.List;

/**
 * A verdict that several lists reach together.
 *
 * @param needed how many of the lists must list a session, lists of one family counted once; all of
 *     them, without regard to families, when {@code all}
 * @param of names of feeds, at most {@link #MAX_LISTS}
 */
public record Rule(String name, int needed, boolean all, List<String> of, Action action) {

  /** Lists that one rule may name. */
  public static final int MAX_LISTS = 64;
}

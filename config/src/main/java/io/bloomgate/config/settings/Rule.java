package io.bloomgate.config.settings;

import java.util.List;

/**
 * A verdict that several lists reach together.
 *
 * @param needed how many of the lists must list a session, lists of one family counted once; all of
 *     them, without regard to families, when {@code all}
 * @param of names of feeds and signs, at most {@link #MAX_LISTS}
 * @param unlessKnown not for a sender whose mail was accepted from the same network before
 */
public record Rule(
    String name, int needed, boolean all, List<String> of, Action action, boolean unlessKnown) {

  /** A rule for all senders. */
  public Rule(String name, int needed, boolean all, List<String> of, Action action) {
    this(name, needed, all, of, action, false);
  }

  /** Lists that one rule may name. */
  public static final int MAX_LISTS = 64;
}

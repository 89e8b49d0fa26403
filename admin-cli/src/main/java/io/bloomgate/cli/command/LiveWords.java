package io.bloomgate.cli.command;

import java.util.Collections;
import java.util.Iterator;

/**
 * Marks an argument whose words only a running gateway knows: the scripts for completion ask for
 * them when a person presses the key. Named as {@code completionCandidates} of the argument; as a
 * list of words it is empty. Immutable.
 */
public abstract sealed class LiveWords implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    return Collections.emptyIterator();
  }

  /** Names of feeds and lists that are asked by DNS. */
  public static final class Feeds extends LiveWords {}

  /** Ids of the last refusals. */
  public static non-sealed class Refusals extends LiveWords {}

  /** The same, where the file of a mail may be given too. */
  public static final class RefusalsOrFiles extends Refusals {}

  /** Subjects of the operator's entries: of the list that the command is for. */
  public static final class Entries extends LiveWords {}
}

package io.bloomgate.cli.command;

import java.util.Collections;
import java.util.Iterator;

/**
 * Marks an argument whose words only a running gateway knows: the scripts for completion ask for
 * them when a person presses the key. Named as {@code completionCandidates} of the argument; as a
 * list of words it is empty. Immutable.
 */
public abstract class LiveWords implements Iterable<String> {

  /** A kind of words that only the gateway knows. */
  public enum Kind {
    /** Names of feeds and lists that are asked by DNS. */
    FEEDS,
    /** Ids of the last refusals. */
    REFUSALS,
    /** Subjects of the operator's entries: of the list that the command is for. */
    ENTRIES
  }

  private final Kind kind;

  LiveWords(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  @Override
  public Iterator<String> iterator() {
    return Collections.emptyIterator();
  }

  /** Names of feeds. */
  public static final class Feeds extends LiveWords {
    Feeds() {
      super(Kind.FEEDS);
    }
  }

  /** Ids of the last refusals. */
  public static final class Refusals extends LiveWords {
    public Refusals() {
      super(Kind.REFUSALS);
    }
  }

  /** The same, where the file of a mail may be given too. */
  public static final class RefusalsOrFiles extends LiveWords {
    public RefusalsOrFiles() {
      super(Kind.REFUSALS);
    }
  }

  /** Subjects of entries. */
  public static final class Entries extends LiveWords {
    public Entries() {
      super(Kind.ENTRIES);
    }
  }
}

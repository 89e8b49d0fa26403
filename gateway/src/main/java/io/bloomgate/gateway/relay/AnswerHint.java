package io.bloomgate.gateway.relay;

import java.util.Set;

/**
 * The knowledge of {@link AnswerMemory} of one sender's mail for one recipient, over all contents.
 * Immutable.
 *
 * @param contents the messages that were answered
 */
public record AnswerHint(Kind kind, Set<AnswerMemory.Key> contents) {

  public AnswerHint {
    contents = Set.copyOf(contents);
  }

  /** The next answer, if the client tries the same message again. */
  public enum Kind {
    /** Not known: no message waits to be tried again. */
    NEW,
    /** 250: the message was accepted. */
    TAKEN,
    /** 250, and it did not help at a further try, because other recipients were put off again. */
    TRIED,
    /** 5xx: the message was refused. */
    REFUSED,
    /** The server accepted some of several contents and refused some. */
    MIXED;

    /** The one that stands for those of several contents. */
    static Kind of(Set<Kind> kinds) {
      if (kinds.contains(REFUSED)) {
        return kinds.size() > 1 ? MIXED : REFUSED;
      }
      return kinds.contains(TRIED) ? TRIED : TAKEN;
    }
  }
}

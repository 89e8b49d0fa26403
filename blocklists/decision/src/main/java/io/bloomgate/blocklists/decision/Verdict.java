package io.bloomgate.blocklists.decision;

import io.bloomgate.config.settings.Action;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a decision in mode enforce; the mode decides what is done with it. Each has its
 * evidence (promise P6). Immutable.
 */
public sealed interface Verdict {

  /** Everything that the decision found. */
  Grounds grounds();

  /** The word in logs, JSON and metrics. */
  default String key() {
    return this instanceof Accept ? "accept" : strength().key();
  }

  /**
   * The effect of the verdict, as the action that asks for it; {@code OBSERVE} for {@link Accept}.
   */
  default Action strength() {
    return switch (this) {
      case Accept _ -> Action.OBSERVE;
      case Tag _ -> Action.TAG;
      case Greylist _ -> Action.GREYLIST;
      case Tempfail _ -> Action.TEMPFAIL;
      case Reject _ -> Action.REJECT;
    };
  }

  /** True when it keeps mail from being accepted, for good or for now. */
  default boolean refuses() {
    return strength().refuses();
  }

  /**
   * Says the same of a verdict that was written down.
   *
   * @param key as {@link #key}; any other word is none that refuses
   */
  static boolean refuses(String key) {
    return Stream.of(Action.values())
        .anyMatch(action -> action.refuses() && action.key().equals(key));
  }

  /** The ground that decides; {@code null} for {@link Accept}. */
  default @Nullable Ground decidedBy() {
    return switch (this) {
      case Accept ignored -> null;
      case Tag tag -> tag.ground();
      case Greylist greylist -> greylist.ground();
      case Tempfail tempfail -> tempfail.ground();
      case Reject reject -> reject.ground();
    };
  }

  /** Relay. */
  record Accept(Grounds grounds) implements Verdict {}

  /** Relay with headers that name the listing. */
  record Tag(Ground.Found ground, Grounds grounds) implements Verdict {}

  /** Refuse until the sender comes again. */
  record Greylist(Ground.Found ground, Grounds grounds) implements Verdict {
    /** The verdict on a sender that came again, or needs not. */
    public Accept letIn() {
      return new Accept(grounds);
    }
  }

  /** Refuse for now: a listing, or a check that failed under {@code on_error: tempfail}. */
  record Tempfail(Ground ground, Grounds grounds) implements Verdict {}

  /** Refuse. Only of what is {@link Ground.Exact} or {@link Ground.Asked} (promise P2). */
  record Reject(Ground.Found ground, Grounds grounds) implements Verdict {}
}

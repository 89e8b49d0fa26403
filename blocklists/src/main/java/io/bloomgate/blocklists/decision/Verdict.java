package io.bloomgate.blocklists.decision;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a decision in mode enforce; the mode decides what is done with it. Each has its
 * evidence (promise P6). Immutable.
 */
public sealed interface Verdict {

  /** Everything that the decision found. */
  Evidence evidence();

  /** The word in logs, JSON and metrics. */
  String key();

  /** What decides; {@code null} for {@link Accept}. */
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
  record Accept(Evidence evidence) implements Verdict {
    @Override
    public String key() {
      return "accept";
    }
  }

  /** Relay with headers that name the listing. */
  record Tag(Ground.Exact ground, Evidence evidence) implements Verdict {
    @Override
    public String key() {
      return "tag";
    }
  }

  /** Refuse until the sender comes again. */
  record Greylist(Ground.Exact ground, Evidence evidence) implements Verdict {
    @Override
    public String key() {
      return "greylist";
    }

    /** The verdict on a sender that came again, or needs not. */
    public Accept letIn() {
      return new Accept(evidence);
    }
  }

  /** Refuse for now: a listing, or a check that failed under {@code on_error: tempfail}. */
  record Tempfail(Ground ground, Evidence evidence) implements Verdict {
    @Override
    public String key() {
      return "tempfail";
    }
  }

  /** Refuse. There is no way to make one without an exact ground (promise P2). */
  record Reject(Ground.Exact ground, Evidence evidence) implements Verdict {
    @Override
    public String key() {
      return "reject";
    }
  }
}

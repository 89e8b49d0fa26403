package io.bloomgate.gateway.message;

import java.util.ArrayList;
import java.util.List;

/**
 * Which octets of a header block may have to go, in order. Filled by {@link HeadReader}, read by
 * {@link MessageHead}; one thread.
 */
final class FieldCuts {

  /** Why a field has to go. */
  enum Reason {
    /** It stays. */
    NONE,
    /** It claims to be a verdict of ours. */
    OURS,
    /** It claims that we found the id of a refusal in the message. */
    INCIDENT,
    /** Another program's spam mark, which would make ours ambiguous. */
    SPAM_MARK;

    boolean applies(boolean tagged) {
      return this == OURS || this == INCIDENT || (this == SPAM_MARK && tagged);
    }
  }

  /** Octets from start until before end. */
  record Cut(int start, int end, Reason reason) {

    boolean applies(boolean tagged) {
      return reason.applies(tagged);
    }
  }

  // No room yet: most messages have nothing to cut.
  private final List<Cut> cuts = new ArrayList<>(0);
  private boolean open;

  /** A field begins. */
  void field(int start, int end, Reason reason) {
    open = reason != Reason.NONE;
    if (open) {
      cuts.add(new Cut(start, end, reason));
    }
  }

  /** The current field extends to here. */
  void extendTo(int end) {
    if (open) {
      Cut last = cuts.removeLast();
      cuts.add(new Cut(last.start(), end, last.reason()));
    }
  }

  List<Cut> all() {
    return cuts;
  }
}

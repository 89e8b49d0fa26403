package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.smtp.Reply;
import org.jspecify.annotations.Nullable;

/**
 * A verdict and what follows from it. Made by {@link Judge}; immutable.
 *
 * @param refusal the reply to the client, {@code null} when the mail may pass
 * @param id incident id, of this ground alone; empty when there is nothing to point at
 * @param facts what was asked about, with the answers of DNS
 */
record Ruling(Verdict verdict, Mode mode, @Nullable Reply refusal, String id, Facts facts) {

  /** The one whose verdict is stronger; of equal ones the first. */
  static @Nullable Ruling stronger(@Nullable Ruling first, @Nullable Ruling second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return second.verdict.strength().compareTo(first.verdict.strength()) > 0 ? second : first;
  }

  /** True when mode enforce would have refused or tagged, and this mode does not. */
  boolean spared() {
    return mode == Mode.OBSERVE && !(verdict instanceof Verdict.Accept);
  }

  /** True when mode enforce would have refused, and this mode does not. */
  boolean wouldRefuse() {
    return spared() && verdict.refuses();
  }

  /** True when DNS lists may change it; what others refuse is not asked by DNS. */
  boolean waitsForDns() {
    return waitsForDns(verdict);
  }

  /** True when a list, a rule or an entry lists it and counts, be it only to observe. */
  boolean isListed() {
    return !verdict.grounds().standing().isEmpty();
  }

  /** True when this client is refused, and the recipient is one that feeds never refuse. */
  boolean sparesRecipientOnly() {
    return mode != Mode.OBSERVE && verdict.grounds().refusedButForRecipient();
  }

  /** True when the message must carry the tag's headers. */
  boolean tags() {
    return verdict instanceof Verdict.Tag && mode != Mode.OBSERVE;
  }

  /** Whole-list verdicts come first: what they refuse is not asked by DNS, and not waited for. */
  static boolean waitsForDns(Verdict verdict) {
    return verdict.strength().compareTo(Action.GREYLIST) <= 0;
  }
}

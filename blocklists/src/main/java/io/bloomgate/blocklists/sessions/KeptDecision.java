package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.config.settings.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One answer of a session that was kept, with the reason. A transaction has one, and another for
 * each further recipient that was refused. Immutable; texts as they came from outside.
 *
 * @param id as the sender saw it; empty when none was given
 * @param to the first recipient that it is about, empty when none
 * @param verdict of mode enforce as a word, be it that a rule of the protocol refused what mode
 *     observe let pass; empty when no list was asked
 * @param generation that was asked; 0 when none
 * @param listings what lists said, the deciding one first
 * @param reply to the client: code, enhanced code and first line
 */
public record KeptDecision(
    String id,
    Stage stage,
    Mode mode,
    Outcome outcome,
    String to,
    String verdict,
    long generation,
    List<KeptListing> listings,
    String reply) {

  /** Verdicts that refuse or put off. */
  static final Set<String> REFUSALS = Set.of("reject", "tempfail", "greylist");

  public KeptDecision {
    listings = List.copyOf(listings);
  }

  /** The same about another recipient. */
  KeptDecision withTo(String other) {
    return new KeptDecision(id, stage, mode, outcome, other, verdict, generation, listings, reply);
  }

  /** The same with what lists said in another answer. */
  KeptDecision withVerdictOf(KeptDecision noted) {
    return new KeptDecision(
        id, stage, mode, outcome, to, noted.verdict, noted.generation, noted.listings, reply);
  }

  /** The listing that decided. */
  public Optional<KeptListing> deciding() {
    return listings.stream().filter(KeptListing::counted).findFirst();
  }

  /** The listings beside the one that decided. */
  List<KeptListing> others() {
    List<KeptListing> others = new ArrayList<>(listings);
    deciding().ifPresent(others::remove);
    return others;
  }

  /** True when the verdict was to refuse or to put off, be it that mode observe let it pass. */
  public boolean refuses() {
    return refuses(verdict);
  }

  /** The same for the word of a verdict. */
  public static boolean refuses(String verdict) {
    return REFUSALS.contains(verdict);
  }

  /** True when mail was not taken, or when mode observe noted that it would not have been. */
  public boolean isRefusal() {
    return switch (outcome) {
      case REFUSED, WOULD_REFUSE, PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED -> true;
      case DELIVERED, UNKNOWN, ABANDONED -> refuses();
    };
  }

  /** The local part of {@code to} as settings name it: lower-case, unquoted. */
  public String recipientLocalPart() {
    return SessionText.recipientLocalPart(to);
  }

  /** The code of the reply. */
  public int code() {
    return SessionText.code(reply);
  }
}

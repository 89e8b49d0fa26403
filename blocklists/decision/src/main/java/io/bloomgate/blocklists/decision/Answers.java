package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Grounds.FilterHit;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers of feeds and of the operator's entries about the {@link Facts} of one decision, and
 * what is known of the sender: all that {@link DecisionEngine} decides by. Made by {@link Gather},
 * not changed afterwards.
 *
 * @param generation of the snapshot that was asked
 * @param listed keys that feeds list
 * @param falsePositives filter hits that the exact index did not confirm
 * @param failed keys whose listings could not be read
 * @param lastSuccess last successful check of each feed that ages
 * @param blocks block entries that cover a key, narrowest first
 * @param allows allow entries that cover a key, narrowest first; read only when something was found
 * @param asn whose network the client is in; asked for only where a list or a rule wants it
 * @param known mail of this sender was accepted before from this network; asked only for rules
 * @param operatorFailure why the operator's entries could not be read; {@code null} when they were
 */
public record Answers(
    long generation,
    List<ListedKey> listed,
    List<FilterHit> falsePositives,
    List<Ground.Failed> failed,
    Map<String, Instant> lastSuccess,
    Map<ListKey, List<OperatorEntry>> blocks,
    Map<ListKey, List<OperatorEntry>> allows,
    List<AsnAnswer> asn,
    boolean known,
    @Nullable String operatorFailure) {

  /** A key, how it is in the mail ({@code OPEN} for the envelope), and what covers it in feeds. */
  record ListedKey(Check check, ListKey key, ContentKey.Place place, List<Listing> listings) {}

  /** True when nothing says anything: so it is with most mail. */
  boolean foundNothing() {
    return listed.isEmpty()
        && falsePositives.isEmpty()
        && failed.isEmpty()
        && blocks.isEmpty()
        && operatorFailure == null;
  }

  /** The operator's entries of one list that cover a key, narrowest first. */
  List<OperatorEntry> covering(ListKind list, ListKey key) {
    return (list == ListKind.BLOCK ? blocks : allows).getOrDefault(key, List.of());
  }
}

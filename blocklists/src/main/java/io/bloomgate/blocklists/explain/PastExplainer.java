package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.guard.FirstListed.Version;
import io.bloomgate.blocklists.history.PastListings.PastListing;
import io.bloomgate.blocklists.history.PastSnapshot;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.name.Parsed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code explain --at}: the decision of now over the lists of then. What else a decision
 * asks is of now, and the answer says so. Used for one command, on its thread.
 */
public final class PastExplainer {

  private final Explainer.Context now;
  private final PastSnapshot past;

  /**
   * Answers from these lists.
   *
   * @param now what an answer about now is based on
   */
  public PastExplainer(Explainer.Context now, PastSnapshot past) {
    this.now = now;
    this.past = past;
  }

  /** The answer to a question, or what is wrong with it. */
  public Parsed<Explanation> explain(Question question) {
    Explainer.Context then =
        new Explainer.Context(
            new Lists(past, now.lists().operator(), Map.of(), now.lists().known()),
            now.policy(),
            now.mode(),
            now.rejectAt(),
            now.offline(),
            now.now(),
            this::origin,
            Explainer.DnsAnswers.NONE);
    return switch (new Explainer(then).explain(question)) {
      case Parsed.Bad<Explanation>(String reason) -> Parsed.bad(reason);
      case Parsed.Ok<Explanation>(Explanation answer, var _) ->
          answer.range() == null
              ? Parsed.ok(answer.asOf(past.at(), notes()))
              : Parsed.bad("the past is known of single addresses and names, not of a network");
    };
  }

  private @Nullable ListingOrigin origin(Ground.Listed listed) {
    Optional<PastListing> found =
        past.listings(listed.subject()).stream()
            .filter(one ->
                one.feed().equals(listed.listing().feed())
                    && one.entry().equals(listed.listing().entry()))
            .findFirst();
    return found.map(one -> origin(one, listed)).orElse(null);
  }

  /** What is listed since before the history began may be known by the live version. */
  private ListingOrigin origin(PastListing one, Ground.Listed listed) {
    ListingOrigin live = one.until() == null ? now.origins().of(listed) : null;
    Version version = null;
    String reference = null;
    Instant since = past.begin();
    boolean atLeast = true;
    if (live != null && one.entry().line() != 0) {
      version = live.version();
      reference = live.reference();
    }
    if (one.since() != null) {
      since = one.since();
      atLeast = false;
    } else if (live != null && live.since().isBefore(since)) {
      since = live.since();
      atLeast = live.atLeast();
    }
    return new ListingOrigin(version, since, atLeast, one.until(), reference);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        "the lists are those of "
            + past.at()
            + "; settings, feeds that are switched off, allow and block entries are those of now");
    notes.add(
        "the age of feeds does not count, and DNS lists and greylisting were not asked: only the"
            + " lists are known of then");
    past.found().stream()
        .filter(one -> !now.policy().feeds().containsKey(one.feed()))
        .filter(one -> one.reaches() && !one.entry().exception())
        .distinct()
        .forEach(one ->
            notes.add(
                "feed "
                    + one.feed()
                    + " listed "
                    + one.entry().text()
                    + " then; it is off or not in the settings now, so it does not count"));
    past.unknownFeeds()
        .forEach((feed, from) ->
            notes.add(
                "what feed "
                    + feed
                    + " listed is known from "
                    + from
                    + " on: more of it changed then than is kept"));
    return notes;
  }
}

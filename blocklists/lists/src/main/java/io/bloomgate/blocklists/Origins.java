package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a listing of one generation comes from. An origin that cannot be read leaves the
 * answer without it. Used on the thread of a command.
 *
 * @param stateDir nothing is changed there
 * @param actions what moved the actions of feeds
 * @param problem receives a sentence when an origin cannot be read
 */
record Origins(
    Path stateDir, SnapshotManifest manifest, FeedActions actions, Consumer<String> problem)
    implements Explanation.Origins {

  @Override
  public Optional<FeedPromotion> promotion(String list) {
    return actions.promotion(list);
  }

  @Override
  public @Nullable ListingOrigin of(Ground.Listed listed) {
    try {
      return ListingOrigin.of(stateDir, manifest, listed.listing()).orElse(null);
    } catch (IOException e) {
      problem.accept(
          "the versions of feed " + listed.source() + " cannot be read: " + Faults.words(e));
      return null;
    }
  }
}

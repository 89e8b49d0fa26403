package io.bloomgate.blocklists;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fleet.published.Fleet;
import io.bloomgate.blocklists.fleet.published.FleetFeeds;
import io.bloomgate.blocklists.fleet.published.FleetSecret;
import io.bloomgate.blocklists.generation.FilterSeed;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a fleet in the lists of this gateway: where versions of feeds come from, how
 * generations are built, and one thread more. A gateway that is alone has nothing of it. Made and
 * closed by {@link Blocklists}; the settings of the fleet count from the start on.
 */
public final class SharedVersions implements AutoCloseable {

  private final Blocklists.Surroundings around;

  /** The seed of the indexes on all nodes; empty without a secret that all have. */
  private final Optional<FilterSeed> seed;

  private final Optional<Fleet> fleet;
  private @Nullable Thread thread;

  SharedVersions(
      Settings settings, Path stateDir, Blocklists.Surroundings around, FeedSources sources)
      throws IOException {
    this.around = around;
    FleetSettings shared = settings.fleet();
    Path secret = shared == null ? null : shared.secret();
    this.seed = secret == null ? Optional.empty() : Optional.of(FleetSecret.read(secret).seed());
    this.fleet =
        Fleet.open(shared, stateDir, sources, around.clock(), around.nanoTime(), around.alarm());
  }

  FleetFeeds feeds() {
    return fleet.<FleetFeeds>map(f -> f).orElse(FleetFeeds.NONE);
  }

  /** Builds the same of the same entries on all nodes; alone, with another seed each time. */
  SnapshotBuilder builder() {
    return seed.map(SnapshotBuilder::new).orElseGet(() -> new SnapshotBuilder(around.random()));
  }

  /** Starts to publish, or to look what the leader published. */
  void start(FeedLoop feedLoop) {
    if (fleet.isPresent()) {
      fleet.get().serve(feedLoop::liveVersions, feedLoop::fleetChanged);
      thread = around.threads().apply("fleet-versions").newThread(fleet.get());
      thread.start();
    }
  }

  /**
   * The id that nodes compare; empty for a gateway without a fleet's secret, whose seeds are
   * random.
   */
  public String id(ListSnapshot snapshot) {
    return seed.isPresent() ? snapshot.manifest().id() : "";
  }

  /** Begins to lead, see {@link Fleet#lead}. */
  public void lead(long lease) {
    fleet.ifPresent(f -> f.lead(lease));
  }

  /** Reads {@link Fleet#highestTerm}; 0 for a gateway that shares no versions. */
  public long highestTerm() {
    return fleet.map(Fleet::highestTerm).orElse(0L);
  }

  /** Reads {@link Fleet#published}. */
  public Optional<Fleet.Published> published() {
    return fleet.flatMap(Fleet::published);
  }

  /** Sentences for the operator; none while all is well. */
  public List<String> alarms() {
    return fleet.map(Fleet::alarms).orElse(List.of());
  }

  /** Ends the thread; the caller closes the sources first, so that no transfer keeps it. */
  @Override
  public void close() {
    fleet.ifPresent(Fleet::close);
    Thread running = thread;
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

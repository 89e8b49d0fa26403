package io.bloomgate.blocklists;

import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KnownGoodCounts;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SelfTest;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The state of the live generation, for {@code status} and metrics. Immutable.
 *
 * @param generation number, 0 for none
 * @param generationId equal on all nodes of a fleet that list the same; empty for a gateway without
 *     a fleet's secret
 * @param filters by name
 * @param filterInstructions which machine instructions test the filters
 * @param ipv4Hosts how the exact index holds IPv4 hosts: {@code ranges}, or {@code none} without a
 *     generation
 * @param warnings of the build, sentences for the operator
 * @param allowEntries allow entries of the operator
 * @param blockEntries block entries of the operator
 * @param selfTest the last random test of the live lists
 */
public record BlocklistsStatus(
    long generation,
    String generationId,
    Entries entries,
    Map<String, FilterShape> filters,
    String filterInstructions,
    String ipv4Hosts,
    KnownGood knownGood,
    List<String> warnings,
    long allowEntries,
    long blockEntries,
    SelfTested selfTest) {

  /**
   * The last random test of the live lists.
   *
   * @param at when, {@code null} before the first
   * @param entries that were asked for
   * @param missed entries that were not found since these lists went live
   */
  public record SelfTested(@Nullable Instant at, long entries, long missed) {}

  /**
   * Distinct entries of all feeds.
   *
   * @param total of those that list something
   * @param exceptions entries that take something out of a list
   */
  public record Entries(
      long total,
      long ipv4,
      long ipv6,
      @Named("domain") long domains,
      @Named("address") long addresses,
      @Named("url") long urls,
      @Named("fingerprint") long fingerprints,
      @Rare @Named("asn") long asns,
      long exceptions) {

    private static Entries of(SnapshotManifest manifest) {
      return new Entries(
          manifest.entries(),
          sum(manifest, FeedCounts::ipv4),
          sum(manifest, FeedCounts::ipv6),
          sum(manifest, FeedCounts::domains),
          sum(manifest, FeedCounts::addresses),
          sum(manifest, FeedCounts::urls),
          sum(manifest, FeedCounts::fingerprints),
          sum(manifest, FeedCounts::asns),
          sum(manifest, FeedCounts::exceptions));
    }

    private static long sum(SnapshotManifest manifest, ToLongFunction<FeedCounts> count) {
      return manifest.feeds().stream().mapToLong(count).sum();
    }
  }

  /**
   * The result of the check of the known-good set.
   *
   * @param proven subjects that no filter hits
   * @param listed subjects that a filter has to hit
   * @param hits subjects that each feed lists, by the name of the feed
   */
  public record KnownGood(long proven, long listed, Map<String, Long> hits) {

    private static KnownGood of(KnownGoodCounts counts) {
      Map<String, Long> hits = new LinkedHashMap<>();
      counts.hits().forEach((feed, found) -> hits.put(feed, found.subjects()));
      return new KnownGood(counts.proven(), counts.listed(), hits);
    }
  }

  static BlocklistsStatus of(
      ListSnapshot snapshot,
      String id,
      long allowEntries,
      long blockEntries,
      SelfTest.Report tested) {
    SnapshotManifest manifest = snapshot.manifest();
    return new BlocklistsStatus(
        snapshot.generation(),
        id,
        Entries.of(manifest),
        manifest.filters(),
        SplitBlockFilter.instructions(),
        snapshot.generation() == 0 ? "none" : "ranges",
        KnownGood.of(manifest.knownGood()),
        manifest.warnings(),
        allowEntries,
        blockEntries,
        new SelfTested(tested.at(), tested.entries(), tested.missed()));
  }
}

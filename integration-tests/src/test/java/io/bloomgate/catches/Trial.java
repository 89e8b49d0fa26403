package io.bloomgate.catches;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.PolicyFactory;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.catches.Copies.Copy;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A generation built of some copies, which decides about clients as the gateway does in mode
 * enforce. One thread.
 */
final class Trial {

  private static final Instant NOW = Instant.parse("2026-08-23T00:00:00Z");

  /** What each list lists so that its users can test it. */
  private static final IpPrefix TEST_ENTRIES = IpPrefix.around(IpAddress.ofV4(0x7f000000), 8);

  private static final double RATE = 0.001;
  private static final long FILTER_OCTETS = 64 << 20;

  private final Map<String, Copy> feeds;
  private final ListSnapshot snapshot;
  private final KeyBatch batch = new KeyBatch();

  /**
   * How many of some clients got which verdict, by its key.
   *
   * @param networks the same of each client's /24 (/48), which all count alike
   */
  record Tally(
      Map<String, Integer> verdicts, int clients, Map<IpPrefix, Map<String, Integer>> networks) {

    /** The share of one of these verdicts in a network, in the mean of all networks. */
    double percentOfNetworks(Set<String> words) {
      return networks.values().stream()
          .mapToDouble(one -> {
            int all = one.values().stream().mapToInt(Integer::intValue).sum();
            return 100.0 * words.stream().mapToInt(word -> one.getOrDefault(word, 0)).sum() / all;
          })
          .average()
          .orElse(0);
    }

    int of(String word) {
      return verdicts.getOrDefault(word, 0);
    }

    /** Refused for good, or put off in a way that most spam does not survive. */
    int caught() {
      return of("reject") + of("greylist") + of("tempfail");
    }

    double percent(int part) {
      return clients == 0 ? 0 : 100.0 * part / clients;
    }
  }

  /**
   * Builds.
   *
   * @param feeds the copies, by the name of the feed
   * @param settings whose rules for single entries count
   * @param folder an existing one for the files
   */
  Trial(Map<String, Copy> feeds, Settings settings, Path folder)
      throws IOException, SnapshotBuildException {
    this.feeds = feeds;
    Policy policy = PolicyFactory.policy(settings, Set.of(), List.of(), List.of());
    List<FeedInput> inputs = new ArrayList<>();
    for (Copy copy : feeds.values()) {
      EntryGuard guard = new EntryGuard(settings.feeds().guard(), false, policy.protectedSets());
      Match match = match(copy.name());
      inputs.add(
          new FeedInput(copy.name(), copy.day(), consumer -> copy.read(guard, match, consumer)));
    }
    try (SnapshotStore store =
        SnapshotStore.open(
            folder.resolve("lists"),
            new SnapshotBuilder(new Random(1)),
            InstantSource.fixed(NOW),
            problem -> {})) {
      this.snapshot = store.build(inputs, new BuildOptions(RATE, FILTER_OCTETS, 1));
    }
  }

  private static @Nullable Match match(String feed) {
    return Catalogue.builtIn()
        .entry(feed)
        .flatMap(CatalogueEntry::source)
        .map(Source::match)
        .orElse(null);
  }

  /** Names of the lists that must not count when this one is the truth. */
  Set<String> without(String truth) {
    Set<String> out = new HashSet<>(Set.of(truth));
    feeds.values().stream()
        .filter(copy -> copy.drawsOn().contains(truth))
        .forEach(copy -> out.add(copy.name()));
    return out;
  }

  /** The verdicts of these settings, in which these lists are disabled, about sessions. */
  Tally decide(Settings settings, Set<String> disabled, List<Facts> sessions) {
    Policy policy = PolicyFactory.policy(settings, disabled, List.of(), List.of());
    Lists lists = new Lists(snapshot, OperatorView.EMPTY, Map.of());
    Map<String, Integer> verdicts = new LinkedHashMap<>();
    Map<IpPrefix, Map<String, Integer>> networks = new HashMap<>();
    for (Facts facts : sessions) {
      String verdict = Gather.verdict(facts, lists, policy, NOW, batch).key();
      verdicts.merge(verdict, 1, Integer::sum);
      networks
          .computeIfAbsent(ClientNetwork.site(facts.client()), _ -> new HashMap<>())
          .merge(verdict, 1, Integer::sum);
    }
    return new Tally(verdicts, sessions.size(), networks);
  }

  /** One of this number of single addresses of a trap list. */
  static List<Facts> clients(Copy trap, int step) throws IOException {
    Set<IpAddress> hosts = new HashSet<>();
    trap.readAll(entry -> {
      if (entry instanceof ListEntry.Network network
          && network.prefix().isHost()
          && !network.prefix().overlaps(TEST_ENTRIES)
          && (network.line() % step == 0)) {
        hosts.add(network.prefix().network());
      }
    });
    return hosts.stream().map(Facts::ofClient).toList();
  }
}

package io.bloomgate.blocklists.impact;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Builds real generations and candidates of a test's lists. */
final class Built {

  static final Instant NOW = Instant.parse("2026-11-21T07:40:00Z");
  static final Set<Check> CHECKS = EnumSet.copyOf(Check.WITHOUT_LOOK_UP);

  private Built() {}

  /** A side of a generation of these lists, in this order, with these actions. */
  static Side side(Path folder, Map<String, List<String>> lists, Map<String, Action> actions)
      throws Exception {
    List<FeedInput> inputs = new ArrayList<>();
    Map<String, Policy.FeedRule> rules = new HashMap<>();
    for (Map.Entry<String, List<String>> list : lists.entrySet()) {
      List<ListEntry> entries = entries(write(folder, list.getKey(), list.getValue()));
      rules.put(
          list.getKey(),
          new Policy.FeedRule(inputs.size(), CHECKS, action(actions, list.getKey()), null, null));
      inputs.add(new FeedInput(list.getKey(), "1", entries::forEach));
    }
    Policy policy =
        new Policy(
            rules,
            List.of(),
            Signs.NONE,
            RecipientProfile.exempt(List.of("postmaster", "abuse")),
            List.of(),
            List.of(),
            Settings.Policy.OnError.ACCEPT,
            List.of());
    try (SnapshotStore store =
        SnapshotStore.open(
            Files.createTempDirectory(folder, "state").resolve("snapshots"),
            new SnapshotBuilder(new Random(7)),
            InstantSource.fixed(NOW),
            alarm -> {})) {
      ListSnapshot snapshot = store.build(inputs, new BuildOptions(0.01, 1 << 20, 1));
      return new Side(new Lists(snapshot, OperatorView.EMPTY, Map.of()), policy);
    }
  }

  private static Action action(Map<String, Action> actions, String name) {
    return actions.getOrDefault(name, Action.REJECT);
  }

  static Path write(Path folder, String name, List<String> lines) throws IOException {
    return Files.write(folder.resolve(name + ".txt"), lines, US_ASCII);
  }

  private static List<ListEntry> entries(Path file) throws IOException {
    List<ListEntry> entries = new ArrayList<>();
    FeedContent content = new FeedContent(List.of(file));
    var totals =
        content.read(
            content.detect(),
            null,
            new FeedSink() {
              @Override
              public void entry(ListEntry entry) {
                entries.add(entry);
              }

              @Override
              public void problem(ParseProblem problem) {}
            });
    if (totals.damage().isPresent()) {
      throw new IOException(totals.damage().get());
    }
    return entries;
  }

  /** Candidates as the command line builds them. */
  static CandidateLists candidates(Path folder, List<Candidate> wanted)
      throws IOException, CandidateLists.UnusableException {
    try (FeedSources sources = new FeedSources(Runnable::run, () -> 0, InstantSource.fixed(NOW))) {
      return CandidateLists.build(
          wanted,
          new CandidateLists.Means(
              sources,
              FeedTest.DEFAULT_GUARD,
              List.of(),
              new Random(9),
              InstantSource.fixed(NOW),
              folder));
    }
  }

  static Candidate candidate(Path file, Action action) {
    return Candidate.named("candidate", file.toString(), "", CHECKS, action);
  }
}

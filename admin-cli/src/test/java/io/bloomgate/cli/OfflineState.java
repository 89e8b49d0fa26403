package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} from the files that a gateway left behind. */
abstract class OfflineState {

  static final InstantSource CLOCK = InstantSource.fixed(Shell.NOW);

  @TempDir Path folder;
  String settings = "";

  /** Writes settings with these further lines, and lists of which this feed has one entry. */
  void leave(String more, String feed, ListEntry entry) throws Exception {
    Path file = folder.resolve("bloomgate.yaml");
    Files.writeString(
        file,
        """
        mode: enforce
        hostname: mx.example.com
        domains: [example.com]
        state_dir: state
        downstream: {host: 192.0.2.25}
        """
            + more);
    settings = file.toString();
    Path state = Files.createDirectories(folder.resolve("state"));
    try (SnapshotStore store =
        SnapshotStore.open(
            state.resolve("snapshots"), new SnapshotBuilder(new Random(1)), CLOCK, alarm -> {})) {
      var unused =
          store.build(
              List.of(new FeedInput(feed, "v1", consumer -> consumer.accept(entry))),
              new BuildOptions(0.001, 1 << 20, 3));
      assertEquals(1, unused.generation());
    }
  }

  Shell.Result explain(String... args) {
    return Shell.run(List.of("-c", settings, "--offline", "explain"), args);
  }
}

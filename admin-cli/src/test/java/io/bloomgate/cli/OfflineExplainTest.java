package io.bloomgate.cli;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} from the damaged files that a gateway left behind. */
class OfflineExplainTest {

  @TempDir Path folder;
  private Path state = Path.of("");
  private String settings = "";

  @BeforeEach
  void leaveStateBehind() throws IOException {
    settings =
        Shell.settings(folder, "feeds: {sources: {drop: {file: drop.txt, action: reject}}}\n");
    state = Files.createDirectories(folder.resolve("state"));
    LeftState.lists(state, List.of(List.of("drop", "203.0.113.0/24")));
  }

  private Shell.Result explain() {
    return Shell.run("-c", settings, "--offline", "explain", "203.0.113.7");
  }

  @Test
  void whatIsNotKnownOfAFeedIsSaid() throws Exception {
    explain().complainsNo("nobody knows");
    try (FeedStates states = FeedStates.open(state, _ -> {})) {
      states.put("drop", FeedStates.Part.RECORD, JsonValue.object().build());
    }
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + state.resolve("feeds.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE feed SET record = '{\"disabled\":tr'");
    }
    explain()
        .fails(
            1,
            "\nwarning: feed drop: ",
            "feeds.db is damaged: the record of feed drop, so nobody knows");
  }

  @Test
  void damagedListsAreNotTakenForEmptyOnes() throws IOException {
    try (var files = Files.walk(state.resolve("snapshots"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(file, "garbage");
      }
    }
    explain().fails(1, "cannot be read").printsNothing();
  }
}

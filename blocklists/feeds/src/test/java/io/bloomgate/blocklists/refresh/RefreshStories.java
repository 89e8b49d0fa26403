package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.blocklists.fetch.FakeFeedServer;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of refreshing share: a feed server, a state directory, a stage to play on. */
abstract class RefreshStories {

  static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path stateDir;
  FakeFeedServer server;

  @BeforeEach
  final void start() throws IOException {
    server = new FakeFeedServer();
  }

  @AfterEach
  final void stop() {
    server.close();
  }

  final String url(String name, String path, String more) {
    return name + ": {url: \"" + server.uri(path) + "\", every: 1h" + more + "}";
  }

  final RefreshStage stage(String... sources) throws IOException {
    return new RefreshStage(stateDir, START, sources);
  }

  /** Feed {@code bad} has been fetched once; {@code more} are its own settings. */
  final RefreshStage begun(String list, String more) throws Exception {
    server.serve("/list", list);
    RefreshStage stage = stage(url("bad", "/list", more));
    stage.loop.tick();
    return stage;
  }

  final RefreshStage begun(String list) throws Exception {
    return begun(list, "");
  }

  /** Feed {@code bad} has another list, and is fetched now. */
  final void publish(RefreshStage stage, String list) {
    server.serve("/list", list);
    stage.force("bad");
  }

  /** Gives the rules something that does this when it is read. */
  static <T> List<T> whenRead(Runnable act) {
    return new AbstractList<>() {
      @Override
      public T get(int index) {
        act.run();
        throw new IndexOutOfBoundsException(index);
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  /** What is stored of feed {@code bad}, also while a stage is open. */
  final JsonObject storedState() throws IOException {
    return FeedStates.read(stateDir).get("bad", Part.RECORD).orElseThrow();
  }

  /** Puts back what was stored before: as a kill before the commit leaves it. */
  final void restoreState(JsonObject before) throws IOException {
    try (FeedStates states = FeedStates.open(stateDir, _ -> {})) {
      states.put("bad", Part.RECORD, before);
    }
  }

  /** Changes the file of the states behind the back of an open stage. */
  final void changeStates(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + stateDir.resolve(FeedStates.FILE_NAME));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The next changes of the states fail, as on a full disk. */
  final void failWrites() throws SQLException {
    changeStates(
        "CREATE TRIGGER full BEFORE INSERT ON feed BEGIN SELECT RAISE(FAIL, 'no room'); END");
  }

  final void allowWrites() throws SQLException {
    changeStates("DROP TRIGGER full");
  }

  /** The record of feed {@code bad} is no JSON any more. */
  final void damageState() throws SQLException {
    changeStates("UPDATE feed SET record = '{\"held\":' WHERE name = 'bad'");
  }

  /** Copies a file or a whole directory. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Path target = to.resolve(from.relativize(one).toString());
        if (Files.isDirectory(one)) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(one, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  static String ips(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "203.0.113." + i + "\n")
        .collect(Collectors.joining());
  }
}

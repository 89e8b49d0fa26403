package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.workbench.FilterPush;
import io.bloomgate.blocklists.workbench.FilterPush.Form;
import io.bloomgate.blocklists.workbench.FilterQuery;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.config.notation.BadValueException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters in a real server, and in one that has the Bloom module. */
class RedisFilterTest {

  private static final int KEYS = 20_000;
  private static final int ASKED = 2_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final WorkbenchTools means =
      new WorkbenchTools(() -> random, System::nanoTime, 512L << 20);

  @TempDir private Path folder;

  /** Different hosts of 10.0.0.0/8, or of another first octet. */
  private String host(int first, int number) {
    return first + "." + (number >> 16) + "." + ((number >> 8) & 255) + "." + (number & 255);
  }

  private Path list() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      lines.add(host(10, i));
    }
    lines.add("spam.example");
    lines.add("198.51.100.0/24");
    return Files.write(folder.resolve("list.txt"), lines);
  }

  private static RedisKey key(int port, String path) throws BadValueException {
    return RedisKey.read("redis://127.0.0.1:" + port + path);
  }

  private static boolean asked(FilterQuery query, String key) throws OfflineException {
    return Boolean.TRUE.equals(query.ask(key).maybe());
  }

  @Test
  void noKeyIsMissedAndTheRateIsAsAsked() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    try (RealRedis real = RealRedis.start(folder)) {
      RedisKey key = key(real.port(), "/3/site:drop");
      var report = new FilterPush(key, means).file(list(), "lines", 0.01, Form.AUTO);
      assertEquals("bits", report.filter().word(), "a server without the module");
      assertEquals(KEYS + 2, report.filter().entries());
      try (FilterPush redis = new FilterPush(key, means)) {
        FilterQuery query = redis.query();
        int wrong = 0;
        for (int i = 0; i < ASKED; i++) {
          assertTrue(asked(query, host(10, random.nextInt(KEYS))), "seed " + seed);
          wrong += asked(query, host(11, i)) ? 1 : 0;
        }
        // 20 are expected; more than eight standard deviations above it.
        assertTrue(wrong < 60, wrong + " of " + ASKED + ", seed " + seed);
        assertTrue(asked(query, "SPAM.example."));
        assertTrue(asked(query, "198.51.100.0/24"));
      }
    }
  }

  @Test
  void theProgramInTheReadmeGetsTheSameAnswers() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no python3 on this machine");
    String readme = Documents.read("blocklists/README.md");
    int start = readme.indexOf("```python\n") + "```python\n".length();
    Path program = folder.resolve("ask.py");
    Files.writeString(program, readme.substring(start, readme.indexOf("```", start)));
    try (RealRedis real = RealRedis.start(folder)) {
      RedisKey key = key(real.port(), "/drop");
      new FilterPush(key, means).file(list(), "lines", 1e-6, Form.BITS);
      assertEquals("maybe\n", run(program, real.port(), "spam.example"));
      assertEquals("maybe\n", run(program, real.port(), host(10, 4711)));
      assertEquals("no\n", run(program, real.port(), host(11, 4711)));
    }
  }

  private static String run(Path program, int port, String text) throws Exception {
    Process python =
        new ProcessBuilder(
                "/usr/bin/python3", program.toString(), "127.0.0.1", "" + port, "drop", text)
            .redirectErrorStream(true)
            .start();
    String out = new String(python.getInputStream().readAllBytes(), UTF_8);
    assertTrue(python.waitFor(60, TimeUnit.SECONDS));
    return out;
  }

  @Test
  void whatNoPushMadeIsLeftAsItIs() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    try (RealRedis real = RealRedis.start(folder);
        RedisServer server = RedisServer.at(real.address())) {
      server.commands().set("text", "of another program");
      server.commands().rpush("list", "1");
      for (String name : List.of("text", "list")) {
        FilterPush push = new FilterPush(key(real.port(), "/" + name), means);
        OfflineException refused =
            assertThrows(
                OfflineException.class, () -> push.file(list(), "lines", 0.001, Form.AUTO));
        assertTrue(refused.problem().contains("is left as it is"), refused.problem());
      }
      assertEquals("of another program", server.commands().get("text"));
      RedisKey cut = key(real.port(), "/cut");
      new FilterPush(cut, means).file(list(), "lines", 0.001, Form.AUTO);
      server.commands().append("cut", "x");
      assertThrows(OfflineException.class, () -> new FilterPush(cut, means).query());
    }
  }

  @Test
  void anEmptyListReplacesNoFilter() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n");
    try (RealRedis real = RealRedis.start(folder)) {
      RedisKey key = key(real.port(), "/drop");
      FilterPush push = new FilterPush(key, means);
      push.file(list(), "lines", 0.001, Form.AUTO);
      OfflineException refused =
          assertThrows(OfflineException.class, () -> push.file(empty, "lines", 0.001, Form.AUTO));
      assertTrue(refused.problem().contains("there is no key to push"), refused.problem());
      try (FilterPush redis = new FilterPush(key, means)) {
        assertTrue(asked(redis.query(), "spam.example"));
      }
    }
  }

  @Test
  void aServerWithTheModuleKeepsItsOwnFilter() throws Exception {
    try (ModuleStub stub = new ModuleStub()) {
      RedisKey key = key(stub.port(), "/drop");
      var report = new FilterPush(key, means).file(list(), "lines", 0.001, Form.AUTO);
      assertEquals("module", report.filter().word());
      assertEquals(1 + KEYS / 1_000, stub.count("BF.MADD"));
      assertEquals(0, stub.count("SETRANGE"), "never both forms");
      try (FilterPush redis = new FilterPush(key, means)) {
        FilterQuery query = redis.query();
        int wrong = 0;
        for (int i = 0; i < 1_000; i++) {
          assertTrue(asked(query, host(10, random.nextInt(KEYS))), "seed " + seed);
          wrong += asked(query, host(11, i)) ? 1 : 0;
        }
        assertTrue(wrong < 15, wrong + " of 1000, seed " + seed);
      }
      FilterPush bits = new FilterPush(key, means);
      assertThrows(OfflineException.class, () -> bits.file(list(), "lines", 0.001, Form.BITS));
    }
  }
}

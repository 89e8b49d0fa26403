package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.fleet.RedisStub;
import io.bloomgate.blocklists.workbench.FilterPush.Form;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a server replies to {@code filter push} and {@code filter query}, the command ends with
 * one line that says why, and no file is written.
 */
class HostileRedisTest {

  private static final int BITS = 1024;

  private static final WorkbenchTools MEANS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 64L << 20);

  @TempDir private Path folder;
  private final Map<String, String> replies = new ConcurrentHashMap<>();
  private RedisStub server;
  private RedisKey key;

  @BeforeEach
  void serverWithAFilterOfBits() throws Exception {
    server =
        new RedisStub(
            words -> replies.getOrDefault(words.getFirst().toUpperCase(Locale.ROOT), "+OK\r\n"));
    key = RedisKey.read("redis://127.0.0.1:" + server.port() + "/drop");
    replies.put("HELLO", "-ERR unknown command 'HELLO'\r\n");
    replies.put("TYPE", "+string\r\n");
    replies.put("GETRANGE", text(header(BITS, 3, 0, "0.01")));
    replies.put("STRLEN", ":" + (256 + BITS / 8) + "\r\n");
    replies.put("GETBIT", ":1\r\n");
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private static String header(long bits, int hashes, long set, String rate) {
    return "%-255s\n"
        .formatted(
            "bloomgate-bits-1 %d %d %s %d %d %d 5 5 %s"
                .formatted(
                    bits,
                    hashes,
                    "0123456789abcdef".repeat(2),
                    Key.Hashes.SHARED,
                    KeyHash.NORMALISATION_VERSION,
                    set,
                    rate));
  }

  private static String text(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private void query() throws OfflineException {
    try (FilterPush redis = new FilterPush(key, MEANS)) {
      redis.query().ask("spam.example");
    }
  }

  private void push() throws Exception {
    Path list = Files.write(folder.resolve("list.txt"), List.of("spam.example"));
    try (FilterPush push = new FilterPush(key, MEANS)) {
      push.file(list, "lines", 0.01, Form.AUTO);
    }
  }

  private void refused(Executable command) {
    OfflineException refused = assertThrows(OfflineException.class, command);
    assertFalse(refused.problem().isBlank());
    assertEquals(1, refused.problem().lines().count(), refused.problem());
  }

  @Test
  void whatIsHonestIsAsked() throws Exception {
    query();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        ":1\r\n",
        "$-1\r\n",
        "*0\r\n",
        "*-1\r\n",
        "-ERR no\r\n",
        "+\r\n",
        "+hash\r\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "$2000000000\r\n"
      })
  void aTypeThatIsNone(String reply) {
    replies.put("TYPE", reply.equals("x") ? "\0\1\2\r\n" : reply);
    refused(this::query);
    refused(this::push);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":1\r\n", "$-1\r\n", "*0\r\n", "+\r\n", "$0\r\n\r\n", "-ERR no\r\n"})
  void aHeaderThatIsNone(String reply) {
    replies.put("GETRANGE", reply);
    refused(this::query);
    refused(this::push);
  }

  @Test
  void aHeaderThatNoFilterHas() {
    for (String header :
        List.of(
            header(-1, 3, 0, "0.01"),
            header(0, 3, 0, "0.01"),
            header(Long.MAX_VALUE, 3, 0, "0.01"),
            header(BITS, 0, 0, "0.01"),
            header(BITS, Integer.MAX_VALUE, 0, "0.01"),
            header(BITS, 3, BITS + 1L, "0.01"),
            header(BITS, 3, 0, "NaN"),
            header(BITS, 3, 0, "0"),
            header(BITS, 3, 0, "1e999"),
            header(BITS, 3, 0, "0.01").substring(1),
            header(BITS, 3, 0, "0.01") + "x",
            "x".repeat(256))) {
      replies.put("GETRANGE", text(header));
      refused(this::query);
      refused(this::push);
    }
  }

  /** A push is done when the key has its new name; a half that the server forgot has none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-EXECABORT no\r\n",
        "+OK\r\n",
        "*2\r\n-ERR no such key\r\n:0\r\n",
        "*2\r\n+OK\r\n-ERR no\r\n"
      })
  void aPushThatTheServerDidNotFinish(String reply) throws Exception {
    replies.put("TYPE", "+none\r\n");
    replies.put("COMMAND", "*0\r\n");
    replies.put("SETRANGE", ":1\r\n");
    replies.put("DEL", ":0\r\n");
    replies.put("EXPIRE", ":1\r\n");
    replies.put("EXEC", reply);
    refused(this::push);
    replies.put("EXEC", "*2\r\n+OK\r\n:1\r\n");
    push();
  }
}

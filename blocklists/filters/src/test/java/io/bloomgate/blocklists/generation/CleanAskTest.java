package io.bloomgate.blocklists.generation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The path of nearly all mail: a key that is not listed makes no object. It is measured in a
 * separate Java process, whose compiler has seen no other code and is waited for: so it makes the
 * same machine code in every run.
 */
class CleanAskTest {

  private static final int ASKS = 20_000;

  /** One of these allocates nothing if the code does not: the others are compiled on the way. */
  private static final int ROUNDS = 20;

  @TempDir Path state;

  /** One way of asking for all keys; fails when it finds one. */
  private interface Asking {
    void ask(ListSnapshot snapshot, List<ListKey> keys);
  }

  @Test
  void askingForWhatIsNotListedAllocatesNothing() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Xbatch",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                state.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    assertEquals("one by one: 0 octets\ntogether: 0 octets\n", said);
    assertEquals(0, child.waitFor());
  }

  /** The other process: prints what the best of all rounds of each way allocated. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      KeyBatch batch = new KeyBatch();
      try (SnapshotStore store = new Generations(Path.of(arguments[0], "snapshots")).open()) {
        ListSnapshot snapshot =
            store.build(
                List.of(Generations.feed("f", everyKindOfEntry())),
                new BuildOptions(1e-9, 1 << 20, 1));
        long alone = allocated(snapshot, CleanAskTest::askOneByOne);
        System.out.println("one by one: " + alone + " octets");
        long together = allocated(snapshot, (lists, keys) -> askTogether(lists, keys, batch));
        System.out.println("together: " + together + " octets");
      }
    }
  }

  private static long allocated(ListSnapshot snapshot, Asking asking) {
    List<ListKey> keys = cleanKeys();
    for (ListKey key : keys) {
      assertSame(ListAnswer.NotListed.INSTANCE, snapshot.ask(key), key.toString());
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long cost = threads.getCurrentThreadAllocatedBytes() - before;
    long allocated = 1;
    for (int round = 0; round < ROUNDS && allocated != 0; round++) {
      before = threads.getCurrentThreadAllocatedBytes();
      repeat(asking, snapshot, keys);
      allocated = threads.getCurrentThreadAllocatedBytes() - before - cost;
    }
    return allocated;
  }

  private static void repeat(Asking asking, ListSnapshot snapshot, List<ListKey> keys) {
    for (int i = 0; i < ASKS; i++) {
      asking.ask(snapshot, keys);
    }
  }

  private static void askOneByOne(ListSnapshot snapshot, List<ListKey> keys) {
    for (int k = 0; k < keys.size(); k++) {
      if (!(snapshot.ask(keys.get(k)) instanceof ListAnswer.NotListed)) {
        throw new AssertionError(keys.get(k));
      }
    }
  }

  private static void askTogether(ListSnapshot snapshot, List<ListKey> keys, KeyBatch batch) {
    batch.clear();
    for (int k = 0; k < keys.size(); k++) {
      batch.add(keys.get(k));
    }
    if (snapshot.mayList(batch) != 0) {
      throw new AssertionError(keys);
    }
  }

  /** So that every probe is made. */
  private static List<ListEntry> everyKindOfEntry() {
    List<ListEntry> entries = new ArrayList<>();
    String[] networks = {
      "203.0.113.7",
      "198.51.100.128/25",
      "192.0.0.0/20",
      "2001:db8::1",
      "2001:db8:1:2:3::/80",
      "2001:db8:5::/52",
      "2001:db8:8000::/33"
    };
    for (String network : networks) {
      entries.add(Generations.network(network, entries.size() + 1));
    }
    entries.add(Generations.domain("spam.example", NameMatch.SUFFIX, 90));
    return entries;
  }

  private static List<ListKey> cleanKeys() {
    return List.of(
        Generations.ip("198.51.101.1"),
        IpAddress.ofV4(0x08080808),
        Generations.ip("2001:db9:ffff:2::25"),
        Generations.name("mail.a.b.c.partner.example"),
        Generations.name("partner.example"),
        MailAddress.parse("bob@mail.partner.example").toOptional().orElseThrow(),
        MailAddress.parse("bob@[192.0.2.1]").toOptional().orElseThrow());
  }
}

package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.IntFunction;

/** Time and allocation of what sessions ask of a generation. Used by {@link SnapshotRun}. */
final class SnapshotAsks {

  private static final int ASKS = 1_000_000;
  private static final int KEYS = 1 << 16;
  private static final int ROUNDS = 5;
  private static final int KEYS_OF_MESSAGE = 4;

  private final ListSnapshot snapshot;
  private final String name;
  private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Asks that generation; figures begin with the name. */
  SnapshotAsks(ListSnapshot snapshot, String name) {
    this.snapshot = snapshot;
    this.name = name;
  }

  /** Measures all, of a generation whose feeds have that many entries each. */
  void run(int each) throws IOException {
    ask("miss-ipv4", i -> ip(0x80000000 | SnapshotEntries.bits(i)), false);
    ask("miss-ipv6", i -> new IpAddress(SnapshotEntries.bits(i), i), false);
    ask("miss-name-of-3-labels", i -> clean("mail", i), false);
    ask("miss-mail-address", SnapshotAsks::address, false);
    // Of ten entries the first eight are hosts.
    ask("hit-ipv4-host", i -> SnapshotEntries.host(i % each / 10 * 10), true);
    ask("hit-name", i -> SnapshotEntries.name(i % each), true);
    message();
  }

  private void ask(String what, IntFunction<ListKey> key, boolean listed) throws IOException {
    ListKey[] keys = new ListKey[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = key.apply((i * 7919) & Integer.MAX_VALUE);
      if (snapshot.ask(keys[i]) instanceof ListAnswer.Listed != listed) {
        throw new IllegalStateException("wrong answer to " + keys[i]);
      }
    }
    time(what, keys, 1);
  }

  /** The four keys of one clean message, as a session asks them; false positives are left out. */
  private void message() throws IOException {
    ListKey[] keys = new ListKey[KEYS];
    int next = 0;
    for (int i = 0; next < KEYS; i++) {
      ListKey key =
          switch (next % KEYS_OF_MESSAGE) {
            case 0 -> ip(0x80000000 | SnapshotEntries.bits(i));
            case 1 -> clean("helo", i);
            case 2 -> address(i);
            default -> clean("sender", i);
          };
      if (snapshot.ask(key) instanceof ListAnswer.NotListed) {
        keys[next++] = key;
      }
    }
    time("clean-message-of-4-keys", keys, KEYS_OF_MESSAGE);
    together("clean-message-of-4-keys-together", keys);
  }

  /** The keys of a message in one batch, as a session asks them first. */
  private void together(String what, ListKey[] keys) throws IOException {
    KeyBatch batch = new KeyBatch();
    double nanos = Double.MAX_VALUE;
    double octets = Double.MAX_VALUE;
    int messages = ASKS / KEYS_OF_MESSAGE;
    for (int round = 0; round < ROUNDS; round++) {
      long found = 0;
      long allocated = thread.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int message = 0; message < messages; message++) {
        batch.clear();
        for (int key = 0; key < KEYS_OF_MESSAGE; key++) {
          batch.add(keys[(message * KEYS_OF_MESSAGE + key) & (KEYS - 1)]);
        }
        found |= snapshot.mayList(batch);
      }
      nanos = Math.min(nanos, (System.nanoTime() - start) / (double) messages);
      allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
      octets = Math.min(octets, allocated / (double) messages);
      if (found != 0) {
        throw new IllegalStateException("a clean message hits when its keys are asked together");
      }
    }
    Figures.add(name + "ask/" + what + "/ns", nanos);
    Figures.add(name + "ask/" + what + "/allocated", octets);
  }

  /** Nanoseconds and octets allocated of {@code together} asks; the best of the rounds. */
  private void time(String what, ListKey[] keys, int together) throws IOException {
    double nanos = Double.MAX_VALUE;
    double octets = Double.MAX_VALUE;
    long falsePositives = 0;
    for (int round = 0; round < ROUNDS; round++) {
      falsePositives = 0;
      long allocated = thread.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < ASKS; i++) {
        ListAnswer answer = snapshot.ask(keys[i & (KEYS - 1)]);
        falsePositives += answer instanceof ListAnswer.FalsePositive ? 1 : 0;
      }
      nanos = Math.min(nanos, (System.nanoTime() - start) / (double) ASKS);
      allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
      octets = Math.min(octets, allocated / (double) ASKS);
    }
    Figures.add(name + "ask/" + what + "/ns", nanos * together);
    Figures.add(name + "ask/" + what + "/allocated", octets * together);
    Figures.add(name + "ask/" + what + "/false-positives", falsePositives / (double) ASKS);
  }

  private static ListKey ip(int bits) {
    return IpAddress.ofV4(bits);
  }

  private static ListKey clean(String label, int number) {
    String text = "mail." + label + SnapshotEntries.bits(number) + ".test";
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static ListKey address(int number) {
    String text = "user" + SnapshotEntries.bits(number) + "@clean.example.test";
    return MailAddress.parse(text).toOptional().orElseThrow();
  }
}

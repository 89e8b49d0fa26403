package io.bloomgate.gateway.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What happened to messages for several recipients, by recipient: what the mail servers hold and
 * what the sender heard, over all its tries. Written by {@link DividedLedgerClient} and {@link
 * DividedLedgerServer}; balanced at the end.
 */
final class DividedLedger {

  /** Steps of a message that are kept for the report. */
  private static final int MOST_SAID = 40;

  /** One message. */
  static final class Entry {
    final int number;
    final Map<String, Copy> copies = new ConcurrentHashMap<>();

    /** The sender made another message of it for a later try. */
    volatile boolean changed;

    int tries;

    /** What was said at the newest tries; used by one client's thread. */
    private final Deque<String> said = new ArrayDeque<>();

    Entry(int number, List<String> recipients) {
      this.number = number;
      recipients.forEach(to -> copies.put(to, new Copy()));
    }

    Copy copy(String to) {
      return Objects.requireNonNull(copies.get(to), to);
    }

    /** Notes what the client heard at a step. */
    void heard(String step, String reply) {
      if (said.size() == MOST_SAID) {
        said.removeFirst();
      }
      said.addLast(tries + " " + step + " -> " + reply);
    }

    String sender() {
      return "m" + number + "@sender.example";
    }

    /** What the client sends, without its final dot; now and then more than is held. */
    String content() {
      return content(changed);
    }

    /** True for what the client sends or sent. */
    boolean isContent(String received) {
      return received.endsWith("\r\n" + content(false))
          || received.endsWith("\r\n" + content(true));
    }

    private String content(boolean again) {
      String line = "line of message " + number + (again ? " again" : "") + "\r\n";
      int lines = number % 41 == 7 ? 300 * 1024 / line.length() : number % 9;
      return "Subject: m" + number + "\r\n\r\n.\r\n" + line.repeat(lines);
    }

    @Override
    public String toString() {
      return "message %d after %d tries%s: %s\n  %s"
          .formatted(number, tries, changed ? ", changed" : "", copies, String.join("\n  ", said));
    }
  }

  /** One recipient of it. */
  static final class Copy {
    final AtomicInteger held = new AtomicInteger();

    /** The server's 250 was damaged or not said, so that another copy may follow. */
    final AtomicInteger damaged = new AtomicInteger();

    /** The client heard no answer to a try in which the server took it. */
    final AtomicInteger unheard = new AtomicInteger();

    /** What the client heard last of it: 250, 5xx; else nothing. */
    volatile String heard = "";

    @Override
    public String toString() {
      return "held %s, 250 damaged %s, unheard %s, \"%s\"".formatted(held, damaged, unheard, heard);
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /** Messages for these recipients, each for some of them. */
  DividedLedger(int messages, List<String> recipients) {
    for (int i = 0; i < messages; i++) {
      int first = i % recipients.size();
      int count = 2 + i % (recipients.size() - 1);
      List<String> some = new ArrayList<>();
      for (int j = 0; j < count; j++) {
        some.add(recipients.get((first + j) % recipients.size()));
      }
      entries.add(new Entry(i, some));
    }
  }

  /** The next message to be sent; {@code null} when all were. */
  @Nullable Entry take() {
    int number = next.getAndIncrement();
    return number < entries.size() ? entries.get(number) : null;
  }

  /** How many were taken. */
  int taken() {
    return next.get();
  }

  /** The message with this envelope sender. */
  Entry of(String sender) {
    return entries.get(Integer.parseInt(sender, 1, sender.indexOf('@'), 10));
  }

  /** What a mail server said before the gateway was killed is not known any more. */
  void forgotten() {
    for (Entry entry : entries) {
      for (Copy copy : entry.copies.values()) {
        if (copy.held.get() > 0 && copy.heard.isEmpty()) {
          copy.unheard.incrementAndGet();
        }
      }
    }
  }

  /** How often each case occurred, in copies. */
  record Balance(int heard, int refused, int open, int twice, int retried) {}

  /** Adds up; what contradicts the promises is among the violations afterwards. */
  Balance balance() {
    int heard = 0;
    int refused = 0;
    int open = 0;
    int twice = 0;
    int retried = 0;
    for (Entry entry : entries) {
      retried += entry.tries > 1 ? 1 : 0;
      for (Copy copy : entry.copies.values()) {
        String wrong = judge(entry, copy);
        if (!wrong.isEmpty()) {
          violations.add(wrong + ": " + entry);
        }
        if (copy.heard.isEmpty()) {
          violations.add("has no answer after all tries: " + entry);
        }
        heard += copy.heard.startsWith("250") ? 1 : 0;
        refused += copy.heard.startsWith("5") ? 1 : 0;
        open += copy.heard.isEmpty() ? 1 : 0;
        twice += copy.held.get() > 1 ? 1 : 0;
      }
    }
    return new Balance(heard, refused, open, twice, retried);
  }

  private static String judge(Entry entry, Copy copy) {
    int held = copy.held.get();
    if (copy.heard.startsWith("250") && held == 0) {
      return "promised and nowhere held";
    }
    // A client without an answer must try again; every other second copy could have been avoided.
    boolean excused = entry.changed;
    int allowed = 1 + copy.damaged.get() + copy.unheard.get();
    if (held > allowed && !excused) {
      return "held more often than faults explain";
    }
    if (copy.heard.startsWith("5") && held > copy.damaged.get() + copy.unheard.get() && !excused) {
      return "held, and the answer was a refusal";
    }
    return "";
  }
}

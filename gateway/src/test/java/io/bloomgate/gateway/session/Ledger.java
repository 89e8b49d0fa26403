package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.log.DecisionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What happened to each message, as its three witnesses saw it: client, mail server and log.
 * Written by {@link LedgerClient}, {@link LedgerServer} and the gateway's telemetry; balanced at
 * the end.
 */
final class Ledger {

  /** A URL that a list refuses, as lists hold it. */
  static final String LISTED = "evil.example/ledger";

  /** A host that a list tags. */
  static final String TAGGED = "tagged.example";

  /** What a message carries. */
  enum Carried {
    NOTHING(""),
    REFUSED("see http://" + LISTED + " now\r\n"),
    MARKED("see http://" + TAGGED + "/x now\r\n");

    private final String line;

    Carried(String line) {
      this.line = line;
    }

    private static Carried by(int number) {
      return switch (number % 7) {
        case 3 -> REFUSED;
        case 5 -> MARKED;
        default -> NOTHING;
      };
    }
  }

  /** One message. */
  static final class Entry {
    final int number;
    final Carried carried;
    final AtomicInteger held = new AtomicInteger();
    final Queue<Outcome> logged = new ConcurrentLinkedQueue<>();

    /** The server holds it, and its 250 was damaged or never said. */
    volatile boolean cutBehindHold;

    /** The client sent its final dot and did not wait for the answer. */
    volatile boolean leftBehindDot;

    /** It left by RST, and the server answered only after that. */
    volatile boolean seenLeaving;

    volatile String answer = "";
    final CountDownLatch isHeld = new CountDownLatch(1);
    final CountDownLatch mayAnswer = new CountDownLatch(1);

    Entry(int number, Carried carried) {
      this.number = number;
      this.carried = carried;
    }

    boolean heard() {
      return answer.startsWith("250");
    }

    /** The envelope sender that names it. */
    String sender() {
      return "m" + number + "@sender.example";
    }

    /**
     * What the client sends, without its final dot; now and then more than is read whole. What it
     * carries is above that or below.
     */
    String content() {
      String line = "line of message " + number + "\r\n";
      int lines = number % 97 == 13 ? 300 * 1024 / line.length() : number % 9;
      String text = line.repeat(lines);
      String body = number % 2 == 0 ? carried.line + text : text + carried.line;
      return "Subject: m" + number + "\r\n\r\n.\r\n" + body;
    }

    @Override
    public String toString() {
      return "message %d: held %s, client heard \"%s\", logged %s%s%s"
          .formatted(
              number,
              held,
              answer,
              logged,
              cutBehindHold ? ", 250 cut" : "",
              leftBehindDot ? ", client left" : "");
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /**
   * All are to be sent.
   *
   * @param carrying some of them carry what lists refuse or tag
   */
  Ledger(int messages, boolean carrying) {
    for (int i = 0; i < messages; i++) {
      entries.add(new Entry(i, carrying ? Carried.by(i) : Carried.NOTHING));
    }
  }

  /** The next message to be sent; {@code null} when all were. */
  @Nullable Entry take() {
    int number = next.getAndIncrement();
    return number < entries.size() ? entries.get(number) : null;
  }

  /** The message with this envelope sender. */
  Entry of(String sender) {
    return entries.get(Integer.parseInt(sender, 1, sender.indexOf('@'), 10));
  }

  /** A line of the gateway's log. */
  void logged(DecisionRecord decision) {
    String from = decision.from();
    if (from != null) {
      of(from).logged.add(decision.outcome());
    }
  }

  /** How often each case occurred. */
  record Balance(int heard, int unheard, int behindHold, int seen, int neither, int refused) {}

  /** Adds up; whatever contradicts promise P1 is among the violations afterwards. */
  Balance balance() {
    int heard = 0;
    int unheard = 0;
    int behindHold = 0;
    int seen = 0;
    int refused = 0;
    for (Entry entry : entries) {
      String wrong = judge(entry);
      if (!wrong.isEmpty()) {
        violations.add(wrong + ": " + entry);
      }
      boolean held = entry.held.get() > 0;
      heard += entry.heard() ? 1 : 0;
      unheard += held && !entry.heard() ? 1 : 0;
      behindHold += held && (entry.cutBehindHold || entry.leftBehindDot) ? 1 : 0;
      seen += held && (entry.cutBehindHold || entry.seenLeaving) ? 1 : 0;
      refused += entry.answer.startsWith("554 5.7.1") ? 1 : 0;
    }
    int neither = entries.size() - heard - unheard;
    return new Balance(heard, unheard, behindHold, seen, neither, refused);
  }

  private static String judge(Entry entry) {
    int held = entry.held.get();
    boolean delivered = entry.logged.contains(Outcome.DELIVERED);
    boolean unknown = entry.logged.contains(Outcome.UNKNOWN);
    if (held > 1) {
      return "held more than once";
    }
    if (entry.carried == Carried.REFUSED && (held > 0 || entry.heard())) {
      return "it carries what a list refuses, and was held or promised";
    }
    if (entry.carried != Carried.REFUSED && entry.answer.startsWith("554 5.7.1")) {
      return "refused and carries nothing";
    }
    if (entry.heard()) {
      boolean sound = held == 1 && delivered && !unknown && !entry.cutBehindHold;
      return sound ? "" : "promised and not so";
    }
    if (held == 0) {
      return delivered ? "logged as delivered and nowhere held" : "";
    }
    if (!entry.cutBehindHold && !entry.leftBehindDot) {
      return "held, not promised, and no fault struck";
    }
    if (entry.cutBehindHold && !entry.leftBehindDot && !entry.answer.startsWith("451 4.4.2")) {
      return "held, and the client did not hear that the outcome is unknown";
    }
    boolean sawIt = entry.cutBehindHold || entry.seenLeaving;
    return sawIt && (!unknown || delivered) ? "the log does not say that it is unknown" : "";
  }
}

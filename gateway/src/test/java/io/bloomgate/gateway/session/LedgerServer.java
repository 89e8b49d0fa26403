package io.bloomgate.gateway.session;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A mail server that enters in the {@link Ledger} what it holds, and fails in every way: it
 * refuses, stalls, sends nonsense, dies at any octet that it reads or writes, and dies after its
 * reply.
 */
final class LedgerServer extends FaultyServer {

  private static final List<String> TROUBLE =
      List.of(
          "451 4.3.0 later",
          "550 5.7.1 never",
          "421 4.3.2 going down",
          "HTTP/1.1 400 Bad Request",
          "250-yes\r\n550 no");

  private static final Ways WAYS = new Ways("EHLO", List.of("RSET", "NOOP"), TROUBLE, 40);

  private final Ledger ledger;
  private final boolean stalling;
  private final AtomicInteger offsets = new AtomicInteger();

  /**
   * Listens at once.
   *
   * @param stalling each connection falls silent at some step; otherwise none does
   */
  LedgerServer(Ledger ledger, long seed, boolean stalling) throws IOException {
    super(seed);
    this.ledger = ledger;
    this.stalling = stalling;
  }

  @Override
  Conversation conversation(Socket socket, Random random) {
    return new Held(socket, random);
  }

  private final class Held extends Conversation {
    private final int lastOctetIn;
    private final int lastOctetOut;
    private final int silentAt;
    private int octetsIn;
    private int octetsOut;
    private int steps;

    Held(Socket socket, Random random) {
      super(socket, random, WAYS, ledger.violations);
      // Every offset of a short dialog has its turn; longer ones are reached by kept connections.
      int kind = random.nextInt(5);
      this.lastOctetIn = kind == 0 ? offsets.getAndIncrement() % 700 : Integer.MAX_VALUE;
      this.lastOctetOut = kind == 1 ? offsets.getAndIncrement() % 300 : Integer.MAX_VALUE;
      this.silentAt = stalling ? random.nextInt(7) : Integer.MAX_VALUE;
    }

    @Override
    void beforeStep() throws IOException {
      if (steps++ == silentAt) {
        stall();
      }
    }

    @Override
    void beforeOctet() throws IOException {
      if (octetsIn++ == lastOctetIn) {
        die();
      }
    }

    /** A whole message is here: refused, or held and answered, or held and not answered. */
    @Override
    void take(String content) throws IOException {
      Ledger.Entry entry = ledger.of(sender);
      if (!content.endsWith("\r\n" + entry.content()) || !content.startsWith("Received: ")) {
        ledger.violations.add("damaged on its way: " + entry);
      }
      int fault = random.nextInt(16);
      if (fault == 0) {
        die();
      }
      if (fault == 1) {
        say(TROUBLE.get(random.nextInt(3)));
        return;
      }
      String reply = "250 2.0.0 Ok: held as " + entry.number;
      boolean cut = stalling || fault <= 5 || octetsOut + reply.length() + 2 > lastOctetOut;
      entry.cutBehindHold |= cut;
      entry.held.incrementAndGet();
      entry.isHeld.countDown();
      awaitLeave(entry);
      if (stalling) {
        stall();
      }
      switch (fault) {
        case 2 -> die();
        case 3 -> dieWithin(reply);
        case 4 -> say("HTTP/1.1 400 Bad Request");
        case 5 -> say("354 go on");
        default -> say(reply);
      }
    }

    private void dieWithin(String reply) throws IOException {
      write(reply.substring(0, random.nextInt(reply.length() + 1)));
      throw new EOFException();
    }

    /** Until a client that leaves behind its dot is gone. */
    private static void awaitLeave(Ledger.Entry entry) throws IOException {
      try {
        if (entry.seenLeaving) {
          entry.mayAnswer.await();
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    private void stall() throws IOException {
      while (in.read() >= 0) {
        // Nothing is answered any more.
      }
      throw new EOFException();
    }

    @Override
    void say(String reply) throws IOException {
      String octets = reply + "\r\n";
      int room = lastOctetOut - octetsOut;
      if (octets.length() > room) {
        write(octets.substring(0, room));
        die();
      }
      octetsOut += octets.length();
      write(octets);
    }
  }
}

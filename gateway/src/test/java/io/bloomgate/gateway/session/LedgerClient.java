package io.bloomgate.gateway.session;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a {@link Ledger}, some a session, and vanishes at every octet of its dialog
 * in turn, or behind its final dot. One object a thread; the offsets are shared.
 */
final class LedgerClient {

  /** HELO name of sessions whose upstream stalls. */
  static final String STALLED = "stalled.example";

  private final TestGateway gateway;
  private final Ledger ledger;
  private final Random random;
  private final AtomicInteger offsets;

  /** Octets that this client will still send; it vanishes then. */
  private int octetsLeft;

  LedgerClient(TestGateway gateway, Ledger ledger, AtomicInteger offsets, long seed) {
    this.gateway = gateway;
    this.ledger = ledger;
    this.offsets = offsets;
    this.random = new Random(seed);
  }

  private static final class Vanished extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Sends until nothing is left. */
  void run() {
    Ledger.Entry next = ledger.take();
    while (next != null) {
      next = session(next);
    }
  }

  /** One session of some messages; the next message for another. */
  private Ledger.@Nullable Entry session(Ledger.Entry first) {
    boolean stalled = random.nextInt(25) == 0;
    int messages = stalled ? 1 : 1 + random.nextInt(6);
    octetsLeft = Integer.MAX_VALUE;
    Ledger.@Nullable Entry entry = first;
    try (SmtpClient client = gateway.connect()) {
      client.reply();
      client.ask("EHLO " + (stalled ? STALLED : "client.example"));
      while (entry != null && messages-- > 0) {
        message(client, entry);
        entry = ledger.take();
      }
      if (random.nextBoolean()) {
        client.ask("QUIT");
      }
      return entry;
    } catch (IOException e) {
      return ledger.take();
    }
  }

  private void message(SmtpClient client, Ledger.Entry entry) throws IOException {
    plan();
    String mail = "MAIL FROM:<" + entry.sender() + ">\r\n";
    String rcpt = "RCPT TO:<bob@example.com>\r\n";
    String answer;
    if (random.nextBoolean()) {
      send(client, mail + rcpt + "DATA\r\n");
      client.reply();
      client.reply();
      answer = client.reply();
    } else {
      send(client, mail);
      client.reply();
      send(client, rcpt);
      client.reply();
      send(client, "DATA\r\n");
      answer = client.reply();
    }
    if (answer.startsWith("354")) {
      content(client, entry);
    } else {
      send(client, "RSET\r\n");
      client.reply();
    }
  }

  /** Every third message or so is not sent to its end. */
  private void plan() {
    octetsLeft = random.nextInt(3) == 0 ? offsets.getAndIncrement() % 400 : Integer.MAX_VALUE;
  }

  private void content(SmtpClient client, Ledger.Entry entry) throws IOException {
    String wire = entry.content().replace("\r\n.", "\r\n..") + ".\r\n";
    if (wire.length() <= octetsLeft && random.nextInt(8) == 0) {
      leaveBehindDot(client, entry, wire);
    }
    if (random.nextInt(4) == 0) {
      int part = random.nextInt(wire.length());
      send(client, wire.substring(0, part));
      send(client, wire.substring(part));
    } else {
      send(client, wire);
    }
    entry.answer = client.reply();
  }

  private void leaveBehindDot(SmtpClient client, Ledger.Entry entry, String wire)
      throws IOException {
    entry.leftBehindDot = true;
    boolean seen = random.nextBoolean();
    entry.seenLeaving = seen;
    send(client, wire);
    if (seen) {
      awaitHeldOrAnswered(client, entry);
    }
    client.socket().setSoLinger(seen, 0);
    client.close();
    entry.mayAnswer.countDown();
    throw new Vanished();
  }

  /** The message is held; or an answer came, and then it never will be. */
  private static void awaitHeldOrAnswered(SmtpClient client, Ledger.Entry entry)
      throws IOException {
    try {
      while (!entry.isHeld.await(1, TimeUnit.MILLISECONDS)) {
        if (client.socket().getInputStream().available() > 0) {
          return;
        }
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void send(SmtpClient client, String octets) throws IOException {
    if (octets.length() <= octetsLeft) {
      octetsLeft -= octetsLeft == Integer.MAX_VALUE ? 0 : octets.length();
      client.raw(octets);
      return;
    }
    client.raw(octets.substring(0, octetsLeft));
    client.socket().setSoLinger(random.nextBoolean(), 0);
    throw new Vanished();
  }
}

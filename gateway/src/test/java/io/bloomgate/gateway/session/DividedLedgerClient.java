package io.bloomgate.gateway.session;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A sender as RFC 5321 has it: each message of a {@link DividedLedger} is tried again for those
 * recipients of whom it heard neither yes nor no, in other orders and parts, until all have their
 * answers or it has had enough. Now and then it leaves in the middle. One object a thread.
 */
final class DividedLedgerClient {

  private static final int MAX_TRIES = 60;

  private final Supplier<TestGateway> gateway;
  private final DividedLedger ledger;
  private final Random random;

  /**
   * With the messages that no other has taken.
   *
   * @param gateway the one that runs now; another one later, when the first was killed
   */
  DividedLedgerClient(Supplier<TestGateway> gateway, DividedLedger ledger, long seed) {
    this.gateway = gateway;
    this.ledger = ledger;
    this.random = new Random(seed);
  }

  /** Sends until nothing is left. */
  void run() {
    DividedLedger.Entry entry = ledger.take();
    while (entry != null) {
      DividedLedger.Entry message = entry;
      List<String> left = new ArrayList<>(message.copies.keySet());
      while (!left.isEmpty() && message.tries < MAX_TRIES) {
        attempt(message, tried(message, left));
        left.removeIf(to -> !message.copy(to).heard.isEmpty());
      }
      entry = ledger.take();
    }
  }

  /** All that are left, mostly; else some of them, or the same in another order. */
  private List<String> tried(DividedLedger.Entry message, List<String> left) {
    List<String> tried = new ArrayList<>(left);
    if (random.nextInt(4) == 0) {
      Collections.shuffle(tried, random);
    }
    if (random.nextInt(8) == 0) {
      tried = tried.subList(0, 1 + random.nextInt(tried.size()));
    }
    if (message.tries > 1 && random.nextInt(100) == 0) {
      message.changed = true;
    }
    return tried;
  }

  private void attempt(DividedLedger.Entry message, List<String> recipients) {
    List<String> taken = new ArrayList<>();
    boolean dotMayBeOut = false;
    try (SmtpClient client = gateway.get().connect()) {
      if (!client.reply().startsWith("220")) {
        return;
      }
      message.tries++;
      client.ask("EHLO client.example");
      client.ask("MAIL FROM:<" + message.sender() + ">");
      for (String to : recipients) {
        String answer = client.ask("RCPT TO:<" + to + ">");
        message.heard(to, answer);
        if (answer.startsWith("250")) {
          taken.add(to);
        }
      }
      if (!client.ask("DATA").startsWith("354")) {
        return;
      }
      String wire = message.content().replace("\r\n.", "\r\n..");
      int way = random.nextInt(25);
      if (way == 0) {
        client.raw(wire.substring(0, random.nextInt(wire.length())));
        return;
      }
      dotMayBeOut = true;
      client.raw(wire + ".\r\n");
      String answer = way == 1 ? SmtpClient.END : client.reply();
      message.heard(".", answer);
      if (answer.startsWith("4")) {
        dotMayBeOut = false;
      } else if (answer.startsWith("250") || answer.startsWith("5")) {
        dotMayBeOut = false;
        taken.forEach(to -> message.copy(to).heard = answer);
      }
    } catch (IOException e) {
      message.heard("connection", e.toString());
      // It is tried again; the next gateway may not listen yet.
      LockSupport.parkNanos(1_000_000);
    } finally {
      if (dotMayBeOut) {
        taken.forEach(to -> message.copy(to).unheard.incrementAndGet());
      }
    }
  }
}

package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A mail server (SMTP or LMTP) that enters in the {@link DividedLedger} which message it holds for
 * which recipient. It refuses some recipients and fails now and then at any step, before and after
 * its reply.
 */
final class DividedLedgerServer extends FaultyServer {

  private static final List<String> TROUBLE =
      List.of("451 4.3.0 later", "421 4.3.2 going down", "HTTP/1.1 400 Bad Request");

  private final DividedLedger ledger;
  private final boolean lmtp;
  private final Ways ways;

  /** Listens at once. */
  DividedLedgerServer(DividedLedger ledger, boolean lmtp, long seed) throws IOException {
    super(seed);
    this.ledger = ledger;
    this.lmtp = lmtp;
    this.ways = new Ways(lmtp ? "LHLO" : "EHLO", List.of("RSET", "NOOP"), TROUBLE, 60);
  }

  @Override
  Conversation conversation(Socket socket, Random random) {
    return new Divided(socket, random);
  }

  private final class Divided extends Conversation {
    private final List<String> recipients = new ArrayList<>();

    Divided(Socket socket, Random random) {
      super(socket, random, ways, ledger.violations);
    }

    @Override
    void begins() {
      recipients.clear();
    }

    @Override
    void recipient(String to) {
      recipients.add(to);
    }

    /** A whole message is here: one word for all recipients, or one for each. */
    @Override
    void take(String content) throws IOException {
      DividedLedger.Entry entry = ledger.of(sender);
      if (!entry.isContent(content) || !content.startsWith("Received: ")) {
        ledger.violations.add("damaged on its way: " + entry);
      }
      if (lmtp) {
        for (String to : recipients) {
          word(entry, List.of(to));
        }
      } else {
        word(entry, recipients);
      }
    }

    private void word(DividedLedger.Entry entry, List<String> to) throws IOException {
      int fault = random.nextInt(20);
      if (fault == 0) {
        die();
      }
      if (fault <= 3) {
        say("452 4.2.2 not now");
      } else if (fault <= 5) {
        say("552 5.2.2 full");
      } else {
        boolean said = fault > 7;
        for (String recipient : to) {
          DividedLedger.Copy copy = entry.copy(recipient);
          copy.held.incrementAndGet();
          if (!said) {
            copy.damaged.incrementAndGet();
          }
        }
        if (!said) {
          write("250 2.0.0 held".substring(0, random.nextInt(14)));
          die();
        }
        say("250 2.0.0 held");
      }
    }
  }
}

package io.bloomgate.gateway.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A mail server (SMTP or LMTP) that enters in the {@link DividedLedger} which message it holds for
 * which recipient. It refuses some recipients and fails now and then at any step, before and after
 * its reply. Each connection has its own thread.
 */
final class DividedLedgerServer implements AutoCloseable {

  /** Commands that are taken and change nothing. */
  private static final List<String> OTHERS = List.of("RSET", "NOOP");

  private static final List<String> TROUBLE =
      List.of("451 4.3.0 later", "421 4.3.2 going down", "HTTP/1.1 400 Bad Request");

  /** Every how many steps something goes wrong. */
  private static final int SOUND_STEPS = 60;

  private final DividedLedger ledger;
  private final ServerSocket server;
  private final boolean lmtp;
  private final long seed;
  private final AtomicInteger connections = new AtomicInteger();

  /** Listens at once. */
  DividedLedgerServer(DividedLedger ledger, boolean lmtp, long seed) throws IOException {
    this.ledger = ledger;
    this.lmtp = lmtp;
    this.seed = seed;
    this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::acceptAll);
  }

  int port() {
    return server.getLocalPort();
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = server.accept();
        Random random = new Random(seed + connections.incrementAndGet());
        Thread.ofVirtual().start(() -> new Conversation(socket, random).run());
      } catch (IOException e) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private final class Conversation {
    private final Socket socket;
    private final Random random;
    private final List<String> recipients = new ArrayList<>();
    private InputStream in = InputStream.nullInputStream();
    private String sender = "";

    Conversation(Socket socket, Random random) {
      this.socket = socket;
      this.random = random;
    }

    void run() {
      try (socket) {
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        step("220 ledger.example");
        while (true) {
          answer(readLine());
        }
      } catch (IOException e) {
        // The ledger has the messages that were held.
      }
    }

    private void answer(String line) throws IOException {
      if (line.startsWith(lmtp ? "LHLO" : "EHLO")) {
        step("250-ledger.example\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES");
      } else if (line.startsWith("MAIL")) {
        sender = between(line);
        recipients.clear();
        step("250 2.1.0 Ok");
      } else if (line.startsWith("RCPT")) {
        if (step("250 2.1.5 Ok")) {
          recipients.add(between(line));
        }
      } else if (line.startsWith("DATA")) {
        if (step("354 go")) {
          take(readContent());
        }
      } else if (line.startsWith("QUIT")) {
        say("221 2.0.0 Bye");
        throw new EOFException();
      } else {
        if (!OTHERS.contains(line.split(" ", 2)[0])) {
          ledger.violations.add("no command of SMTP: " + line);
        }
        step("250 2.0.0 Ok");
      }
    }

    private static String between(String line) {
      return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
    }

    /** Answers as it should, mostly; false when not. */
    private boolean step(String reply) throws IOException {
      int fault = random.nextInt(SOUND_STEPS);
      if (fault == 0) {
        die();
      }
      if (fault == 1) {
        say(TROUBLE.get(random.nextInt(TROUBLE.size())));
        return false;
      }
      say(reply);
      return true;
    }

    /** A whole message is here: one word for all recipients, or one for each. */
    private void take(String content) throws IOException {
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

    private void die() throws IOException {
      if (random.nextBoolean()) {
        socket.setSoLinger(true, 0);
      }
      throw new EOFException();
    }

    private void say(String reply) throws IOException {
      write(reply + "\r\n");
    }

    private void write(String octets) throws IOException {
      socket.getOutputStream().write(octets.getBytes(ISO_8859_1));
    }

    private String readContent() throws IOException {
      StringBuilder content = new StringBuilder();
      while (true) {
        String line = readLine();
        if (line.equals(".")) {
          return content.toString();
        }
        content.append(line, line.startsWith(".") ? 1 : 0, line.length()).append("\r\n");
      }
    }

    private String readLine() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (true) {
        int octet = in.read();
        if (octet < 0) {
          throw new EOFException();
        }
        if (octet == '\n') {
          String text = line.toString(ISO_8859_1);
          return text.substring(0, text.length() - 1);
        }
        line.write(octet);
      }
    }
  }
}

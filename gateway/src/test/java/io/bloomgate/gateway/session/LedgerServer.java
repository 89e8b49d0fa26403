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
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A mail server that enters in the {@link Ledger} what it holds, and fails in every way: it
 * refuses, stalls, sends nonsense, dies at any octet that it reads or writes, and dies after its
 * reply. Each connection has its own thread.
 */
final class LedgerServer implements AutoCloseable {

  /** Commands that are taken and change nothing. */
  private static final List<String> OTHERS = List.of("RCPT", "RSET", "NOOP");

  private static final List<String> TROUBLE =
      List.of(
          "451 4.3.0 later",
          "550 5.7.1 never",
          "421 4.3.2 going down",
          "HTTP/1.1 400 Bad Request",
          "250-yes\r\n550 no");

  /** Every how many steps something goes wrong. */
  private static final int SOUND_STEPS = 40;

  private final Ledger ledger;
  private final ServerSocket server;
  private final long seed;
  private final boolean stalling;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger offsets = new AtomicInteger();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  /**
   * Listens at once.
   *
   * @param stalling each connection falls silent at some step; otherwise none does
   */
  LedgerServer(Ledger ledger, long seed, boolean stalling) throws IOException {
    this.ledger = ledger;
    this.seed = seed;
    this.stalling = stalling;
    this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.acceptor = Thread.ofVirtual().start(this::acceptAll);
  }

  int port() {
    return server.getLocalPort();
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = server.accept();
        Random random = new Random(seed + connections.incrementAndGet());
        threads.add(Thread.ofVirtual().start(() -> new Conversation(socket, random).run()));
      } catch (IOException e) {
        return;
      }
    }
  }

  /** Stops listening and waits for the connections' ends. */
  @Override
  public void close() throws IOException {
    server.close();
    try {
      acceptor.join();
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** The connection is over, by a fault or by its peer. */
  private static final class Over extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final class Conversation {
    private final Socket socket;
    private final Random random;
    private final int lastOctetIn;
    private final int lastOctetOut;
    private final int silentAt;
    private InputStream in = InputStream.nullInputStream();
    private int octetsIn;
    private int octetsOut;
    private int steps;
    private String sender = "";

    Conversation(Socket socket, Random random) {
      this.socket = socket;
      this.random = random;
      // Every offset of a short dialog has its turn; longer ones are reached by kept connections.
      int kind = random.nextInt(5);
      this.lastOctetIn = kind == 0 ? offsets.getAndIncrement() % 700 : Integer.MAX_VALUE;
      this.lastOctetOut = kind == 1 ? offsets.getAndIncrement() % 300 : Integer.MAX_VALUE;
      this.silentAt = stalling ? random.nextInt(7) : Integer.MAX_VALUE;
    }

    void run() {
      try (socket) {
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        step("220 ledger.example ESMTP");
        while (true) {
          answer(readLine());
        }
      } catch (IOException e) {
        // The ledger has the messages that were held.
      }
    }

    private void answer(String line) throws IOException {
      if (line.startsWith("EHLO")) {
        step("250-ledger.example\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES");
      } else if (line.startsWith("MAIL")) {
        sender = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
        step("250 2.1.0 Ok");
      } else if (line.startsWith("DATA")) {
        if (step("354 go")) {
          take(readContent());
        }
      } else if (line.startsWith("QUIT")) {
        say("221 2.0.0 Bye");
        throw new Over();
      } else {
        if (!OTHERS.contains(line.split(" ", 2)[0])) {
          ledger.violations.add("no command of SMTP: " + line);
        }
        step("250 2.0.0 Ok");
      }
    }

    /** Answers as it should, mostly; false when not. */
    private boolean step(String reply) throws IOException {
      if (steps++ == silentAt) {
        stall();
      }
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

    /** A whole message is here: refused, or held and answered, or held and not answered. */
    private void take(String content) throws IOException {
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
      throw new Over();
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

    private void die() throws IOException {
      if (random.nextBoolean()) {
        socket.setSoLinger(true, 0);
      }
      throw new Over();
    }

    private void stall() throws IOException {
      while (in.read() >= 0) {
        // Nothing is answered any more.
      }
      throw new Over();
    }

    private void say(String reply) throws IOException {
      String octets = reply + "\r\n";
      int room = lastOctetOut - octetsOut;
      if (octets.length() > room) {
        write(octets.substring(0, room));
        die();
      }
      octetsOut += octets.length();
      write(octets);
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
        if (octetsIn++ == lastOctetIn) {
          die();
        }
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

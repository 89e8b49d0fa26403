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
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A mail server of a ledger that fails as its seed says. Each connection has its own thread and its
 * own random numbers.
 */
abstract class FaultyServer implements AutoCloseable {

  private final ServerSocket server;
  private final long seed;
  private final AtomicInteger connections = new AtomicInteger();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  /** Listens at once. */
  FaultyServer(long seed) throws IOException {
    this.seed = seed;
    this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.acceptor = Thread.ofVirtual().start(this::acceptAll);
  }

  final int port() {
    return server.getLocalPort();
  }

  abstract Conversation conversation(Socket socket, Random random);

  private void acceptAll() {
    while (true) {
      try {
        Socket socket = server.accept();
        Random random = new Random(seed + connections.incrementAndGet());
        threads.add(Thread.ofVirtual().start(() -> conversation(socket, random).run()));
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

  /**
   * What such a server says.
   *
   * @param hello the greeting command that it knows
   * @param others commands that are taken and change nothing
   * @param trouble replies that come in place of the right one
   * @param soundSteps every how many steps something goes wrong
   */
  record Ways(String hello, List<String> others, List<String> trouble, int soundSteps) {}

  /** One connection. */
  abstract static class Conversation {
    final Random random;
    final Socket socket;
    String sender = "";
    InputStream in = InputStream.nullInputStream();
    private final Ways ways;
    private final Queue<String> violations;

    Conversation(Socket socket, Random random, Ways ways, Queue<String> violations) {
      this.socket = socket;
      this.random = random;
      this.ways = ways;
      this.violations = violations;
    }

    private void run() {
      try (socket) {
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        boolean _ = step("220 ledger.example ESMTP");
        while (true) {
          answer(readLine());
        }
      } catch (IOException e) {
        // The ledger has the messages that were held.
      }
    }

    private void answer(String line) throws IOException {
      if (line.startsWith(ways.hello())) {
        boolean _ = step("250-ledger.example\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES");
      } else if (line.startsWith("MAIL")) {
        sender = path(line);
        begins();
        boolean _ = step("250 2.1.0 Ok");
      } else if (line.startsWith("RCPT")) {
        if (step("250 2.1.5 Ok")) {
          recipient(path(line));
        }
      } else if (line.startsWith("DATA")) {
        if (step("354 go")) {
          take(readContent());
        }
      } else if (line.startsWith("QUIT")) {
        say("221 2.0.0 Bye");
        throw new EOFException();
      } else {
        if (!ways.others().contains(line.split(" ", 2)[0])) {
          violations.add("no command of SMTP: " + line);
        }
        boolean _ = step("250 2.0.0 Ok");
      }
    }

    private static String path(String line) {
      return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
    }

    /** Answers as it should, mostly; false when not. */
    private boolean step(String reply) throws IOException {
      beforeStep();
      int fault = random.nextInt(ways.soundSteps());
      if (fault == 0) {
        die();
      }
      say(fault == 1 ? ways.trouble().get(random.nextInt(ways.trouble().size())) : reply);
      return fault != 1;
    }

    void beforeStep() throws IOException {}

    void begins() {}

    void recipient(String to) {}

    /** A whole message is here. */
    abstract void take(String content) throws IOException;

    /** Before each octet that is read. */
    void beforeOctet() throws IOException {}

    void say(String reply) throws IOException {
      write(reply + "\r\n");
    }

    /** Ends the connection in order or by a reset. */
    final void die() throws IOException {
      if (random.nextBoolean()) {
        socket.setSoLinger(true, 0);
      }
      throw new EOFException();
    }

    final void write(String octets) throws IOException {
      socket.getOutputStream().write(octets.getBytes(ISO_8859_1));
    }

    private String readContent() throws IOException {
      StringBuilder content = new StringBuilder();
      for (String line = readLine(); !line.equals("."); line = readLine()) {
        content.append(line, line.startsWith(".") ? 1 : 0, line.length()).append("\r\n");
      }
      return content.toString();
    }

    private String readLine() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (true) {
        beforeOctet();
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

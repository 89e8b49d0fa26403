package io.bloomgate.gateway.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/** One connection of {@link ScriptedUpstream}; scripted actions work on it. */
public final class UpstreamConnection {

  private final ScriptedUpstream upstream;
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<String> recipients = new ArrayList<>();
  private volatile Socket socket;
  private volatile byte[] proxyHeader = new byte[0];
  private volatile String content = "";
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();
  private String sender = "";
  private String line = "";
  private int lastCode;
  private boolean atFinalDot;
  private boolean encrypted;

  UpstreamConnection(ScriptedUpstream upstream, Socket socket) {
    this.upstream = upstream;
    this.socket = socket;
  }

  /** Every command line so far, without CRLF; content is not among them. */
  public List<String> commands() {
    return List.copyOf(commands);
  }

  /** The PROXY header that came before everything. */
  public byte[] proxyHeader() {
    return proxyHeader.clone();
  }

  /** Arguments of RCPT that were answered 250 in the current transaction. */
  public List<String> recipients() {
    return List.copyOf(recipients);
  }

  /** What was read of the newest content, complete or not, one character an octet. */
  public String content() {
    return content;
  }

  /** The current command. */
  public String line() {
    return line;
  }

  /** Waits until one side has closed the connection. */
  public void awaitEnd() {
    try {
      if (!ended.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("upstream connection still open; commands: " + commands);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Sends a reply; lines are divided by CRLF, the last CRLF is added. */
  public void reply(String text) throws IOException {
    String last = text.substring(text.lastIndexOf('\n') + 1);
    boolean coded = last.matches("(?s)[2-5][0-9][0-9].*");
    lastCode = coded ? Integer.parseInt(last, 0, 3, 10) : 0;
    if (atFinalDot && lastCode == 250) {
      // Before the reply is sent, so that a client that has the reply finds the delivery.
      upstream.delivered(new ScriptedUpstream.Delivery(sender, List.copyOf(recipients), content));
    }
    raw((text + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Sends octets. */
  public void raw(byte[] octets) throws IOException {
    out.write(octets);
    out.flush();
  }

  /** Does what is usual at this step. */
  public void proceed() throws IOException {
    switch (verb(line)) {
      case "EHLO", "LHLO" -> hello();
      case "XCLIENT" -> reply("220 upstream.example ESMTP");
      case "STARTTLS" -> reply("220 2.0.0 Ready");
      case "MAIL" -> reply("250 2.1.0 Ok");
      case "RCPT" -> reply("250 2.1.5 Ok");
      case "DATA" -> reply("354 End data with <CR><LF>.<CR><LF>");
      case "QUIT" -> {
        reply("221 2.0.0 Bye");
        drop();
      }
      case "HELO", "RSET", "NOOP", "XFORWARD" -> reply("250 2.0.0 Ok");
      default -> reply("502 5.5.2 Error: command not recognized");
    }
  }

  /** Closes without a word. */
  public void drop() {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed is closed.
    }
  }

  /** Closes by RST. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    drop();
  }

  /** Sends nothing more until the peer closes; discards what the peer sends. */
  public void stall() throws IOException {
    while (in.read() >= 0) {
      // Nothing is answered.
    }
    throw new EOFException();
  }

  /** Reads nothing and says nothing until the peer or {@link ScriptedUpstream#close} closes. */
  public void stopReading() {
    awaitEnd();
  }

  /** True when more input waits than the current command. */
  public boolean inputWaiting() throws IOException {
    return in.available() > 0;
  }

  /** Waits for the next input, which stays unread. */
  public void awaitInput() throws IOException {
    in.mark(1);
    if (in.read() < 0) {
      throw new EOFException();
    }
    in.reset();
  }

  void serve() {
    try (Socket toClose = socket) {
      toClose.setTcpNoDelay(true);
      in = new BufferedInputStream(toClose.getInputStream());
      out = toClose.getOutputStream();
      if (upstream.awaitsProxyHeader()) {
        readProxyHeader();
      }
      step(ScriptedUpstream.CONNECT, () -> reply("220 upstream.example ESMTP"));
      while (true) {
        line = readLine();
        commands.add(line);
        command(verb(line));
      }
    } catch (IOException e) {
      // Either side closed; tests look at what was said before.
    } finally {
      ended.countDown();
    }
  }

  private interface Usual {
    void run() throws IOException;
  }

  private void step(String name, Usual usual) throws IOException {
    var scripted = upstream.scripted(name);
    if (scripted.isPresent()) {
      scripted.get().act(this);
    } else {
      usual.run();
    }
  }

  private void command(String verb) throws IOException {
    lastCode = 0;
    step(verb, this::proceed);
    switch (verb) {
      case "MAIL" -> {
        sender = line.substring("MAIL FROM:".length());
        recipients.clear();
      }
      case "RCPT" -> {
        if (lastCode == 250) {
          recipients.add(line.substring("RCPT TO:".length()));
        }
      }
      case "DATA" -> {
        if (lastCode == 354) {
          message();
        }
      }
      case "STARTTLS" -> {
        if (lastCode == 220) {
          encrypt();
        }
      }
      default -> {}
    }
  }

  private void message() throws IOException {
    step(ScriptedUpstream.CONTENT, () -> {});
    readContent();
    atFinalDot = true;
    step(
        ScriptedUpstream.FINAL_DOT,
        () -> reply("250 2.0.0 Ok: queued as " + upstream.nextNumber()));
    atFinalDot = false;
  }

  private void hello() throws IOException {
    StringBuilder text = new StringBuilder("250");
    String next = "upstream.example";
    for (String keyword : upstream.keywords()) {
      if (encrypted && keyword.equals("STARTTLS")) {
        continue;
      }
      text.append('-').append(next).append("\r\n250");
      next = keyword;
    }
    reply(text.append(' ').append(next).toString());
  }

  private void encrypt() throws IOException {
    SSLSocket wrapped =
        (SSLSocket)
            upstream
                .tls()
                .orElseThrow(() -> new IOException("the test gave no certificate"))
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", socket.getPort(), true);
    wrapped.setUseClientMode(false);
    wrapped.startHandshake();
    socket = wrapped;
    in = new BufferedInputStream(wrapped.getInputStream());
    out = wrapped.getOutputStream();
    encrypted = true;
  }

  private void readProxyHeader() throws IOException {
    in.mark(1);
    boolean text = in.read() == 'P';
    in.reset();
    if (text) {
      proxyHeader = readLineOctets();
      return;
    }
    byte[] start = in.readNBytes(16);
    if (start.length < 16) {
      throw new EOFException();
    }
    int length = (start[14] & 0xff) << 8 | (start[15] & 0xff);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(start);
    whole.write(in.readNBytes(length));
    proxyHeader = whole.toByteArray();
  }

  private void readContent() throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try {
      while (true) {
        byte[] next = readLineOctets();
        if (next.length == 3 && next[0] == '.') {
          return;
        }
        int from = next[0] == '.' ? 1 : 0;
        whole.write(next, from, next.length - from);
      }
    } finally {
      content = whole.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private String readLine() throws IOException {
    byte[] octets = readLineOctets();
    return new String(octets, 0, octets.length - 2, StandardCharsets.UTF_8);
  }

  /** Up to CRLF and nothing else: a relay that ends lines otherwise is found out. */
  private byte[] readLineOctets() throws IOException {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    int before = -1;
    while (true) {
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException();
      }
      octets.write(octet);
      if (octet == '\n' && before == '\r') {
        return octets.toByteArray();
      }
      before = octet;
    }
  }

  private static String verb(String line) {
    int end = line.indexOf(' ');
    return (end < 0 ? line : line.substring(0, end)).toUpperCase(Locale.ROOT);
  }
}

package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.WebClient.WebRequest;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest.WebProxy;
import io.bloomgate.blocklists.fetch.WebExchange.WebAnswer;
import io.bloomgate.blocklists.fetch.WebExchange.WebException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One GET against servers that say exactly what a test wants. */
class WebExchangeTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerSocket server;

  /** The head of the last request. */
  private Future<String> asked = CompletableFuture.completedFuture("");

  private final CountDownLatch release = new CountDownLatch(1);

  WebExchangeTest() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    release.countDown();
    server.close();
    executor.shutdownNow();
  }

  private static WebClient client(Duration silence) {
    return new WebClient(WebClient.Means.ofJdk(Duration.ofSeconds(20), silence));
  }

  private WebRequest request(Map<String, String> headers) {
    URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/a?b");
    return new WebRequest(url, List.of(), headers, null);
  }

  /** Answers one client so; hangs up afterwards, or leaves the connection open. */
  private void answer(byte[] octets, boolean hangUp) {
    asked =
        executor.submit(() -> {
          try (Socket client = server.accept()) {
            String head = head(client);
            client.getOutputStream().write(octets);
            client.getOutputStream().flush();
            if (!hangUp) {
              release.await();
            }
            return head;
          }
        });
  }

  private void answer(String octets) {
    answer(octets.getBytes(ISO_8859_1), true);
  }

  /** Asks, and reads no body. */
  private static WebAnswer ask(WebClient made, WebRequest request) throws IOException {
    try (made;
        WebExchange exchange = made.exchange()) {
      return exchange.get(request);
    }
  }

  private static WebClient client() {
    return client(Duration.ofSeconds(20));
  }

  private String get(String answer) throws IOException {
    answer(answer);
    try (WebClient client = client(Duration.ofSeconds(20));
        WebExchange exchange = client.exchange()) {
      WebAnswer got = exchange.get(request(Map.of()));
      return got.status() + " " + new String(got.body().readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void readsEveryWayABodyCanEnd() throws IOException {
    assertEquals("200 abc", get("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"));
    assertEquals("200 ", get("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"));
    assertEquals("200 abc", get("HTTP/1.0 200 OK\r\n\r\nabc"));
    assertEquals(
        "200 abcdef",
        get(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 1\r\n\r\n"
                + "3;x=y\r\nabc\r\n003\r\ndef\r\n0\r\nTrailer: x\r\n\r\nmore"));
    assertEquals(
        "404 x",
        get(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
                + "HTTP/1.1 404 No\nContent-Length: 1\n\nx"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n"
      })
  void whatIsNoWholeAnswerIsAFailure(String answer) {
    assertThrows(IOException.class, () -> get(answer));
  }

  @Test
  void headsAreBounded() {
    String status = "HTTP/1.1 200 OK\r\n";
    assertFails("too long", status + "A: " + "x".repeat(WebExchange.LONGEST_LINE));
    assertFails("too long", status + "A: b\r\n".repeat(WebExchange.MOST_HEADERS + 1) + "\r\n");
    assertFails("does not keep to HTTP/1.1", "220 mail.example ESMTP\r\n");
  }

  private void assertFails(String what, String answer) {
    WebException failure = assertThrows(WebException.class, () -> get(answer));
    assertTrue(String.valueOf(failure.getMessage()).contains(what), failure.getMessage());
  }

  @Test
  void nothingIsDoneThatWasNotAskedFor() throws Exception {
    String packed = "\u001f\u008b\b";
    assertEquals(
        "302 " + packed,
        get(
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: a=b\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: 3\r\n\r\n"
                + packed));
    assertEquals("503 ", get("HTTP/1.1 503 No\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"));
    String challenge = "WWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n";
    assertEquals("401 ", get("HTTP/1.1 401 No\r\n" + challenge));
  }

  @Test
  void headersAreJoinedByName() throws IOException {
    answer("HTTP/1.1 204 No\r\nA: b\r\n folded\r\na: c\r\nE:\r\n\r\n");
    assertEquals(Map.of("a", "b folded, c", "e", ""), ask(client(), request(Map.of())).headers());
  }

  @Test
  void noiseIsAFailureAndNothingElse() {
    long seed = 42;
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      String answer =
          (random.nextBoolean() ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" : "")
              + new String(noise, ISO_8859_1);
      assertThrows(IOException.class, () -> get(answer), "seed " + seed + " round " + i);
    }
  }

  @Test
  void asksInOneRequestAndNoHeaderCanAddAnother() throws Exception {
    answer("HTTP/1.1 204 No\r\n\r\n");
    ask(client(), request(Map.of("Accept", "*/*")));
    assertEquals(
        "GET /a?b HTTP/1.1\r\nAccept: */*\r\nConnection: close\r\nHost: 127.0.0.1:"
            + server.getLocalPort()
            + "\r\n\r\n",
        asked.get());
    answer(new byte[0], true);
    assertThrows(
        IllegalArgumentException.class,
        () -> ask(client(), request(Map.of("A", "b\r\nHost: elsewhere"))));
  }

  @Test
  void silenceHasALimit() {
    answer("HTTP/1.1 200 OK\r\n".getBytes(ISO_8859_1), false);
    assertThrows(
        SocketTimeoutException.class, () -> ask(client(Duration.ofMillis(100)), request(Map.of())));
  }

  @Test
  void closingEndsWhoWaitsAndEveryLaterExchange() throws Exception {
    answer(new byte[0], false);
    WebClient client = client(Duration.ofMinutes(5));
    WebExchange exchange = client.exchange();
    Future<Boolean> waiting =
        executor.submit(() -> {
          assertThrows(IOException.class, () -> exchange.get(request(Map.of())));
          return true;
        });
    assertFalse(asked.isDone());
    client.close();
    assertTrue(waiting.get());
    assertThrows(IOException.class, () -> client.exchange().get(request(Map.of())));
  }

  private static WebClient client(WebClient.Resolver resolver) {
    WebClient.Means jdk = WebClient.Means.ofJdk(LONG, LONG);
    return new WebClient(new WebClient.Means(resolver, jdk.sockets(), jdk.tls(), LONG, LONG));
  }

  private WebRequest request(String url, List<InetAddress> addresses, @Nullable WebProxy proxy) {
    URI with = URI.create(url.replace("PORT", Integer.toString(server.getLocalPort())));
    return new WebRequest(with, addresses, Map.of(), proxy);
  }

  private static String head(Socket client) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int octet = client.getInputStream().read();
      if (octet < 0) {
        throw new IOException("hung up after " + head);
      }
      head.append((char) octet);
    }
    return head.toString();
  }

  private String asked(String url) throws Exception {
    answer("HTTP/1.1 204 No\r\n\r\n");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    assertEquals(
        204,
        ask(client(host -> new InetAddress[] {loopback}), request(url, List.of(), null)).status());
    return asked.get();
  }

  @Test
  void addressesAreAskedForAsTheyAreWritten() throws Exception {
    for (String target : List.of("/", "//a//b/../c", "/%2F%e9?a=%20&&b", "//:80//x", "/a;b?c#")) {
      String written = target.replace("#", "");
      String head = asked("http://far.example:PORT" + target);
      assertTrue(head.startsWith("GET " + written + " HTTP/1.1\r\n"), head);
      assertTrue(head.contains("\r\nHost: far.example:" + server.getLocalPort() + "\r\n"), head);
    }
    assertTrue(asked("http://far.example:PORT?x").startsWith("GET /?x HTTP/1.1\r\n"));
    String literal = asked("http://[2001:db8::1]:PORT/");
    assertTrue(literal.contains("\r\nHost: [2001:db8::1]:" + server.getLocalPort()), literal);
  }

  @Test
  void checkedAddressesAreTriedInOrderAndTheNameIsNotLookedUp() throws Exception {
    answer("HTTP/1.1 204 No\r\n\r\n");
    InetAddress nobody = InetAddress.ofLiteral("127.0.0.2");
    List<InetAddress> addresses = List.of(nobody, InetAddress.getLoopbackAddress());
    WebClient.Resolver none =
        host -> {
          throw new AssertionError("looked up " + host);
        };
    WebRequest request = request("http://far.example:PORT/", addresses, null);
    assertEquals(204, ask(client(none), request).status());
  }

  @Test
  void whatAProxySaysToConnectIsNotTheServersAnswer() {
    for (String answer :
        List.of(
            "HTTP/1.1 502 Bad\r\nContent-Length: 1\r\n\r\nx",
            "HTTP/1.1 302 Go\r\nLocation: https://evil.example/\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 304 Same\r\n\r\n",
            "HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")) {
      answer(answer);
      WebProxy proxy = new WebProxy("127.0.0.1", server.getLocalPort(), "");
      try (WebClient client = client(InetAddress::getAllByName);
          WebExchange exchange = client.exchange()) {
        WebRequest request = request("https://far.example/", List.of(), proxy);
        WebException failure = assertThrows(WebException.class, () -> exchange.get(request));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("the proxy does not let") && !message.contains("evil"), answer);
      }
    }
  }

  @Test
  void credentialsAreShownToTheProxyAtOnce() throws Exception {
    String secret = "me:p\u00e4ss:word";
    WebProxy proxy = new WebProxy("127.0.0.1", server.getLocalPort(), secret);
    String basic = Base64.getEncoder().encodeToString(secret.getBytes(UTF_8));
    for (String url : List.of("https://far.example/", "http://far.example/")) {
      answer("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\n\r\n");
      try (WebClient client = client(InetAddress::getAllByName);
          WebExchange exchange = client.exchange()) {
        WebRequest request = request(url, List.of(), proxy);
        WebException failure = assertThrows(WebException.class, () -> exchange.get(request));
        assertTrue(String.valueOf(failure.getMessage()).contains("proxy_credentials_file"), url);
      }
      assertTrue(asked.get().contains("\r\nProxy-Authorization: Basic " + basic + "\r\n"), url);
    }
  }

  @Test
  void aHandshakeThatNeverEndsCanBeCut() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    asked =
        executor.submit(() -> {
          try (Socket client = server.accept()) {
            client.getInputStream().read();
            begun.countDown();
            release.await();
            return "";
          }
        });
    try (WebClient client = client(InetAddress::getAllByName)) {
      WebExchange exchange = client.exchange();
      WebRequest request = request("https://127.0.0.1:PORT/", List.of(), null);
      Future<IOException> cut =
          executor.submit(() -> assertThrows(IOException.class, () -> exchange.get(request)));
      begun.await();
      exchange.close();
      cut.get();
    }
  }

  @Test
  void whoIsCutWhileItLooksUpTheNameNeverConnects() throws Exception {
    CountDownLatch looking = new CountDownLatch(1);
    WebClient.Resolver slow =
        host -> {
          looking.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
    try (WebClient client = client(slow)) {
      WebExchange exchange = client.exchange();
      WebRequest request = request("http://far.example:PORT/", List.of(), null);
      Future<IOException> cut =
          executor.submit(() -> assertThrows(IOException.class, () -> exchange.get(request)));
      looking.await();
      exchange.close();
      release.countDown();
      assertEquals("closed", cut.get().getMessage());
    }
  }

  @Test
  void aBodyThatStopsCanBeCut() throws Exception {
    asked =
        executor.submit(() -> {
          try (Socket client = server.accept()) {
            head(client);
            client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nabc".getBytes(ISO_8859_1));
            release.await();
            return "";
          }
        });
    try (WebClient client = client(InetAddress::getAllByName)) {
      WebExchange exchange = client.exchange();
      WebAnswer answer = exchange.get(request("http://127.0.0.1:PORT/", List.of(), null));
      assertEquals("abc", new String(answer.body().readNBytes(3), ISO_8859_1));
      Future<IOException> cut =
          executor.submit(() -> assertThrows(IOException.class, () -> answer.body().read()));
      exchange.close();
      cut.get();
    }
  }
}

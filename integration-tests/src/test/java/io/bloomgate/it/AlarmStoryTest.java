package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Alarms reach a mailbox behind the gateway, and a server by HTTP. */
class AlarmStoryTest extends Story {

  private HttpServer web;
  private volatile int status = 200;
  private final BlockingQueue<String> posts = new LinkedBlockingQueue<>();

  @BeforeEach
  void startWebServer() throws IOException {
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          posts.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + body);
          exchange.getResponseHeaders().add("Location", "/elsewhere");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    web.start();
  }

  @AfterEach
  void stopWebServer() {
    web.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + web.getAddress().getPort() + "/hook/KEY";
  }

  private CommandLineInProcess.Result test() {
    return CommandLineInProcess.run(
        "alarms", "test", "-c", folder.resolve("bloomgate.yaml").toString());
  }

  @Test
  void aTestGoesByMailAndByPost() throws IOException {
    gateway.with("alarms", "{to: postmaster@example.com, url: \"" + url() + "\"}").start();
    CommandLineInProcess.Result result = test();
    assertEquals(0, result.exitCode(), result.out() + result.err());
    assertFalse((result.out() + result.err()).contains("KEY"), result.out());
    ScriptedUpstream.Delivery mail = upstream.nextDelivery();
    assertEquals("<>", mail.from());
    for (String line :
        new String[] {
          "From: Bloomgate <bloomgate@mx.example.com>",
          "To: postmaster@example.com",
          "Subject: Bloomgate mx.example.com: test: alarms arrive here",
          "Auto-Submitted: auto-generated",
          "Date: ",
          "Message-ID: <alarm.",
          "This is a test"
        }) {
      assertTrue(mail.content().contains("\r\n" + line) || mail.content().startsWith(line), line);
    }
    assertTrue(mail.content().chars().allMatch(c -> c < 0x80), "7-bit lines");
    String post = posts.remove();
    assertTrue(
        post.startsWith(
            "POST /hook/KEY application/json; charset=UTF-8 {\"form\":1,\"event\":\"test\","),
        post);
  }

  @Test
  void whatDoesNotArriveIsSaid() throws IOException {
    gateway.with("alarms", "{url: \"" + url() + "\"}").start();
    status = 302;
    CommandLineInProcess.Result result = test();
    assertEquals(1, result.exitCode(), result.out());
    assertTrue(result.out().contains("redirects are not followed"), result.out());
    assertEquals(1, posts.size());
    status = 500;
    assertTrue(test().out().contains("NOT sent: the server answered 500"));
    web.stop(0);
    assertTrue(test().out().contains("NOT sent: no connection"));
  }
}

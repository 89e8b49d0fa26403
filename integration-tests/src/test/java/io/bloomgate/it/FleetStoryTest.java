package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways: one fetches feeds, the other takes what the first has live. */
class FleetStoryTest {

  @TempDir Path folder;

  /** Both have lists, other ones than before. */
  private static void awaitSame(GatewayFixture first, GatewayFixture second, String before)
      throws IOException {
    Conditions.await(
        "both have the same new lists",
        () -> !FleetNodes.id(first).equals(before) && same(first, second));
  }

  @Test
  void theFollowerHasTheLeadersListsBitForBit() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      FleetNodes nodes = new FleetNodes(folder, upstream.port());
      GatewayFixture leader = nodes.leader();
      leader.write("hosts.txt", "203.0.113.7", "203.0.113.9");
      leader.write("domains.txt", "spam.example", "other.example");
      GatewayFixture follower = nodes.follower("second", nodes.published().toString());
      try (GatewayFixture first = leader.start();
          GatewayFixture second = follower.start()) {
        awaitSame(first, second, "");
        String id = FleetNodes.id(first);
        assertEquals(16, id.length(), id);
        assertEqualFiles();
        assertShown(first, second);
        assertTrue(FleetNodes.explain(second, "203.0.113.9").contains("\"line\":2"), "its line");

        leader.write("hosts.txt", "203.0.113.7", "203.0.113.8", "203.0.113.9");
        awaitSame(first, second, id);
        assertTrue(FleetNodes.explain(second, "203.0.113.9").contains("\"line\":3"), "the new");
        assertEqualFiles();

        acceptedOnceHoldsForAll(leader, first, second);

        follower.write("own.txt", "mine.example");
        Conditions.await(
            "a feed that only the follower has",
            () -> FleetNodes.explain(second, "mine.example").contains("\"verdict\":\"reject\""));
        assertFalse(notices(second).contains("feed hosts"));
        second.control(new ControlRequest.FeedsRollback("hosts", null));
        String notice = notices(second);
        assertTrue(notice.contains("feed hosts may differ from the leader's: rolled back"), notice);
      }
    }
  }

  private static String notices(GatewayFixture node) {
    JsonObject row = node.control(new ControlRequest.FleetStatus()).items().getFirst();
    return row.elements("notices").toString();
  }

  /** Without Redis {@code fleet status} is about the node that is asked. */
  private static void assertShown(GatewayFixture leader, GatewayFixture follower) {
    for (GatewayFixture node : List.of(leader, follower)) {
      var status = node.control(new ControlRequest.FleetStatus());
      assertEquals(0, status.exitCode(), status::toString);
      JsonObject row = status.items().getFirst();
      assertEquals(node == leader, row.isTrue("leader"));
      assertEquals("leader", row.text("manifest_node").orElse(""));
      assertTrue(row.number("manifest").orElse(0) > 1_000_000, row.toString());
      assertEquals("enforce", row.text("mode").orElse(""));
      assertEquals(FleetNodes.id(node), row.text("generation").orElse(""));
    }
  }

  private static void acceptedOnceHoldsForAll(
      GatewayFixture leader, GatewayFixture first, GatewayFixture second) throws IOException {
    leader.write("domains.txt", "a.spam.example", "b.spam.example", "c.spam.example");
    Conditions.await(
        "held on the leader",
        () -> first.control(new ControlRequest.FeedsList()).json().contains("\"held\""));
    String id = FleetNodes.id(first);
    assertEquals(id, FleetNodes.id(second), "nothing of it went on");
    assertEquals(0, first.control(new ControlRequest.FeedsAccept("domains", false)).exitCode());
    awaitSame(first, second, id);
    String shown = second.control(new ControlRequest.FeedsShow("domains")).json();
    assertTrue(shown.contains("\"accepted_by\":\""), shown);
  }

  @Test
  void overHttpAndWithoutTheLeader() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        Served served = new Served(folder.resolve("published"))) {
      FleetNodes nodes = new FleetNodes(folder, upstream.port());
      GatewayFixture leader = nodes.leader();
      leader.write("hosts.txt", "203.0.113.7");
      leader.write("domains.txt", "spam.example");
      GatewayFixture follower = nodes.follower("second", served.address());
      try (GatewayFixture second = follower.start()) {
        try (GatewayFixture first = leader.start()) {
          awaitSame(first, second, "");
          assertFalse(second.status().elements("alarms").toString().contains("leader"));
        }
        Conditions.await("asked with its mark", () -> served.unchanged.get() > 0);
        follower.write("hosts.txt", "203.0.113.7", "203.0.113.77");
        Conditions.await(
            "the follower fetches for itself",
            () -> FleetNodes.explain(second, "203.0.113.77").contains("\"verdict\":\"reject\""));
        assertTrue(
            second
                .status()
                .elements("alarms")
                .toString()
                .contains("this gateway fetches its feeds itself"));
      }
    }
  }

  private static boolean same(GatewayFixture first, GatewayFixture second) {
    return FleetNodes.id(first).equals(FleetNodes.id(second));
  }

  /** Index and filters of the live generations, octet by octet. */
  private void assertEqualFiles() throws IOException {
    for (Path file : live("leader")) {
      String name = String.valueOf(file.getFileName());
      if (!name.equals("manifest.json")) {
        Path other = live("second").getFirst().resolveSibling(name);
        assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(other), name);
      }
    }
  }

  private List<Path> live(String node) throws IOException {
    Path snapshots = folder.resolve(node).resolve("state/snapshots");
    String current = Files.readString(snapshots.resolve("CURRENT")).strip();
    try (var all = Files.list(snapshots.resolve(current))) {
      return all.toList();
    }
  }

  /** A web server over a folder, with ETag. */
  private static final class Served implements AutoCloseable {
    private final HttpServer server;
    private final Path root;
    final AtomicInteger unchanged = new AtomicInteger();

    Served(Path root) throws IOException {
      this.root = root;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/fleet/", this::answer);
      server.start();
    }

    String address() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/fleet/";
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        Path file = root.resolve(exchange.getRequestURI().getPath().substring("/fleet/".length()));
        byte[] octets = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
        String etag = "\"" + Arrays.hashCode(octets) + "\"";
        boolean same = etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        if (same) {
          unchanged.incrementAndGet();
        }
        exchange.getResponseHeaders().add("ETag", etag);
        int status = octets.length == 0 ? 404 : same ? 304 : 200;
        exchange.sendResponseHeaders(status, status == 200 ? octets.length : -1);
        if (status == 200) {
          exchange.getResponseBody().write(octets);
        }
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}

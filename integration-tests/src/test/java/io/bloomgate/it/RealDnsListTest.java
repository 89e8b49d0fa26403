package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list that a real rbldnsd serves, asked through a real unbound, where both are installed. */
class RealDnsListTest {

  private static final Path RBLDNSD = Path.of("/usr/sbin/rbldnsd");
  private static final Path UNBOUND = Path.of("/usr/sbin/unbound");

  @TempDir Path folder;

  @Test
  void aListedClientIsRefusedThroughARealResolver() throws IOException, InterruptedException {
    assumeTrue(
        Files.isExecutable(RBLDNSD) && Files.isExecutable(UNBOUND),
        "rbldnsd or unbound is not installed");
    int list = FreePort.next();
    int resolver = FreePort.next();
    Files.writeString(folder.resolve("zone"), ":127.0.0.4:listed\n127.0.0.2\n192.0.2.66\n");
    // Names with all below them; the answer is a sum of the bits 2 and 4.
    Files.writeString(folder.resolve("names"), ":127.0.0.6:listed\n.evil.example\npoint.example\n");
    Files.writeString(folder.resolve("unbound.conf"), unbound(list, resolver));
    // The user that rbldnsd changes to must reach the zone.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Process serving =
        start(
            "rbldnsd",
            RBLDNSD.toString(),
            "-n",
            "-u",
            user(),
            "-w",
            folder.toString(),
            "-b",
            "127.0.0.1/" + list,
            "bl.example:ip4trie:zone",
            "names.example:dnset:names");
    Process resolving =
        start("unbound", UNBOUND.toString(), "-d", "-c", folder.resolve("unbound.conf").toString());
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port())) {
      gateway.with("dns", "{servers: [\"127.0.0.1:" + resolver + "\"]}");
      gateway.with("rules", "{}");
      gateway.with(
          "feeds",
          """
          {sources: {bl: {dns: bl.example, action: reject},
           names: {dns: names.example, checks: [url_host], hosts: [names], bits: [4], test_name: point.example,
                   action: reject}}}\
          """);
      gateway.start();
      Conditions.await(
          "the test of the list",
          () -> {
            assertTrue(serving.isAlive(), () -> "rbldnsd ended: " + output("rbldnsd"));
            assertTrue(resolving.isAlive(), () -> "unbound ended: " + output("unbound"));
            return !gateway.control(new ControlRequest.Status()).toString().contains("DNS list");
          });
      String refused = gateway.rcpt("192.0.2.66", "a@b.example.org");
      assertTrue(refused.contains("[192.0.2.66] blocked using bl ["), refused);
      assertEquals("250 2.1.5 Ok", gateway.rcpt("192.0.2.67", "a@b.example.org"));
      String link = dot(gateway, "http://www.a.evil.example/x");
      assertTrue(link.contains("[www.a.evil.example] blocked using names ["), link);
      assertEquals("250", dot(gateway, "http://www.good.example/x").substring(0, 3));
    } finally {
      serving.destroyForcibly().waitFor();
      resolving.destroyForcibly().waitFor();
    }
  }

  /** The reply to the final dot of a mail with this text. */
  private static String dot(GatewayFixture gateway, String text) throws IOException {
    return gateway.send(
        "192.0.2.68", "a@b.example.org", "From: a@b.example.org\r\n\r\n" + text + "\r\n");
  }

  private String unbound(int list, int resolver) {
    return """
    server:
      interface: 127.0.0.1@RESOLVER
      do-not-query-localhost: no
      do-daemonize: no
      use-syslog: no
      chroot: ""
      username: ""
      directory: "FOLDER"
      pidfile: "FOLDER/unbound.pid"
      module-config: "iterator"
    remote-control:
      control-enable: no
    stub-zone:
      name: "bl.example"
      stub-addr: 127.0.0.1@LIST
    stub-zone:
      name: "names.example"
      stub-addr: 127.0.0.1@LIST
    """
        .replace("RESOLVER", String.valueOf(resolver))
        .replace("LIST", String.valueOf(list))
        .replace("FOLDER", folder.toString());
  }

  /** rbldnsd refuses to run as root, and then wants to know which user to run as. */
  private static String user() {
    String name = System.getProperty("user.name");
    return name.equals("root") ? "nobody" : name;
  }

  private Process start(String name, String... command) throws IOException {
    return new ProcessBuilder(List.of(command))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .start();
  }

  private String output(String name) {
    try {
      return Files.readString(folder.resolve(name + ".out"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}

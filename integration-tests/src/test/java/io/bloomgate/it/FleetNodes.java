package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gateways of one fleet on this machine: each in its own folder below that of the test, with keys
 * that {@code fleet key} made. Their feeds have the same names and are files in their own folders.
 */
final class FleetNodes {

  private final Path folder;
  private final int mailServer;

  FleetNodes(Path folder, int mailServer) throws IOException, InterruptedException {
    this.folder = folder;
    this.mailServer = mailServer;
    Path output = folder.resolve("key.out");
    Process cli = CliProcess.start(output, "fleet", "key", folder.resolve("key").toString());
    int exit = cli.waitFor();
    assertEquals(0, exit, Files.readString(output));
  }

  Path published() {
    return folder.resolve("published");
  }

  /** The node that publishes; it has the feeds {@code hosts} and {@code domains}. */
  GatewayFixture leader() throws IOException {
    return node("leader", "role: leader, publish: PUBLISHED, private_key: FOLDER/key", "");
  }

  /**
   * A node that takes versions from there, and has a feed {@code own} besides.
   *
   * @param generations address or folder
   */
  GatewayFixture follower(String name, String generations) throws IOException {
    return node(
        name,
        "role: follower, generations: \"" + generations + "\", public_key: FOLDER/key.pub",
        "own: {file: FEEDS/own.txt, format: domains, checks: [sender_domain], action: reject}");
  }

  private GatewayFixture node(String name, String fleet, String feed) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    return GatewayFixture.in(own, mailServer)
        .with(
            "fleet",
            ("{node: " + name + ", secret_file: FOLDER/key.secret, every: 1s, " + fleet + "}")
                .replace("PUBLISHED", published().toString())
                .replace("FOLDER", folder.toString()))
        .with(
            "feeds",
            """

              sources:
                hosts: {file: FEEDS/hosts.txt, format: ips, checks: [client_ip], action: reject,
                        allow_bogons: true}
                domains: {file: FEEDS/domains.txt, format: domains, checks: [sender_domain],
                          action: reject}
                MORE\
            """
                .replace("MORE", feed)
                .replace("FEEDS", own.toString()));
  }

  static String id(GatewayFixture node) {
    return node.status().text("generation_id").orElse("");
  }

  static String explain(GatewayFixture node, String subject) {
    return node.control(new ControlRequest.Explain(subject, null, null, null, null)).json();
  }
}

package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code feeds update-protected} with a name server on loopback. */
class UpdateProtectedTest {

  @TempDir Path folder;
  private final Map<String, List<String>> records = new ConcurrentHashMap<>();
  private DatagramSocket dns;

  @BeforeEach
  void start() throws IOException {
    dns = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
    Files.writeString(
        folder.resolve("bloomgate.yaml"),
        """
        domains: [example.com]
        state_dir: state
        downstream: {host: 192.0.2.25}
        dns: {servers: ["127.0.0.1:%d"]}
        """
            .formatted(dns.getLocalPort()));
    Files.createDirectories(folder.resolve("state"));
    records.put(
        "_spf.google.com", List.of("v=spf1 ip4:74.125.0.0/16 ip4:64.233.160.0/19", " ~all"));
    records.put(
        "_spf.protonmail.ch",
        List.of(
            "v=spf1 ip4:185.70.40.0/24 ip4:185.70.41.0/24 ip4:185.70.43.0/24 ip4:109.224.24",
            "4.0/24 ip4:79.135.106.0/24 ip4:79.135.107.0/24 ~all"));
  }

  @AfterEach
  void stop() {
    dns.close();
  }

  /** One TXT record of several strings for each name that is known; NXDOMAIN for others. */
  private void serve() {
    byte[] octets = new byte[512];
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(octets, octets.length);
        dns.receive(packet);
        byte[] answer = answer(Arrays.copyOf(octets, packet.getLength()));
        dns.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      }
    } catch (SocketException closed) {
      // The test is over.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** RFC 1035 section 4.1: header, the question again, the answer. */
  private byte[] answer(byte[] question) {
    StringBuilder name = new StringBuilder();
    int at = 12;
    while (question[at] != 0) {
      name.append(name.isEmpty() ? "" : ".")
          .append(new String(question, at + 1, question[at], ISO_8859_1));
      at += question[at] + 1;
    }
    int end = at + 5;
    List<String> texts = records.getOrDefault(name.toString(), List.of());
    ByteBuffer out = ByteBuffer.allocate(1_024);
    out.put(question, 0, 2).putShort((short) (texts.isEmpty() ? 0x8183 : 0x8180));
    out.putShort((short) 1).putShort((short) (texts.isEmpty() ? 0 : 1)).putInt(0);
    out.put(question, 12, end - 12);
    if (!texts.isEmpty()) {
      int length = texts.stream().mapToInt(text -> text.length() + 1).sum();
      out.putShort((short) 0xc00c).putShort((short) 16).putShort((short) 1).putInt(60);
      out.putShort((short) length);
      texts.forEach(text -> out.put((byte) text.length()).put(text.getBytes(ISO_8859_1)));
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private Shell.Result run(String... more) {
    return Shell.run(
        List.of("-c", folder.resolve("bloomgate.yaml").toString(), "feeds", "update-protected"),
        more);
  }

  private Path file() {
    return folder.resolve("state/provider-networks.txt");
  }

  @Test
  void whatIsNewIsShownAndNothingIsChanged() {
    run()
        .ends(
            4,
            "Google: 2 networks published, 1 new, 7 of the release",
            "  + 64.233.160.0/19",
            "Proton: 6 networks published, 0 new, 0 of",
            "Fastmail: not compared: spf.messagingengine.com has 0 SPF records");
    assertFalse(Files.exists(file()));
  }

  @Test
  void whatIsNewIsProtectedFromNowOn() throws Exception {
    Path socket = folder.resolve("control.sock");
    try (FakeGateway gateway = FakeGateway.answering(socket, new ControlReply.Done(0))) {
      run("--apply", "--socket", socket.toString()).exits(0);
      assertEquals(List.of(new ControlRequest.ConfigReload(false)), gateway.asked());
    }
    assertTrue(Files.readString(file()).contains("64.233.160.0/19\n"));
    run().exits(0);
    records.put("_spf.google.com", List.of("v=spf1 ip4:64.233.160.0/20 ip4:108.177.8.0/21 -all"));
    run("--apply").exits(0);
    String both = Files.readString(file());
    assertTrue(both.contains("64.233.160.0/19\n") && both.contains("108.177.8.0/21\n"), both);
  }

  @Test
  void withoutANameServerItSaysWhatToDo() {
    dns.close();
    run().fails(1, "no record could be read; name a name server");
  }
}

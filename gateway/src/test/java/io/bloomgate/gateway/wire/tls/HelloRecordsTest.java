package io.bloomgate.gateway.wire.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a client's first message, however it is cut, and whatever is in it. */
final class HelloRecordsTest {

  private static final HexFormat HEX = HexFormat.of();

  private static Optional<ClientHello> read(byte[] octets) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(octets);
    HelloRecords records = HelloRecords.read(in);
    byte[] rest = in.readAllBytes();
    byte[] all = Arrays.copyOf(records.octets(), records.octets().length + rest.length);
    System.arraycopy(rest, 0, all, records.octets().length, rest.length);
    assertArrayEquals(octets, all, "no octet is lost");
    return records.hello();
  }

  @Test
  void whatAClientOffersIsRead() throws Exception {
    ClientHello hello =
        read(new RealHellos()
                .named("MX.Company.example")
                .protocols("TLSv1.2")
                .suites("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
                .signatures("rsa_pss_rsae_sha256", "rsa_pkcs1_sha256")
                .groups("secp256r1")
                .record())
            .orElseThrow();
    assertEquals("mx.company.example", hello.serverName());
    assertFalse(hello.tls13());
    assertTrue(hello.suites().contains(0xc02f), hello.toString());
    assertEquals(List.of(0x0804, 0x0401), hello.signatures());
    assertEquals(List.of(23), hello.groups());
    ClientHello both = new RealHellos().read().hello().orElseThrow();
    assertTrue(both.tls13());
    assertEquals("", both.serverName());
  }

  /** Post-quantum key shares make messages of 1.8 kB, and some networks cut them anywhere. */
  @ParameterizedTest
  @ValueSource(ints = {17, 100, 500, 1500, 16_384})
  void aMessageInSeveralRecordsIsOne(int octets) throws Exception {
    byte[] message = RealHellos.message(new RealHellos().named("mx.example").record());
    ClientHello whole = ClientHello.parse(message).orElseThrow();
    byte[] longer = RealHellos.padded(message, 1_200);
    byte[] records = RealHellos.records(longer, octets);
    assertEquals(Optional.of(whole), read(records));
    byte[] more = Arrays.copyOf(records, records.length + 10);
    assertEquals(Optional.of(whole), read(more), "what comes behind is not looked at");
    for (int cut = 0; cut < records.length; cut += 7) {
      assertEquals(Optional.empty(), read(Arrays.copyOf(records, cut)));
    }
  }

  @Test
  void aMessageMayHaveSixteenKilobytesAndAHundredRecords() throws Exception {
    byte[] message = RealHellos.message(new RealHellos().named("mx.example").record());
    int padding = HelloRecords.MAX_MESSAGE_OCTETS - message.length - 4;
    byte[] largest = RealHellos.padded(message, padding);
    assertEquals(
        "mx.example", read(RealHellos.records(largest, 16_384)).orElseThrow().serverName());
    assertTrue(read(RealHellos.records(largest, 165)).isPresent());
    assertTrue(read(RealHellos.records(largest, 163)).isEmpty(), "too many records");
    byte[] larger = RealHellos.padded(message, padding + 1);
    assertTrue(read(RealHellos.records(larger, 16_384)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "EHLO client.example",
        "1503010002022a", // an alert
        "1603010000", // an empty record
        "16030140010100", // one that is too long
        "160301000402000000", // another message
        "16030100040100fff8", // one that says to be longer than is read
        "1603010001ff"
      })
  void anythingElseIsLeftToTls(String octets) throws IOException {
    byte[] raw =
        octets.startsWith("1") ? HEX.parseHex(octets) : octets.getBytes(StandardCharsets.US_ASCII);
    assertEquals(Optional.empty(), read(raw));
  }

  /** Octets that are no name of a host, and lists of names that are damaged (case by case). */
  @Test
  void aNameMayHaveAnyOctets() throws Exception {
    byte[] message = RealHellos.message(new RealHellos().named("mx.example.test").record());
    String before = HEX.formatHex(message);
    String list =
        "0012"
            + "00"
            + "000f"
            + HEX.formatHex("mx.example.test".getBytes(StandardCharsets.US_ASCII));
    assertTrue(before.contains(list), before);
    for (String other :
        List.of(
            "0012" + "00" + "000f" + "00".repeat(15),
            "0012" + "00" + "000f" + "ff".repeat(15),
            "0012" + "05" + "000f" + "41".repeat(15),
            "0012" + "00" + "ffff" + "41".repeat(15),
            "ffff" + "00" + "000f" + "41".repeat(15),
            "0000" + "00" + "000f" + "41".repeat(15))) {
      byte[] odd = HEX.parseHex(before.replace(list, other));
      ClientHello hello = ClientHello.parse(odd).orElseThrow();
      assertEquals(reference(odd), Optional.of(hello));
    }
  }

  /** The reading of damaged messages never fails and never differs from the plain one below. */
  @Test
  void damagedMessagesAreReadAsByAPlainReader() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> real =
        List.of(
            RealHellos.message(new RealHellos().named("mx.example").record()),
            RealHellos.message(new RealHellos().protocols("TLSv1.2").record()),
            RealHellos.message(new RealHellos().groups("secp521r1").named("a.b").record()));
    int read = 0;
    for (int i = 0; i < 40_000; i++) {
      byte[] message = real.get(random.nextInt(real.size())).clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        message[random.nextInt(message.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(8) == 0) {
        message = Arrays.copyOf(message, random.nextInt(message.length + 20));
      }
      Optional<ClientHello> hello = ClientHello.parse(message);
      assertEquals(reference(message), hello, "seed " + seed);
      read += hello.isPresent() ? 1 : 0;
      byte[] records = RealHellos.records(message, 1 + random.nextInt(message.length + 1));
      if (records.length > 0) {
        records[random.nextInt(records.length)] ^= 1;
      }
      read(records);
    }
    assertTrue(read > 10_000, read + " were whole, seed " + seed);
  }

  // ---- the same by indexes into an array of numbers

  private static Optional<ClientHello> reference(byte[] message) {
    int[] all = new int[message.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = message[i] & 0xff;
    }
    int end = all.length < 4 ? -1 : 4 + all[1] * 65_536 + all[2] * 256 + all[3];
    if (end < 0 || end > all.length || all[0] != 1) {
      return Optional.empty();
    }
    int at = 4 + 2 + 32;
    if (at >= end) {
      return Optional.empty();
    }
    at += 1 + all[at];
    if (at + 2 > end) {
      return Optional.empty();
    }
    int[] suites = Arrays.copyOfRange(all, Math.min(at, end), end);
    int length = two(all, at);
    if (length % 2 != 0 || at + 2 + length + 1 > end) {
      return Optional.empty();
    }
    List<Integer> suiteNumbers = numbers(suites, 2, length);
    at += 2 + length;
    at += 1 + all[at];
    if (at == end) {
      return Optional.of(new ClientHello(true, "", false, suiteNumbers, List.of(), List.of()));
    }
    if (at + 2 > end || at + 2 + two(all, at) > end) {
      return Optional.empty();
    }
    int last = at + 2 + two(all, at);
    at += 2;
    boolean plain = true;
    String name = "";
    boolean tls13 = false;
    List<Integer> groups = List.of();
    List<Integer> signatures = List.of();
    while (at < last) {
      if (at + 4 > last || at + 4 + two(all, at + 2) > last) {
        return Optional.empty();
      }
      int type = two(all, at);
      int[] content = Arrays.copyOfRange(all, at + 4, at + 4 + two(all, at + 2));
      at += 4 + content.length;
      if (type == 0) {
        name = name(content);
        plain = plain(content);
      } else if (type == 10 || type == 13) {
        if (content.length < 2
            || two(content, 0) % 2 != 0
            || two(content, 0) + 2 > content.length) {
          return Optional.empty();
        }
        List<Integer> read = numbers(content, 2, two(content, 0));
        groups = type == 10 ? read : groups;
        signatures = type == 13 ? read : signatures;
      } else if (type == 43) {
        if (content.length < 1 || content[0] % 2 != 0 || content[0] + 1 > content.length) {
          return Optional.empty();
        }
        tls13 = numbers(content, 1, content[0]).contains(0x0304);
      }
    }
    return Optional.of(new ClientHello(plain, name, tls13, suiteNumbers, groups, signatures));
  }

  private static boolean plain(int[] content) {
    int octets = content.length - 5;
    return octets > 0
        && octets <= 255
        && two(content, 0) == octets + 3
        && content[2] == 0
        && two(content, 3) == octets
        && Arrays.stream(content, 5, content.length).noneMatch(octet -> octet == 0);
  }

  private static String name(int[] content) {
    if (content.length < 2 || two(content, 0) + 2 > content.length) {
      return "";
    }
    int end = two(content, 0) + 2;
    int at = 2;
    while (at + 3 <= end && at + 3 + two(content, at + 1) <= end) {
      int length = two(content, at + 1);
      if (content[at] == 0) {
        StringBuilder text = new StringBuilder();
        for (int i = at + 3; i < at + 3 + length; i++) {
          text.append((char) content[i]);
        }
        return text.toString().replaceFirst("(?s)\\.\\z", "").toLowerCase(Locale.ROOT);
      }
      at += 3 + length;
    }
    return "";
  }

  private static List<Integer> numbers(int[] from, int at, int octets) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = at; i < at + octets; i += 2) {
      numbers.add(two(from, i));
    }
    return numbers;
  }

  private static int two(int[] from, int at) {
    return from[at] * 256 + from[at + 1];
  }
}

package io.bloomgate.blocklists.senders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.key.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of accepted mail, for how long, and what of it survives. */
class KnownSendersTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path directory;
  private final List<String> alarms = new ArrayList<>();

  private KnownSenders open() {
    return KnownSenders.open(directory.resolve(KnownSenders.FILE_NAME), alarms::add);
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  @Test
  void aNetworkIsKnownFromItsFirstAcceptedMailForThirtyDays() {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "a@partner.example", NOW);
    assertFalse(senders.knownBefore(ip("192.0.2.7"), NOW.minusSeconds(1), NOW), "not yet then");
    assertTrue(senders.knownBefore(ip("192.0.2.250"), NOW, NOW), "the same /24");
    assertFalse(senders.knownBefore(ip("192.0.3.7"), NOW, NOW), "the next /24");
    assertTrue(senders.knownBefore(ip("192.0.2.7"), NOW, NOW.plus(DAY.multipliedBy(30))));
    assertFalse(
        senders.knownBefore(ip("192.0.2.7"), NOW, NOW.plus(DAY.multipliedBy(30)).plusSeconds(1)));
    senders.accepted(ip("2001:db8:1:2::9"), "", NOW);
    assertTrue(senders.knownBefore(ip("2001:db8:1:ffff::1"), NOW, NOW), "the same /48");
    assertFalse(senders.knownBefore(ip("2001:db8:2::1"), NOW, NOW));
    assertTrue(senders.knownBefore(ip("::ffff:192.0.2.1"), NOW, NOW), "mapped is IPv4");
  }

  /** Mail after a publish must not make a network look as if it had been good before. */
  @Test
  void aLongSilenceBreaksWhatWasKnown() {
    KnownSenders senders = open();
    Instant longAgo = NOW.minus(DAY.multipliedBy(40));
    senders.accepted(ip("192.0.2.7"), "", longAgo);
    senders.accepted(ip("192.0.2.7"), "", NOW);
    assertFalse(senders.knownBefore(ip("192.0.2.7"), NOW.minusSeconds(1), NOW));
    senders.accepted(ip("192.0.2.7"), "", NOW.plus(DAY));
    assertTrue(senders.knownBefore(ip("192.0.2.7"), NOW, NOW.plus(DAY)), "no gap in between");
  }

  @Test
  void whatWasSavedIsThereAfterARestart() throws IOException {
    KnownSenders senders = open();
    Random random = new Random(7);
    Map<IpAddress, Instant> first = new HashMap<>();
    for (int i = 0; i < 5000; i++) {
      IpAddress client =
          i % 5 == 0 ? new IpAddress(random.nextLong() | 1L << 61, 1) : IpAddress.ofV4(i << 8);
      Instant time = NOW.minusSeconds(random.nextInt(86_400));
      first.put(client, time);
      senders.accepted(client, "sender" + i + "@partner.example", time);
    }
    senders.save();
    KnownSenders again = open();
    assertEquals(List.of(), alarms);
    assertEquals(senders.networks(), again.networks());
    assertEquals(5000, again.recent().size());
    first.forEach((client, time) -> {
      assertTrue(again.knownBefore(client, time, NOW), client + " " + time);
      assertFalse(again.knownBefore(client, time.minusSeconds(1), NOW), client + " " + time);
    });
    KnownSender last = again.recent().getLast();
    assertEquals(Optional.of("partner.example"), last.domain().map(Object::toString));
    assertTrue(last.address().isPresent());
  }

  @Test
  void aDamagedFileIsToldAndBegunAnew() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "a@partner.example", NOW);
    senders.save();
    Path file = directory.resolve(KnownSenders.FILE_NAME);
    byte[] octets = Files.readAllBytes(file);
    octets[octets.length - 20] ^= 1;
    Files.write(file, octets);
    assertThrows(DamagedFileException.class, () -> KnownSenders.read(file, NOW));
    KnownSenders fresh = open();
    assertEquals(0, fresh.networks());
    assertEquals(1, alarms.size());
    fresh.accepted(ip("192.0.2.7"), "", NOW);
    fresh.save();
    assertEquals(1, open().networks());
  }

  /** Accepted while the clock was wrong: known, but not as of a time that never was. */
  @Test
  void aTimeFromAClockThatWasWrongBecomesNow() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "", NOW.plus(DAY.multipliedBy(400)));
    senders.accepted(ip("198.51.100.7"), "", NOW.minus(DAY));
    senders.accepted(ip("198.51.100.7"), "", NOW.plus(DAY.multipliedBy(400)));
    assertFalse(senders.knownBefore(ip("192.0.2.7"), NOW, NOW));
    senders.accepted(ip("192.0.2.7"), "", NOW);
    assertTrue(senders.knownBefore(ip("192.0.2.7"), NOW, NOW), "without a restart");
    senders.save();
    KnownSenders again = open();
    again.forgetOld(NOW);
    assertEquals(2, again.networks());
    assertTrue(again.knownBefore(ip("198.51.100.7"), NOW, NOW));
    assertFalse(again.knownBefore(ip("198.51.100.7"), NOW.minusSeconds(1), NOW));
    again.recent().forEach(sender -> assertFalse(sender.seen().isAfter(NOW)));
    again.forgetOld(NOW.plus(DAY.multipliedBy(31)));
    assertEquals(0, again.networks());
    assertEquals(List.of(), again.recent());
  }

  /** Whoever opens it does not know yet whether the clock is right. */
  @Test
  void openingForgetsNothing() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "", NOW.minus(DAY.multipliedBy(50)));
    senders.save();
    assertEquals(1, open().networks());
    assertEquals(
        0, KnownSenders.read(directory.resolve(KnownSenders.FILE_NAME), NOW).recent().size());
  }

  @Test
  void noNetworkPushesTheOthersOutOfTheSample() {
    KnownSenders senders = open();
    senders.accepted(ip("198.51.100.7"), "good@partner.example", NOW);
    for (int i = 0; i < KnownSenders.MAX_SAMPLES + 100; i++) {
      senders.accepted(ip("192.0.2.7"), i + "@loud.example", NOW);
    }
    assertEquals(1 + KnownSenders.MAX_SAMPLES_OF_A_NETWORK, senders.recent().size());
    assertEquals("good@partner.example", senders.recent().getFirst().sender());
    senders.accepted(ip("198.51.100.7"), "good@partner.example", NOW.plusSeconds(1));
    assertEquals(NOW.plusSeconds(1), senders.recent().getLast().seen(), "once, with its last time");
    assertEquals(1 + KnownSenders.MAX_SAMPLES_OF_A_NETWORK, senders.recent().size());
  }

  /** The table against a plain map, while it grows, forgets and is full. */
  @Test
  void theTableIsBoundedAndForgetsTheLongestUnseen() {
    int capacity = 10_000;
    SeenNetworks table = new SeenNetworks(capacity, 1_000_000);
    for (int i = 0; i < 3 * capacity; i++) {
      table.see(i * 31L, 1000 + i);
      assertTrue(table.size() <= capacity);
    }
    int now = 1000 + 3 * capacity;
    assertTrue(table.size() > capacity / 2);
    for (int i = 0; i < 3 * capacity; i++) {
      boolean kept = i >= 3 * capacity - table.size();
      assertEquals(kept, table.seenBefore(i * 31L, now, now), "network " + i);
    }
    table.forgetBefore(now - 10);
    assertEquals(10, table.size());
  }
}

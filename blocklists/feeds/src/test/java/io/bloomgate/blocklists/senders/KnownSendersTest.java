package io.bloomgate.blocklists.senders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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

  private static boolean knows(KnownSenders senders, String client, Duration after, Instant now) {
    return senders.good(after, now).touches(IpPrefix.host(ip(client)));
  }

  @Test
  void aSenderIsKnownByItsNetworkAndItsDomainTogether() {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "a@Partner.example", NOW);
    senders.accepted(ip("192.0.2.7"), "", NOW);
    senders.accepted(ip("198.51.100.7"), "", NOW);
    senders.accepted(ip("2001:db8:1:2::9"), "b.example", NOW);
    for (int i = 0; i < KnownSenders.MAX_SAMPLES_OF_A_NETWORK; i++) {
      senders.accepted(ip("203.0.113.7"), "a@customer" + i + ".example", NOW);
    }
    assertFalse(senders.isKnown(ip("192.0.2.7"), domain("partner.example")), "before it is tended");
    senders.tend(NOW, Duration.ZERO, alarms::add);
    assertTrue(senders.isKnown(ip("192.0.2.8"), domain("partner.example")));
    assertTrue(senders.isKnown(ip("192.0.2.8"), null), "it had a null sender too");
    assertFalse(senders.isKnown(ip("192.0.2.8"), domain("other.example")));
    assertFalse(senders.isKnown(ip("192.0.3.8"), domain("partner.example")));
    assertTrue(senders.isKnown(ip("198.51.100.9"), domain("any.example")), "log.privacy kept none");
    assertTrue(senders.isKnown(ip("2001:db8:1:3::1"), domain("b.example")));
    assertFalse(senders.isKnown(ip("2001:db8:1:3::1"), null));
    assertTrue(senders.isKnown(ip("203.0.113.9"), domain("new.example")), "more than are kept");
    senders.tend(NOW, Duration.ofDays(2), alarms::add);
    assertFalse(senders.isKnown(ip("192.0.2.8"), domain("partner.example")), "on one day only");
  }

  private static DomainName domain(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  @Test
  void aNetworkIsGoodAfterMailOnThreeDaysWhicheverOfItsHostsSent() {
    KnownSenders senders = open();
    Duration after = DAY.multipliedBy(3);
    senders.accepted(ip("192.0.2.7"), "a@partner.example", NOW.minus(DAY.multipliedBy(9)));
    senders.accepted(ip("192.0.2.8"), "a@partner.example", NOW.minus(DAY));
    senders.accepted(ip("192.0.2.8"), "a@partner.example", NOW.minus(DAY).plusSeconds(60));
    assertFalse(knows(senders, "192.0.2.8", after, NOW), "on two days");
    assertTrue(knows(senders, "192.0.2.8", DAY.multipliedBy(2), NOW));
    assertTrue(knows(senders, "192.0.2.8", Duration.ZERO, NOW), "at once");
    senders.accepted(ip("192.0.2.8"), "a@partner.example", NOW);
    assertTrue(knows(senders, "192.0.2.8", after, NOW), "on three");
    assertTrue(knows(senders, "192.0.2.7", after, NOW), "a host of the same network");
    assertFalse(knows(senders, "192.0.2.9", after, NOW), "one that never sent");
    assertFalse(knows(senders, "192.0.3.8", after, NOW), "the next /24");
    assertEquals(1, senders.good(after, NOW).networks());
    assertFalse(knows(senders, "192.0.2.8", after, NOW.plus(DAY.multipliedBy(22))), "29 days on");
  }

  @Test
  void ipv6IsKnownByItsSixtyFourAndCountedByItsFortyEight() {
    KnownSenders senders = open();
    senders.accepted(ip("2001:db8:1:2::9"), "", NOW);
    senders.accepted(ip("2001:db8:1:3::9"), "", NOW);
    senders.accepted(ip("::ffff:192.0.2.1"), "", NOW);
    GoodHosts good = senders.good(Duration.ZERO, NOW);
    assertEquals(2, good.networks());
    assertTrue(knows(senders, "2001:db8:1:2::77", Duration.ZERO, NOW));
    assertFalse(knows(senders, "2001:db8:1:4::9", Duration.ZERO, NOW));
    assertTrue(knows(senders, "192.0.2.1", Duration.ZERO, NOW), "mapped is IPv4");
  }

  @Test
  void whatWasSavedIsThereAfterARestart() throws IOException {
    KnownSenders senders = open();
    Random random = new Random(7);
    Set<IpAddress> clients = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      IpAddress client =
          i % 5 == 0 ? new IpAddress(random.nextLong() | 1L << 61, 1) : IpAddress.ofV4(i << 8);
      clients.add(client);
      Instant time = NOW.minusSeconds(random.nextInt(86_400));
      senders.accepted(client, "sender" + i + "@partner.example", time);
      if (i % 2 == 0) {
        senders.accepted(client, "sender" + i + "@partner.example", time.minus(DAY));
      }
    }
    senders.save();
    KnownSenders again = open();
    assertEquals(List.of(), alarms);
    assertEquals(5000, again.hosts());
    assertEquals(5000, again.recent().size());
    for (Duration after : List.of(Duration.ZERO, DAY.multipliedBy(2))) {
      GoodHosts before = senders.good(after, NOW);
      GoodHosts then = again.good(after, NOW);
      assertEquals(before.networks(), then.networks());
      for (IpAddress client : clients) {
        IpPrefix host = IpPrefix.host(client);
        assertEquals(before.touches(host), then.touches(host), client.toString());
      }
    }
    KnownSender last = again.recent().getLast();
    assertEquals(Optional.of("partner.example"), last.domain().map(Object::toString));
    assertTrue(last.address().isPresent());
  }

  @Test
  void aDamagedFileIsReportedAndReplaced() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "a@partner.example", NOW);
    senders.save();
    Path file = directory.resolve(KnownSenders.FILE_NAME);
    byte[] octets = Files.readAllBytes(file);
    octets[octets.length - 20] ^= 1;
    Files.write(file, octets);
    assertThrows(DamagedFileException.class, () -> KnownSenders.read(file, NOW));
    KnownSenders fresh = open();
    assertEquals(0, fresh.hosts());
    assertEquals(1, alarms.size());
    fresh.accepted(ip("192.0.2.7"), "", NOW);
    fresh.save();
    assertEquals(1, open().hosts());
  }

  /** Accepted while the clock was wrong, or a clock that is wrong now: nothing is lost by it. */
  @Test
  void aTimeThatLiesAheadCountsAsOneDayAndStays() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("198.51.100.7"), "", NOW.minus(DAY));
    senders.accepted(ip("198.51.100.7"), "", NOW.plus(DAY.multipliedBy(400)));
    assertFalse(knows(senders, "198.51.100.7", DAY.multipliedBy(2), NOW));
    senders.save();
    KnownSenders again = open();
    again.forgetOld(NOW);
    assertEquals(1, again.hosts());
    assertTrue(knows(again, "198.51.100.7", Duration.ZERO, NOW));
    assertFalse(knows(again, "198.51.100.7", DAY.multipliedBy(3), NOW));
    again.forgetOld(NOW.plus(DAY.multipliedBy(431)));
    assertEquals(0, again.hosts());
    assertEquals(List.of(), again.recent());
  }

  @Test
  void aReaderForgetsWhatIsOld() throws IOException {
    KnownSenders senders = open();
    senders.accepted(ip("192.0.2.7"), "", NOW.minus(DAY.multipliedBy(50)));
    senders.save();
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

  @Test
  void theTableIsBoundedAndForgetsTheLongestUnseen() {
    SeenDays<Integer> table = new SeenDays<>(100);
    for (int i = 0; i < 300; i++) {
      table.see(i, new SeenDays.Seen(1000 + i, 1));
      table.see(0, new SeenDays.Seen(1000 + i, 1));
      assertTrue(table.size() <= 100);
    }
    Set<Integer> kept = table.all().keySet();
    assertTrue(kept.contains(0), "seen again and again");
    assertEquals(99, kept.stream().filter(host -> host > 200).count());
    table.forgetBefore(Instant.ofEpochSecond(1289));
    assertEquals(12, table.size());
  }
}

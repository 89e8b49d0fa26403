package io.bloomgate.blocklists.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.memory.Remembered.Seen;
import io.bloomgate.blocklists.memory.RememberedKey.Kind;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file with what was seen. */
final class MemoryStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");

  @TempDir private Path folder;

  private static Seen seen(int network, String domain) {
    return Seen.of(from(network, domain));
  }

  private static Sighting from(int network, String domain) {
    return new Sighting(
        NOW.plusSeconds(network),
        Origin.TRAP,
        "trap@company.example",
        "7K3Q9ZT2AB",
        IpAddress.ofV4(network << 8),
        MailAddress.parse("a@" + domain).toOptional().orElseThrow(),
        List.of());
  }

  private static RememberedKey host(String name) {
    return new RememberedKey(Kind.HOST, DomainName.parse(name).toOptional().orElseThrow());
  }

  /** Who writes much to a trap pushes out what was seen once, not what several saw. */
  @Test
  void whatWasSeenOnceIsForgottenFirst() throws IOException {
    try (MemoryStore store = new MemoryStore(folder.resolve("memory.db"), 100)) {
      store.add(seen(1, "first.example"), List.of(host("strong.example")));
      store.add(seen(2, "second.example"), List.of(host("strong.example")));
      for (int i = 0; i < 1_000; i++) {
        store.add(seen(1_000 + i, "s" + i + ".example"), List.of(host("h" + i + ".example")));
      }
      List<Remembered> all = store.all();
      assertTrue(all.size() <= 100 && all.size() > 90, () -> all.size() + " keys");
      List<RememberedKey> keys = all.stream().map(Remembered::key).toList();
      assertTrue(keys.contains(host("strong.example")));
      assertTrue(keys.contains(host("h999.example")));
    }
  }

  /** Every kind is read as it was written. */
  @Test
  void keysAreReadAsTheyWereWritten() throws IOException {
    short[] minima = new short[Likeness.MINIMA];
    minima[3] = 7;
    List<RememberedKey> keys = new ArrayList<>();
    Likeness.of(minima).bands().forEach(band -> keys.add(new RememberedKey(Kind.BAND, band)));
    keys.add(new RememberedKey(Kind.BODY, Fingerprint.ofText("text")));
    keys.add(host("a.example"));
    keys.add(
        new RememberedKey(
            Kind.URL,
            io.bloomgate.config.name.WebUrl.parse("http://docs.google.com/a?b=c")
                .toOptional()
                .orElseThrow()));
    keys.add(
        new RememberedKey(
            Kind.NETWORK, io.bloomgate.config.name.ClientNetwork.site(IpAddress.ofV4(0x01020304))));
    try (MemoryStore store = new MemoryStore(folder.resolve("memory.db"), 100)) {
      assertEquals(keys.size(), store.add(seen(1, "first.example"), keys));
      List<RememberedKey> read =
          new ArrayList<>(store.all().stream().map(Remembered::key).toList());
      assertTrue(read.containsAll(keys) && keys.containsAll(read), read::toString);
    }
  }

  /** A million keys must take at most 60 MB. */
  @Test
  void aKeyTakesSixtyOctets() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    int mails = 1_000;
    long keys = 0;
    try (MemoryStore store = new MemoryStore(folder.resolve("memory.db"), 1_000_000)) {
      for (int i = 0; i < mails; i++) {
        List<RememberedKey> all = new ArrayList<>();
        short[] minima = new short[Likeness.MINIMA];
        for (int k = 0; k < minima.length; k++) {
          minima[k] = (short) random.nextInt();
        }
        Likeness.of(minima).bands().forEach(band -> all.add(new RememberedKey(Kind.BAND, band)));
        all.add(new RememberedKey(Kind.BODY, Fingerprint.ofText("body" + random.nextLong())));
        all.add(new RememberedKey(Kind.SUBJECT, Fingerprint.ofText("s" + random.nextLong())));
        for (int k = 0; k < 3; k++) {
          all.add(host("www.shop" + random.nextInt(1 << 24) + ".example.com"));
        }
        all.add(
            new RememberedKey(
                Kind.ADDRESS,
                MailAddress.parse("user" + random.nextInt(1 << 20) + "@some.example.com")
                    .toOptional()
                    .orElseThrow()));
        all.add(
            new RememberedKey(
                Kind.NETWORK,
                io.bloomgate.config.name.ClientNetwork.site(IpAddress.ofV4(random.nextInt()))));
        keys += store.add(seen(i, "s" + i + ".example"), all);
      }
    }
    long octets = Files.size(folder.resolve("memory.db"));
    System.out.println(octets / keys + " octets a key");
    assertTrue(octets <= 60 * keys, octets + " octets for " + keys + " keys");
  }
}

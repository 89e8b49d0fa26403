package io.bloomgate.blocklists.fleet.counts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.SharedCopy;
import io.bloomgate.blocklists.fleet.counts.Counted.Accepted;
import io.bloomgate.blocklists.fleet.counts.Counted.Copied;
import io.bloomgate.blocklists.fleet.counts.Counted.Greylisted;
import io.bloomgate.blocklists.fleet.counts.Counted.Mail;
import io.bloomgate.blocklists.fleet.counts.Counted.Recipient;
import io.bloomgate.blocklists.greylist.GreylistedSender;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** What nodes send each other: whole again at the other end, or not read at all. */
class CountSealTest {

  private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");
  private static final IpAddress CLIENT = IpAddress.ofV4(0xcb007107);
  private static final DomainName SHOP =
      DomainName.parse("shop.example").toOptional().orElseThrow();

  private final long random = new Random().nextLong();
  private final Random dice = new Random(random);
  private final CountSeal seal = new CountSeal(KEY, "mx1", 7);

  private static byte[] encoded(List<Counted> counts) {
    CountEncoder encoder = new CountEncoder();
    counts.forEach(encoder::add);
    return encoder.octets();
  }

  private IpAddress address() {
    return dice.nextBoolean()
        ? IpAddress.ofV4(dice.nextInt())
        : new IpAddress(dice.nextLong() | 1L << 60, dice.nextLong());
  }

  private String text() {
    return "person" + dice.nextInt(5) + "@d" + dice.nextInt(5) + ".example";
  }

  private Counted any() {
    DomainName domain = dice.nextInt(3) == 0 ? null : SHOP;
    return switch (dice.nextInt(5)) {
      case 0 -> new Accepted(address(), dice.nextInt(4) == 0 ? "" : text());
      case 1 ->
          new Greylisted(new GreylistedSender(address(), domain, "r.example"), dice.nextBoolean());
      case 2 -> new Mail(address());
      case 3 -> new Recipient(address(), domain, text());
      default -> new Copied(copy(dice.nextBoolean() ? 16 : 0, dice.nextInt(1, 10)));
    };
  }

  private SharedCopy copy(int bands, int values) {
    return new SharedCopy(
        dice.longs(bands + 2L * values).toArray(),
        bands,
        dice.nextLong(),
        dice.nextLong(),
        dice.longs(dice.nextInt(101)).toArray());
  }

  /** Copies have no equality, so that arrays are not compared by mistake. */
  private static List<String> shown(List<Counted> counts) {
    return counts.stream()
        .map(counted ->
            counted instanceof Copied(SharedCopy copy)
                ? Arrays.toString(copy.keys())
                    + copy.bands()
                    + " "
                    + copy.network()
                    + " "
                    + copy.sender()
                    + Arrays.toString(copy.recipients())
                : counted.toString())
        .toList();
  }

  @Test
  void whatWasSealedIsOpenedWhole() throws Exception {
    for (int round = 0; round < 50; round++) {
      List<Counted> counts = new ArrayList<>();
      for (int i = dice.nextInt(200); i > 0; i--) {
        counts.add(any());
      }
      CountSeal.Opened opened =
          seal.open(seal.seal(round, 50L * round, 9L * round, encoded(counts)));
      assertEquals(shown(counts), shown(opened.counts()), "seed " + random);
      assertEquals("mx1", opened.node());
      assertEquals(7, opened.run());
      assertEquals(round, opened.number());
      assertEquals(50L * round, opened.ageMillis());
      assertEquals(9L * round, opened.atMillis());
    }
    assertTrue(seal.isOwn(seal.first()));
    assertFalse(new CountSeal(KEY, "mx1", 8).isOwn(seal.first()), "another start");
  }

  @Test
  void aTextThatComesTwiceTravelsOnce() {
    Counted first = new Recipient(CLIENT, SHOP, "bob@example.com");
    int one = encoded(List.of(first)).length;
    assertEquals(one + 1 + 4 + 1 + 1, encoded(List.of(first, first)).length);
  }

  @Test
  void nothingOfAPersonCanBeRead() {
    byte[] batch = seal.seal(1, 0, 0, encoded(List.of(new Accepted(CLIENT, "bob@example.com"))));
    String shown = new String(batch, ISO_8859_1);
    assertFalse(shown.contains("example"), shown);
    assertTrue(shown.contains("mx1"), "of whom it is can be read");
    assertFalse(
        Arrays.equals(
            Arrays.copyOfRange(batch, 14, batch.length),
            Arrays.copyOfRange(
                seal.seal(1, 0, 0, encoded(List.of(new Accepted(CLIENT, "bob@example.com")))),
                14,
                batch.length)),
        "equal counts are sealed to other octets");
  }

  private static String refused(CountSeal seal, byte[] batch) {
    DamagedBatchException e =
        assertThrows(DamagedBatchException.class, () -> seal.open(batch), "seed");
    return String.valueOf(e.getMessage());
  }

  @Test
  void whatWasChangedOrIsOfAnotherSecretIsNotRead() {
    byte[] batch = seal.seal(3, 20, 0, encoded(List.of(new Mail(CLIENT))));
    for (int at = 0; at < batch.length; at++) {
      byte[] changed = batch.clone();
      changed[at] ^= (byte) (1 << dice.nextInt(8));
      refused(seal, changed);
      refused(seal, Arrays.copyOf(batch, at));
    }
    CountSeal other = new CountSeal(new SecretKeySpec(new byte[16], "AES"), "mx2", 9);
    assertEquals(
        "node mx1 has another fleet.secret_file, or it was changed on its way",
        refused(other, batch));
    batch[0] = 9;
    assertEquals("its version is 9; this release reads 2", refused(seal, batch));
    assertTrue(refused(seal, new byte[100_000]).startsWith("it has 100000 octets"));
    byte[] named = seal.first();
    named[14] = '\n';
    assertEquals("it names no node", refused(seal, named));
  }

  /** Who has the secret, and is another release or broken. */
  @Test
  void countsThatAreNoneAreNotRead() {
    byte[] mail = encoded(List.of(new Mail(CLIENT)));
    mail[0] = 99;
    assertEquals(
        "it has a kind of count that this release does not know: 99",
        refused(seal, seal.seal(1, 0, 0, mail)));
    byte[] text = {CountEncoder.ACCEPTED, 1, 2, 3, 4, 7};
    assertEquals("it names a text that it does not have", refused(seal, seal.seal(1, 0, 0, text)));
    text[5] = 100;
    assertEquals(
        "it ends in a count, or has a count that is none", refused(seal, seal.seal(1, 0, 0, text)));
    byte[] copy = {CountEncoder.COPIED, 0, 5, 0, 0, 0};
    assertEquals(
        "it ends in a count, or has a count that is none", refused(seal, seal.seal(1, 0, 0, copy)));
    for (int round = 0; round < 20_000; round++) {
      byte[] any = new byte[dice.nextInt(60)];
      dice.nextBytes(any);
      try {
        seal.open(seal.seal(1, 0, 0, any));
      } catch (DamagedBatchException e) {
        // Or it is one by chance; anything else that is thrown fails this test.
      }
    }
  }

  /** Clients choose domains; whatever they choose, the counts of others travel. */
  @Test
  void brokenDomainsTravelAndOneThatIsNoneCostsOnlyItsCount() throws Exception {
    String characters = "abc.-_?!\u00e9\u0301\u200d%@xn--";
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = dice.nextInt(1, 80); i > 0; i--) {
        text.append(characters.charAt(dice.nextInt(characters.length())));
      }
      Optional<DomainName> name = DomainName.asked(text + ".b.example");
      if (name.isPresent()) {
        Counted counted = new Recipient(CLIENT, name.get(), "");
        assertEquals(
            List.of(counted),
            seal.open(seal.seal(1, 0, 0, encoded(List.of(counted)))).counts(),
            "seed " + random + " " + text);
      }
    }
    byte[] domain = encoded(List.of(new Recipient(CLIENT, SHOP, ""), new Mail(CLIENT)));
    Arrays.fill(domain, 6, 6 + SHOP.length(), (byte) '!');
    assertEquals(List.of(new Mail(CLIENT)), seal.open(seal.seal(1, 0, 0, domain)).counts());
  }

  @Test
  void aBatchThatComesTwiceIsNewOnce() {
    KnownRuns runs = new KnownRuns();
    assertTrue(runs.isNew(1, 1));
    assertFalse(runs.isNew(1, 1));
    assertTrue(runs.isNew(2, 1));
    assertTrue(runs.isNew(1, 3));
    assertFalse(runs.isNew(1, 2));
    for (int run = 10; run < 10 + KnownRuns.MOST_RUNS; run++) {
      assertTrue(runs.isNew(run, 1));
    }
    assertTrue(runs.isNew(1, 1), "forgotten, as " + KnownRuns.MOST_RUNS + " came after it");
  }

  @Test
  void whatWaitsIsBoundedAndTheNewestStays() throws Exception {
    CountOutbox outbox = new CountOutbox();
    int many = CountOutbox.MOST_COUNTS + 10;
    for (int i = 0; i < many; i++) {
      outbox.add(new Mail(CLIENT));
    }
    assertEquals(10, outbox.dropped());
    assertEquals(CountOutbox.MOST_COUNTS, outbox.waiting());
    outbox.collect(0);
    long millis = TimeUnit.MILLISECONDS.toNanos(1);
    int rounds = 0;
    while (outbox.dropped() < 100_000 && rounds < 1_000_000) {
      rounds++;
      outbox.add(new Accepted(CLIENT, "person" + rounds + "@" + "x".repeat(200) + ".example"));
      outbox.collect(rounds * millis);
    }
    assertTrue(outbox.waiting() < many, "seed " + random);
    List<byte[]> sealed = outbox.next(Integer.MAX_VALUE, seal, rounds * millis, 0);
    long octets = sealed.stream().mapToLong(batch -> batch.length).sum();
    assertTrue(octets <= CountOutbox.MOST_OCTETS, () -> octets + " octets");
    assertEquals(0, seal.open(sealed.getLast()).ageMillis());
    assertTrue(seal.open(sealed.getFirst()).ageMillis() > 0);
    assertEquals(outbox.waiting(), outbox.sent(sealed.size()));
    assertEquals(0, outbox.waiting());
    assertEquals(List.of(), outbox.next(9, seal, 0, 0));
  }
}

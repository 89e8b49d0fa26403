package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The line of the handbook for small sites, {@code {networks: 3, copies: 4, window: 7d}}, over days
 * of a clock that is set: copies of a mail among 60 single ones a day.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class SmallSiteTest {

  private static final long SEED = 20_261_129;
  private static final Instant START = Instant.parse("2026-11-23T08:00:00Z");
  private static final int NETWORKS = 3;
  private static final int COPIES = 4;
  private static final int MAILS = 100_000;
  private static final int SINGLE_MAILS_A_DAY = 60;
  private static final Duration BETWEEN = Duration.ofDays(1).dividedBy(SINGLE_MAILS_A_DAY);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Texts texts = new Texts(SEED);
  private final BodyPrint reader = new BodyPrint(SEED);
  private Instant now = START;
  private Campaigns campaigns = started();

  private Campaigns started() {
    return new Campaigns(MAILS, COPIES, Duration.ofDays(7), SEED, now);
  }

  private MailPrint print(List<String> text) {
    Prints prints = Texts.prints(reader, text);
    return new MailPrint(prints.exact(), prints.likeness(), List.of());
  }

  private static PassingMail from(int network) {
    return new PassingMail(IpAddress.ofV4(network << 8), null, List.of(), "S" + network);
  }

  private static boolean isBulk(@Nullable Bulk mail) {
    return mail != null && mail.copies() >= COPIES && mail.networks() >= NETWORKS;
  }

  /** Single mails pass until then; none of them is taken for a copy. */
  private void until(double day) {
    Instant then = START.plusSeconds((long) (day * Duration.ofDays(1).toSeconds()));
    while (now.plus(BETWEEN).isBefore(then)) {
      now = now.plus(BETWEEN);
      campaigns.tick(now);
      Bulk single = campaigns.seen(print(texts.text()), from(random.nextInt(1 << 16)), now);
      assertNull(single, "seed " + SEED + " at " + now);
    }
    now = then;
    campaigns.tick(now);
  }

  private @Nullable Bulk copies(List<String> text, String days, String networks, double editRate) {
    String[] each = days.split(" ", -1);
    Bulk last = null;
    for (int i = 0; i < each.length; i++) {
      until(Double.parseDouble(each[i]));
      last =
          campaigns.seen(print(texts.edited(text, editRate)), from(networks.charAt(i) << 16), now);
    }
    return last;
  }

  @ParameterizedTest
  @CsvSource({
    "0 1.5 3 4.5, abcd, true",
    "0 2 4 5.8, abcd, true",
    "0 2 4 5.8, abca, true",
    "1 3 5 6.8, abcc, true",
    "0 2 4, abc, false", // three copies
    "0 2 4 5.8, abab, false", // two networks
    "0 2 4 8, abcd, false", // one copy is older than the window
    "0 4 8 8.5 9, abcde, true",
  })
  void itsBorderIsWhatTheLineSays(String days, String networks, boolean isBulk) {
    Bulk last = copies(texts.text(), days, networks, 0);
    assertEquals(isBulk, isBulk(last), "seed " + SEED + ": " + last);
  }

  /** An estimate takes three networks for two now and then. */
  @Test
  void threeNetworksAreThreeWhicheverTheyAre() {
    for (int i = 0; i < 200; i++) {
      MailPrint print = print(texts.text());
      Bulk last = null;
      int network = random.nextInt(1 << 22);
      for (int copy : List.of(0, 1, 2, 0)) {
        last = campaigns.seen(print, from(network + copy), now);
      }
      assertEquals(NETWORKS, last == null ? 0 : last.networks(), "seed " + SEED + ": " + last);
    }
  }

  /** Some words of each copy are others; one copy more than asked finds most. */
  @Test
  void mostMailsWithChangedWordsAreFoundByTheFifthCopy() {
    int mails = 100;
    int found = 0;
    for (int i = 0; i < mails; i++) {
      found += isBulk(copies(texts.text(), "0 0 0 0 0", "abcde", 0.05)) ? 1 : 0;
    }
    assertTrue(found >= 0.9 * mails, "seed " + SEED + ": " + found + " of " + mails);
  }

  /** More single mails than the memory has places for push no count of copies out. */
  @Test
  void memoryIsBoundedAndKeepsTheCount() {
    List<String> text = texts.text();
    List<Bulk> bulk = new ArrayList<>();
    for (int copy = 0; copy < COPIES + 1; copy++) {
      bulk.add(campaigns.seen(print(text), from(copy), now));
      for (int i = 0; copy < 2 && i < Campaigns.MOST_TRACKED + 100; i++) {
        campaigns.seen(print(texts.words(BodyPrint.LEAST_WORDS)), from(i), now);
      }
    }
    assertEquals(1, campaigns.size());
    assertEquals(COPIES + 1, bulk.getLast().copies());
    assertTrue(isBulk(bulk.getLast()), bulk::toString);
  }

  /** Nothing is stored: after a restart copies are counted from the first one on. */
  @Test
  void aRestartBeginsWithNothing() {
    List<String> text = texts.text();
    assertNull(copies(text, "0 1 2", "abc", 0));
    campaigns = started();
    assertNull(copies(text, "3 3.1 3.2", "def", 0));
    assertTrue(isBulk(copies(text, "3.3", "g", 0)));
  }
}

package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated campaigns among single mails; with {@code -Dtests.long} ten times as many. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class CampaignsTest {

  private static final boolean LONG = Boolean.getBoolean("tests.long");
  private static final long SEED = 20_261_125;
  private static final Instant START = Instant.parse("2026-11-25T10:00:00Z");
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int HEAVY = 50;
  private static final DomainName SENDER =
      DomainName.parse("sender.example").toOptional().orElseThrow();

  /** In place of the number of a template. */
  private static final int SINGLE = -1;

  private final Texts texts = new Texts(SEED);
  private final BodyPrint reader = new BodyPrint(SEED);
  private final Random random = new Random(SEED);

  private MailPrint print(List<String> text) {
    Prints prints = Texts.prints(reader, text);
    return new MailPrint(prints.exact(), prints.likeness(), List.of());
  }

  private static PassingMail mail(int network, int recipient) {
    return new PassingMail(
        IpAddress.ofV4(network << 8),
        SENDER,
        List.of(MailAddress.parse("r" + recipient + "@our.example").toOptional().orElseThrow()),
        "S" + network);
  }

  /** Copies of some mails and single mails, in the order in which they pass. */
  private List<Integer> shuffled(int templates, int variants, int singles) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < templates * variants; i++) {
      order.add(i % templates);
    }
    for (int i = 0; i < singles; i++) {
      order.add(SINGLE);
    }
    Collections.shuffle(order, random);
    return order;
  }

  @Test
  void findsEditedCopiesAndNoSingleMails() {
    int templates = LONG ? 1_000 : 25;
    List<List<String>> originals = new ArrayList<>();
    for (int i = 0; i < templates; i++) {
      originals.add(texts.text());
    }
    List<Integer> order = shuffled(templates, 200, 100 * templates);
    Campaigns campaigns = new Campaigns(order.size(), HEAVY, WINDOW, SEED, START);
    Map<Integer, Set<String>> ids = new HashMap<>();
    int later = 0;
    int found = 0;
    for (int i = 0; i < order.size(); i++) {
      Instant now = START.plusMillis(WINDOW.toMillis() * i / order.size());
      if (i % 1_000 == 0) {
        campaigns.tick(now);
      }
      int template = order.get(i);
      List<String> text =
          template == SINGLE ? texts.text() : texts.edited(originals.get(template), 0.05);
      Bulk bulk = campaigns.seen(print(text), mail(i, i), now);
      if (template == SINGLE) {
        assertNull(bulk, "seed " + SEED + " mail " + i);
        continue;
      }
      if (ids.containsKey(template)) {
        later++;
        found += bulk != null ? 1 : 0;
      }
      if (bulk != null) {
        ids.computeIfAbsent(template, t -> new TreeSet<>()).add(bulk.campaign());
      }
    }
    long split = ids.values().stream().filter(of -> of.size() > 1).count();
    String figures =
        "seed %d: %d campaigns, %d of %d later copies, %d in two"
            .formatted(SEED, ids.size(), found, later, split);
    assertTrue(ids.size() >= 0.95 * templates, figures);
    assertTrue(found >= 0.95 * later, figures);
    assertTrue(split <= 0.05 * templates, figures);
    assertTrue(later >= 100 * templates, figures);
  }

  @Test
  void equalCopiesAreCountedExactlyAndSendersAboutRight() {
    Campaigns campaigns = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    MailPrint print = print(texts.text());
    for (int copy = 1; copy < HEAVY; copy++) {
      assertNull(campaigns.seen(print, mail(copy, copy), START));
    }
    assertEquals(List.of(), campaigns.heaviest(10));
    Bulk bulk = new Bulk("", 0, 0);
    for (int copy = HEAVY; copy <= 1_000; copy++) {
      Bulk seen = campaigns.seen(print, mail(copy % 87, copy), START.plusSeconds(copy));
      bulk = Objects.requireNonNull(seen);
      assertEquals(copy, bulk.copies());
      assertEquals(1, campaigns.size());
    }
    Campaign campaign = campaigns.heaviest(10).getFirst();
    assertEquals(1_000, campaign.copies());
    assertEquals(87, campaign.networks(), 17);
    assertEquals(1, campaign.senders());
    assertEquals(1_000, campaign.recipients(), 200);
    assertEquals(START, campaign.first());
    assertEquals(START.plusSeconds(1_000), campaign.last());
    String counted = "S" + HEAVY;
    assertEquals(counted, campaign.session());
    campaigns.recorded(bulk, "S7", "REFUSED");
    assertEquals(counted, campaigns.heaviest(1).getFirst().session());
    campaigns.recorded(bulk, counted, "REFUSED");
    assertEquals("REFUSED", campaigns.heaviest(1).getFirst().session());
    assertTrue(campaign.campaign().matches("[0-9a-f]{8}"), campaign::campaign);
    assertEquals(campaign.campaign(), bulk.campaign());
    assertEquals("1000/" + campaign.networks(), bulk.toString());
    assertNull(campaigns.seen(print(texts.text()), mail(1, 1), START));
  }

  /** Short texts have no minima, and files no text. */
  @Test
  void shortTextsAndFilesAreCountedByTheirExactValue() {
    Campaigns campaigns = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    MailPrint text = print(texts.words(BodyPrint.LEAST_WORDS));
    assertNull(text.likeness());
    Fingerprint file = Fingerprint.of(new byte[Fingerprint.OCTETS]);
    for (int copy = 1; copy <= 2 * HEAVY; copy++) {
      MailPrint other = print(texts.text());
      MailPrint withFile = new MailPrint(other.body(), other.likeness(), List.of(file));
      boolean isMany = copy >= HEAVY;
      assertEquals(isMany, campaigns.seen(text, mail(1, 1), START) != null);
      assertEquals(isMany, campaigns.seen(withFile, mail(1, 1), START) != null);
      assertNull(campaigns.seen(MailPrint.NONE, mail(1, 1), START));
    }
    assertEquals(2, campaigns.heaviest(10).size());
  }

  @Test
  void aWindowWithoutCopiesForgetsACampaign() {
    Campaigns campaigns = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    MailPrint print = print(texts.text());
    for (int copy = 0; copy < 100; copy++) {
      campaigns.seen(print, mail(copy, copy), START);
    }
    campaigns.tick(START.plus(WINDOW.dividedBy(2)));
    assertEquals(100, campaigns.heaviest(1).getFirst().copies());
    campaigns.tick(START.plus(WINDOW));
    assertEquals(List.of(), campaigns.heaviest(10));
    assertNull(campaigns.seen(print, mail(1, 1), START.plus(WINDOW)));
    // A clock that is set back forgets nothing and stops nothing.
    campaigns.tick(START);
    campaigns.tick(START.plus(WINDOW.multipliedBy(100_000)));
    for (int copy = 1; copy < HEAVY; copy++) {
      assertNull(campaigns.seen(print, mail(copy, copy), START));
    }
    assertNotNull(campaigns.seen(print, mail(1, 1), START));
  }

  /** Of nodes with equal seeds: each counts what it sees, and what the others give away. */
  private static List<Campaigns> nodes(int many, List<Integer> given) {
    List<Campaigns> nodes = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      nodes.add(new Campaigns(10_000, HEAVY, WINDOW, SEED, START));
    }
    for (Campaigns node : nodes) {
      node.shareBy(
          new Campaigns.Sharing(
              copy -> {
                given.add(copy.keys.length);
                SharedCopy sent = SharedCopy.parse(copy.text()).orElseThrow();
                nodes.stream().filter(n -> n != node).forEach(n -> n.merge(sent, START, START));
              },
              true));
    }
    return nodes;
  }

  @Test
  void aCampaignThatIsSpreadOverNodesIsFoundOnAll() {
    List<Integer> given = new ArrayList<>();
    List<Campaigns> nodes = nodes(3, given);
    List<String> text = texts.text();
    for (int copy = 0; copy < 150; copy++) {
      nodes.get(copy % 3).seen(print(texts.edited(text, 0.05)), mail(copy, copy), START);
    }
    for (Campaigns node : nodes) {
      Campaign campaign = node.heaviest(1).getFirst();
      assertTrue(campaign.copies() >= 100, "seed " + SEED + " " + campaign);
      assertTrue(campaign.networks() >= 50, "seed " + SEED + " " + campaign);
      assertTrue(campaign.session().matches("S\\d+"), "a session of this node: " + campaign);
      assertEquals(1, node.size());
    }
    int before = given.size();
    for (int i = 0; i < 1_000; i++) {
      nodes.getFirst().seen(print(texts.text()), mail(i, i), START);
      nodes.getFirst().tick(START);
    }
    int single = given.size() - before;
    assertTrue(single <= 10, "seed " + SEED + " single mails that travel of 1,000: " + single);
    nodes.getFirst().tick(START.plus(WINDOW.multipliedBy(2)));
    assertEquals(List.of(), nodes.getFirst().heaviest(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "0", "0 2 1 1", "0 7fffffff 1 1", "0 ffffffff 1 1 1 1", "1 2 1 1 5 6"})
  void whatIsNoCopyIsNone(String text) {
    assertEquals(Optional.empty(), SharedCopy.parse(text));
    assertEquals(Optional.empty(), SharedCopy.parse("0 2 1 1" + " 1".repeat(1_000)));
    assertTrue(SharedCopy.parse("0 2 1 1 5 6 ffffffffffffffff").isPresent());
  }

  /** Likenesses of another seed cannot be compared, exact values can. */
  @Test
  void withoutACommonLikenessOnlyEqualCopiesCountTogether() {
    Campaigns here = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    Campaigns there = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    here.shareBy(new Campaigns.Sharing(copy -> there.merge(copy, START, START), false));
    List<String> text = texts.text();
    for (int copy = 0; copy < 2 * HEAVY; copy++) {
      here.seen(print(texts.edited(text, 0.05)), mail(copy, copy), START);
    }
    assertEquals(0, there.size());
    for (int copy = 0; copy < 2 * HEAVY; copy++) {
      here.seen(print(text), mail(copy, copy), START);
    }
    assertEquals(1, there.size());
    assertEquals("", there.heaviest(1).getFirst().session(), "no copy came there");
    Campaigns late = new Campaigns(10_000, HEAVY, WINDOW, SEED, START);
    Instant after = START.plus(WINDOW);
    here.shareBy(new Campaigns.Sharing(copy -> late.merge(copy, START, after), true));
    for (int copy = 0; copy < 2 * HEAVY; copy++) {
      here.seen(print(text), mail(copy, copy), START);
    }
    assertEquals(0, late.size(), "what is older than the window does not count");
  }

  /** When many more mails come than expected, campaigns are missed, not invented. */
  @Test
  void crowdedCountersAccuseNobody() {
    Campaigns campaigns = new Campaigns(1_000, HEAVY, WINDOW, SEED, START);
    int mails = 30_000;
    for (int i = 0; i < mails; i++) {
      Instant now = START.plusMillis(WINDOW.toMillis() * i / mails);
      if (i % 100 == 0) {
        campaigns.tick(now);
      }
      assertNull(
          campaigns.seen(print(texts.words(60)), mail(i, i), now), "seed " + SEED + " mail " + i);
    }
    assertTrue(campaigns.heavyFrom() > 2 * HEAVY, () -> "" + campaigns.heavyFrom());
  }

  @Test
  void heaviestMailsAreKeptAndTheirNumberIsBounded() {
    int heavy = 5;
    Campaigns campaigns = new Campaigns(1_000_000, heavy, WINDOW, SEED, START);
    int mails = Campaigns.MOST_TRACKED + 200;
    Bulk last = null;
    for (int i = 0; i < mails; i++) {
      MailPrint print = print(texts.words(BodyPrint.LEAST_WORDS));
      // Those of the first 200 stay, as they have more copies than each later one.
      int copies = i < 200 ? 3 * heavy : heavy + 2;
      for (int copy = 0; copy < copies; copy++) {
        last = campaigns.seen(print, mail(copy, copy), START);
      }
      if (i % 1_000 == 0) {
        campaigns.tick(START);
      }
    }
    assertEquals(Campaigns.MOST_TRACKED, campaigns.heaviest(mails).size());
    assertTrue(campaigns.heaviest(200).getLast().copies() >= 3 * heavy);
    assertNotNull(last);
  }

  /** Threads that pass copies of the same mails at the same time. */
  @Test
  void threadsCountEveryCopy() throws InterruptedException, ExecutionException {
    int threads = 8;
    int templates = 20;
    int copies = 500;
    Campaigns campaigns = new Campaigns(100_000, HEAVY, WINDOW, SEED, START);
    List<MailPrint> prints = new ArrayList<>();
    for (int i = 0; i < templates; i++) {
      prints.add(print(texts.text()));
    }
    CountDownLatch begin = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        running.add(
            pool.submit(() -> {
              begin.await();
              for (int i = 0; i < copies * templates; i++) {
                PassingMail mail = mail(thread * copies + i / templates, i);
                campaigns.seen(prints.get((i + thread) % templates), mail, START);
              }
              return null;
            }));
      }
      begin.countDown();
      for (Future<?> one : running) {
        one.get();
      }
    }
    int exact = threads * copies;
    List<Campaign> found = campaigns.heaviest(2 * templates);
    assertEquals(templates, found.size(), found::toString);
    for (Campaign campaign : found) {
      assertEquals(exact, campaign.copies(), "seed " + SEED + ": " + campaign);
      assertEquals(exact, campaign.networks(), 0.4 * exact);
    }
  }
}

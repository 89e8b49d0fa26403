package io.bloomgate.blocklists.greylist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.blocklists.greylist.GreylistFile.Change;
import io.bloomgate.config.settings.GreylistSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of senders that come again, when there are too many of them. */
final class VisitsTest {

  private static final GreylistSettings RULES =
      new GreylistSettings(Duration.ofMinutes(5), Duration.ofHours(24));

  private static final int DAY = 86_400;

  private final List<Change> changes = new ArrayList<>();
  private final List<String> alarms = new ArrayList<>();
  private final Visits visits = new Visits(80_000, 800, changes::add, alarms::add);

  private long now = 20_000L * DAY;

  /** Keys are hashes; these are the same in each run. */
  private static long key(int network, int sender) {
    long bits = network * 1_000_003L + sender + 1;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }

  /** Each network is in another group. */
  private Visit visit(int network, int sender) {
    return visits.ask(key(network, sender), (long) network << 52 | 1, RULES, now);
  }

  /** The program of one who invents senders, and comes again with each. */
  private void comeTwice(int network, int from, int end) {
    for (int i = from; i < end; i++) {
      visit(network, i);
    }
    now += 360;
    for (int i = from; i < end; i++) {
      assertTrue(visit(network, i).letIn());
    }
  }

  /** The ring hits by chance now and then; explain must not say that such a sender has passed. */
  @Test
  void whoCameAgainIsRememberedWithinBoundsAndOneNetworkHasAnEighth() {
    comeTwice(1, 0, 500);
    assertEquals(100, visits.sizes().passed());
    assertEquals(Visit.PASSED, visit(1, 99));
    assertEquals(Visit.FIRST, visit(1, 100));
    for (int network = 2; network < 12; network++) {
      comeTwice(network, 0, 110);
    }
    assertEquals(800, visits.sizes().passed());
    assertEquals(1, alarms.size(), alarms::toString);
    now += DAY;
    assertEquals(Visit.PASSED, visit(1, 99), "who is remembered stays so");
    comeTwice(20, 0, 5);
    assertEquals(2, alarms.size(), "once a day");
    now += Greylist.REMEMBERED.toSeconds();
    comeTwice(20, 0, 5);
    assertEquals(5, visits.sizes().passed(), "the others did not come for long");
  }

  @Test
  void aMailADayIsWrittenOnce() {
    comeTwice(1, 0, 1);
    changes.clear();
    for (int i = 0; i < 30; i++) {
      now += DAY / 10;
      assertEquals(Visit.PASSED, visit(1, 0));
    }
    assertEquals(3, changes.size(), changes::toString);
    assertEquals(List.copyOf(changes).getLast(), visits.everything().getFirst());
  }
}

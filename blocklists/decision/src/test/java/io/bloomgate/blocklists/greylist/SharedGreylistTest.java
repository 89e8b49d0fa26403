package io.bloomgate.blocklists.greylist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways that tell each other of visits, each with its own seed. */
final class SharedGreylistTest {

  private static final GreylistSettings RULES =
      new GreylistSettings(Duration.ofMinutes(5), Duration.ofHours(24));

  private static final DomainName SHOP =
      DomainName.parse("shop.example").toOptional().orElseThrow();

  private static final IpAddress CLIENT = IpAddress.parse("203.0.113.9").toOptional().orElseThrow();

  @TempDir Path folder;
  private final List<String> given = new ArrayList<>();

  /** What all nodes know. */
  private final Map<GreylistSharing.Sender, Known> known = new HashMap<>();

  private record Known(boolean cameAgain, Instant at) {}

  private Instant now = Instant.parse("2026-11-23T10:00:00Z");
  private Greylist here;
  private Greylist there;

  @BeforeEach
  void begin() throws IOException {
    here = open("here", 1_000);
    there = open("there", 1_000);
    connect();
  }

  @AfterEach
  void close() throws IOException {
    here.close();
    there.close();
  }

  private Greylist open(String name, int most) throws IOException {
    return Greylist.open(
        Files.createDirectories(folder.resolve(name)),
        new SecureRandom(),
        client -> false,
        alarm -> {},
        most);
  }

  private void connect() {
    give(here);
    give(there);
  }

  private void give(Greylist to) {
    to.shareBy(
        new GreylistSharing() {
          @Override
          public void cameFirst(GreylistSharing.Sender sender, GreylistSettings rules, Instant at) {
            Known before = known.putIfAbsent(sender, new Known(false, at));
            if (before == null) {
              given.add(sender.recipient() + " false");
            } else {
              to.merge(sender, before.cameAgain(), rules, before.at());
            }
          }

          @Override
          public void cameAgain(GreylistSharing.Sender sender) {
            given.add(sender.recipient() + " true");
            known.put(sender, new Known(true, now));
          }
        });
  }

  private Visit visit(Greylist at) {
    return at.ask(CLIENT, SHOP, "example.com", RULES, now);
  }

  @Test
  void whoCameToOneAndComesAgainToTheOtherIsLetIn() {
    assertEquals(Visit.FIRST, visit(here));
    now = now.plus(Duration.ofMinutes(1));
    assertEquals(Visit.EARLY, visit(there), "the delay counts from the visit to the other one");
    now = now.plus(Duration.ofMinutes(4));
    assertEquals(Visit.RETURNED, visit(there));
    assertEquals(Visit.PASSED, visit(there));
    assertEquals(List.of("example.com false", "example.com true"), given, "only what is news");
    assertEquals(Visit.RETURNED, visit(here), "its first visit was here");
    now = now.plus(Duration.ofDays(35));
    assertEquals(Visit.PASSED, visit(here), "and refreshes it");
    now = now.plus(Duration.ofDays(35));
    assertEquals(Visit.PASSED, visit(there), "by the mail to the other one");
  }

  @Test
  void whoCameWhileTheNodesWereApartIsLetInByBothAfterwards() throws IOException {
    here.close();
    here = open("alone", 1_000);
    assertEquals(Visit.FIRST, visit(here));
    now = now.plus(Duration.ofMinutes(6));
    connect();
    assertEquals(Visit.RETURNED, visit(here));
    assertEquals(Visit.PASSED, visit(there), "who was never there, and came again in time");
  }

  /** As after a start, when all that is in Redis is read once more. */
  @Test
  void visitsThatAreMergedTwiceChangeNothing() throws IOException {
    GreylistSharing.Sender sender =
        new GreylistSharing.Sender(ClientNetwork.wide(CLIENT), SHOP, "example.com");
    Instant first = now;
    for (int i = 0; i < 3; i++) {
      here.merge(sender, false, RULES, first);
    }
    assertEquals(1, here.sizes().waiting());
    Instant again = first.plus(Duration.ofMinutes(6));
    for (int i = 0; i < 3; i++) {
      here.merge(sender, false, RULES, first);
      here.merge(sender, true, RULES, again);
    }
    assertEquals(0, here.sizes().waiting());
    assertEquals(1, here.sizes().passed());
    here.close();
    here = open("here", 1_000);
    assertEquals(1, here.sizes().passed(), "it is in the file");
  }

  /** Nothing is remembered of senders that pass because their whole network came again. */
  @Test
  void aSenderWithoutAPlaceIsNotGivenAway() throws IOException {
    here.close();
    here = open("few", 8);
    connect();
    assertEquals(Visit.FIRST, visit(here));
    DomainName other = DomainName.parse("other.example").toOptional().orElseThrow();
    assertEquals(Visit.FIRST, here.ask(CLIENT, other, "example.com", RULES, now));
    now = now.plus(Duration.ofMinutes(11));
    given.clear();
    assertEquals(Visit.RETURNED, here.ask(CLIENT, other, "example.com", RULES, now));
    assertEquals(List.of(), given);
  }
}

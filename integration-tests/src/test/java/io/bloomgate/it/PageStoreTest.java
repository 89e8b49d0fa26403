package io.bloomgate.it;

import static io.bloomgate.it.PageFixture.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page over a store with many sessions whose texts are as long and as hostile as they can be.
 * {@code -Dsessions=1000000} asks for more of them.
 */
class PageStoreTest {

  private static final int SESSIONS = Integer.getInteger("sessions", 10_000);
  private static final int MAX_OCTETS = 100_000;
  private static final String LONG = "<\"&'>".repeat(50);

  @TempDir Path folder;

  @Test
  void eachPageStaysSmall() throws Exception {
    Instant newest = Instant.now().minusSeconds(60);
    fill(newest);
    try (PageFixture page = new PageFixture(folder)) {
      List<String> subjects = IntStream.range(0, 150).mapToObj(i -> "n" + i + ".example").toList();
      page.gateway().control(Addition.of(ListKind.BLOCK, subjects).reason(LONG).request());
      for (String path :
          List.of(
              "/",
              "/live",
              "/live/rows",
              "/sessions?span=7d",
              "/feed?name=drop&score=yes",
              "/block",
              "/audit")) {
        HttpResponse<String> answer = page.get(path, bearer(PageFixture.WRITE));
        int octets = answer.body().getBytes(StandardCharsets.UTF_8).length;
        assertEquals(200, answer.statusCode(), path);
        assertTrue(octets < MAX_OCTETS, () -> path + " has " + octets);
      }
      String overview = page.get("/", bearer(PageFixture.READ)).body();
      String refused = String.format(Locale.ROOT, "refused <strong>%,d</strong>", SESSIONS / 2);
      assertTrue(overview.contains(refused), overview);
      assertTrue(!overview.contains("<h2>Fleet</h2>"), "a gateway that is alone");
    }
  }

  /** Half of them refused, one after the other up to the newest, within an hour. */
  private void fill(Instant newest) throws Exception {
    SessionDays days = new SessionDays(Files.createDirectory(folder.resolve("state")));
    days.create();
    LocalDate day = LocalDate.ofInstant(newest, ZoneOffset.UTC);
    try (DayWriter writer = DayWriter.open(days.day(day, 1).file(), day)) {
      for (int i = 0; i < SESSIONS; i++) {
        Duration before = Duration.ofHours(1).dividedBy(SESSIONS).multipliedBy(SESSIONS - i);
        writer.add(session(newest.minus(before), i), null);
        if (i % 50_000 == 0) {
          writer.commit();
        }
      }
      writer.commit();
    }
  }

  private static Evidence session(Instant at, int number) {
    boolean refused = number % 2 == 0;
    Evidence.Listing listing =
        new Evidence.Listing(
            Check.CLIENT_IP, "203.0.113.7", "drop", "203.0.113.7", 1, Action.REJECT, "");
    return new Evidence(
        at,
        IpAddress.parse("203.0.113.7").toOptional().orElseThrow(),
        number % 16 + LONG,
        LONG,
        List.of("example.com"),
        1,
        "ESMTP",
        "mx",
        new Evidence.Decision(
            String.format(Locale.ROOT, "%010d", number),
            Stage.RCPT,
            Mode.ENFORCE,
            refused ? Outcome.REFUSED : Outcome.DELIVERED,
            LONG,
            refused ? "reject" : "accept",
            1,
            refused ? List.of(listing) : List.of(),
            refused ? "554 5.7.1 Refused" : "250 2.0.0 Ok"),
        4_096,
        Duration.ofMillis(12),
        1,
        RareFacts.NOTHING);
  }
}

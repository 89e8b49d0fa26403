package io.bloomgate.gateway.report;

import static io.bloomgate.gateway.testkit.ReportFixture.NOW;
import static io.bloomgate.gateway.testkit.ReportFixture.ZONE;
import static io.bloomgate.gateway.testkit.ReportFixture.listing;
import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import io.bloomgate.gateway.report.GatewayReport.GoodSender;
import io.bloomgate.gateway.report.GatewayReport.Refusals;
import io.bloomgate.gateway.report.GatewayReport.ReportTime;
import io.bloomgate.gateway.report.ReportScan.TopCounts;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.testkit.ReportFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says of the kept sessions and of the gateway. */
final class ReportTest {

  private static final Duration DAY = Duration.ofDays(1);

  /** What was printed, to be looked at, and to replace the file beside the test. */
  private static final Path PRINTED = Path.of("target/report");

  @TempDir private Path folder;

  private ReportFixture fixture() {
    return new ReportFixture(folder);
  }

  private static GatewayReport ofDay(ReportFixture fixture) throws IOException {
    return fixture.reports().since(NOW.minus(DAY), null);
  }

  private static void assertGolden(String name, String printed) throws IOException {
    try (InputStream golden = ReportTest.class.getResourceAsStream(name)) {
      String expected = new String(Objects.requireNonNull(golden, name).readAllBytes(), UTF_8);
      assertEquals(expected, printed, PRINTED + " has what was printed");
    }
  }

  @Test
  void anOrdinaryDayAsTextAndAsHtml() throws IOException {
    GatewayReport forms = ofDay(fixture().ordinaryDay());
    assertEquals("609 refused, 429 accepted, 3 feeds in trouble", ReportTables.headline(forms));
    Files.createDirectories(PRINTED);
    Files.writeString(PRINTED.resolve("day.txt"), forms.text(0));
    Files.writeString(PRINTED.resolve("day.html"), forms.html());
    assertGolden("day.txt", forms.text(0));
    assertGolden("day.html", forms.html());
  }

  @Test
  void theObjectHasTheSameNumbers() throws IOException {
    String json = Json.write(ofDay(fixture().ordinaryDay()).json());
    assertHas(
        json,
        "\"refused\":[{\"list\":\"drop\",\"sessions\":",
        "\"feed\":\"names\",\"state\":\"held\"",
        "\"accepted_listed\":[{\"sender_domain\":\"newsletter.example\"",
        "\"certificate\":null,\"certificates\":[]");
  }

  @Test
  void aDayWithoutMailSaysSo() throws IOException {
    GatewayReport forms = ofDay(fixture());
    assertHas(forms.text(0), "No list refused anything.");
    assertLacks(forms.html(), "<svg");
    assertEquals("0 refused, 0 accepted", ReportTables.headline(forms));
  }

  /** Delivered mail is not called refused: not in the chart, the titles or the subject. */
  @Test
  void whatModeObserveLetThroughIsNotCalledRefused() throws IOException {
    GatewayReport observed =
        ofDay(
            fixture()
                .mode(Mode.OBSERVE)
                .add(
                    Duration.ofHours(1),
                    "203.0.113.7",
                    "a@shop.example",
                    Outcome.DELIVERED,
                    "reject",
                    4,
                    listing("drop", Action.REJECT, "")));
    assertEquals("4 would be refused, 4 accepted", ReportTables.headline(observed));
    assertEquals(4, observed.refused());
    assertEquals(4, observed.sessions().wouldRefuse());
    assertEquals("would be refused", observed.goodSenders().getFirst().what());
    assertEquals("203.0.113.0/24", observed.goodSenders().getFirst().network());
    assertHas(observed.text(0), "let through by mode observe only");
    String html = observed.html();
    assertHas(html, ">sessions that a list would refuse an hour</text>");
    for (String title :
        List.of(
            "Would be refused, by list",
            "Would be refused, by hour",
            "Networks that would be refused most",
            "Sender domains that would be refused most")) {
      assertHas(observed.text(0), "\n" + title + "\n");
      assertHas(html, ">" + title + "</h2>");
    }
    assertTrue(html.contains("&#9632;"), "the table by list is the legend of the chart");
  }

  @Test
  void periodsAreHoursOrDaysOfTheZoneAndNeverMany() {
    Instant summerEnds = Instant.parse("2026-10-25T12:00:00Z");
    ReportTime hours = ReportTime.of(summerEnds.minus(DAY), summerEnds, ZONE);
    assertEquals(24, hours.periods().size());
    assertEquals("2026-10-24 14:00", hours.begin(0));
    assertEquals(23, hours.period(summerEnds.minusSeconds(1)));
    ReportTime days = ReportTime.of(summerEnds.minus(Duration.ofDays(7)), summerEnds, ZONE);
    assertEquals("2026-10-18", days.begin(0));
    assertEquals("2026-10-25", days.begin(7));
    assertEquals(8, days.periods().size());
    for (int length = 1; length < 4_000; length += 37) {
      ReportTime time = ReportTime.of(summerEnds.minus(Duration.ofDays(length)), summerEnds, ZONE);
      assertTrue(time.periods().size() <= 62, length + " days");
      assertEquals(0, time.period(time.since()));
    }
  }

  /** The chart of one day is in the golden output. */
  @Test
  void theChartOfAWeekCountsByDay() throws IOException {
    String days =
        fixture().ordinaryDay().reports().since(NOW.minus(Duration.ofDays(7)), null).html();
    assertHas(days, ">refused sessions a day</text>");
  }

  @Test
  void namesFromOutsideAreInert() throws IOException {
    String script = "<script>alert(1)</script>";
    GatewayReport forms =
        ofDay(
            fixture()
                .add(
                    Duration.ofHours(1),
                    "203.0.113.7",
                    "a@" + script + "\"'&\u202e\u001b[2J.example",
                    Outcome.REFUSED,
                    "reject",
                    2,
                    listing("<img src=x>", Action.REJECT, ""))
                .add(
                    Duration.ofHours(2),
                    "203.0.113.7",
                    "a@" + "\u4e2d<&".repeat(200) + ".example",
                    Outcome.DELIVERED,
                    "accept",
                    2,
                    listing("watch", Action.OBSERVE, ""))
                .feed("watch", FeedState.FAILED, script + "\nNext: x", DAY));
    String html = forms.html();
    assertLacks(html, "<script", "<img");
    assertHas(html, "&lt;script&gt;alert(1)&lt;/script&gt;\"'&amp;\\u202e\\u001b[2j");
    assertFalse(html.matches("(?is).*<[^>]*\\s(?:src|href|on[a-z]+)\\s*=.*"), html);
    assertLacks(html, "url(");
    for (String shown : List.of(html, forms.text(0))) {
      assertTrue(
          shown.chars().allMatch(c -> c == '\n' || (c >= ' ' && c != 0x7f && c != 0x202e)), shown);
    }
    assertTrue(forms.text(0).lines().allMatch(line -> line.length() < 1_000), forms.text(0));
  }

  @Test
  void privacyOfNowHoldsForRowsOfBefore() throws IOException {
    ReportFixture fixture = fixture().privacy("no_addresses").ordinaryDay();
    GatewayReport forms = ofDay(fixture);
    for (String shown : List.of(forms.text(0), forms.html(), Json.write(forms.json()))) {
      assertLacks(shown, "spam.example", "newsletter.example");
      assertFalse(shown.replace("@media", "").contains("@"), shown);
      assertHas(shown, "203.0.113.0/24");
    }
  }

  @Test
  void onlyDomainsOfSendersAreShown() throws IOException {
    String text = ofDay(fixture().privacy("no_localpart").ordinaryDay()).text(0);
    assertHas(text, "newsletter.example");
    assertLacks(text, "n@newsletter.example");
  }

  @Test
  void theWorstReportIsSmall() throws IOException {
    long seed = Long.getLong("seed", 20261123);
    Random random = new Random(seed);
    ReportFixture fixture = fixture();
    for (int i = 0; i < 1_500; i++) {
      String domain = "\u4e2d\u6587<".repeat(60) + random.nextInt(40) + ".example";
      String list = "<" + "l".repeat(60) + random.nextInt(30);
      fixture.add(
          Duration.ofMinutes(random.nextInt(60 * 24 * 29)),
          "203.0." + random.nextInt(200) + ".7",
          "a@" + domain,
          random.nextBoolean() ? Outcome.REFUSED : Outcome.DELIVERED,
          "reject",
          1_000_000 + random.nextInt(1_000_000),
          listing(list, Action.REJECT, ""));
    }
    for (int i = 0; i < 200; i++) {
      fixture.feed("f".repeat(60) + i, FeedState.FAILED, "\u4e2d<&".repeat(500), DAY);
    }
    String html = fixture.reports().since(NOW.minus(Duration.ofDays(30)), null).html();
    int octets = html.getBytes(UTF_8).length;
    assertTrue(octets < 100_000, octets + " octets, seed " + seed);
  }

  @Test
  void aCertificateIsNamedWithItsDays() throws IOException {
    GatewayReport plain = fixture().ordinaryDay().reports().since(NOW.minus(DAY), null);
    GatewayReport report =
        new GatewayReport(
            plain.time(),
            plain.host(),
            plain.mode(),
            plain.sessions(),
            plain.refusals(),
            plain.networks(),
            plain.domains(),
            plain.goodSenders(),
            plain.feeds(),
            plain.unusedAllows(),
            List.of(certificate(NOW.plus(Duration.ofHours(25)))),
            plain.disk(),
            plain.problems());
    String text = report.text(0);
    assertHas(text, "CN=mx.example.com, RSA", "2026-11-24 08:00, in 25 h", "self-signed");
    assertEquals(-1, certificate(NOW.minusSeconds(1)).days());
  }

  private static Certificate certificate(Instant expires) {
    return new Certificate(
        new GatewayStatus.Certificate("CN=mx.example.com", expires, true, "", "RSA", ""), NOW);
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    ReportFixture fixture = fixture().ordinaryDay();
    Reports reports = fixture.reports();
    Files.writeString(folder.resolve("sessions/2026-11-22.db"), "damaged");
    String text = reports.since(NOW.minus(Duration.ofDays(90)), null).text(0);
    assertHas(text, "This report is not complete", "sessions.retain", "2026-11-22.db");
  }

  /** Problems of feeds are sentences, and names are long: the table is as wide as the terminal. */
  @Test
  void tablesFitTheTerminal() throws IOException {
    String problem = "the server of the list answered 503 Service Unavailable in each of 31 tries";
    ReportFixture fixture =
        fixture().feed("a-list-with-a-long-name", FeedState.FAILED, problem, DAY);
    fixture.feed("b", FeedState.FAILED, "https://lists.example/" + "x".repeat(90), DAY);
    for (int columns : List.of(80, 100, 200)) {
      String text = fixture.reports().since(NOW.minus(DAY), null).text(columns);
      assertTrue(text.lines().allMatch(line -> line.length() <= columns), text);
      assertTrue(
          text.lines().anyMatch(line -> line.startsWith("  a-list-with-a-long-name  failed")),
          text);
    }
  }

  @Test
  void hoursAreOfTheZoneThatIsAsked() throws IOException {
    String text =
        fixture().ordinaryDay().reports().since(NOW.minus(DAY), ZoneId.of("Asia/Kolkata")).text(0);
    assertHas(text, "(Asia/Kolkata)", ":30");
  }

  @Test
  void manyListsAreOneRow() throws IOException {
    ReportFixture fixture = fixture();
    for (int i = 0; i < 12; i++) {
      fixture.add(
          Duration.ofHours(i + 1),
          "203.0.113.7",
          "a@spam.example",
          Outcome.REFUSED,
          "reject",
          i + 1,
          listing("list" + i, Action.REJECT, ""));
    }
    List<Refusals> refusals = fixture.reports().since(NOW.minus(DAY), null).refusals();
    assertEquals(ReportScan.MAX_LISTS + 1, refusals.size());
    assertEquals("list11", refusals.getFirst().list());
    assertEquals(ReportScan.OTHER_LISTS, refusals.getLast().list());
    assertEquals(1 + 2 + 3 + 4 + 5 + 6, refusals.getLast().sessions());
  }

  @Test
  void countsOfTheFrequentAreExactWhateverComesBetween() {
    TopCounts<String> counts = new TopCounts<>(100);
    IntStream.range(0, 10_000)
        .forEach(i -> {
          counts.add("rare" + i, 1);
          counts.add("frequent", 2);
        });
    assertEquals(List.of(new TopCounts.Counted<>("frequent", 20_000)), counts.top(1));
    assertTrue(counts.top(1_000).size() <= 200);
  }

  @Test
  void aSenderIsOneRowWhateverListsNameIt() throws IOException {
    ReportFixture fixture = new ReportFixture(folder);
    for (String client : List.of("203.0.113.7", "198.51.100.7", "198.51.100.8")) {
      fixture.add(
          Duration.ofHours(1),
          client,
          "a@shop.example",
          Outcome.DELIVERED,
          "tag",
          2,
          listing("bulk", Action.TAG, ""),
          listing("watch", Action.OBSERVE, ""));
    }
    fixture.add(
        Duration.ofHours(2),
        "192.0.2.7",
        "",
        Outcome.DELIVERED,
        "tag",
        1,
        listing("bulk", Action.TAG, ""));
    fixture.add(
        Duration.ofHours(2),
        "203.0.113.9",
        "",
        Outcome.DELIVERED,
        "tag",
        1,
        listing("bulk", Action.TAG, ""));
    List<GoodSender> senders =
        fixture.reports().since(NOW.minus(Duration.ofDays(1)), null).goodSenders();
    assertEquals(
        List.of(
            new GoodSender(
                "shop.example", "198.51.100.0/24", "bulk, watch", "tagged, observed", 6, 2),
            new GoodSender("<>", "192.0.2.0/24", "bulk", "tagged", 1, 1),
            new GoodSender("<>", "203.0.113.0/24", "bulk", "tagged", 1, 1)),
        senders);
  }
}
